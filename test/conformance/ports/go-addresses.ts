// IP addresses, mail addresses and URLs of Go's standard library, for the port `go`.
import {
  formatIpAddress,
  formatIpPrefix,
  isGlobalUnicast,
  isIpv4InIpv6,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskedPrefix,
  parseIpAddress,
  parseIpPrefix,
  prefixContains,
  prefixesOverlap,
  sameAddress,
} from '../../../src/go/net/ip-address.ts';
import { isMailAddress } from '../../../src/go/net/mail-address.ts';
import { parseRequestUri, parseUrl, type Url } from '../../../src/go/net/url.ts';
import { escapeUrl, unescapeUrl } from '../../../src/go/net/url-escape.ts';
import type { Chance } from './chance.ts';
import type { GoFunction } from './go.ts';
import { textFunction } from './go-answers.ts';
import { byteText } from './go-text.ts';
import * as texts from './texts.ts';

const GROUPS = ['0', '0', '1', 'ffff', 'FE80', 'ff02', 'ff01', '0db8', 'abcd', '00', '12345', 'g', ''];
const OCTETS = ['0', '0', '1', '10', '127', '169', '192', '224', '254', '255', '256', '01', '', 'a'];
const ZONES = ['', '', '', '', '%eth0', '%', '%1%2', '%é'];

function octets(chance: Chance): string {
  return chance
    .several(chance.in(90) ? 4 : 2, chance.in(90) ? 4 : 5, () =>
      chance.pick(chance.in(95) ? OCTETS.slice(0, 10) : OCTETS),
    )
    .join('.');
}

export function ipText(chance: Chance): string {
  if (chance.in(25)) return chance.text(texts.IPS);
  if (chance.in(35)) return octets(chance);
  const group = (): string => chance.pick(chance.in(95) ? GROUPS.slice(0, 10) : GROUPS);
  const last = chance.in(20) ? `:${octets(chance)}` : '';
  const zone = chance.pick(ZONES);
  if (chance.in(30)) return chance.several(last === '' ? 7 : 5, last === '' ? 9 : 7, group).join(':') + last + zone;
  return `${chance.several(0, 4, group).join(':')}::${chance.in(30) ? 'ffff:' : ''}${chance.several(0, 4, group).join(':')}${last}${zone}`;
}

function prefixText(chance: Chance): string {
  if (chance.in(25)) return chance.text(texts.CIDRS);
  return `${ipText(chance)}/${chance.in(90) ? chance.below(chance.pick([34, 130])) : chance.pick(['', '-1', '+1', '01', '00', 'x', '9223372036854775808', '1e1'])}`;
}

/** Often within the prefix, by a changed part. */
function prefixAndAddress(chance: Chance): readonly [string, string] {
  const prefix = prefixText(chance);
  const near = prefix.replace(/\/.*/, '').replace(/[0-9a-f]+$/, () => String(chance.below(10)));
  return [prefix, chance.in(60) ? near : ipText(chance)];
}

function twoPrefixes(chance: Chance): readonly [string, string] {
  const [prefix, near] = prefixAndAddress(chance);
  return [prefix, chance.in(60) ? `${near}/${chance.below(chance.pick([34, 130]))}` : prefixText(chance)];
}

const MAIL_PARTS = [
  ...[
    'a',
    'web',
    'a.b',
    '"a b"',
    '"a\\"b"',
    '""',
    '@',
    '@',
    '@',
    'example.com',
    '[127.0.0.1]',
    '[::1]',
    '[IPv6:::1]',
    '[x]',
    '[fe80::1%eth0]',
    '<',
    '>',
    ' ',
    '\t',
    ',',
    ';',
    ':',
  ],
  ...[
    '(c)',
    '(',
    ')',
    '(a(b)c)',
    '(\\))',
    '.',
    '..',
    '\\',
    '=?utf-8?q?a?=',
    '=?x?q?a?=',
    '=?UTF-8?B?YQ==?=',
    '=?iso-8859-1?q?=E9?=',
    '=?utf-8?q?a',
    'é',
    '日本',
    '\u0000',
    '\n',
    '\r\n ',
    '\u007f',
    '"é"',
    'Group:',
  ],
];
const MAILS = [
  ...[
    'a@b',
    'Web <web@example.com>',
    '<a@b>',
    '"Web, Team" <a@b>',
    'group: a@b;',
    'group: a@b, c@d;',
    'group:;',
    'a@b (comment)',
    'a b <a@b>',
    'a@[127.0.0.1]',
    '"a b"@c',
  ],
  ...[
    '=?utf-8?q?J=C3=B6rg?= <a@b>',
    'a.@b',
    '.a@b',
    'a..b@c',
    'a@b.',
    'a@.b',
    'a@b..c',
    'a@',
    '@b',
    'a',
    '',
    'a@b>',
    '<a@b',
    'a@b, c@d',
    'J. Doe <a@b>',
    'é@b',
    'a@é',
    '(c) a@b',
  ],
];

function mailText(chance: Chance): readonly [string] {
  return [chance.in(50) ? chance.text(MAILS) : chance.several(1, 6, () => chance.pick(MAIL_PARTS)).join('')];
}

const SCHEMES = ['http:', 'https:', 'HTTP:', 'file:', 'mailto:', 'h+t.p-1:', '', '1x:', ':', 'é:', 'x_y:'];
const USERS = ['', '', '', 'u@', 'u:p@', 'u:@', ':p@', 'u%40:p%3a@', 'u:p:q@', 'a b@', 'é@', '%zz@', 'u@v@'];
const HOSTS = [
  'x',
  'example.com',
  'EXAMPLE.com',
  '',
  '127.0.0.1',
  '[::1]',
  '[fe80::1%25eth0]',
  '[fe80::1%25e%20h]',
  '[::1',
  '::1',
  '[127.0.0.1]',
  '[x]',
  'x]',
  'a[b]',
  'é',
  '%C3%A9',
  '%41',
  '%zz',
  'a b',
  'a"b',
  'a<b>',
  'a|b',
  '[v1.x]',
  '[::1%25]',
  '[fe80::%zz]',
  '[fe80::1%25%41]',
  'a%25b',
];
const PORTS = ['', '', ':80', ':', ':99999', ':x', ':8 0', ':80:90', ':-1'];
const PATHS = [
  '',
  '/',
  '/a/b',
  '/a%2fb',
  '/a%20b',
  '/a b',
  '/%zz',
  '/%',
  '/%4',
  '/é',
  '/a:b',
  'a:b',
  'a',
  '*',
  '//',
  '//a',
  '/;,=:@&+$',
  '/[x]',
  `/!'()*`,
  '/%41',
  '/<>"`{}|\\^',
  '/~',
  '/%2B',
  '/%c3%a9',
  '/%ff',
  './a',
  '../a',
  '/a/../b',
];
const QUERIES = [
  '',
  '',
  '?',
  '?a=b',
  '?a=1&a=2&b',
  '?%61=%zz',
  '?a;b',
  '?a=%2B+c',
  '??',
  '?é',
  '?a=b#',
  '?=&=',
  '?a=%ff&b',
  '?a b',
];
const FRAGMENTS = ['', '', '', '#', '#f', '#%41', '#%zz', '#é', '#a b', '#!', '#a#b', "#'", '#%20', '#[]', '#%ff'];

function urlText(chance: Chance): readonly [string] {
  if (chance.in(25)) return [chance.text(texts.URLS)];
  const authority = chance.in(70) ? `//${chance.pick(USERS)}${chance.pick(HOSTS)}${chance.pick(PORTS)}` : '';
  const written = `${chance.pick(chance.in(70) ? SCHEMES.slice(0, 2) : SCHEMES)}${authority}${chance.pick(PATHS)}${chance.pick(QUERIES)}${chance.pick(FRAGMENTS)}`;
  return [chance.in(15) ? chance.text([written]) : written];
}

function partsOf(url: Url | { readonly error: string }): unknown {
  if ('error' in url) return url;
  return [url.toString(), url.scheme, url.host, url.hostname, url.port, url.escapedPath, Object.fromEntries(url.query)];
}

export const ADDRESSES: readonly GoFunction[] = [
  textFunction(
    'netip.ParseAddr',
    (chance) => [ipText(chance)],
    (written) => {
      const address = parseIpAddress(written);
      if ('error' in address) return address;
      const kinds = [address.family === 4, isIpv4InIpv6(address)];
      // Only these addresses have the other kinds here.
      if (!isIpv4InIpv6(address)) {
        for (const kind of [isUnspecified, isLoopback, isLinkLocalMulticast, isLinkLocalUnicast, isGlobalUnicast]) {
          kinds.push(kind(address));
        }
      }
      return [formatIpAddress(address), address.zone, kinds];
    },
  ),
  textFunction(
    'Addr.Compare',
    (chance) => twoAddresses(chance),
    (first, second) => {
      const left = parseIpAddress(first);
      if ('error' in left) return left;
      const right = parseIpAddress(second);
      return 'error' in right ? right : sameAddress(left, right);
    },
  ),
  textFunction(
    'netip.ParsePrefix',
    (chance) => [prefixText(chance)],
    (written) => {
      const prefix = parseIpPrefix(written);
      return 'error' in prefix ? prefix : [formatIpPrefix(prefix), formatIpPrefix(maskedPrefix(prefix)), prefix.bits];
    },
  ),
  textFunction('Prefix.Contains', prefixAndAddress, (first, second) => {
    const prefix = parseIpPrefix(first);
    if ('error' in prefix) return prefix;
    const address = parseIpAddress(second);
    return 'error' in address ? address : prefixContains(prefix, address);
  }),
  textFunction('Prefix.Overlaps', twoPrefixes, (first, second) => {
    const left = parseIpPrefix(first);
    if ('error' in left) return left;
    const right = parseIpPrefix(second);
    return 'error' in right ? right : prefixesOverlap(left, right);
  }),
  textFunction('mail.ParseAddress', mailText, isMailAddress),
  textFunction('url.Parse', urlText, (written) => partsOf(parseUrl(written))),
  textFunction('url.Parse lenient', urlText, (written) => partsOf(parseUrl(written, 'lenient'))),
  textFunction('url.ParseRequestURI', urlText, (written) => partsOf(parseRequestUri(written))),
  textFunction(
    'url.QueryEscape',
    (chance) => [byteText(chance)],
    (bytes) => escapeUrl(bytes, 'queryComponent'),
  ),
  textFunction(
    'url.QueryUnescape',
    (chance) => [
      chance.in(50)
        ? escapeUrl(byteText(chance), 'queryComponent')
        : chance
            .several(0, 5, () => chance.pick(['%', '%4', '%41', '%zz', '%C3', '+', 'a', ' ', '%é'.slice(0, 1), '%2']))
            .join(''),
    ],
    (bytes) => unescapeUrl(bytes, 'queryComponent'),
  ),
];

function twoAddresses(chance: Chance): readonly [string, string] {
  const first = ipText(chance);
  return [first, chance.in(50) ? first.toUpperCase() : ipText(chance)];
}

// The string formats of kube-openapi (`pkg/validation/strfmt`, `third_party/govalidator`), by name without dashes.
import { parseIpAddress } from '../../../go/net/ip-address.ts';
import { isMailAddress } from '../../../go/net/mail-address.ts';
import { type ColonRule, parseRequestUri } from '../../../go/net/url.ts';
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { isAtLeast, type KubernetesVersion } from '../../api/version.ts';
import { isDate, isDateTime } from '../../cel/named-format.ts';
import { parseFormattedDuration } from './formatted-duration.ts';

type Check = (text: string) => boolean;

/** The formats that a release checks. */
export class StringFormats {
  readonly #checks: ReadonlyMap<string, Check>;

  constructor(version: KubernetesVersion, regexes: RegexCache) {
    this.#checks = new Map([
      ...GENERAL,
      ['uri', uri(isAtLeast(version, '1.36') ? 'strict' : 'lenient')],
      ['hostname', hostname(regexes)],
      // The server checks only formats that the previous release also knew.
      ...(isAtLeast(version, '1.35') ? KUBERNETES : []),
    ]);
  }

  /** Undefined if the format is not checked. */
  check(format: string): Check | undefined {
    return this.#checks.get(format.replaceAll('-', ''));
  }
}

const UUID = '[0-9a-f]{8}-?[0-9a-f]{4}-?V-?W-?[0-9a-f]{12}';
const SHORT_NAME = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

const GENERAL: readonly (readonly [format: string, check: Check])[] = [
  ['bsonobjectid', matching(/^[0-9a-f]{24}$/i)],
  ['email', isMailAddress],
  ['ipv4', (text) => text.includes('.') && isIpIgnoringZeros(text)],
  ['ipv6', (text) => text.includes(':') && isIp(text)],
  ['cidr', isCidrIgnoringZeros],
  ['mac', isMac],
  ['uuid', uuid('[0-9a-f]{4}', '[0-9a-f]{4}')],
  ['uuid3', uuid('3[0-9a-f]{3}', '[0-9a-f]{4}')],
  ['uuid4', uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['uuid5', uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', isRgbColor],
  ['byte', matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseFormattedDuration(text) !== undefined],
  ['datetime', isDateTime],
];

const KUBERNETES: readonly (readonly [format: string, check: Check])[] = [
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${SHORT_NAME}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${SHORT_NAME}(?:\\.${SHORT_NAME})*$`).test(text)],
];

/** Safe with JavaScript's engine, because these patterns do not backtrack. */
function matching(pattern: RegExp): Check {
  return (text) => pattern.test(text);
}

function uuid(version: string, variant: string): Check {
  return matching(new RegExp(`^${UUID.replace('V', version).replace('W', variant)}$`, 'i'));
}

function uri(colons: ColonRule): Check {
  return (text) => !('error' in parseRequestUri(text, colons));
}

const HOSTNAME =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$';

/** Lengths are in bytes. */
function hostname(regexes: RegexCache): Check {
  return (text) => {
    const pattern = regexes.compile(HOSTNAME);
    if ('error' in pattern || !pattern.matches(text)) return false;
    const encoder = new TextEncoder();
    if (encoder.encode(text).length > 255) return false;
    return text.split('.').every((label) => encoder.encode(label).length <= 63);
  };
}

/** `net.ParseIP`. */
function isIp(text: string): boolean {
  const address = parseIpAddress(text);
  return !('error' in address) && address.zone === '';
}

/** `ParseIPSloppy`: numbers may have leading zeros. */
function isIpIgnoringZeros(text: string): boolean {
  return isIp(text.replace(/(?<![0-9A-Fa-f])0+(?=[0-9A-Fa-f])/g, ''));
}

function isCidrIgnoringZeros(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (!/^[0-9]+$/.test(bits) || !isIpIgnoringZeros(address)) return false;
  return Number(bits) <= (address.includes(':') ? 128 : 32);
}

/** 6, 8 or 20 bytes, separated by colons, dashes or nothing, or by dots after every two bytes. */
function isMac(text: string): boolean {
  const digits = text.replace(/[:.-]/g, '');
  if (!/^[0-9a-f]+$/i.test(digits) || ![12, 16, 40].includes(digits.length)) return false;
  return [':', '-', ''].some((separator) => grouped(digits, 2, separator) === text) || grouped(digits, 4, '.') === text;
}

function grouped(digits: string, size: number, separator: string): string {
  const groups: string[] = [];
  for (let index = 0; index < digits.length; index += size) groups.push(digits.slice(index, index + size));
  return groups.join(separator);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  const values = [...digits].map((digit) => (digit === 'X' ? 10 : Number(digit)));
  return values.reduce((sum, value, index) => sum + value * (index + 1), 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer with a valid Luhn check digit; ignores other characters. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const COLOR_PART = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const RGB_SPACE = '[\\t\\n\\f\\r ]*';
const RGB_COLOR = new RegExp(
  `^rgb\\(${RGB_SPACE}${[COLOR_PART, COLOR_PART, COLOR_PART].join(`${RGB_SPACE},${RGB_SPACE}`)}${RGB_SPACE}\\)$`,
);

function isRgbColor(text: string): boolean {
  return RGB_COLOR.test(text);
}

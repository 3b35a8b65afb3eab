// Parses URLs like Go's net/url (1.26), with its error texts. All parts are byte strings, so that `%ff` is preserved.
import { fromByteString, quoteByteString, toByteString } from '../strings/byte-string.ts';
import { parseIpAddress } from './ip-address.ts';
import { escapeUrl, unescapeUrl } from './url-escape.ts';

interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  /** Includes the port. */
  readonly host: string;
  /** Unescaped. */
  readonly path: string;
  /** The path as written, if escaping `path` would give another text; otherwise empty. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** True if the URL ends with a lone `?`. */
  readonly forceQuery: boolean;
  readonly omitHost: boolean;
}

interface ParseError {
  readonly error: string;
}

const EMPTY: UrlParts = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  rawQuery: '',
  forceQuery: false,
  omitHost: false,
};

/** Maximum number of query parameters that Go parses. */
const MAX_QUERY_PARAMETERS = 10_000;

/** Go up to 1.25 permits additional colons before the port in hosts of `http` and `https` URLs. */
export type ColonRule = 'strict' | 'lenient';

/** `url.ParseRequestURI`: an absolute URL or an absolute path. The error starts with `parse "…": `. */
export function parseRequestUri(text: string, colons: ColonRule = 'strict'): Url | ParseError {
  const bytes = toByteString(text);
  const parts = parseParts(bytes, true, colons);
  return 'error' in parts ? withText(bytes, parts.error) : new Url(parts, undefined);
}

/** `url.Parse`: any URL reference, with its fragment. */
export function parseUrl(text: string, colons: ColonRule = 'strict'): Url | ParseError {
  const bytes = toByteString(text);
  const [url, fragment] = cut(bytes, '#');
  const parts = parseParts(url, false, colons);
  if ('error' in parts) return withText(url, parts.error);
  if (fragment === undefined || fragment === '') return new Url(parts, undefined);
  const unescaped = unescapeUrl(fragment, 'fragment');
  return typeof unescaped === 'string' ? new Url(parts, fragment) : withText(bytes, unescaped.error);
}

function withText(bytes: string, error: string): ParseError {
  return { error: `parse ${quoteByteString(bytes)}: ${error}` };
}

/** Go `strings.Cut`; undefined if the separator is missing. */
function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseParts(bytes: string, viaRequest: boolean, colons: ColonRule): UrlParts | ParseError {
  if (/[\x00-\x1f\x7f]/.test(bytes)) return { error: 'net/url: invalid control character in URL' };
  if (bytes === '' && viaRequest) return { error: 'empty url' };
  if (bytes === '*') return { ...EMPTY, path: '*' };
  if (bytes.startsWith(':')) return { error: 'missing protocol scheme' };
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes)?.[1];
  const scheme = (written ?? '').toLowerCase();
  const afterScheme = written === undefined ? bytes : bytes.slice(written.length + 1);
  const [beforeQuery, query] = cut(afterScheme, '?');
  const url = { ...EMPTY, scheme, rawQuery: query ?? '', forceQuery: query === '' };
  if (!beforeQuery.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: beforeQuery };
    if (viaRequest) return { error: 'invalid URI for request' };
    if (cut(beforeQuery, '/')[0].includes(':')) return { error: 'first path segment in URL cannot contain colon' };
  }
  const hasAuthority =
    beforeQuery.startsWith('//') && (scheme !== '' || (!viaRequest && !beforeQuery.startsWith('///')));
  if (!hasAuthority) return withPath({ ...url, omitHost: scheme !== '' && beforeQuery.startsWith('/') }, beforeQuery);
  const slash = beforeQuery.indexOf('/', 2);
  const oneColon = colons === 'strict' && (scheme === 'http' || scheme === 'https');
  const authority = parseAuthority(slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash), oneColon);
  if ('error' in authority) return authority;
  return withPath({ ...url, ...authority }, slash < 0 ? '' : beforeQuery.slice(slash));
}

function withPath(url: UrlParts, path: string): UrlParts | ParseError {
  const unescaped = unescapeUrl(path, 'path');
  if (typeof unescaped !== 'string') return unescaped;
  return { ...url, path: unescaped, rawPath: escapeUrl(unescaped, 'path') === path ? '' : path };
}

function parseAuthority(authority: string, oneColon: boolean): Pick<UrlParts, 'user' | 'host'> | ParseError {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1), oneColon);
  if (typeof host !== 'string') return host;
  if (at < 0) return { user: undefined, host };
  const userInfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return { error: 'net/url: invalid userinfo' };
  const [writtenName, writtenPassword] = cut(userInfo, ':');
  const name = unescapeUrl(writtenName, 'userPassword');
  if (typeof name !== 'string') return name;
  const password = writtenPassword === undefined ? undefined : unescapeUrl(writtenPassword, 'userPassword');
  if (typeof password === 'object') return password;
  return { user: { name, password }, host };
}

function isOptionalPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

function parseHost(host: string, oneColon: boolean): string | ParseError {
  const open = host.lastIndexOf('[');
  if (open > 0) return { error: 'invalid IP-literal' };
  if (open === 0) return parseIpLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const port = host.slice(oneColon ? first : host.lastIndexOf(':'));
    if (!isOptionalPort(port)) return { error: `invalid port ${quoteByteString(port)} after host` };
  }
  return unescapeUrl(host, 'host');
}

/** `[fe80::1%25en0]:80`; brackets are only for IPv6 addresses. */
function parseIpLiteral(host: string): string | ParseError {
  const close = host.lastIndexOf(']');
  if (close < 0) return { error: "missing ']' in host" };
  const port = host.slice(close + 1);
  if (!isOptionalPort(port)) return { error: `invalid port ${quoteByteString(port)} after host` };
  const written = host.slice(1, close);
  const zoneAt = written.indexOf('%25');
  const name = unescapeUrl(zoneAt < 0 ? written : written.slice(0, zoneAt), 'host');
  if (typeof name !== 'string') return name;
  const zone = zoneAt < 0 ? '' : unescapeUrl(written.slice(zoneAt), 'zone');
  if (typeof zone !== 'string') return zone;
  const address = parseIpAddress(name + zone, quoteByteString);
  if ('error' in address) return { error: `invalid host: ${address.error}` };
  if (address.family === 4) return { error: 'invalid IP-literal' };
  return `[${name}${zone}]${port}`;
}

/** A parsed URL; the getters follow Go's `url.URL`. */
export class Url {
  readonly #parts: UrlParts;
  readonly #fragment: string | undefined;

  constructor(parts: UrlParts, fragment: string | undefined) {
    this.#parts = parts;
    this.#fragment = fragment;
  }

  get scheme(): string {
    return this.#parts.scheme;
  }

  get host(): string {
    return fromByteString(this.#parts.host);
  }

  get hostname(): string {
    return fromByteString(splitHostPort(this.#parts.host).hostname);
  }

  get port(): string {
    return splitHostPort(this.#parts.host).port;
  }

  get escapedPath(): string {
    return fromByteString(escapedPath(this.#parts));
  }

  /** Values by name, in order of first appearance, without malformed pairs. */
  get query(): ReadonlyMap<string, readonly string[]> {
    const values = new Map<string, string[]>();
    const pairs = this.#parts.rawQuery.split('&');
    if (pairs.length > MAX_QUERY_PARAMETERS) return values;
    for (const pair of pairs) {
      if (pair === '' || pair.includes(';')) continue;
      const [writtenName, writtenValue] = cut(pair, '=');
      const name = unescapeUrl(writtenName, 'queryComponent');
      const value = unescapeUrl(writtenValue ?? '', 'queryComponent');
      if (typeof name !== 'string' || typeof value !== 'string') continue;
      const key = fromByteString(name);
      const known = values.get(key);
      if (known === undefined) values.set(key, [fromByteString(value)]);
      else known.push(fromByteString(value));
    }
    return values;
  }

  /** `URL.String`. */
  toString(): string {
    const { scheme, opaque, rawQuery, forceQuery } = this.#parts;
    let text = scheme === '' ? '' : `${scheme}:`;
    text += opaque === '' ? formatHierarchy(this.#parts) : opaque;
    if (forceQuery || rawQuery !== '') text += `?${rawQuery}`;
    if (this.#fragment !== undefined) text += `#${escapedFragment(this.#fragment)}`;
    return fromByteString(text);
  }
}

function splitHostPort(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isOptionalPort(host.slice(colon));
  const hostname = hasPort ? host.slice(0, colon) : host;
  const bracketed = hostname.startsWith('[') && hostname.endsWith(']');
  return { hostname: bracketed ? hostname.slice(1, -1) : hostname, port: hasPort ? host.slice(colon + 1) : '' };
}

function escapedPath({ path, rawPath }: UrlParts): string {
  if (rawPath !== '' && isValidEncoding(rawPath, 'path')) return rawPath;
  return path === '*' ? '*' : escapeUrl(path, 'path');
}

function escapedFragment(written: string): string {
  if (isValidEncoding(written, 'fragment')) return written;
  const unescaped = unescapeUrl(written, 'fragment');
  return typeof unescaped === 'string' ? escapeUrl(unescaped, 'fragment') : written;
}

/** True if no byte needs escaping under the lenient rules of `validEncoded`. */
function isValidEncoding(bytes: string, part: 'path' | 'fragment'): boolean {
  const strict = bytes.replace(/[!$&'()*+,;=:@[\]%]/g, '');
  return escapeUrl(strict, part) === strict;
}

function formatHierarchy(parts: UrlParts): string {
  const { scheme, host, user, omitHost } = parts;
  const path = escapedPath(parts);
  let text = '';
  if ((scheme !== '' || host !== '' || user !== undefined) && !(omitHost && host === '' && user === undefined)) {
    if (host !== '' || parts.path !== '' || user !== undefined) text += '//';
    if (user !== undefined) text += `${formatUserInfo(user)}@`;
    if (host !== '') text += escapeUrl(host, 'host');
  }
  if (path !== '' && !path.startsWith('/') && host !== '') text += '/';
  // Without `./`, a first segment with a colon would be parsed as a scheme.
  if (scheme === '' && text === '' && cut(path, '/')[0].includes(':')) text += './';
  return text + path;
}

function formatUserInfo({ name, password }: UserInfo): string {
  const escaped = escapeUrl(name, 'userPassword');
  return password === undefined ? escaped : `${escaped}:${escapeUrl(password, 'userPassword')}`;
}

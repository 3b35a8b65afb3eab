// Percent-encoding like Go's net/url: each part of a URL has its own set of unescaped bytes.
import { quoteByteString } from '../strings/byte-string.ts';

/** Parts of a URL with separate rules. */
export type UrlPart = 'path' | 'host' | 'zone' | 'userPassword' | 'queryComponent' | 'fragment';

/** Bytes that are not escaped, besides letters, digits and `-._~`. */
const UNESCAPED: Readonly<Record<UrlPart, RegExp>> = {
  path: /^[\w.~$&+,/:;=@-]*$/,
  host: /^[\w.~!"$&'()*+,:;<=>[\]-]*$/,
  zone: /^[\w.~!"$&'()*+,:;<=>[\]-]*$/,
  userPassword: /^[\w.~$&+,;=-]*$/,
  queryComponent: /^[\w.~-]*$/,
  fragment: /^[\w.~!$&()*+,/:;=?@-]*$/,
};

/** Input and output are byte strings. */
export function escapeUrl(bytes: string, part: UrlPart): string {
  const unescaped = UNESCAPED[part];
  if (unescaped.test(bytes)) return bytes;
  let escaped = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes.charAt(index);
    if (unescaped.test(byte)) escaped += byte;
    else if (byte === ' ' && part === 'queryComponent') escaped += '+';
    else escaped += `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

function isEscapeAllowed(sequence: string, part: UrlPart): boolean {
  if (!/^%[0-9A-Fa-f]{2}$/.test(sequence)) return false;
  const byte = Number.parseInt(sequence.slice(1), 16);
  // In a host, only non-ASCII bytes and the percent sign before a zone may be escaped.
  if (part === 'host') return byte >= 0x80 || sequence === '%25';
  if (part === 'zone') {
    const character = String.fromCharCode(byte);
    return sequence === '%25' || character === ' ' || UNESCAPED.host.test(character);
  }
  return true;
}

/** Input and output are byte strings. */
export function unescapeUrl(bytes: string, part: UrlPart): string | { readonly error: string } {
  if (part === 'host' || part === 'zone' ? UNESCAPED[part].test(bytes) : !/[%+]/.test(bytes)) return bytes;
  let unescaped = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes.charAt(index);
    if (byte === '%') {
      const sequence = bytes.slice(index, index + 3);
      if (!isEscapeAllowed(sequence, part)) return { error: `invalid URL escape ${quoteByteString(sequence)}` };
      unescaped += String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
      index += 2;
    } else if (byte === '+' && part === 'queryComponent') {
      unescaped += ' ';
    } else {
      if ((part === 'host' || part === 'zone') && byte < '\x80' && !UNESCAPED[part].test(byte)) {
        return { error: `invalid character ${quoteByteString(byte)} in host name` };
      }
      unescaped += byte;
    }
  }
  return unescaped;
}

// Parses, formats and classifies IP addresses and prefixes like Go's net/netip, with its error texts.
import { append } from '../slices/append.ts';
import { goQuote } from '../strconv/quote.ts';

export interface IpAddress {
  readonly family: 4 | 6;
  /** 4 or 16. */
  readonly bytes: readonly number[];
  /** Empty if there is none; only IPv6 has zones. */
  readonly zone: string;
}

export interface IpPrefix {
  readonly address: IpAddress;
  readonly bits: number;
}

interface ParseError {
  readonly error: string;
}

/** Why a text is no address, and the rest of the text from there. */
interface Fault {
  readonly fault: string;
  readonly at: string;
}

function faulty(fault: string, at = ''): Fault {
  return { fault, at };
}

/** `netip.ParseAddr`. `quote`: for the error; `quoteByteString` if the text has one character per byte. */
export function parseIpAddress(text: string, quote = goQuote): IpAddress | ParseError {
  const read = readIpAddress(text);
  if (!('fault' in read)) return read;
  return { error: `ParseAddr(${quote(text)}): ${read.fault}${read.at === '' ? '' : ` (at ${quote(read.at)})`}` };
}

function readIpAddress(text: string): IpAddress | Fault {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') {
    const fields = parseIpv4Fields(text);
    return 'fault' in fields ? fields : { family: 4, bytes: fields, zone: '' };
  }
  if (first === ':') return parseIpv6(text);
  return faulty(first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function parseIpv4Fields(fields: string): number[] | Fault {
  const octets: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < fields.length; index++) {
    const character = fields.charAt(index);
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) return faulty('IPv4 field has octet with leading zero');
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return faulty('IPv4 field has value >255');
    } else if (character === '.') {
      if (index === 0 || index === fields.length - 1 || fields.charAt(index - 1) === '.') {
        return faulty('IPv4 field must have at least one digit', fields.slice(index));
      }
      if (octets.length === 3) return faulty('IPv4 address too long');
      octets.push(value);
      value = 0;
      digits = 0;
    } else {
      return faulty('unexpected character', fields.slice(index));
    }
  }
  if (octets.length < 3) return faulty('IPv4 address too short');
  octets.push(value);
  return octets;
}

function parseIpv6(input: string): IpAddress | Fault {
  const percent = input.indexOf('%');
  const zone = percent < 0 ? '' : input.slice(percent + 1);
  if (percent >= 0 && zone === '') return faulty('zone must be a non-empty string');
  let rest = percent < 0 ? input : input.slice(0, percent);
  const bytes: number[] = [];
  /** Index in `bytes` of the `::`. */
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && (rest !== '' || ellipsis !== bytes.length)) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return faulty('each group must have 4 or less digits', rest);
    if (digits === '') return faulty('each colon-separated field must have at least one digit', rest);
    const next = rest.charAt(digits.length);
    if (next === '.') {
      if (ellipsis < 0 && bytes.length !== 12) {
        return faulty('embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (bytes.length > 12) {
        return faulty('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      const octets = parseIpv4Fields(rest);
      if ('fault' in octets) return octets;
      append(bytes, octets);
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (next !== ':') return faulty('unexpected character, want colon', rest);
    if (rest === ':') return faulty('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return faulty('multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return faulty('trailing garbage after address', rest);
  const missing = 16 - bytes.length;
  if (missing > 0 && ellipsis < 0) return faulty('address string too short');
  if (missing === 0 && ellipsis >= 0) {
    return faulty('the :: must expand to at least one field of zeros');
  }
  if (missing > 0) bytes.splice(ellipsis, 0, ...new Array<number>(missing).fill(0));
  return { family: 6, bytes, zone };
}

/** `netip.ParsePrefix`; host bits may be non-zero. */
export function parseIpPrefix(text: string): IpPrefix | ParseError {
  const fail = (message: string): ParseError => ({ error: `netip.ParsePrefix(${goQuote(text)}): ${message}` });
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const address = parseIpAddress(text.slice(0, slash));
  if ('error' in address) return fail(address.error);
  if (address.zone !== '') return fail('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  const bits = readPrefixLength(length);
  if (bits === undefined) return fail(`bad bits after slash: ${goQuote(length)}`);
  if (bits < 0 || bits > address.bytes.length * 8) return fail('prefix length out of range');
  return { address, bits };
}

/** One digit, or digits without a leading zero, within int64. */
function readPrefixLength(text: string): number | undefined {
  if (!/^(?:[0-9]|[1-9][0-9]*)$/.test(text)) return undefined;
  return BigInt(text) < 2n ** 63n ? Number(text) : undefined;
}

export function isIpv4InIpv6(address: IpAddress): boolean {
  const { bytes } = address;
  return (
    address.family === 6 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** `Addr.String`: the canonical form. */
export function formatIpAddress(address: IpAddress): string {
  const { bytes } = address;
  if (address.family === 4) return bytes.join('.');
  const zone = address.zone === '' ? '' : `%${address.zone}`;
  if (isIpv4InIpv6(address)) return `::ffff:${bytes.slice(12).join('.')}${zone}`;
  const groups: number[] = [];
  for (let index = 0; index < 16; index += 2) groups.push(group(address, index / 2));
  const { start, end } = longestZeroRun(groups);
  const text = (part: readonly number[]): string => part.map((value) => value.toString(16)).join(':');
  if (start === end) return text(groups) + zone;
  return `${text(groups.slice(0, start))}::${text(groups.slice(end))}${zone}`;
}

/** The first of the longest runs of two or more zero groups; an empty range if there is none. */
function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly end: number } {
  let best = { start: 0, end: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start >= 2 && end - start > best.end - best.start) best = { start, end };
  }
  return best;
}

export function formatIpPrefix(prefix: IpPrefix): string {
  return `${formatIpAddress(prefix.address)}/${prefix.bits}`;
}

/** The 16-bit group at a 0-based index. */
function group(address: IpAddress, index: number): number {
  return ((address.bytes[index * 2] as number) << 8) | (address.bytes[index * 2 + 1] as number);
}

export function sameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.zone === b.zone && a.bytes.every((byte, index) => byte === b.bytes[index]);
}

/** `Prefix.Masked`: sets the host bits to zero. */
export function maskedPrefix({ address, bits }: IpPrefix): IpPrefix {
  const bytes = address.bytes.map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { address: { ...address, bytes }, bits };
}

/** `Prefix.Contains`: false for different families. */
export function prefixContains(prefix: IpPrefix, address: IpAddress): boolean {
  if (prefix.address.family !== address.family || address.zone !== '') return false;
  const network = maskedPrefix({ address, bits: prefix.bits });
  return sameAddress(network.address, maskedPrefix(prefix).address);
}

/** `Prefix.Overlaps`. */
export function prefixesOverlap(a: IpPrefix, b: IpPrefix): boolean {
  if (a.address.family !== b.address.family) return false;
  return prefixContains(a.bits <= b.bits ? a : b, a.bits <= b.bits ? b.address : a.address);
}

/** The functions below do not support IPv4-mapped addresses, which CEL rejects. */
export function isUnspecified(address: IpAddress): boolean {
  return address.zone === '' && address.bytes.every((byte) => byte === 0);
}

export function isLoopback(address: IpAddress): boolean {
  if (address.family === 4) return address.bytes[0] === 127;
  return address.bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isMulticast(address: IpAddress): boolean {
  const first = address.bytes[0] as number;
  return address.family === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}

export function isLinkLocalMulticast(address: IpAddress): boolean {
  const { bytes } = address;
  if (address.family === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return (group(address, 0) & 0xff0f) === 0xff02;
}

export function isLinkLocalUnicast(address: IpAddress): boolean {
  const { bytes } = address;
  if (address.family === 4) return bytes[0] === 169 && bytes[1] === 254;
  return (group(address, 0) & 0xffc0) === 0xfe80;
}

/** Includes private addresses, but not the IPv4 broadcast address. */
export function isGlobalUnicast(address: IpAddress): boolean {
  if (isUnspecified(address) || isLoopback(address) || isMulticast(address) || isLinkLocalUnicast(address))
    return false;
  return !(address.family === 4 && address.bytes.every((byte) => byte === 255));
}

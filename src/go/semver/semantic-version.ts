// Parses, compares and formats semantic versions like github.com/blang/semver/v4, with its error texts.
import { goQuote } from '../strconv/quote.ts';

export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numeric identifiers are numbers. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

interface ParseError {
  readonly error: string;
}

const MAX_UINT64 = 2n ** 64n - 1n;

/** Go `strings.SplitN(text, ".", 3)`. */
function splitThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [...parts.slice(0, 2), parts.slice(2).join('.')];
}

/** `semver.Parse`. */
export function parseSemanticVersion(text: string): SemanticVersion | ParseError {
  if (text === '') return { error: 'Version string empty' };
  const [majorText, minorText, rest] = splitThree(text);
  if (majorText === undefined || minorText === undefined || rest === undefined) {
    return { error: 'No Major.Minor.Patch elements found' };
  }
  const major = parseNumber(majorText, 'major', 'Major');
  if (typeof major !== 'bigint') return major;
  const minor = parseNumber(minorText, 'minor', 'Minor');
  if (typeof minor !== 'bigint') return minor;
  const [beforeBuild, buildText] = cut(rest, '+');
  const [patchText, prereleaseText] = cut(beforeBuild, '-');
  const patch = parseNumber(patchText, 'patch', 'Patch');
  if (typeof patch !== 'bigint') return patch;
  const prerelease: (bigint | string)[] = [];
  for (const written of prereleaseText?.split('.') ?? []) {
    const identifier = parsePrerelease(written);
    if (typeof identifier === 'object') return identifier;
    prerelease.push(identifier);
  }
  const build = buildText?.split('.') ?? [];
  for (const written of build) {
    if (written === '') return { error: 'Build meta data is empty' };
    if (!isAlphanumeric(written)) return { error: `Invalid character(s) found in build meta data ${goQuote(written)}` };
  }
  return { major, minor, patch, prerelease, build };
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isNumeric(text: string): boolean {
  return /^[0-9]*$/.test(text);
}

function isAlphanumeric(text: string): boolean {
  return /^[0-9A-Za-z-]*$/.test(text);
}

function hasLeadingZero(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}

function parseNumber(text: string, name: string, capitalised: string): bigint | ParseError {
  if (!isNumeric(text)) return { error: `Invalid character(s) found in ${name} number ${goQuote(text)}` };
  if (hasLeadingZero(text)) return { error: `${capitalised} number must not contain leading zeroes ${goQuote(text)}` };
  return parseUint64(text);
}

/** Go `strconv.ParseUint` of digits. */
function parseUint64(digits: string): bigint | ParseError {
  const fail = (reason: string): ParseError => ({ error: `strconv.ParseUint: parsing ${goQuote(digits)}: ${reason}` });
  if (digits === '') return fail('invalid syntax');
  const value = digits.length > 20 ? MAX_UINT64 + 1n : BigInt(digits);
  return value > MAX_UINT64 ? fail('value out of range') : value;
}

function parsePrerelease(text: string): bigint | string | ParseError {
  if (text === '') return { error: 'Prerelease is empty' };
  if (!isNumeric(text)) {
    return isAlphanumeric(text) ? text : { error: `Invalid character(s) found in prerelease ${goQuote(text)}` };
  }
  if (hasLeadingZero(text)) {
    return { error: `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}` };
  }
  return parseUint64(text);
}

/** Kubernetes' tolerant form: removes a leading `v` and leading zeros, and adds missing minor and patch numbers. */
export function normalizeSemanticVersion(text: string): string | ParseError {
  const parts = splitThree(text.startsWith('v') ? text.slice(1) : text).map((part) => {
    // One byte.
    if (part.length <= 1 && part < '\u0080') return part;
    const trimmed = part.replace(/^0+/, '');
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) as string)) {
    return { error: 'short version cannot contain PreRelease/Build meta data' };
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** Ignores build metadata. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  const numbers = compare(a.major, b.major) || compare(a.minor, b.minor) || compare(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  const [left, right] = [a.prerelease, b.prerelease];
  if (left.length === 0 || right.length === 0) return compare(right.length, left.length);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] as bigint | string, right[index] as bigint | string);
    if (order !== 0) return order;
  }
  return compare(left.length, right.length);
}

function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === typeof b) return compare(a, b);
  return typeof a === 'bigint' ? -1 : 1;
}

function compare<T>(a: T, b: T): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function formatSemanticVersion(version: SemanticVersion): string {
  const numbers = `${version.major}.${version.minor}.${version.patch}`;
  const prerelease = version.prerelease.length === 0 ? '' : `-${version.prerelease.join('.')}`;
  const build = version.build.length === 0 ? '' : `+${version.build.join('.')}`;
  return numbers + prerelease + build;
}

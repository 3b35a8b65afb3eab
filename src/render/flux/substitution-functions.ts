// The functions of `${name}` expressions (fluxcd/pkg/envsubst `funcs.go`), on byte strings.

import { fromByteString, toByteString } from '../../go/strings/byte-string.ts';
import { toGoLower, toGoUpper } from '../../go/strings/letter-case.ts';
import { shellPattern } from '../../go/strings/path-match.ts';
import { runeLength } from './substitution-scanner.ts';

/** envsubst panics; Flux reports that as the error of the Kustomization. */
export class SubstitutionPanic extends Error {}

export function changedCase(bytes: string, operator: string): string {
  const change = operator.startsWith(',') ? toGoLower : toGoUpper;
  if (operator.length === 2 && operator[0] === operator[1]) return toByteString(change(fromByteString(bytes)));
  // Only the names of these four functions are known; `,^` changes nothing.
  if (operator.length !== 1 || bytes === '') return bytes;
  const length = runeLength(bytes, 0);
  return toByteString(change(fromByteString(bytes.slice(0, length)))) + bytes.slice(length);
}

/** Positions are byte offsets. Invalid numbers leave the value unchanged. */
export function substring(bytes: string, positionText: string, lengthText: string | undefined): string {
  const size = BigInt(bytes.length);
  let position = integer(positionText);
  if (position === undefined) return bytes;
  if (position < 0n) position = position + size < 0n ? 0n : position + size;
  const rest = position < size ? bytes.slice(Number(position)) : '';
  if (lengthText === undefined) return rest;
  const length = integer(lengthText);
  if (length === undefined) return bytes;
  // A negative length counts back from the end.
  const end = length < 0n ? size + length : BigInt.asIntN(64, position + length);
  if (length < 0n && end < position) return '';
  if (end >= size) return rest;
  // The sum overflows.
  if (end < 0n) throw new SubstitutionPanic(`runtime error: slice bounds out of range [:${end}]`);
  return bytes.slice(Number(position), Number(end));
}

/** `strconv.Atoi`. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Removes the shortest or longest match of a pattern at the start or the end. */
export function trimmed(bytes: string, pattern: string, operator: string): string {
  if (!operator.startsWith('%')) return withoutPrefix(bytes, pattern, operator.length === 2);
  return reversed(withoutPrefix(reversed(bytes), reversed(pattern), operator.length === 2));
}

function reversed(bytes: string): string {
  return toByteString([...fromByteString(bytes)].reverse().join(''));
}

/** Tries prefixes of any number of bytes, also within a character. */
function withoutPrefix(bytes: string, pattern: string, isLongest: boolean): string {
  const matches = shellPattern(fromByteString(pattern), { slash: 'crossed' });
  if (matches === undefined) return bytes;
  for (let tried = 1; tried <= bytes.length; tried++) {
    const length = isLongest ? bytes.length + 1 - tried : tried;
    if (matches(fromByteString(bytes.slice(0, length)))) return bytes.slice(length);
  }
  return bytes;
}

export function replaced(bytes: string, operator: string, old: string, by: string | undefined): string {
  switch (operator) {
    case '//':
      return old === '' ? betweenCharacters(bytes, by ?? '') : bytes.split(old).join(by ?? '');
    case '/#':
      return by !== undefined && bytes.startsWith(old) ? by + bytes.slice(old.length) : bytes;
    case '/%':
      return by !== undefined && bytes.endsWith(old) ? bytes.slice(0, bytes.length - old.length) + by : bytes;
    default:
      return bytes.replace(old, () => by ?? '');
  }
}

/** `strings.Replace` of an empty text. */
function betweenCharacters(bytes: string, by: string): string {
  let text = by;
  for (let at = 0; at < bytes.length; ) {
    const length = runeLength(bytes, at);
    text += bytes.slice(at, at + length) + by;
    at += length;
  }
  return text;
}

// Substring search in linear time for all inputs.

/** Below this product of lengths, JavaScript's own search is fast enough although it can take quadratic time. */
const NATIVE_SEARCH_LIMIT = 2 ** 22;

/** Offset of the first occurrence of `part` at or after `from`; -1 if there is none. */
export function findText(text: string, part: string, from = 0): number {
  if ((text.length - from) * part.length <= NATIVE_SEARCH_LIMIT) return text.indexOf(part, from);
  for (const offset of occurrences(text, part, from)) return offset;
  return -1;
}

/** Offset of the last occurrence of `part` at or before `from`; -1 if there is none. */
export function findLastText(text: string, part: string, from: number): number {
  if (from * part.length <= NATIVE_SEARCH_LIMIT) return text.lastIndexOf(part, from);
  let last = -1;
  for (const offset of occurrences(text, part, 0)) {
    if (offset > from) break;
    last = offset;
  }
  return last;
}

/** All occurrences, including overlapping ones (Knuth-Morris-Pratt). */
function* occurrences(text: string, part: string, from: number): Iterable<number> {
  const borders = borderLengths(part);
  let matched = 0;
  for (let offset = from; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    while (matched > 0 && (matched === part.length || part.charCodeAt(matched) !== unit)) {
      matched = borders[matched - 1] as number;
    }
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) yield offset - matched + 1;
  }
}

/** For every prefix of `part`, the length of the longest proper prefix that is also its suffix. */
function borderLengths(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let offset = 1; offset < part.length; offset++) {
    const unit = part.charCodeAt(offset);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === unit) length++;
    borders[offset] = length;
  }
  return borders;
}

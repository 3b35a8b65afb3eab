// Length and order of strings in code points.

const SURROGATE = /[\ud800-\udfff]/;

export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      pairs++;
      index++;
    }
  }
  return text.length - pairs;
}

/** Order by UTF-8 bytes, which is the order by code points: -1, 0 or 1. */
export function compareStrings(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) < rank(b) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** Surrogates encode code points above all other code units. */
function rank(codeUnit: number): number {
  return (codeUnit & 0xf800) === 0xd800 ? codeUnit + 0x1_0000 : codeUnit;
}

// Upper and lower case like Go's `unicode` package, which maps one code point to one.

/** For code points with a simple mapping where JavaScript's full mapping has several code points. */
function simpleUpper(code: number): number {
  const isIota = (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) || code === 0x1fb3 || code === 0x1fc3;
  if (isIota) return code >= 0x1fb3 ? code + 9 : code + 8;
  return code === 0x1ff3 ? 0x1ffc : code;
}

export function toGoUpper(text: string): string {
  return mapCodePoints(text, (character) => {
    const mapped = character.toUpperCase();
    if (isOneCodePoint(mapped)) return mapped;
    return String.fromCodePoint(simpleUpper(character.codePointAt(0) as number));
  });
}

export function toGoLower(text: string): string {
  return mapCodePoints(text, (character) => {
    const mapped = character.toLowerCase();
    // Only U+0130 maps to two code points.
    return isOneCodePoint(mapped) ? mapped : mapped.charAt(0);
  });
}

/** `strings.EqualFold`. */
export function equalFold(left: string, right: string): boolean {
  return left === right || fold(left) === fold(right);
}

function fold(text: string): string {
  // Unicode folds `İ` and `ı` to no other letter.
  return mapCodePoints(text, (character) =>
    character === '\u0130' || character === '\u0131' ? character : toGoLower(toGoUpper(character)),
  );
}

function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff);
}

function mapCodePoints(text: string, map: (character: string) => string): string {
  let mapped = '';
  for (const character of text) mapped += map(character);
  return mapped;
}

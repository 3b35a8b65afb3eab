// Width of a character in terminal columns.

/** Characters that are two columns wide: East Asian wide and fullwidth characters, emoji. Half-open code point ranges. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x1160],
  [0x2e80, 0x303f],
  [0x3041, 0xa4d0],
  [0xa960, 0xa980],
  [0xac00, 0xd7a4],
  [0xf900, 0xfb00],
  [0xfe30, 0xfe70],
  [0xff00, 0xff61],
  [0xffe0, 0xffe7],
  [0x1f300, 0x1f650],
  [0x1f680, 0x1f700],
  [0x1f900, 0x1fa00],
  [0x20000, 0x3fffe],
];

const COMBINING = /^[\p{Mn}\p{Me}\u200b-\u200d]$/u;

/** 0, 1 or 2. The caller must expand tabs. */
export function displayWidth(character: string): number {
  const code = character.codePointAt(0) as number;
  if (code < 0x300) return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.some(([start, end]) => code >= start && code < end) ? 2 : 1;
}

// Shortens texts to a size without breaking a character.

/** UTF-8 bytes; never fewer than characters or UTF-16 units, so a byte limit also holds for both. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** At most `limit` bytes; ends with `…` if text was cut off. */
export function cutToBytes(text: string, limit: number): string {
  if (text.length <= limit && byteLength(text) <= limit) return text;
  const mark = '…';
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, limit - byteLength(mark))));
  return `${text.slice(0, read)}${mark}`;
}

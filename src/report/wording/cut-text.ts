// Shortens texts to a size without breaking a character.

/** UTF-8 bytes; never fewer than characters or UTF-16 units, so a limit kept in bytes is kept in any of them. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** At most `limit` bytes, the last of them `…` when something was cut off. */
export function cutToBytes(text: string, limit: number): string {
  if (text.length <= limit && byteLength(text) <= limit) return text;
  const mark = '…';
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, limit - byteLength(mark))));
  return `${text.slice(0, read)}${mark}`;
}

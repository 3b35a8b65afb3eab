// Quotes texts in the errors of Go's time package.

/** `bytes` has one character per byte. Everything except printable ASCII appears as bytes. */
export function quoteTime(bytes: string): string {
  let quoted = '"';
  for (const character of bytes) {
    const code = character.charCodeAt(0);
    if (code < 0x20 || code >= 0x80) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}

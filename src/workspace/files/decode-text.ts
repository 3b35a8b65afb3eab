// Decodes bytes to text like `kubectl apply -f`, except that invalid bytes are rejected instead of replaced.
import { isUtf8 } from 'node:buffer';
import { asBuffer } from './bytes.ts';

/**
 * UTF-8, or UTF-16 with a byte-order mark (cli-runtime `FileVisitor`: `unicode.BOMOverride(UTF8)`). The mark stays in the text. Undefined
 * for anything else: kubectl would substitute U+FFFD for invalid bytes; Flux and Argo CD reject the file.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return bytes.length % 2 === 0 ? decodeUtf16(Buffer.from(bytes).swap16()) : undefined;
  }
  return isUtf8(bytes) ? asBuffer(bytes).toString('utf8') : undefined;
}

function decodeUtf16(littleEndian: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true }).decode(littleEndian);
  } catch {
    return undefined;
  }
}

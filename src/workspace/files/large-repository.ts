// Memory measures for large repositories: compression, and more frequent garbage collection.
import { setFlagsFromString } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Heap growth in percent before the next collection. */
const GROWTH = 25;

/** The result does not share memory with other buffers. */
export function compressed(bytes: readonly Uint8Array[]): Uint8Array {
  const packed = deflateRawSync(Buffer.concat(bytes), { level: 1 });
  // zlib may return a view of a larger buffer.
  const own = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(own);
  return own;
}

/** `length`: size of the result in bytes. */
export function decompressed(packed: Uint8Array, length: number): Buffer {
  return inflateRawSync(packed, { chunkSize: Math.max(64, length) });
}

/**
 * V8 lets the heap grow up to fourfold between collections while it is far from its limit, which is half of the machine's memory. The
 * garbage of a large repository would then exceed the repository itself. V8 reads this flag at the next collection, in Node 20 to 24, so no
 * command-line option is needed. It affects the whole process and cannot be undone.
 */
export function collectOften(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

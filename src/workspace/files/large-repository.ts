// What a large repository asks of the process that small ones need not read: compression, and a collector that does not wait.
import { setFlagsFromString } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Percent by which the heap may grow before it is collected. */
const GROWTH = 25;

/** In memory of its own. */
export function compressed(bytes: readonly Uint8Array[]): Uint8Array {
  const packed = deflateRawSync(Buffer.concat(bytes), { level: 1 });
  // What zlib gives may be the beginning of something larger.
  const own = Buffer.allocUnsafeSlow(packed.length);
  packed.copy(own);
  return own;
}

/** `length`: of what is given back, in bytes. */
export function decompressed(packed: Uint8Array, length: number): Buffer {
  return inflateRawSync(packed, { chunkSize: Math.max(64, length) });
}

/**
 * V8 lets a heap grow up to fourfold before it collects it, as long as it is far from its limit, and that is half of what the machine
 * has; so the garbage of a large repository would take more memory than the repository. Said while the process runs, this is read at the
 * next collection, in Node 20 as in 24; nobody has to give an option to Node. For the whole process, and not to be taken back.
 */
export function collectOften(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}

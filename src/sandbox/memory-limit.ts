// Sets a maximum size for the memory of a WebAssembly module by editing its bytes before compilation.

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/**
 * The same module with its memory limited to `pages` of 64 KiB and starting with at least `initial`. Throws if the module has no memory of
 * its own, or needs more than `pages` to start. `spare`: free bytes behind the module in its buffer. If they are enough, the module is
 * edited in place instead of copied.
 */
export function limitMemory(module: Uint8Array, pages: number, initial = 0, spare = 0): Uint8Array {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const start = at;
    const id = module[at];
    const size = readLeb(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      return splice(module, { start, end }, memorySection(module, size.next, pages, initial), spare);
    }
    at = end;
  }
  throw new Error('the module has no memory of its own');
}

function memorySection(module: Uint8Array, at: number, pages: number, initial: number): readonly number[] {
  const minimum = readLeb(module, at + 2).value;
  if (module[at] !== 1) throw new Error('the module has several memories');
  if (minimum > pages) throw new Error(`the module needs ${minimum} pages to start`);
  const body = [1, 1, ...leb(Math.max(minimum, Math.min(initial, pages))), ...leb(pages)];
  return [MEMORY_SECTION, ...leb(body.length), ...body];
}

function splice(
  module: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  replacement: readonly number[],
  spare: number,
): Uint8Array {
  const length = module.length - (end - start) + replacement.length;
  const isRoom = spare > 0 && length <= module.length + spare;
  const result = isRoom
    ? new Uint8Array(module.buffer, module.byteOffset, module.length + spare)
    : new Uint8Array(length);
  if (isRoom) result.copyWithin(start + replacement.length, end, module.length);
  else {
    result.set(module.subarray(0, start));
    result.set(module.subarray(end), start + replacement.length);
  }
  result.set(replacement, start);
  return result.subarray(0, length);
}

function readLeb(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = start, shift = 0; shift < 35; at++, shift += 7) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
  throw new Error('the module is damaged');
}

function leb(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? byte + 128 : byte);
  } while (rest > 0);
  return bytes;
}

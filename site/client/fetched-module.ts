// A WebAssembly module from the folder of the worker. Browsers cannot decompress brotli in scripts, so the site serves gzip.

/** Magic bytes of gzip. A server may already have decompressed the file. */
const GZIP = [0x1f, 0x8b];

/** Throws if the response is not a module. */
export async function moduleBytes(response: Response): Promise<Uint8Array> {
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  const isPacked = new Uint8Array(bytes, 0, 2).every((byte, index) => byte === GZIP[index]);
  return new Uint8Array(isPacked ? await new Response(unpacked(bytes)).arrayBuffer() : bytes);
}

function unpacked(bytes: ArrayBuffer): ReadableStream {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}

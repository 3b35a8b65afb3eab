// Encodes a state as a compressed URL fragment. Browsers do not send fragments to servers.
import { type RequestState, readState } from './request-state.ts';

const PREFIX = '#s1.';
/** Limits for characters of a fragment and for its decompressed bytes: a malicious link could exhaust memory. */
const MAX_FRAGMENT = 200_000;
const MAX_BYTES = 2_000_000;

export async function packState(state: RequestState): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await passed(bytes, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  const text = packed.reduce((characters, byte) => characters + String.fromCharCode(byte), '');
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Undefined if the fragment has no state. Throws if its state is damaged. */
export async function unpackState(fragment: string): Promise<RequestState | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  if (fragment.length > MAX_FRAGMENT) throw new Error('the address is too long');
  const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const json = new TextDecoder().decode(await passed(bytes, new DecompressionStream('deflate-raw'), MAX_BYTES));
  return readState(JSON.parse(json));
}

async function passed(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('the address contains too much data');
    }
    chunks.push(next.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

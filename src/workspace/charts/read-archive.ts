// Reads a chart archive (gzip of tar) within limits. Rejects links, devices and paths outside the archive.
import { gunzipSync } from 'node:zlib';

export const ARCHIVE_LIMITS = { bytes: 20 * 1024 * 1024, unpackedBytes: 128 * 1024 * 1024, files: 10_000 } as const;

const BLOCK = 512;
const decoder = new TextDecoder();

/** Files by path below the archive's single folder, or the failure. */
export function readArchive(
  archive: Uint8Array,
): { readonly files: ReadonlyMap<string, Uint8Array> } | { readonly failure: string } {
  let tar: Uint8Array;
  try {
    tar = gunzipSync(archive, { maxOutputLength: ARCHIVE_LIMITS.unpackedBytes });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    return {
      failure: isTooLarge ? 'the archive unpacks to more than 128 MiB' : 'the archive is not compressed with gzip',
    };
  }
  const files = new Map<string, Uint8Array>();
  for (const entry of entriesOf(tar)) {
    if ('failure' in entry) return entry;
    const path = pathInChart(entry.name);
    if (path === undefined) return { failure: `the archive has a file outside its folder: ${entry.name}` };
    if (entry.kind === 'other') return { failure: `the archive has an entry that is not a file: ${entry.name}` };
    if (entry.kind === 'folder' || path === '') continue;
    if (files.size >= ARCHIVE_LIMITS.files) return { failure: 'the archive has more than 10,000 files' };
    files.set(path, entry.content);
  }
  if (!files.has('Chart.yaml')) return { failure: 'the archive has no Chart.yaml' };
  // A path must not be both a file and a folder.
  const isFile = (path: string): boolean => files.has(path);
  const clash = [...files.keys()].find((path) => foldersAbove(path).some(isFile));
  return clash === undefined
    ? { files }
    : { failure: `the archive contains ${clash}, but one of its parent folders is a file` };
}

function foldersAbove(path: string): readonly string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'));
}

interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly content: Uint8Array;
}

function* entriesOf(tar: Uint8Array): Generator<Entry | { readonly failure: string }> {
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = octal(header.subarray(124, 136));
    const end = at + BLOCK + (size ?? 0);
    if (size === undefined || !hasChecksum(header) || end > tar.length) {
      yield { failure: 'the archive is not a tar file, or is cut off' };
      return;
    }
    const content = tar.subarray(at + BLOCK, end);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'g') continue;
    if (type === 'x' || type === 'L') {
      longName = (type === 'L' ? text(content) : paxPath(content)) ?? longName;
      continue;
    }
    const prefix = text(header.subarray(257, 262)) === 'ustar' ? text(header.subarray(345, 500)) : '';
    const short = text(header.subarray(0, 100));
    const name = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
    longName = undefined;
    const kind = type === '5' ? 'folder' : type === '0' || type === '\0' ? 'file' : 'other';
    yield { name, kind, content };
  }
}

/** Records of the form `<length> <key>=<value>\n`. */
function paxPath(content: Uint8Array): string | undefined {
  return /^(?:.*\n)*?\d+ path=(.*)\n/.exec(decoder.decode(content.subarray(0, 64 * 1024)))?.[1];
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Undefined if the field is not a number, or for sizes with more than eleven digits. */
function octal(bytes: Uint8Array): number | undefined {
  const digits = text(bytes).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function hasChecksum(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return octal(header.subarray(148, 156)) === sum;
}

/** Path without the archive's folder; '' for the folder itself, undefined for a path that leads outside. */
function pathInChart(name: string): string | undefined {
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0')) return undefined;
  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  return steps.includes('..') ? undefined : steps.slice(1).join('/');
}

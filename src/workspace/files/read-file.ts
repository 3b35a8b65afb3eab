// Reads one file of the work tree as text, or returns the reason why not. Does not follow symbolic links or exceed the limits.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hasTooManyDocuments } from '../../inventory/document-count.ts';
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { systemErrorCode } from '../workspace-error.ts';
import { decodeText } from './decode-text.ts';
import { MAXIMUM_FILE_BYTES } from './limits.ts';

export type ReadResult = { readonly text: string; readonly bytes: number } | { readonly reason: SkipReason };

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1\n';
/** Opening a FIFO must not block, and opening a link must fail. Both flags are absent on Windows. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads files below one folder, synchronously: for 4,069 files of a checkout (warm) this takes 25 ms, against 95 ms for
 * the best asynchronous variant with 32 concurrent reads. Small reads are dominated by scheduling.
 */
export class FileReader {
  readonly #root: string;
  /** By folder: whether its real path is inside the root. Resolved once. */
  readonly #folders = new Map<string, boolean>();

  /** `root` must be a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  read(relativePath: string): ReadResult {
    const file = path.join(this.#root, relativePath);
    try {
      if (!this.#isInside(path.dirname(file))) return { reason: 'outside-root' };
      return readOpened(openSync(file, OPEN_FLAGS));
    } catch (error) {
      return { reason: skipReasonOf(systemErrorCode(error)) };
    }
  }

  #isInside(folder: string): boolean {
    let inside = this.#folders.get(folder);
    if (inside === undefined) {
      const real = realpathSync.native(folder);
      inside =
        real === this.#root || real.startsWith(this.#root.endsWith(path.sep) ? this.#root : this.#root + path.sep);
      this.#folders.set(folder, inside);
    }
    return inside;
  }
}

/** Applies the same rules to bytes that were already read. */
export function readBytes(bytes: Uint8Array): ReadResult {
  if (bytes.length > MAXIMUM_FILE_BYTES) return { reason: 'file-too-large' };
  const text = decodeText(bytes);
  if (text === undefined) return { reason: 'not-utf8' };
  if (text.startsWith(LFS_POINTER)) return { reason: 'git-lfs-pointer' };
  if (hasTooManyDocuments(text)) return { reason: 'too-many-documents' };
  return { text, bytes: bytes.length };
}

function readOpened(descriptor: number): ReadResult {
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { reason: 'special-file' };
    if (status.size > MAXIMUM_FILE_BYTES) return { reason: 'file-too-large' };
    const bytes = Buffer.allocUnsafe(status.size);
    let length = 0;
    for (let read = -1; length < bytes.length && read !== 0; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    }
    return readBytes(bytes.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}

function skipReasonOf(code: string | undefined): SkipReason {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing-file';
  if (code === 'ELOOP') return 'symbolic-link';
  if (code === 'ENXIO') return 'special-file';
  return 'unreadable-file';
}

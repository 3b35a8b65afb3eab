// Reads a tar archive in memory. Follows no links, and rejects anything unusual instead of repairing it.
import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { MAXIMUM_ARCHIVE_ENTRIES } from '../files/limits.ts';
import { systemErrorCode } from '../workspace-error.ts';
import type { ArchiveFiles } from './source-content.ts';
import { safePath } from './source-content.ts';

/** A problem with an archive; the message is a predicate, e.g. "is cut off". */
export class ArchiveError extends Error {
  readonly isTooLarge: boolean;

  constructor(problem: string, isTooLarge = false) {
    super(problem);
    this.name = 'ArchiveError';
    this.isTooLarge = isTooLarge;
  }
}

const BLOCK = 512;
const CHECKSUM = { start: 148, end: 156 };
/** For extended headers, which only lengthen the next header. */
const MAXIMUM_EXTENSION_BYTES = 64 * 1024;

/** Throws ArchiveError. Unpacking never uses more memory than `maximumBytes`. */
export function gunzip(bytes: Buffer, maximumBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maximumBytes });
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new ArchiveError(`unpacks to more than ${Math.floor(maximumBytes / 1024 / 1024)} MiB`, true);
    }
    throw new ArchiveError('is not compressed with gzip, or is cut off');
  }
}

/**
 * Reads POSIX ustar with pax and GNU long names. `strip`: number of leading folders to remove from each path, e.g. 1
 * for npm. Throws ArchiveError for paths outside the archive, duplicate names, wrong checksums and a missing end.
 */
export function readTar(bytes: Buffer, strip = 0): ArchiveFiles {
  const files = new Map<string, Buffer | undefined>();
  let next: { path?: string; size?: number } = {};
  let entries = 0;
  let offset = 0;
  for (;;) {
    if (offset + BLOCK > bytes.length) throw new ArchiveError('is cut off');
    const header = bytes.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    if (!hasGoodChecksum(header)) throw new ArchiveError('is not a tar archive, or is damaged');
    entries += 1;
    if (entries > MAXIMUM_ARCHIVE_ENTRIES) {
      throw new ArchiveError(`contains more than ${MAXIMUM_ARCHIVE_ENTRIES} entries`, true);
    }
    const type = String.fromCharCode(header[156] ?? 0);
    const size =
      (type === 'x' || type === 'g' || type === 'L' ? undefined : next.size) ?? number(header.subarray(124, 136));
    const start = offset + BLOCK;
    if (start + size > bytes.length) throw new ArchiveError('is cut off');
    const content = bytes.subarray(start, start + size);
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L') {
      if (size > MAXIMUM_EXTENSION_BYTES) throw new ArchiveError('has a header larger than 64 KiB');
      next = type === 'L' ? { ...next, path: text(untilZero(content)) } : { ...next, ...extended(content) };
      continue;
    }
    const path = next.path ?? pathIn(header);
    next = {};
    // Skip global defaults, such as the commit id from `git archive`, and folders.
    if (type === 'g' || type === '5') continue;
    add(files, path, strip, isFile(type) ? content : undefined);
  }
}

function isFile(type: string): boolean {
  return type === '0' || type === '\0' || type === '7';
}

function add(files: Map<string, Buffer | undefined>, name: string, strip: number, content: Buffer | undefined): void {
  const safe = safePath(name);
  if (safe === undefined) throw new ArchiveError('contains a path that leads outside');
  const path = safe.split('/').slice(strip).join('/');
  if (path === '') return;
  if (files.has(path)) throw new ArchiveError(`contains \`${path.slice(0, 200)}\` twice`);
  files.set(path, content);
}

/** Sum of the header's bytes, with the checksum field counted as spaces. */
function hasGoodChecksum(header: Buffer): boolean {
  let sum = 0;
  for (let index = 0; index < BLOCK; index++) {
    sum += index >= CHECKSUM.start && index < CHECKSUM.end ? 32 : (header[index] as number);
  }
  return octal(header.subarray(CHECKSUM.start, CHECKSUM.end)) === sum;
}

/** Octal; larger numbers are binary with the first bit set. */
function number(field: Buffer): number {
  const value =
    ((field[0] as number) & 0x80) === 0
      ? octal(field)
      : Number(BigInt(`0x${field.toString('hex')}`) & ((1n << 88n) - 1n));
  if (value === undefined || !Number.isSafeInteger(value))
    throw new ArchiveError('is not a tar archive, or is damaged');
  return value;
}

function octal(field: Buffer): number | undefined {
  const digits = untilZero(field).toString('latin1').trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits === '' ? '0' : digits, 8) : undefined;
}

function pathIn(header: Buffer): string {
  const name = text(untilZero(header.subarray(0, 100)));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar' && header[263] === 0x30;
  const prefix = isUstar ? text(untilZero(header.subarray(345, 500))) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Pax records of the form `<length> <key>=<value>\n`. */
function extended(content: Buffer): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let offset = 0; offset < content.length; ) {
    const space = content.indexOf(32, offset);
    const length = space < 0 ? Number.NaN : Number(content.toString('latin1', offset, space));
    if (!Number.isInteger(length) || length <= space - offset || offset + length > content.length) {
      throw new ArchiveError('has a damaged extended header');
    }
    const record = content.subarray(space + 1, offset + length - 1);
    const equals = record.indexOf(61);
    const key = record.toString('latin1', 0, Math.max(equals, 0));
    const value = record.subarray(equals + 1);
    if (key === 'path') found.path = text(value);
    if (key === 'size') found.size = decimal(value);
    if (key.startsWith('GNU.sparse.')) throw new ArchiveError('contains a sparse file');
    offset += length;
  }
  return found;
}

function decimal(value: Buffer): number {
  const digits = value.toString('latin1');
  const size = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  if (Number.isSafeInteger(size)) return size;
  throw new ArchiveError('has a damaged extended header');
}

function untilZero(field: Buffer): Buffer {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

function text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ArchiveError('contains a name that is not UTF-8');
  return bytes.toString('utf8');
}

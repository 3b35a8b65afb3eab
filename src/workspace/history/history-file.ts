// A history in a file. Writers append whole lines and need no lock; one of them at a time may replace the file by a compacted one.
import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reasonOf, systemErrorCode, WorkspaceError } from '../workspace-error.ts';
import { type HistoryText, MAX_HISTORY_BYTES } from './history-text.ts';

const ATTEMPTS = 20;
/** A compaction takes seconds, so an older claim belongs to a run that was stopped. */
const STALE_MILLISECONDS = 600_000;

/** Empty if the file does not exist. Throws WorkspaceError. */
export async function readHistoryFile(path: string): Promise<string> {
  const file = await opened(path, constants.O_RDONLY).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw failure('read', path, error);
  });
  if (file === undefined) return '';
  return contents(file, path).finally(() => file.close());
}

/** Throws WorkspaceError. `now`: milliseconds since 1970. */
export async function extendHistoryFile(path: string, history: HistoryText, now: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await readHistoryFile(path);
    const line = history.lineFor(text);
    if (line === undefined) return;
    if (await append(path, line)) {
      await compact(path, history, now);
      return;
    }
  }
  throw new WorkspaceError(
    'unwritable',
    `the history \`${path}\` cannot be extended: other runs replace it all the time`,
  );
}

/** One write, so that lines of two writers do not mix. False if the file was replaced in the meantime. */
async function append(path: string, line: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await opened(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      const { size } = await file.stat();
      const isWhole = size === 0 || (await byteAt(file, size - 1)) === 0x0a;
      const bytes = Buffer.from(isWhole ? line : `\n${line}`, 'utf8');
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length)
        throw new WorkspaceError('unwritable', `the history \`${path}\` was written only in part`);
      await file.sync();
      const [mine, now] = [await file.stat(), await stat(path).catch(() => undefined)];
      return now !== undefined && now.ino === mine.ino && now.dev === mine.dev;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw failure('written', path, error);
  }
}

/** Lines that arrive while the compacted file is written are in the old file, and are copied from there. */
async function compact(path: string, history: HistoryText, now: number): Promise<void> {
  if (history.compacted(await readHistoryFile(path)) === undefined) return;
  const claim = `${path}.compacting`;
  if (!(await claimed(claim, now))) return;
  const temporary = `${path}.${randomUUID()}`;
  try {
    const old = await opened(path, constants.O_RDONLY);
    try {
      const { size } = await old.stat();
      const text = await contents(old, path, size);
      const shorter = history.compacted(text);
      if (shorter === undefined) return;
      const file = await open(temporary, 'wx');
      await file.writeFile(shorter).finally(() => file.close());
      await rename(temporary, path);
      const late = (await old.stat()).size - size;
      if (late > 0) {
        const rest = Buffer.alloc(late);
        await old.read(rest, 0, late, size);
        await append(path, rest.toString('utf8'));
      }
    } finally {
      await old.close();
    }
  } catch (error) {
    throw failure('written', path, error);
  } finally {
    await rm(temporary, { force: true });
    await rm(claim, { force: true });
  }
}

async function claimed(claim: string, now: number): Promise<boolean> {
  try {
    const found = await stat(claim).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > STALE_MILLISECONDS) await rm(claim, { force: true });
    await (await open(claim, 'wx')).close();
    return true;
  } catch {
    return false;
  }
}

/** Only a regular file: reading a pipe would never end, and a link in a checkout may lead anywhere. */
async function opened(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, 0o644);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new WorkspaceError('unreadable', `the history \`${path}\` is not a regular file`);
}

async function contents(file: FileHandle, path: string, size?: number): Promise<string> {
  const bytes = size ?? (await file.stat()).size;
  if (bytes > MAX_HISTORY_BYTES) {
    throw new WorkspaceError('unreadable', `the history \`${path}\` is larger than 64 MiB`, {
      hint: 'Preadmit keeps it below 24 MiB; restore it, or start a new one',
    });
  }
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function byteAt(file: FileHandle, position: number): Promise<number | undefined> {
  const buffer = Buffer.alloc(1);
  const { bytesRead } = await file.read(buffer, 0, 1, position);
  return bytesRead === 1 ? buffer[0] : undefined;
}

function failure(what: 'read' | 'written', path: string, error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const code = what === 'read' ? 'unreadable' : 'unwritable';
  return new WorkspaceError(code, `the history \`${path}\` cannot be ${what}: ${reasonOf(error)}`, { cause: error });
}

// Reads many Git objects through one `git cat-file --batch`, requested only by id.
import { WorkspaceError } from '../workspace-error.ts';
import type { ObjectId } from './git-output.ts';
import { failure, finished, type GitCommand, startGit } from './git-process.ts';

const CONTENTS = ['cat-file', '--batch', '--buffer'] as const;
const SIZES = ['cat-file', '--batch-check', '--buffer'] as const;
const NEWLINE = 10;

/**
 * Calls `convert` for each content as it arrives. Ids must be valid object ids; an id that is not a blob of this
 * repository throws `object-missing`.
 */
export async function readBlobs<T>(
  command: GitCommand,
  ids: Iterable<ObjectId>,
  convert: (content: Buffer) => T,
): Promise<Map<ObjectId, T>> {
  const wanted = [...new Set(ids)];
  const batch = new BatchReader(wanted, convert);
  await ask(command, CONTENTS, wanted, (chunk) => batch.push(chunk));
  return batch.blobs();
}

/** Size of each blob in bytes, without reading the blobs. */
export async function readBlobSizes(command: GitCommand, ids: Iterable<ObjectId>): Promise<Map<ObjectId, number>> {
  const wanted = [...new Set(ids)];
  const chunks: Buffer[] = [];
  await ask(command, SIZES, wanted, (chunk) => chunks.push(chunk));
  const lines = Buffer.concat(chunks).toString('latin1').split('\n');
  return new Map(wanted.map((id, index) => [id, sizeOf(lines[index] ?? '', id)]));
}

async function ask(
  command: GitCommand,
  args: readonly string[],
  ids: readonly ObjectId[],
  take: (chunk: Buffer) => void,
): Promise<void> {
  if (ids.length === 0) return;
  const child = startGit(command, args);
  child.stdout.on('data', take);
  child.stdin.on('error', () => {});
  child.stdin.end(`${ids.join('\n')}\n`);
  const { exitCode, stderr } = await finished(child, command, args);
  if (exitCode !== 0) throw failure(args, exitCode, stderr);
}

/** Parses responses, which come in the order of the requests: `<id> <type> <size>` newline, that many bytes, newline; or `<id> missing`. */
class BatchReader<T> {
  readonly #ids: readonly ObjectId[];
  readonly #convert: (content: Buffer) => T;
  readonly #blobs = new Map<ObjectId, T>();
  /** Received bytes that are not yet consumed. */
  #chunks: Buffer[] = [];
  #length = 0;
  /** Number of bytes needed to complete the next response. */
  #needed = 0;
  #missing: ObjectId | undefined;

  constructor(ids: readonly ObjectId[], convert: (content: Buffer) => T) {
    this.#ids = ids;
    this.#convert = convert;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed || this.#missing !== undefined) return;
    const [first] = this.#chunks;
    const arrived = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    const rest = arrived.subarray(this.#takeAll(arrived));
    this.#chunks = [rest];
    this.#length = rest.length;
  }

  /** Throws if an object is missing or not a blob. */
  blobs(): Map<ObjectId, T> {
    const unanswered = this.#missing ?? this.#ids[this.#blobs.size];
    if (unanswered !== undefined) throw missing(unanswered);
    return this.#blobs;
  }

  /** Returns the number of consumed bytes. */
  #takeAll(arrived: Buffer): number {
    let offset = 0;
    for (let id = this.#ids[this.#blobs.size]; id !== undefined; id = this.#ids[this.#blobs.size]) {
      const lineEnd = arrived.indexOf(NEWLINE, offset);
      if (lineEnd < 0) {
        this.#needed = 0;
        return offset;
      }
      const size = tryParse(arrived.toString('latin1', offset, lineEnd), id);
      if (size === undefined) {
        this.#missing = id;
        return arrived.length;
      }
      const start = lineEnd + 1;
      const end = start + size;
      if (end >= arrived.length) {
        this.#needed = end + 1 - offset;
        return offset;
      }
      this.#blobs.set(id, this.#convert(arrived.subarray(start, end)));
      offset = end + 1;
    }
    return arrived.length;
  }
}

function sizeOf(line: string, id: ObjectId): number {
  const size = tryParse(line, id);
  if (size === undefined) throw missing(id);
  return size;
}

function tryParse(line: string, id: ObjectId): number | undefined {
  const [answered, type, size] = line.split(' ');
  return answered === id && type === 'blob' && size !== undefined ? Number(size) : undefined;
}

function missing(id: ObjectId): WorkspaceError {
  return new WorkspaceError('object-missing', `the Git object ${id} is not in this repository`, {
    hint: 'a partial clone (`filter:` of actions/checkout) omits file contents; check out without it',
  });
}

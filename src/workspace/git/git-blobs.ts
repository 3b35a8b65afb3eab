// Reads the contents of many Git objects through one `git cat-file --batch`, asked by id and never by name.
import { WorkspaceError } from '../workspace-error.ts';
import type { ObjectId } from './git-output.ts';
import { failure, finished, type GitCommand, startGit } from './git-process.ts';

const ARGUMENTS = ['cat-file', '--batch', '--buffer'] as const;
const NEWLINE = 10;

/** Every id must be a valid object id. An id that is not a blob of this repository throws `object-missing`. */
export async function readBlobs(command: GitCommand, ids: Iterable<ObjectId>): Promise<Map<ObjectId, Buffer>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const child = startGit(command, ARGUMENTS);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(`${wanted.join('\n')}\n`);
  const { exitCode, stderr } = await finished(child, command, ARGUMENTS);
  if (exitCode !== 0) throw failure(ARGUMENTS, exitCode, stderr);
  return parseBatch(Buffer.concat(chunks), wanted);
}

/** Answers come in the order of the questions: `<id> <type> <size>` newline, that many bytes, newline; or `<id> missing`. */
function parseBatch(output: Buffer, ids: readonly ObjectId[]): Map<ObjectId, Buffer> {
  const blobs = new Map<ObjectId, Buffer>();
  let offset = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(NEWLINE, offset);
    const [answered, type, size] = output.toString('latin1', offset, lineEnd).split(' ');
    if (answered !== id || type !== 'blob' || size === undefined) throw missing(id);
    const start = lineEnd + 1;
    const end = start + Number(size);
    blobs.set(id, output.subarray(start, end));
    offset = end + 1;
  }
  return blobs;
}

function missing(id: ObjectId): WorkspaceError {
  return new WorkspaceError('object-missing', `the Git object ${id} is not in this repository`, {
    hint: 'a partial clone (`filter:` of actions/checkout) leaves file contents out; check out without it',
  });
}

// How many threads render: the given number, or one that suits the machine.
import { availableParallelism } from 'node:os';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** Each takes memory for an engine of its own. */
const MOST_BY_DEFAULT = 4;
const MOST = 64;

/** Throws WorkspaceError for what is no number of threads. */
export function workersOf(text: string | undefined): number {
  if (text === undefined) return Math.min(availableParallelism(), MOST_BY_DEFAULT);
  const workers = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (workers >= 1 && workers <= MOST) return workers;
  throw new WorkspaceError(
    'bad-workers',
    `\`${text}\` is no number of threads: it is a whole number from 1 to ${MOST}`,
  );
}

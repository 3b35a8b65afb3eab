// Number of render threads: the given number, or a default for the machine.
import { availableParallelism } from 'node:os';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** Each thread needs memory for its own engine. */
const MOST_BY_DEFAULT = 4;
const MOST = 64;

/** Throws WorkspaceError for an invalid number. */
export function workersOf(text: string | undefined): number {
  if (text === undefined) return Math.min(availableParallelism(), MOST_BY_DEFAULT);
  const workers = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (workers >= 1 && workers <= MOST) return workers;
  throw new WorkspaceError(
    'bad-workers',
    `\`${text}\` is not a valid number of threads: expected a whole number from 1 to ${MOST}`,
  );
}

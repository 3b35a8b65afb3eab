// Watches a folder for commands that run again after changes.
import { watch } from 'node:fs';
import { reasonOf, WorkspaceError } from '../workspace-error.ts';

/** Changes within this interval are combined. */
const QUIET_MILLISECONDS = 100;

/** Yields once for each batch of changes until the consumer stops. Ignores `.git` and `node_modules`. Throws WorkspaceError. */
export async function* fileChanges(folder: string): AsyncIterable<void> {
  let changed = false;
  let wake: (() => void) | undefined;
  let failure: unknown;
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name !== null && LEFT_OUT.test(name)) return;
    changed = true;
    wake?.();
  });
  watcher.on('error', (error) => {
    failure = error;
    wake?.();
  });
  try {
    for (;;) {
      if (!changed && failure === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure !== undefined) {
        throw new WorkspaceError('unreadable', `the folder cannot be watched: ${reasonOf(failure)}`, {
          cause: failure,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS));
      changed = false;
      yield;
    }
  } finally {
    watcher.close();
  }
}

const LEFT_OUT = /(?:^|[/\\])(?:\.git|node_modules)(?:[/\\]|$)/;

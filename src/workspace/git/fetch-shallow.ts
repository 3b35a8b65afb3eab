// Fetches one commit into an empty repository within a limit of size.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { WorkspaceError } from '../workspace-error.ts';
import { type GitCommand, runGit } from './git-process.ts';

const WATCH_MILLISECONDS = 100;
const OPTIONS = ['--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--quiet'];

export interface FetchLimit {
  readonly bytes: number;
  readonly tooLarge: WorkspaceError;
}

/** Throws WorkspaceError. `command.root`: a repository of its own. */
export async function fetchShallow(
  command: Omit<GitCommand, 'signal'>,
  url: string,
  refspec: string,
  { bytes, tooLarge }: FetchLimit,
): Promise<void> {
  const objects = path.join(command.root, '.git/objects');
  const controller = new AbortController();
  const watch = setInterval(() => {
    if (bytesBelow(objects) > bytes) controller.abort(tooLarge);
  }, WATCH_MILLISECONDS);
  try {
    const args = ['fetch', ...OPTIONS, '--upload-pack=git-upload-pack', '--end-of-options', url, refspec];
    await runGit({ ...command, signal: controller.signal }, args);
  } finally {
    clearInterval(watch);
  }
  // Many small files may have arrived between two checks.
  if (bytesBelow(objects) > bytes) throw tooLarge;
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      bytes += entry.isDirectory() ? bytesBelow(file) : statSync(file).size;
    }
  } catch {
    // Git renames and removes files during a fetch.
  }
  return bytes;
}

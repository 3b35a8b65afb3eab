// Public repositories for tests: from the folder in PREADMIT_CORPUS, else unpacked from archives next to the project, else none.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { SHARED } from './evidence-table.ts';

/** Calls `use` with the read-only folder of the repository `owner+name`; undefined if it is missing. */
export function withCorpus<T>(repository: string, use: (folder: string) => T): T | undefined {
  const folder = unpackedFolder(repository) ?? unpackOnce(repository);
  return folder === undefined ? undefined : use(folder);
}

/** Caches unpacked archives in the temporary folder, by the hash of their bytes. */
function unpackOnce(repository: string): string | undefined {
  const archive = archivePath(repository);
  if (!existsSync(archive)) return undefined;
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 16);
  const kept = join(tmpdir(), `preadmit-corpus-${userInfo().uid}-${hash}`);
  if (!existsSync(kept)) {
    const target = mkdtempSync(`${kept}-`);
    try {
      execFileSync('tar', ['xzf', archive, '-C', target]);
      renameSync(target, kept);
    } catch (error) {
      rmSync(target, { recursive: true, force: true });
      // Another process may have unpacked it first.
      if (!existsSync(kept)) throw error;
    }
  }
  return join(kept, repository);
}

export function hasCorpus(repository: string): boolean {
  return unpackedFolder(repository) !== undefined || existsSync(archivePath(repository));
}

/** All YAML and JSON files below a folder, sorted; does not follow links. */
export function manifestPaths(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function unpackedFolder(repository: string): string | undefined {
  const corpus = process.env['PREADMIT_CORPUS'];
  const folder = corpus === undefined ? undefined : join(corpus, repository);
  return folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

function archivePath(repository: string): string {
  return join(SHARED, 'corpus', `${repository}.tar.gz`);
}

// Public repositories to run on: from the folder PREADMIT_CORPUS names, else unpacked from the archives beside the project, else none.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED = process.env['PREADMIT_SHARED'] ?? join(import.meta.dirname, '../../../shared');

/** Gives `use` the folder of the repository `owner+name`; undefined where there is none. What was unpacked is deleted afterwards. */
export function withCorpus<T>(repository: string, use: (folder: string) => T): T | undefined {
  const unpacked = unpackedFolder(repository);
  if (unpacked !== undefined) return use(unpacked);
  const archive = archivePath(repository);
  if (!existsSync(archive)) return undefined;
  const target = mkdtempSync(join(tmpdir(), 'preadmit-corpus-'));
  try {
    execFileSync('tar', ['xzf', archive, '-C', target]);
    return use(join(target, repository));
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

export function hasCorpus(repository: string): boolean {
  return unpackedFolder(repository) !== undefined || existsSync(archivePath(repository));
}

/** Every YAML and JSON file below a folder, sorted; links are not followed. */
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

// The two states of a case, from `base/` and `head/` of its folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** Equal files of both states are shared, as when both are read from Git. */
export function statesInFolder(folder: string): { readonly base: RepositoryState; readonly head: RepositoryState } {
  const base = sourcesOf(join(folder, 'base'));
  const known = new Map(base.map((source) => [`${source.path}\0${source.text}`, source]));
  const head = sourcesOf(join(folder, 'head')).map((source) => known.get(`${source.path}\0${source.text}`) ?? source);
  return { base: stateOf(base), head: stateOf(head) };
}

function stateOf(sources: readonly SourceFile[]): RepositoryState {
  return {
    files: sources.map((source) => ({ file: source, selected: true })),
    paths: new Set(sources.map((source) => source.path)),
    notRead: [],
  };
}

function sourcesOf(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:ya?ml|json)$/.test(path) && path !== '.preadmit.yaml')
    .sort()
    .map((path) => new SourceFile(path, readFileSync(join(folder, path), 'utf8')));
}

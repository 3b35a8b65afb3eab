// Two states of a repository with the preparation of states from Git: selected, decoded, limited, and with a tree to render.
import type { NotRead } from '../../src/inventory/discovered-file.ts';
import type { SkipReason } from '../../src/inventory/skip-reason.ts';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import { Selection } from '../../src/settings/selection.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { treeOf } from '../../src/source/tree/file-tree.ts';
import { readBytes } from '../../src/workspace/files/read-file.ts';

export type Contents = ReadonlyMap<
  string,
  | string
  | Buffer
  | { readonly link: string }
  | { readonly submodule: string }
  /** For reasons that only a work tree or the limits of a run have. */
  | { readonly notRead: SkipReason }
>;

export interface States {
  readonly base: RepositoryState;
  readonly head: RepositoryState;
  readonly touched: readonly string[];
}

export function statesInGit(base: Contents, head: Contents): States {
  const known = new Map<string, SourceFile>();
  const paths = new Set([...base.keys(), ...head.keys()]);
  return {
    base: stateOf(base, known),
    head: stateOf(head, known),
    touched: [...paths].filter((path) => base.get(path) !== head.get(path)),
  };
}

const SELECTION = new Selection({ restriction: { files: new Set(), folders: [''] } });

function stateOf(contents: Contents, known: Map<string, SourceFile>): RepositoryState {
  const files: { file: SourceFile; selected: boolean }[] = [];
  const notRead: NotRead[] = [];
  const tree = new Map<string, string | Buffer>();
  const links = new Map<string, string>();
  for (const [path, content] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const choice = SELECTION.choose(path);
    if (typeof content === 'object' && 'link' in content) {
      links.set(path, content.link);
      notRead.push({ path, reason: 'symbolic-link' });
      continue;
    }
    if (typeof content === 'object' && 'submodule' in content) {
      notRead.push({ path, reason: 'submodule' });
      continue;
    }
    if (typeof content === 'object' && 'notRead' in content) {
      notRead.push({ path, reason: content.notRead });
      continue;
    }
    tree.set(path, content);
    if (choice === 'excluded') notRead.push({ path, reason: 'excluded' });
    if (choice !== 'selected' && choice !== 'context') continue;
    const result = readBytes(Buffer.from(content));
    if ('reason' in result) notRead.push({ path, reason: result.reason });
    else {
      const same = known.get(path);
      const file = same?.text === result.text ? same : new SourceFile(path, result.text);
      known.set(path, file);
      files.push({ file, selected: choice === 'selected' });
    }
  }
  return { files, paths: new Set(contents.keys()), notRead, tree: treeOf({ files: tree, links }) };
}

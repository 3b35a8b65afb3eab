// Decides whether a repoURL names the checked repository, by configuration or else by its Applications.
import { trimRight } from '../../go/strings/trim.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { entryAt } from './tree-path.ts';

export interface ThisRepository {
  isNamedBy(url: string): boolean;
  /** Assumption behind the decision; absent if addresses are configured. */
  readonly assumes?: string;
}

/** Host and path in lower case, without protocol and user: `https://h/o/r.git` and `git@h:o/r` are one repository. */
function repositoryKey(url: string): string {
  const lower = url.trim().toLowerCase();
  const withoutProtocol = lower.replace(/^[a-z][a-z0-9+.-]*:\/\//, '');
  const withoutUser = withoutProtocol.replace(/^[^/@]*@/, '');
  const path = withoutProtocol === lower ? withoutUser.replace(/^([^/:]+):/, '$1/') : withoutUser;
  return trimRight(path, '/').replace(/\.git$/, '');
}

/** Caches the most named address of a run. */
export class RepositoryFinder {
  readonly #urls: readonly string[];
  readonly #mostNamed = new WeakMap<DeclarationFacts, { readonly url: string | undefined }>();

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /**
   * Without configured addresses, the one that most Applications name together with a path that exists here. If no declaration in the
   * repository names one, `asking` decides: it may be a rendered object itself.
   */
  find(known: DeclarationFacts, tree: FileTree, asking: Resource): ThisRepository {
    if (this.#urls.length > 0) {
      const keys = new Set(this.#urls.map(repositoryKey));
      return { isNamedBy: (url) => keys.has(repositoryKey(url)) };
    }
    let written = this.#mostNamed.get(known);
    if (written === undefined) {
      const declared = [...known.all('argoproj.io/Application'), ...known.all('argoproj.io/ApplicationSet')];
      written = { url: mostNamed(declared, tree) };
      this.#mostNamed.set(known, written);
    }
    const url = written.url ?? mostNamed([asking], tree);
    if (url === undefined) return { isNamedBy: () => false };
    const key = repositoryKey(url);
    return {
      isNamedBy: (other) => repositoryKey(other) === key,
      assumes: `${url} is this repository: most Applications whose paths exist here use this address`,
    };
  }
}

function mostNamed(resources: readonly Resource[], tree: FileTree): string | undefined {
  const votes = new Map<string, { readonly url: string; count: number }>();
  for (const { url, path } of resources.flatMap(({ value }) => namedPaths(value))) {
    const literal = path.replace(/(?:\{\{|[*?[]).*$/s, '');
    const folder = literal === path ? literal : literal.slice(0, literal.lastIndexOf('/') + 1);
    if (url === '' || folder.replace(/[./]/g, '') === '' || entryAt(tree, folder) === undefined) continue;
    const key = repositoryKey(url);
    const vote = votes.get(key);
    if (vote === undefined) votes.set(key, { url, count: 1 });
    else vote.count++;
  }
  const [first] = [...votes.values()].sort((one, other) => other.count - one.count);
  return first?.url;
}

interface NamedPath {
  readonly url: string;
  readonly path: string;
}

function namedPaths(value: JsonObject): readonly NamedPath[] {
  const spec = objectOrEmpty(value.get('spec'));
  if (textField(value, 'kind') === 'Application') return sourcePaths(spec);
  const template = objectOrEmpty(objectOrEmpty(spec.get('template')).get('spec'));
  return [
    ...sourcePaths(template),
    ...objectItems(spec.get('generators')).flatMap((entry) => generatorPaths(entry, 0)),
  ];
}

function sourcePaths(spec: JsonObject): readonly NamedPath[] {
  const sources = [objectOrEmpty(spec.get('source')), ...objectItems(spec.get('sources'))];
  return sources.map((source) => ({ url: textField(source, 'repoURL'), path: textField(source, 'path') }));
}

function generatorPaths(generator: JsonObject, depth: number): readonly NamedPath[] {
  if (depth > 4) return [];
  const git = objectOrEmpty(generator.get('git'));
  const url = textField(git, 'repoURL');
  const own = [...objectItems(git.get('directories')), ...objectItems(git.get('files'))];
  const nested = ['matrix', 'merge'].flatMap((name) =>
    objectItems(objectOrEmpty(generator.get(name)).get('generators')),
  );
  return [
    ...own.map((entry) => ({ url, path: textField(entry, 'path') })),
    ...nested.flatMap((entry) => generatorPaths(entry, depth + 1)),
  ];
}

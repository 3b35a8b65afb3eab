// Decides whether a repoURL names the checked repository, by configuration or else by its Applications.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { haveOneName, repositoryKey } from '../sources/remote/repository-address.ts';
import type { ArgoOptions } from './argo-options.ts';
import { entryAt } from './tree-path.ts';

export interface ThisRepository {
  isNamedBy(url: string): boolean;
  /** True for an address that is not that of the repository, but may lead to it: a template, or a repository of the same name. */
  mayBe(url: string): boolean;
  /** True if the address may belong to another repository that has equal folders. */
  readonly isGuess: boolean;
  /** Assumption behind the decision; absent if addresses are configured. */
  readonly assumes?: string;
}

/** Caches the most named address of a run. */
export class RepositoryFinder {
  readonly #urls: readonly string[];
  readonly #own: string | undefined;
  readonly #named = new WeakMap<DeclarationFacts, { readonly url: string | undefined; readonly namesOwn: boolean }>();

  constructor({ repositoryUrls = [], repositoryUrl }: ArgoOptions) {
    this.#urls = repositoryUrls;
    this.#own = repositoryUrl;
  }

  /**
   * Configured addresses decide first, then the repository's own address if an Application names it. Otherwise, it is the one that most
   * Applications name together with a path that exists here. If no declaration in the repository names one, `asking` decides: it may be a
   * rendered object itself.
   */
  find(known: DeclarationFacts, tree: FileTree, asking: Resource): ThisRepository {
    if (this.#urls.length > 0) return named(this.#urls);
    const own = this.#own;
    let written = this.#named.get(known);
    if (written === undefined) {
      const declared = [...known.all('argoproj.io/Application'), ...known.all('argoproj.io/ApplicationSet')];
      written = { url: mostNamed(declared, tree), namesOwn: own !== undefined && declared.some(names(own)) };
      this.#named.set(known, written);
    }
    if (own !== undefined && (written.namesOwn || names(own)(asking))) return named([own]);
    const url = written.url ?? mostNamed([asking], tree);
    if (url === undefined) return { isNamedBy: () => false, mayBe: isOpen, isGuess: true };
    return {
      ...named([url]),
      isGuess: own !== undefined && !haveOneName(own, url),
      assumes: `${url} is this repository: most Applications whose paths exist here use this address`,
    };
  }
}

/** Revisions of this repository that the Applications and ApplicationSets in files name. */
export function namedRevisions(known: DeclarationFacts, repository: ThisRepository): readonly string[] {
  const declared = [...known.all('argoproj.io/Application'), ...known.all('argoproj.io/ApplicationSet')];
  return declared
    .flatMap(({ value }) => namedPaths(value))
    .flatMap(({ url, revision }) => (url !== '' && repository.isNamedBy(url) ? [revision] : []));
}

function named(urls: readonly string[]): ThisRepository {
  const keys = new Set(urls.map(repositoryKey));
  return {
    isNamedBy: (url) => keys.has(repositoryKey(url)),
    mayBe: (url) => isOpen(url) || urls.some((known) => haveOneName(known, url)),
    isGuess: false,
  };
}

function isOpen(url: string): boolean {
  return /\{\{|\$\{|<path:/.test(url);
}

function names(url: string): (declaration: Resource) => boolean {
  const key = repositoryKey(url);
  return ({ value }) => namedPaths(value).some((path) => repositoryKey(path.url) === key);
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
  readonly revision: string;
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

export function sourcePaths(spec: JsonObject): readonly NamedPath[] {
  const sources = [objectOrEmpty(spec.get('source')), ...objectItems(spec.get('sources'))];
  return sources.map((source) => ({
    url: textField(source, 'repoURL'),
    path: textField(source, 'path'),
    revision: textField(source, 'targetRevision'),
  }));
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
    ...own.map((entry) => ({ url, path: textField(entry, 'path'), revision: textField(git, 'revision') })),
    ...nested.flatMap((entry) => generatorPaths(entry, depth + 1)),
  ];
}

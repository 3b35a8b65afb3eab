// The references between kustomizations of a repository: finds the roots, and the files that each build may read.
import { append } from '../../../go/slices/append.ts';
import {
  isKustomizationName,
  type Kustomization,
  kustomizationPaths,
} from '../../../inventory/kustomize-references.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { textItems } from '../../../source/json/json-field.ts';
import { folderOf, joinPaths } from '../../../source/text/repository-path.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import { documentsIn, isKsops, ksopsFiles } from '../../holes/plugin-objects.ts';

/** Paths that a build may read: files, and folders with everything below them. */
export interface Reach {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Longer texts are not paths. */
const MAXIMUM_PATH = 1024;

/** Cached by content, because states and passes of a run share kustomizations. */
const NODES = new WeakMap<Kustomization['content'], Node>();

interface Node {
  readonly file: string;
  /** Files and folders that the kustomization refers to, from the top of the repository. */
  readonly references: readonly string[];
  /** The references that contain objects. */
  readonly resources: readonly string[];
  /** The other references: patches, content of generated objects, configuration. */
  readonly settings: readonly string[];
  readonly isComponent: boolean;
  /** Entries of `generators`, `transformers` and `validators`, as written. */
  readonly plugins: readonly string[];
  /** True if objects of the kustomization can change other objects. */
  readonly spreads: boolean;
}

const GRAPHS = new WeakMap<
  readonly Kustomization[],
  { readonly tree: FileTree | undefined; readonly graph: KustomizationGraph }
>();

/** Cached, so that equal inputs share one graph. `tree`: for files that only the configuration of a plugin names. */
export function kustomizationGraph(kustomizations: readonly Kustomization[], tree?: FileTree): KustomizationGraph {
  const known = GRAPHS.get(kustomizations);
  if (known !== undefined && (tree === undefined || known.tree === tree)) return known.graph;
  const graph = new KustomizationGraph(kustomizations, tree);
  GRAPHS.set(kustomizations, { tree, graph });
  return graph;
}

export class KustomizationGraph {
  /** By folder from the top; `.` is the top. */
  readonly #nodes = new Map<string, Node>();
  readonly #resources = new Set<string>();
  readonly #settings = new Set<string>();
  readonly #tree: FileTree | undefined;
  readonly #reaches = new Map<string, Reach>();
  readonly #pluginFiles = new Map<string, readonly string[]>();
  #roots: readonly string[] | undefined;

  constructor(kustomizations: readonly Kustomization[], tree?: FileTree) {
    this.#tree = tree;
    for (const { path, content } of kustomizations) {
      if (!isKustomizationName(path)) continue;
      const node = nodeOf(path, content);
      this.#nodes.set(folderOf(path), node);
      for (const resource of node.resources) this.#resources.add(resource);
      for (const setting of node.settings) this.#settings.add(setting);
    }
  }

  /**
   * Folders with a kustomization that no other one uses, in the order of the files. Then one folder of each cycle without a root, so that
   * the failure to build it is reported.
   */
  roots(): readonly string[] {
    this.#roots ??= this.#findRoots();
    return this.#roots;
  }

  #findRoots(): readonly string[] {
    const roots = [...this.#nodes.keys()].filter((folder) => !this.#resources.has(folder));
    const built = new Set<string>();
    this.#addBuilt(roots, built);
    const rest = [...this.#nodes.keys()].filter((folder) => !built.has(folder));
    for (const folder of this.#aboveFirst(rest)) {
      if (built.has(folder)) continue;
      roots.push(folder);
      this.#addBuilt([folder], built);
    }
    return roots;
  }

  /** Orders kustomizations before their bases. In a cycle, this puts one of its members first. */
  #aboveFirst(folders: readonly string[]): readonly string[] {
    const seen = new Set<string>();
    const left: string[] = [];
    for (const start of folders) {
      const pending: { readonly folder: string; isEntered: boolean }[] = [{ folder: start, isEntered: false }];
      for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
        const { folder } = next;
        if (next.isEntered || seen.has(folder) || !this.#nodes.has(folder)) {
          pending.pop();
          if (next.isEntered) left.push(folder);
          continue;
        }
        next.isEntered = true;
        seen.add(folder);
        for (const below of this.#nodes.get(folder)?.resources ?? []) {
          pending.push({ folder: below, isEntered: false });
        }
      }
    }
    return left.reverse();
  }

  #addBuilt(folders: readonly string[], built: Set<string>): void {
    const pending = [...folders];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (built.has(next)) continue;
      built.add(next);
      append(pending, this.#nodes.get(next)?.resources ?? []);
    }
  }

  fileIn(folder: string): string | undefined {
    return this.#nodes.get(folder)?.file;
  }

  isComponent(folder: string): boolean {
    return this.#nodes.get(folder)?.isComponent === true;
  }

  /** True for files and folders that a kustomization takes objects from. */
  isResource(path: string): boolean {
    return this.#resources.has(path);
  }

  /** A plugin may read any file that its configuration names, e.g. the values of a chart. */
  #filesOfPlugins({ file, plugins }: Node): readonly string[] {
    const known = this.#pluginFiles.get(file);
    if (known !== undefined) return known;
    const folder = folderOf(file);
    const read = (path: string): string | undefined => {
      const bytes = this.#tree?.read(path);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    };
    const named = plugins.flatMap((entry) => {
      const text = entry.includes('\n') ? entry : read(joinPaths(folder, entry));
      const configs = text === undefined ? [] : (documentsIn(text) ?? []);
      return configs.flatMap((config) => [
        ...(isJsonObject(config) && isKsops(config) ? ksopsFiles(config, folder) : []),
        ...namedPaths(config, folder).filter((path) => this.#tree?.kind(path) === 'file'),
      ]);
    });
    const files = [...new Set(named)];
    this.#pluginFiles.set(file, files);
    return files;
  }

  /** The paths of a reach that can change unknown objects: all except plain manifests that were read (`inputs`). */
  transforming(reach: Reach, inputs: ReadonlySet<string>): Reach {
    const nodes = [...this.#nodes.values()].filter(({ file }) => reach.files.has(file));
    if (nodes.some(({ spreads }) => spreads)) return reach;
    const isPlain = (path: string): boolean => this.#resources.has(path) && !this.#settings.has(path);
    const isKept = (path: string): boolean => !isPlain(path) || !inputs.has(path);
    return { files: new Set([...reach.files].filter(isKept)), folders: new Set([...reach.folders].filter(isKept)) };
  }

  /** Paths that building a folder may read, according to the kustomizations. */
  reachOf(folder: string): Reach {
    const reach = this.#reaches.get(folder) ?? this.#findReach(folder);
    this.#reaches.set(folder, reach);
    return reach;
  }

  #findReach(folder: string): Reach {
    const files = new Set<string>();
    const folders = new Set<string>();
    const seen = new Set<string>();
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const node = this.#nodes.get(next);
      if (node === undefined) {
        // A file or a folder without kustomization: the build may read everything there.
        files.add(next);
        folders.add(next);
        continue;
      }
      files.add(node.file);
      append(pending, node.references);
      if (node.plugins.length > 0) append(pending, this.#filesOfPlugins(node));
    }
    return { files, folders };
  }
}

function nodeOf(path: string, content: Kustomization['content']): Node {
  const known = NODES.get(content);
  if (known?.file === path) return known;
  const folder = folderOf(path);
  const fromTop = (reference: string): string => joinPaths(folder, reference).replace(/\/$/, '');
  const { resources, patches, inputs, definitions, charts } = kustomizationPaths(content);
  const named = [...resources, ...patches, ...inputs, ...definitions, ...charts];
  const node = {
    file: path,
    references: [...new Set(named.filter(isLocal))].map(fromTop),
    resources: resources.filter(isLocal).map(fromTop),
    settings: [...patches, ...inputs, ...definitions, ...charts].filter(isLocal).map(fromTop),
    isComponent: content.get('kind') === 'Component',
    plugins: ['generators', 'transformers', 'validators'].flatMap((field) => textItems(content.get(field))),
    spreads: ['replacements', 'vars', 'namePrefix', 'nameSuffix'].some((field) => content.has(field)),
  };
  NODES.set(content, node);
  return node;
}

export function reaches({ files, folders }: Reach, path: string): boolean {
  if (files.has(path)) return true;
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (folders.has(folder)) return true;
    if (folder === '.' || folder === '/') return false;
  }
}

/** Every text that may be a path, relative to the folder of the kustomization; also the path of `key=path`. */
function namedPaths(value: JsonValue, folder: string): readonly string[] {
  if (isJsonArray(value)) return value.flatMap((item) => namedPaths(item, folder));
  if (isJsonObject(value)) return [...value.values()].flatMap((item) => namedPaths(item, folder));
  if (typeof value !== 'string' || value === '' || value.length > MAXIMUM_PATH || value.includes('\n')) return [];
  return [value, value.slice(value.indexOf('=') + 1)].map((path) => joinPaths(folder, path));
}

/** False for URLs and references that `git` would fetch. */
function isLocal(reference: string): boolean {
  return !reference.includes('\n') && !/^[a-z][a-z+.-]*:\/\/|^git@|^github\.com[/:]|\?ref=/i.test(reference);
}

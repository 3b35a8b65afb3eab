// Which roots have to be rendered to know what a change does, told from the texts they are built of: never too few, sometimes too many.
import type { Reach } from '../../render/sources/kustomization-graph.ts';
import type { PlannedRoot } from '../../render/sources/planned-root.ts';
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import { baseName, foldersAbove } from '../../source/repository-path.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { hasComposed, hasComposedKind, hasComposedNamespace, replacesFields } from './composed-text.ts';
import type { Needs } from './needs.ts';
import type { TextWords } from './text-words.ts';

/** Files that charts render, however they are called. */
export const TEMPLATE = /(?:^|\/)templates\//;

interface RootFiles {
  readonly words: TextWords;
  /** Every text of both states that something may be rendered from. */
  readonly files: readonly SourceFile[];
  /** Paths that differ. */
  readonly touched: Iterable<string>;
  /** Paths of files whose objects count: what is built of them has to be known. */
  readonly read: Iterable<string>;
  /** Paths of what nobody looks into. */
  readonly archives: Iterable<string>;
}

/** More names are not looked for one by one. */
const MAXIMUM_NAMES = 100;
/** Fields of kustomizations that may name anything anyhow. */
const COMPOSING_FIELDS = /(?:transformers|generators)["']?:/;
/** kustomize leaves the names of these alone. */
const UNPREFIXED: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition', 'APIService']);
const PREFIXING_FIELDS = /name(?:Prefix|Suffix)["']?:/;
const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io';
const GENERATORS: ReadonlyMap<string, string> = new Map([
  ['ConfigMap', 'configMapGenerator'],
  ['Secret', 'secretGenerator'],
]);

export class RootScope {
  readonly #files: RootFiles;
  readonly #needs: Needs;
  readonly #touched: Paths;
  readonly #read: Paths;
  readonly #archives: Paths;
  readonly #byKind = new Map<string, Paths>();
  readonly #composed = new Map<string, Paths>();
  readonly #byObject = new Map<string, Paths>();
  readonly #byName = new Map<string, Paths>();
  readonly #byWord = new Map<string, Paths>();

  constructor(files: RootFiles, needs: Needs) {
    this.#files = files;
    this.#needs = needs;
    this.#touched = new Paths(files.touched);
    this.#read = new Paths(files.read);
    this.#archives = new Paths(files.archives);
  }

  isWanted(root: PlannedRoot): boolean {
    const { own, reach, takes, isOpaque } = root;
    if (isOpaque || this.#touched.areIn(reach) || this.#read.areIn(own) || this.#archives.areIn(own)) return true;
    if (takes.some((name) => this.#needs.changedData.has(name))) return true;
    return (
      [...this.#needs.words, ...this.#needs.spaces].some((word) => this.#mayConcern(root, word)) ||
      this.#tellsClusters(root) ||
      [...this.#needs.objects].some(([kind, names]) => this.#mayApply(root, kind, names))
    );
  }

  /** A group has a dot in it, and no namespace has one. */
  #mayConcern(root: PlannedRoot, word: string): boolean {
    if (root.adds(word) || this.#withWord(word).areIn(root.own)) return true;
    return (word.includes('.') ? this.#composingGroups : this.#composingNamespaces).areIn(root.own);
  }

  get #composingNamespaces(): Paths {
    return this.#found(this.#composed, 'namespace', ({ text }) => hasComposedNamespace(text));
  }

  get #composingGroups(): Paths {
    return this.#found(this.#composed, 'apiVersion', ({ text }) => hasComposed(text, 'apiVersion'));
  }

  #mayApply(root: PlannedRoot, kind: string, names: ReadonlySet<string>): boolean {
    const { own } = root;
    if (!this.#ofKind(kind).areIn(own)) return false;
    if (names.has('') || names.size > MAXIMUM_NAMES || this.#composing(kind).areIn(own)) return true;
    if (!UNPREFIXED.has(kind) && (root.adds('namePrefix') || root.adds('nameSuffix'))) return true;
    return [...names].some(
      (name) =>
        root.adds(name) ||
        this.#withObject(kind, name).areIn(own) ||
        (kind === 'Namespace' && this.#naming(name).areIn(own)),
    );
  }

  /** Overlays side by side are clusters if they give one rule in different versions. */
  #tellsClusters({ own, isDeclared }: PlannedRoot): boolean {
    const { overlays } = this.#needs;
    if (overlays === undefined || isDeclared) return false;
    const isShared = [...own.files].some((file) => overlays.shared.has(file));
    return isShared && [...overlays.kinds].some((kind) => this.#ofKind(kind).areIn(own));
  }

  #ofKind(kind: string): Paths {
    const { words } = this.#files;
    return this.#found(
      this.#byKind,
      kind,
      (file) => words.mayHaveKind(file, kind) || hasComposedKind(file.text) || this.#mayGenerate(file, kind),
    );
  }

  #mayGenerate(file: SourceFile, kind: string): boolean {
    const generator = GENERATORS.get(kind);
    return generator !== undefined && this.#files.words.mayMention(file, generator);
  }

  #withWord(word: string): Paths {
    return this.#found(this.#byWord, word, (file) => this.#files.words.mayMention(file, word));
  }

  #withObject(kind: string, name: string): Paths {
    const { words } = this.#files;
    return this.#found(
      this.#byObject,
      `${kind}/${name}`,
      (file) =>
        words.mayHaveObject(file, kind, name) || (this.#mayGenerate(file, kind) && words.mayHaveValue(file, name)),
    );
  }

  /** Kustomizations give their namespace to Namespaces, too. */
  #naming(name: string): Paths {
    const { words } = this.#files;
    return this.#found(this.#byName, name, (file) => isKustomizationFile(file) && words.mayHaveValue(file, name));
  }

  #composing(kind: string): Paths {
    const { words } = this.#files;
    return this.#found(this.#composed, `name of ${kind}`, (file) => {
      const { text } = file;
      if (text.includes('/metadata/name') || replacesFields(text) || hasComposedKind(text)) return true;
      if (isKustomizationFile(file)) {
        if (COMPOSING_FIELDS.test(text)) return true;
        if (PREFIXING_FIELDS.test(text) && (!UNPREFIXED.has(kind) || text.includes('configurations'))) return true;
      }
      if (TEMPLATE.test(file.path)) return text.includes('{{') && words.mayHaveKind(file, kind);
      return words.mayHaveObjectWith(file, kind, (document) => hasComposed(document, 'name'));
    });
  }

  #found(known: Map<string, Paths>, key: string, isIn: (file: SourceFile) => boolean): Paths {
    let paths = known.get(key);
    if (paths === undefined) {
      paths = new Paths(this.#files.files.flatMap((file) => (isIn(file) ? [file.path] : [])));
      known.set(key, paths);
    }
    return paths;
  }
}

function isKustomizationFile({ path, text }: SourceFile): boolean {
  return KUSTOMIZATION_NAMES.has(baseName(path)) || text.includes(KUSTOMIZE_GROUP);
}

/** Paths, and the folders above them, so that what a root reaches is asked at once however many they are. */
class Paths {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();

  constructor(paths: Iterable<string>) {
    this.#files = new Set(paths);
    for (const path of this.#files) for (const folder of foldersAbove(path)) this.#folders.add(folder);
  }

  /** True if at least one may be read. */
  areIn({ files, folders }: Reach): boolean {
    if (this.#files.size === 0) return false;
    for (const file of files) if (this.#files.has(file)) return true;
    for (const folder of folders) if (this.#folders.has(folder)) return true;
    return false;
  }
}

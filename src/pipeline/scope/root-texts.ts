// Where in the texts that roots are built of something is written, or may be put together: found once, however often it is asked.
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import { baseName } from '../../source/repository-path.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { hasComposed, hasComposedKind, hasComposedNamespace, replacesFields } from './composed-text.ts';
import { PathSet } from './path-set.ts';
import type { TextWords } from './text-words.ts';

/** Files that charts render, however they are called. */
export const TEMPLATE = /(?:^|\/)templates\//;

/** Fields of kustomizations that may name anything anyhow. */
const COMPOSING_FIELDS = /(?:transformers|generators)["']?:/;
/** kustomize leaves the names of these alone. */
export const UNPREFIXED: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition', 'APIService']);
const PREFIXING_FIELDS = /name(?:Prefix|Suffix)["']?:/;
const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io';
const GENERATORS: ReadonlyMap<string, string> = new Map([
  ['ConfigMap', 'configMapGenerator'],
  ['Secret', 'secretGenerator'],
]);

/** For one run: what is asked grows from one reading of the states to the next, and the texts do not. */
export class RootTexts {
  readonly #words: TextWords;
  readonly #files: readonly SourceFile[];
  readonly #known = new Map<string, PathSet>();
  #composedKinds: ReadonlySet<SourceFile> | undefined;

  /** `files`: every text of both states that something may be rendered from. */
  constructor(words: TextWords, files: readonly SourceFile[]) {
    this.#words = words;
    this.#files = files;
  }

  get composingNamespaces(): PathSet {
    return this.#found('composed namespace', ({ text }) => hasComposedNamespace(text));
  }

  get composingGroups(): PathSet {
    return this.#found('composed group', ({ text }) => hasComposed(text, 'apiVersion'));
  }

  ofKind(kind: string): PathSet {
    return this.#found(
      `kind ${kind}`,
      (file) => this.#words.mayHaveKind(file, kind) || this.#mayComposeKind(file) || this.#mayGenerate(file, kind),
    );
  }

  withWord(word: string): PathSet {
    return this.#found(`word ${word}`, (file) => this.#words.mayMention(file, word));
  }

  withObject(kind: string, name: string): PathSet {
    const words = this.#words;
    return this.#found(
      `object ${kind}/${name}`,
      (file) =>
        words.mayHaveObject(file, kind, name) || (this.#mayGenerate(file, kind) && words.mayHaveValue(file, name)),
    );
  }

  /** Kustomizations give their namespace to Namespaces, too. */
  naming(name: string): PathSet {
    return this.#found(`name ${name}`, (file) => isKustomizationFile(file) && this.#words.mayHaveValue(file, name));
  }

  composing(kind: string): PathSet {
    const words = this.#words;
    return this.#found(`composed name of ${kind}`, (file) => {
      const { text } = file;
      if (text.includes('/metadata/name') || replacesFields(text) || this.#mayComposeKind(file)) return true;
      if (isKustomizationFile(file)) {
        if (COMPOSING_FIELDS.test(text)) return true;
        if (PREFIXING_FIELDS.test(text) && (!UNPREFIXED.has(kind) || text.includes('configurations'))) return true;
      }
      if (TEMPLATE.test(file.path)) return text.includes('{{') && words.mayHaveKind(file, kind);
      return words.mayHaveObjectWith(file, kind, (document) => hasComposed(document, 'name'));
    });
  }

  /** The same for every kind. */
  #mayComposeKind(file: SourceFile): boolean {
    this.#composedKinds ??= new Set(this.#files.filter(({ text }) => hasComposedKind(text)));
    return this.#composedKinds.has(file);
  }

  #mayGenerate(file: SourceFile, kind: string): boolean {
    const generator = GENERATORS.get(kind);
    return generator !== undefined && this.#words.mayMention(file, generator);
  }

  #found(key: string, isIn: (file: SourceFile) => boolean): PathSet {
    let paths = this.#known.get(key);
    if (paths === undefined) {
      paths = new PathSet(this.#files.flatMap((file) => (isIn(file) ? [file.path] : [])));
      this.#known.set(key, paths);
    }
    return paths;
  }
}

function isKustomizationFile({ path, text }: SourceFile): boolean {
  return KUSTOMIZATION_NAMES.has(baseName(path)) || text.includes(KUSTOMIZE_GROUP);
}

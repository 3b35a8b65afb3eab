// Indexes the files that roots are rendered from by words and possible values. Each search runs once.
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import { baseName } from '../../source/text/repository-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { hasComposed, replacesFields } from './composed-text.ts';
import { PathSet } from './path-set.ts';
import type { TextWords } from './text-words.ts';

/** Files that Helm renders, with any extension. */
export const TEMPLATE = /(?:^|\/)templates\//;

/** Fields of kustomizations that may set any name. */
const COMPOSING_FIELDS = /(?:transformers|generators)["']?:/;
/** kustomize does not prefix the names of these kinds. */
export const UNPREFIXED: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition', 'APIService']);
const PREFIXING_FIELDS = /name(?:Prefix|Suffix)["']?:/;
const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io';
const GENERATORS: ReadonlyMap<string, string> = new Map([
  ['ConfigMap', 'configMapGenerator'],
  ['Secret', 'secretGenerator'],
]);

/** For one run. Further readings of the states add questions, but not files. */
export class RootTexts {
  readonly #words: TextWords;
  readonly #files: readonly SourceFile[];
  readonly #known = new Map<string, PathSet>();
  readonly #lists = new Map<string, readonly SourceFile[]>();

  /** `files`: all texts of both states that something may be rendered from. */
  constructor(words: TextWords, files: readonly SourceFile[]) {
    this.#words = words;
    this.#files = files;
  }

  get composingNamespaces(): PathSet {
    return this.#found('composed namespace', () => this.#files.filter((file) => this.#words.mayComposeNamespace(file)));
  }

  get composingGroups(): PathSet {
    return this.#found('composed group', () => this.#files.filter((file) => this.#words.mayComposeVersion(file)));
  }

  ofKind(kind: string): PathSet {
    return this.#found(`kind ${kind}`, () => [...this.#filesOfKind(kind), ...this.#composingKinds]);
  }

  withWord(word: string): PathSet {
    return this.#found(`word ${word}`, () => this.#files.filter((file) => this.#words.mayMention(file, word)));
  }

  withObject(kind: string, name: string): PathSet {
    const words = this.#words;
    return this.#found(`object ${kind}/${name}`, () =>
      this.#filesOfKind(kind).filter(
        (file) =>
          words.mayHaveObject(file, kind, name) || (this.#mayGenerate(file, kind) && words.mayHaveValue(file, name)),
      ),
    );
  }

  /** A kustomization's namespace is also the name of its Namespaces. */
  naming(name: string): PathSet {
    return this.#found(`name ${name}`, () =>
      this.#kustomizations.filter((file) => this.#words.mayHaveValue(file, name)),
    );
  }

  composing(kind: string): PathSet {
    const words = this.#words;
    const isComposed = words.asked(`composes name of ${kind}`);
    return this.#found(`composed name of ${kind}`, () => [
      ...this.#composingNames,
      ...(UNPREFIXED.has(kind)
        ? this.#prefixing.filter(({ text }) => text.includes('configurations'))
        : this.#prefixing),
      ...this.#filesOfKind(kind).filter((file) =>
        TEMPLATE.test(file.path)
          ? file.text.includes('{{') && words.mayHaveKind(file, kind)
          : isComposed(file, () => words.mayHaveObjectWith(file, kind, (document) => hasComposed(document, 'name'))),
      ),
    ]);
  }

  /** Files that contain or generate an object of the kind. Only these are searched for its objects. */
  #filesOfKind(kind: string): readonly SourceFile[] {
    return this.#listed(`kind ${kind}`, (file) => this.#words.mayHaveKind(file, kind) || this.#mayGenerate(file, kind));
  }

  get #composingKinds(): readonly SourceFile[] {
    return this.#listed('composed kind', (file) => this.#words.mayComposeKind(file));
  }

  /** Files that may compose names of objects of any kind. */
  get #composingNames(): readonly SourceFile[] {
    const ofKinds = new Set(this.#composingKinds);
    const kustomizations = new Set(this.#kustomizations);
    const mayName = this.#words.asked('composes name');
    const mayMakeAny = this.#words.asked('transforms or generates');
    return this.#listed('composed name', (file) => {
      if (mayName(file, namesAny) || ofKinds.has(file)) return true;
      return kustomizations.has(file) && mayMakeAny(file, (text) => COMPOSING_FIELDS.test(text));
    });
  }

  get #prefixing(): readonly SourceFile[] {
    const prefixes = this.#words.asked('prefixes');
    const kustomizations = new Set(this.#kustomizations);
    return this.#listed(
      'prefix',
      (file) => kustomizations.has(file) && prefixes(file, (text) => PREFIXING_FIELDS.test(text)),
    );
  }

  get #kustomizations(): readonly SourceFile[] {
    const isOne = this.#words.asked('kustomize group');
    return this.#listed(
      'kustomization',
      (file) => KUSTOMIZATION_NAMES.has(baseName(file.path)) || isOne(file, (text) => text.includes(KUSTOMIZE_GROUP)),
    );
  }

  #mayGenerate(file: SourceFile, kind: string): boolean {
    const generator = GENERATORS.get(kind);
    return generator !== undefined && this.#words.mayMention(file, generator);
  }

  #listed(key: string, isIn: (file: SourceFile) => boolean): readonly SourceFile[] {
    const files = this.#lists.get(key) ?? this.#files.filter(isIn);
    this.#lists.set(key, files);
    return files;
  }

  #found(key: string, find: () => readonly SourceFile[]): PathSet {
    let paths = this.#known.get(key);
    if (paths === undefined) {
      paths = new PathSet(find().map(({ path }) => path));
      this.#known.set(key, paths);
    }
    return paths;
  }
}

/** True if the text may patch or compose the name of an object. */
function namesAny(text: string): boolean {
  return text.includes('/metadata/name') || replacesFields(text);
}

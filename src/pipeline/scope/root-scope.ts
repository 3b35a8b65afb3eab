// Which roots have to be rendered to know what a change does, told from the texts they are built of: never too few, sometimes too many.
import type { PlannedRoot } from '../../render/sources/planned-root.ts';
import type { Needs } from './needs.ts';
import { PathSet } from './path-set.ts';
import { type RootTexts, UNPREFIXED } from './root-texts.ts';

interface RootFiles {
  readonly texts: RootTexts;
  /** Paths that differ. */
  readonly touched: Iterable<string>;
  /** Paths of files whose objects count: what is built of them has to be known. */
  readonly read: Iterable<string>;
  /** Paths of what nobody looks into. */
  readonly archives: Iterable<string>;
}

/** More names are not looked for one by one. */
const MAXIMUM_NAMES = 100;

export class RootScope {
  readonly #texts: RootTexts;
  readonly #needs: Needs;
  readonly #touched: PathSet;
  readonly #read: PathSet;
  readonly #archives: PathSet;

  constructor({ texts, touched, read, archives }: RootFiles, needs: Needs) {
    this.#texts = texts;
    this.#needs = needs;
    this.#touched = new PathSet(touched);
    this.#read = new PathSet(read);
    this.#archives = new PathSet(archives);
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
    if (root.adds(word) || this.#texts.withWord(word).areIn(root.own)) return true;
    return (word.includes('.') ? this.#texts.composingGroups : this.#texts.composingNamespaces).areIn(root.own);
  }

  #mayApply(root: PlannedRoot, kind: string, names: ReadonlySet<string>): boolean {
    const { own } = root;
    if (!this.#texts.ofKind(kind).areIn(own)) return false;
    if (names.has('') || names.size > MAXIMUM_NAMES || this.#texts.composing(kind).areIn(own)) return true;
    if (!UNPREFIXED.has(kind) && (root.adds('namePrefix') || root.adds('nameSuffix'))) return true;
    return [...names].some(
      (name) =>
        root.adds(name) ||
        this.#texts.withObject(kind, name).areIn(own) ||
        (kind === 'Namespace' && this.#texts.naming(name).areIn(own)),
    );
  }

  /** Overlays side by side are clusters if they give one rule in different versions. */
  #tellsClusters({ own, isDeclared }: PlannedRoot): boolean {
    const { overlays } = this.#needs;
    if (overlays === undefined || isDeclared) return false;
    const isShared = [...own.files].some((file) => overlays.shared.has(file));
    return isShared && [...overlays.kinds].some((kind) => this.#texts.ofKind(kind).areIn(own));
  }
}

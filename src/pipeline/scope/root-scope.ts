// Decides from file texts which roots must be rendered to evaluate a change. Sometimes selects too many roots, never too few.
import type { PlannedRoot } from '../../render/sources/root/planned-root.ts';
import type { Needs } from './needs.ts';
import { PathSet } from './path-set.ts';
import { type RootTexts, UNPREFIXED } from './root-texts.ts';

interface RootFiles {
  readonly texts: RootTexts;
  /** Paths of changed files. */
  readonly touched: Iterable<string>;
  /** Paths of files whose objects are needed, also if a root renders them. */
  readonly read: Iterable<string>;
  /** Paths of archives, which are not searched. */
  readonly archives: Iterable<string>;
}

/** With more names, all roots that may apply the kind are rendered. */
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

  /** A word with a dot is an API group, because a namespace contains no dot. */
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

  /** Sibling overlays are separate clusters if they contain different versions of one rule. */
  #tellsClusters({ own, isDeclared }: PlannedRoot): boolean {
    const { overlays } = this.#needs;
    if (overlays === undefined || isDeclared) return false;
    const isShared = [...own.files].some((file) => overlays.shared.has(file));
    return isShared && [...overlays.kinds].some((kind) => this.#texts.ofKind(kind).areIn(own));
  }
}

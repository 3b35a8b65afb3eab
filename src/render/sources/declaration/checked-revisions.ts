// Decides whether a revision of this repository that an object names has the checked files.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { UnknownPart } from '../controller.ts';

/** The default branch, as both controllers name it if the object names none, or as it is usually called. */
const HEAD = 'HEAD';
const DEFAULT_BRANCHES: readonly string[] = ['main', 'master'];
const PLACEHOLDER = /\{\{|\$\{|<</;

/** What an object names, without `refs/heads/` or `refs/tags/`. */
function revisionName(written: string): string {
  return written === '' ? HEAD : written.replace(/^refs\/(?:heads|tags)\//, '');
}

/**
 * Nothing in a checkout says which branch its files will be on. The objects of the repository decide: the checked files are those of the
 * revision that most of them name. In a comparison, base decides for head too, so that a change cannot choose. One instance for each state
 * and kind of controller. `ids`: whether the controller accepts the beginning of a commit id.
 */
export class CheckedRevisions {
  readonly #configured: ReadonlySet<string>;
  readonly #base: CheckedRevisions | undefined;
  readonly #isId: (revision: string) => boolean;
  /** By declaration. */
  readonly #asked = new Map<string, Set<string>>();
  #named: ReadonlySet<string> = new Set();

  constructor(configured: readonly string[] = [], base?: CheckedRevisions, ids: 'full' | 'short' = 'full') {
    this.#configured = new Set(configured.map(revisionName));
    this.#base = base;
    this.#isId = ids === 'full' ? isCommit : mayBeCommit;
  }

  /** `named`: revisions of this repository in all objects, each as often as objects name it. Undefined if the revision has the checked files. */
  otherThanChecked(written: string, declaration: Resource, named: () => readonly string[]): UnknownPart | undefined {
    if (PLACEHOLDER.test(written)) return undefined;
    const revision = revisionName(written);
    if (this.#isId(written) && (isCommit(written) || !this.#configured.has(revision))) {
      const isBranch = isCommit(written)
        ? ''
        : '; if it is the name of a branch or tag with the checked files, add it to `rendering.revisions` in `.preadmit.yaml`';
      const help = `check that commit, or follow a branch${isBranch}`;
      return { unknown: `its source is pinned to commit ${written}`, help, isOtherRevision: true };
    }
    const key = [declaration.gvk.kind, declaration.namespace, declaration.name].join('\0');
    const asked = this.#asked.get(key);
    if (asked === undefined) this.#asked.set(key, new Set([revision]));
    else asked.add(revision);
    if (this.#named.size === 0)
      this.#named = mostNamed(
        named()
          .filter((text) => !PLACEHOLDER.test(text) && !this.#isId(text))
          .map(revisionName),
      );
    const checked = this.#checked(key);
    if (checked.size === 0 || checked.has(revision)) return undefined;
    const names = [...checked].filter((name) => name !== HEAD || checked.size === 1);
    return {
      unknown: `its source is revision ${revision} of this repository, and the checked files are those of ${names.join(' or ')}`,
      help: 'check that revision in its own checkout; if it has the checked files, add it to `rendering.revisions` in `.preadmit.yaml`',
      isOtherRevision: true,
    };
  }

  /** Empty if unknown. */
  #checked(key: string): ReadonlySet<string> {
    if (this.#configured.size > 0) return this.#configured;
    const base = this.#base;
    if (base === undefined || base.#asked.size === 0) return this.#named;
    if (isDecided(base.#named)) return base.#named;
    // Nothing decides between several revisions. Each declaration must keep the one that it has in base.
    return base.#asked.get(key) ?? new Set([...base.#asked.values()].flatMap((revisions) => [...revisions]));
  }
}

function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/i.test(revision);
}

/**
 * Argo CD looks for a branch or tag of this name, then for a commit with this prefix (`IsTruncatedCommitSHA` in util/git/git.go). Only digits
 * are a date or a number, and only letters a word.
 */
function mayBeCommit(revision: string): boolean {
  return isCommit(revision) || (/^[0-9a-f]{7,39}$/i.test(revision) && /\d/.test(revision) && /[a-f]/i.test(revision));
}

function isDecided(named: ReadonlySet<string>): boolean {
  return named.size === 1 || named.has(HEAD);
}

/** The default branch counts under all its names. Several revisions if they are named equally often. */
function mostNamed(revisions: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const revision of revisions) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  const countOf = (revision: string): number => counts.get(revision) ?? 0;
  const others = [...counts.keys()].filter((revision) => revision !== HEAD && !DEFAULT_BRANCHES.includes(revision));
  const ofDefault = [HEAD, ...DEFAULT_BRANCHES].reduce((sum, revision) => sum + countOf(revision), 0);
  const ofOthers = others.reduce((most, revision) => Math.max(most, countOf(revision)), 0);
  if (counts.size === 0) return new Set();
  if (ofOthers > ofDefault) return new Set(others.filter((revision) => countOf(revision) === ofOthers));
  const most = DEFAULT_BRANCHES.reduce((highest, branch) => Math.max(highest, countOf(branch)), 0);
  return new Set([HEAD, ...DEFAULT_BRANCHES.filter((branch) => countOf(branch) === most)]);
}

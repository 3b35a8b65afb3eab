// Separates what no controller of the repository applies, if controllers' roots in the repository show what they apply.
import type { SkipReason } from '../../inventory/skip-reason.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ControllerReach } from '../../render/sources/declaration/chains.ts';
import { reaches } from '../../render/sources/kustomization/kustomization-graph.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import type { FoundResource, RepositoryContent } from './read-repository.ts';

/** What is left out of a state. */
export interface UnreachedChoice {
  root(root: RenderedRoot): boolean;
  file(path: string): boolean;
}

/** Files and render targets that were left out. */
export interface UnreachedContent {
  readonly files: ReadonlySet<string>;
  readonly roots: ReadonlySet<RenderedRoot>;
  /** The objects in them, as written or as the render targets have them. */
  readonly objects: readonly Resource[];
  /** True for any file that was left out. */
  has(path: string): boolean;
}

export const NOTHING_UNREACHED: UnreachedContent = {
  files: new Set(),
  roots: new Set(),
  objects: [],
  has: () => false,
};

/** Chooses what to leave out of a state. Undefined: nothing. */
export type ChooseLeftOut = (reach: ControllerReach | undefined) => UnreachedChoice | undefined;

export const allUnreached: ChooseLeftOut = (reach) =>
  reach && { root: (root) => !reach.reaches(root), file: (path) => !reach.takes(path) };

/**
 * What to leave out of head, if base has controllers' roots too. Its roots stay roots. A changed file that only base's controllers apply is
 * judged: its change could be hidden behind the change that disables it.
 */
export function unreachedInHead(base: ControllerReach, changed: Iterable<string>): ChooseLeftOut {
  return (found) => {
    if (found === undefined) return undefined;
    const reach = found.keeping(base.starts);
    const kept = new Set([...changed].filter((path) => base.takes(path) && !reach.takes(path)));
    return {
      root: (root) => !reach.reaches(root) && ![...kept].some((path) => reaches(root.reach, path)),
      file: (path) => !reach.takes(path) && !kept.has(path),
    };
  };
}

/** Reasons that say nothing about a file that nothing applies. */
const REPLACED: ReadonlySet<string> = new Set<SkipReason>([
  'rendered',
  'not-rendered',
  'placeholder',
  'sops-encrypted',
  'template',
  'does-not-parse',
  'too-deep',
  'helm-template',
  'kustomize-patch',
  'kustomize-input',
  'incomplete-resource',
  'unnamed-resource',
]);

export function isReplacedReason(reason: string): boolean {
  return REPLACED.has(reason);
}

/**
 * Objects that are left out stay known, like those of files outside the checked paths: policies in plain folders are in effect, and
 * Namespaces have labels. Objects that a controller also applies do not, and neither do several different versions of one object.
 */
export function knownOfLeftOut(
  judged: readonly FoundResource[],
  leftOut: readonly FoundResource[],
  contentOf: (found: FoundResource) => string,
  isPolicy: (found: FoundResource) => boolean,
): readonly FoundResource[] {
  if (leftOut.length === 0) return [];
  const applied = new Set(judged.map(identityOf));
  const versions = new Map<string, Set<string>>();
  const others = leftOut.filter((found) => found.resource.name !== '' && !applied.has(identityOf(found)));
  const counts = new Map<string, number>();
  for (const found of others) counts.set(identityOf(found), (counts.get(identityOf(found)) ?? 0) + 1);
  for (const found of others) {
    const identity = identityOf(found);
    if (counts.get(identity) === 1) continue;
    const known = versions.get(identity);
    if (known === undefined) versions.set(identity, new Set([contentOf(found)]));
    else known.add(contentOf(found));
  }
  return others.flatMap((found) => {
    if (isPolicy(found)) return [found];
    return (versions.get(identityOf(found))?.size ?? 1) > 1 ? [] : [{ ...found, selected: false }];
  });
}

function identityOf({ resource: { gvk, namespace, name } }: FoundResource): string {
  return [gvk.group, gvk.kind, namespace, name].join('\0');
}

/** E.g. `2 files`; empty for 0. */
export function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The roots that are applied, as far as it is known. */
export function appliedRoots({
  roots,
  unreached,
}: Pick<RepositoryContent, 'roots' | 'unreached'>): readonly RenderedRoot[] {
  return unreached.roots.size === 0 ? roots : roots.filter((root) => !unreached.roots.has(root));
}

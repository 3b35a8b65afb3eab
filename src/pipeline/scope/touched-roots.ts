// Finds the failed and incomplete roots that a change touches, also if they were so in base.
import { isUnknown, type RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { foldersAbove } from '../../source/text/repository-path.ts';

/** What can touch a root besides its declaration. */
export interface Change {
  /** Paths that differ between the states. */
  readonly paths: ReadonlySet<string>;
  /** Names of ConfigMaps and Secrets that differ. Called only if a failed root takes some. */
  data(): ReadonlySet<string>;
}

/**
 * Names of head's failed and incomplete roots whose declaration, files or values the change alters, or that base does not have. A root is compared by its
 * name, because the message of its failure may change without it, and stay the same with it.
 */
export function touchedRoots(
  base: readonly RenderedRoot[],
  head: readonly RenderedRoot[],
  { paths, data }: Change,
): ReadonlySet<string> {
  const keyOf = ({ name, entry = '' }: RenderedRoot): string => `${entry}\0${name}`;
  // A rendered root may have a part that is not rendered, with the same name.
  const rendered = base.filter(({ source }) => source === undefined);
  const failed = base.filter(({ source }) => source !== undefined);
  const before = new Map([...rendered, ...failed].map((root) => [keyOf(root), root]));
  const folders = new Set([...paths].flatMap(foldersAbove));
  const isTouched = (root: RenderedRoot): boolean => {
    const { source, takes = [] } = root;
    const old = before.get(keyOf(root));
    if (source === undefined || old === undefined) return true;
    // A root that base could render was known before.
    if (old.source === undefined || old.source.declaration !== source.declaration) return true;
    if (takes.length > 0 && takes.some((name) => data().has(name))) return true;
    return meet(source.own.files, paths) || meet(source.own.folders, folders);
  };
  return new Set(head.filter((root) => isUnknown(root) && isTouched(root)).map(({ name }) => name));
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

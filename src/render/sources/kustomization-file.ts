// The file of the kustomization in a folder, as kustomize looks for it.
import { isKustomizationName } from '../../inventory/kustomize-references.ts';
import type { FileTree } from '../engine/file-tree.ts';

/** From the top of the tree; undefined if the folder ('' is the top) has none. */
export function kustomizationIn(tree: FileTree, folder: string): string | undefined {
  const top = folder === '.' ? '' : folder;
  return [...tree.list(top)]
    .filter(isKustomizationName)
    .sort()
    .reverse()
    .map((name) => (top === '' ? name : `${top}/${name}`))
    .find((path) => tree.kind(path) === 'file' || tree.kind(path) === 'link');
}

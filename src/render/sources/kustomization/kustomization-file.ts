// Finds the kustomization file of a folder by kustomize's rules.
import { isKustomizationName } from '../../../inventory/kustomize-references.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';

/** Path from the top of the tree; undefined if the folder ('' is the top) has no kustomization. */
export function kustomizationIn(tree: FileTree, folder: string): string | undefined {
  const top = folder === '.' ? '' : folder;
  return [...tree.list(top)]
    .filter(isKustomizationName)
    .sort()
    .reverse()
    .map((name) => (top === '' ? name : `${top}/${name}`))
    .find((path) => tree.kind(path) === 'file' || tree.kind(path) === 'link');
}

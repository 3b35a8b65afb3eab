// The file of the kustomization in a folder, as kustomize looks for it.
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import type { FileTree } from '../file-tree.ts';

/** From the top of the tree; undefined if the folder ('' is the top) has none. */
export function kustomizationIn(tree: FileTree, folder: string): string | undefined {
  return [...KUSTOMIZATION_NAMES]
    .map((name) => (folder === '' || folder === '.' ? name : `${folder}/${name}`))
    .find((path) => tree.kind(path) === 'file' || tree.kind(path) === 'link');
}

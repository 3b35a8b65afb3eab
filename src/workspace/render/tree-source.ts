// A file tree as data, so that a worker thread can open the same one.
import { type FileTree, overlayTree, type TreeContent, treeOf } from '../../render/file-tree.ts';
import { folderTree } from './folder-tree.ts';

export type TreeSource =
  /** A folder on disk; `root` is a real path. */
  | { readonly kind: 'folder'; readonly root: string }
  /** Files at hand; every worker gets a copy. */
  | { readonly kind: 'content'; readonly content: TreeContent }
  | { readonly kind: 'overlay'; readonly base: TreeSource; readonly content: TreeContent };

export function openTree(source: TreeSource): FileTree {
  switch (source.kind) {
    case 'folder':
      return folderTree(source.root);
    case 'content':
      return treeOf(source.content);
    case 'overlay':
      return overlayTree(openTree(source.base), source.content);
  }
}

// Generates resources for a folder without a kustomization: all YAML files below, and folders that have a kustomization.

import { compareUtf8 } from '../../source/json/json.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { kustomizationIn } from '../sources/kustomization/kustomization-file.ts';

const MANIFEST_NAME = /\.ya?ml$/;
const MAXIMUM_DEPTH = 64;

/** Paths relative to the folder, in the order of Go's `filepath.Walk`. Includes hidden files; does not follow links to folders. */
export function generatedResources(
  tree: FileTree,
  folder: string,
  isIgnored: (path: string) => boolean,
): readonly string[] {
  const resources: string[] = [];
  const walk = (current: string, depth: number): void => {
    for (const name of [...tree.list(current)].sort(compareUtf8)) {
      const path = within(current, name);
      if (tree.kind(path) === 'folder') {
        if (kustomizationIn(tree, path) !== undefined) resources.push(path);
        else if (depth < MAXIMUM_DEPTH) walk(path, depth + 1);
      } else if (MANIFEST_NAME.test(name) && !isIgnored(path)) {
        resources.push(path);
      }
    }
  };
  walk(folder, 0);
  return resources.map((path) => `./${folder === '' ? path : path.slice(folder.length + 1)}`);
}

export function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

// What Flux takes from a folder without a kustomization: every YAML file below, and folders with a kustomization as they are.
import { compareUtf8 } from '../../source/json/json.ts';
import type { FileTree } from '../engine/file-tree.ts';
import { kustomizationIn } from '../sources/kustomization-file.ts';

const MANIFEST_NAME = /\.ya?ml$/;
const MAXIMUM_DEPTH = 64;

/** Paths relative to the folder, in the order of Go's `filepath.Walk`. Hidden files count, links to folders are not followed. */
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

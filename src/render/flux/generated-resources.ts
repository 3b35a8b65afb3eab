// What Flux takes from a folder without a kustomization: every YAML file below, and folders with a kustomization as they are.
import { compareUtf8 } from '../../source/json.ts';
import type { FileTree } from '../file-tree.ts';

/** In the order in which Flux looks for them. */
const KUSTOMIZATION_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const MANIFEST_NAME = /\.ya?ml$/;
const MAXIMUM_DEPTH = 64;

/** The path of the kustomization in a folder; undefined if it has none. */
export function kustomizationFileIn(tree: FileTree, folder: string): string | undefined {
  return KUSTOMIZATION_FILES.map((name) => within(folder, name)).find((path) => isFile(tree, path));
}

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
        if (kustomizationFileIn(tree, path) !== undefined) resources.push(path);
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

function isFile(tree: FileTree, path: string): boolean {
  const kind = tree.kind(path);
  return kind === 'file' || (kind === 'link' && tree.target(path) !== undefined);
}

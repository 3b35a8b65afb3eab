// A set of paths that can be compared with the files and folders that a root reads.
import type { Reach } from '../../render/sources/kustomization/kustomization-graph.ts';
import { foldersAbove } from '../../source/text/repository-path.ts';

/** Contains the paths and the folders above them, so that a lookup does not depend on the number of paths. */
export class PathSet {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();

  constructor(paths: Iterable<string>) {
    this.#files = new Set(paths);
    for (const path of this.#files) for (const folder of foldersAbove(path)) this.#folders.add(folder);
  }

  /** True if the root may read at least one of the paths. */
  areIn({ files, folders }: Reach): boolean {
    if (this.#files.size === 0) return false;
    for (const file of files) if (this.#files.has(file)) return true;
    for (const folder of folders) if (this.#folders.has(folder)) return true;
    return false;
  }
}

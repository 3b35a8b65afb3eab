// Paths that something is in, asked about by what a root reaches.
import type { Reach } from '../../render/sources/kustomization-graph.ts';
import { foldersAbove } from '../../source/text/repository-path.ts';

/** Paths, and the folders above them, so that what a root reaches is asked at once however many they are. */
export class PathSet {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();

  constructor(paths: Iterable<string>) {
    this.#files = new Set(paths);
    for (const path of this.#files) for (const folder of foldersAbove(path)) this.#folders.add(folder);
  }

  /** True if at least one may be read. */
  areIn({ files, folders }: Reach): boolean {
    if (this.#files.size === 0) return false;
    for (const file of files) if (this.#files.has(file)) return true;
    for (const folder of folders) if (this.#folders.has(folder)) return true;
    return false;
  }
}

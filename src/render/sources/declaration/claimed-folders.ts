// Folders and files that controllers build, so they are not applied separately.
import { folderOf } from '../../../source/text/repository-path.ts';
import type { Build } from '../controller.ts';

export class ClaimedFolders {
  readonly #exact = new Set<string>();
  readonly #whole = new Set<string>();
  readonly #files = new Set<string>();

  constructor(builds: readonly Build[]) {
    for (const { folder, takesFolder, alsoTakes = [], request } of builds) {
      for (const taken of [folder, ...alsoTakes]) this.#exact.add(taken);
      if (request.engine === 'files') for (const file of request.files) this.#files.add(file);
      if (takesFolder === true) this.#whole.add(folder);
    }
  }

  /** True for a folder that a controller builds, alone or as part of a parent folder. */
  holds(folder: string): boolean {
    return this.#exact.has(folder) || this.takes(`${folder}/x`);
  }

  /** True for a file that a controller applies. */
  takes(path: string): boolean {
    if (this.#files.has(path)) return true;
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (this.#whole.has(folder)) return true;
      if (folder === '.' || folder === '/') return false;
    }
  }
}

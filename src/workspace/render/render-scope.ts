// Determines the engine for a folder named on the command line, and the files that its rendering may read.
import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { RenderRequest } from '../../render/engine/render-request.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { GitRepository } from '../git/git-repository.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { folderTree } from './folder-tree.ts';

export interface RenderScope {
  readonly tree: FileTree;
  /** The folder relative to the tree's root. */
  readonly folder: string;
  readonly engine: RenderRequest['engine'];
  /**
   * False if the extent of the repository is unknown: the tree is the whole file system, and only folders with a
   * kustomization may be entered, as in `kustomize build`.
   */
  readonly isBounded: boolean;
}

/**
 * The tree is the Git checkout that contains the folder. Outside Git, it is the working directory if that contains the
 * folder. A chart reads only its own folder. Throws WorkspaceError for a missing folder.
 */
export async function findRenderScope(directory: string, name: string): Promise<RenderScope> {
  const folder = path.resolve(directory, name);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkspaceError('path-not-found', `there is no folder \`${name}\``);
  }
  const real = await realpath(folder);
  const engine = existsSync(path.join(real, 'Chart.yaml')) ? 'helm' : 'kustomize';
  const top = (await GitRepository.open(real))?.root ?? (await realpath(directory));
  const below = path.relative(top, real);
  if (below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)) {
    return { tree: folderTree(top), folder: slashed(below), engine, isBounded: true };
  }
  if (engine === 'helm') return { tree: folderTree(real), folder: '', engine, isBounded: true };
  const { root } = path.parse(real);
  return { tree: folderTree(root), folder: slashed(path.relative(root, real)), engine, isBounded: false };
}

function slashed(name: string): string {
  return name.replaceAll(path.sep, '/');
}

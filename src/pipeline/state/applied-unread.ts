// Finds entries that a controller applies although Preadmit cannot read them: submodules in applied folders, links to other names.
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { reaches } from '../../render/sources/kustomization/kustomization-graph.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';

/** kubectl and Argo CD select files by these names, and follow links. */
export const MANIFEST_NAME = /\.(?:ya?ml|json)$/i;

/** Links that lead to links; Linux gives up after 40. */
const MAXIMUM_HOPS = 40;

interface ReadState {
  readonly tree: FileTree;
  readonly roots: readonly RenderedRoot[];
  /** Files whose documents are evaluated. */
  readonly isRead: (path: string) => boolean;
}

/** The reason of an entry that was not read, with what is applied through it taken into account. */
export function reasonOfUnread({ path, reason }: { path: string; reason: SkipReason }, state: ReadState): SkipReason {
  if (reason === 'submodule') return isApplied(`${path}/`, state.roots) ? 'applied-submodule' : reason;
  if (reason !== 'symbolic-link' || !MANIFEST_NAME.test(path)) return reason;
  const file = linkedFile(path, state.tree);
  if (file === undefined || state.isRead(file) || !hasManifest(file, state.tree)) return reason;
  const isRendered = state.roots.some(
    ({ inputs, failure, reach }) => failure === undefined && inputs.has(file) && reaches(reach, path),
  );
  return isRendered ? reason : 'unread-link';
}

/** True if a controller applies the folder of the path. */
function isApplied(path: string, roots: readonly RenderedRoot[]): boolean {
  return roots.some(({ reach, entry }) => entry !== undefined && reaches(reach, path));
}

/** The file of the repository that a link leads to; undefined if there is none. */
export function linkedFile(path: string, tree: FileTree): string | undefined {
  let at = path;
  for (let hops = 0; hops < MAXIMUM_HOPS; hops++) {
    const kind = tree.kind(at);
    if (kind !== 'link') return kind === 'file' ? at : undefined;
    const target = tree.target(at);
    if (target === undefined || target.startsWith('/')) return undefined;
    at = joinPaths(folderOf(at), target);
  }
  return undefined;
}

function hasManifest(path: string, tree: FileTree): boolean {
  const content = tree.read(path);
  if (content === undefined) return false;
  const text = new TextDecoder().decode(content);
  return text.includes('apiVersion') && text.includes('kind');
}

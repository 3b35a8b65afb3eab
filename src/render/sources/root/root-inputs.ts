// The files that roots read.
import { type Reach, reaches } from '../kustomization/kustomization-graph.ts';
import type { RenderedRoot } from './rendered-root.ts';

/**
 * By path; false if only roots that are not rendered read the file. `reachOf`: the files that belong to a root although no rendering has
 * read them.
 */
export function rootInputs(
  roots: readonly RenderedRoot[],
  reachOf: (root: RenderedRoot) => Reach,
  paths: Iterable<string>,
): Map<string, boolean> {
  const inputs = new Map<string, boolean>();
  // Merged first, so that each path is tested once for all roots.
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const root of roots) {
    for (const file of root.inputs) inputs.set(file, inputs.get(file) === true || root.failure === undefined);
    const reach = reachOf(root);
    for (const file of reach.files) files.add(file);
    for (const folder of reach.folders) folders.add(folder);
  }
  if (files.size + folders.size === 0) return inputs;
  for (const file of paths) {
    if (!inputs.has(file) && reaches({ files, folders }, file)) inputs.set(file, false);
  }
  return inputs;
}

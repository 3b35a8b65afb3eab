// What is known of a root before it is rendered: enough to tell whether somebody needs it.
import type { Build } from './controller.ts';
import type { Reach } from './kustomization-graph.ts';

export interface PlannedRoot {
  /** What a change has to touch for the root to change. */
  readonly reach: Reach;
  /** What it is built of: without what declares it. */
  readonly own: Reach;
  /** Names of ConfigMaps and Secrets of the repository that its declaration takes from. */
  readonly takes: readonly string[];
  /** True where files that are not of the repository go into it. */
  readonly isOpaque: boolean;
  /** True for what a controller declares. */
  readonly isDeclared: boolean;
  /** True if the text is in what a controller adds before it builds: names, namespaces, patches, values. */
  adds(text: string): boolean;
}

export function plannedRoot(
  { request, overlay, postRender, namespace }: Pick<Build, 'request' | 'overlay' | 'postRender' | 'namespace'>,
  facts: Omit<PlannedRoot, 'adds'>,
): PlannedRoot {
  let added: string | undefined;
  return {
    ...facts,
    adds: (text) => {
      added ??= JSON.stringify([
        request,
        namespace,
        ...(overlay?.values() ?? []),
        ...(postRender?.kustomizations ?? []).map(({ kustomization }) => kustomization),
      ]);
      // As it stands in a text in JSON.
      return added.includes(JSON.stringify(text).slice(1, -1));
    },
  };
}

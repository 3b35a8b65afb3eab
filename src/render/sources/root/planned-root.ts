// Facts about a root before rendering, enough to decide whether it is needed.
import type { Build } from '../controller.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';

export interface PlannedRoot {
  /** Files whose change can change the root. */
  readonly reach: Reach;
  /** `reach` without the declaration. */
  readonly own: Reach;
  /** Names of ConfigMaps and Secrets that its declaration uses. */
  readonly takes: readonly string[];
  /** True if the build uses files from outside the repository. */
  readonly isOpaque: boolean;
  readonly isDeclared: boolean;
  /** True if the controller adds this text to the build: in names, namespaces, patches or values. */
  adds(text: string): boolean;
}

/** A build, with what it reads. */
export interface PlannedBuild {
  readonly own: Reach;
  readonly reach: Reach;
  readonly isWanted: boolean;
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
      // The text with JSON escapes.
      return added.includes(JSON.stringify(text).slice(1, -1));
    },
  };
}

/** True if the build reads nothing but the kustomization and what it names. */
export function isBuiltAlone({ request, alsoTakes = [], reads = [], takesFolder }: Build): boolean {
  return request.engine === 'kustomize' && alsoTakes.length + reads.length === 0 && takesFolder !== true;
}

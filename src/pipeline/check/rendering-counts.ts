// Counts the render targets of a state that are applied, and why some of them are not rendered.
import { UNOBSERVED } from '../../engine/stages.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { rootDiagnostics } from '../state/rendered-reasons.ts';
import { type StateOptions, stateContent } from '../state/state-content.ts';
import { appliedRoots } from '../state/unreached.ts';

export interface RenderingCounts {
  readonly roots: number;
  /** Number of objects that make a controller apply roots, by kind: `Flux Kustomization`, `HelmRelease`, `Application`. */
  readonly declarations: ReadonlyMap<string, number>;
  /** Number of roots that are not rendered, or only without some objects, by reason; most frequent first. */
  readonly reasons: readonly (readonly [reason: string, roots: number])[];
}

export function renderingCounts(input: StateOptions): RenderingCounts {
  const roots = appliedRoots(stateContent(input, UNOBSERVED));
  const reasons = new Map<string, number>();
  for (const root of roots) {
    const [first] = rootDiagnostics(root);
    if (first === undefined) continue;
    const reason = `${first.part === undefined ? 'not rendered' : 'incomplete'}: ${first.cause ?? first.message}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return {
    roots: roots.length,
    declarations: declarationsOf(roots),
    reasons: [...reasons].sort(([, one], [, other]) => other - one),
  };
}

/** A declaration may have several roots, and one of its name may be in each cluster. */
function declarationsOf(roots: readonly RenderedRoot[]): ReadonlyMap<string, number> {
  const declared = roots.flatMap(({ name, entry }) => (entry === undefined ? [] : [`${name}\0${entry}`]));
  const counts = new Map<string, number>();
  for (const name of new Set(declared)) {
    const [, kind] = /^((?:Flux )?\w+) /.exec(name) ?? [];
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

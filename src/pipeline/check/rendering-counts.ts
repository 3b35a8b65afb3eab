// Counts the render targets of a state that are applied, and why some of them are not rendered.
import { UNOBSERVED } from '../../engine/stages.ts';
import { appliedRoots } from '../state/read-repository.ts';
import { rootDiagnostics } from '../state/rendered-reasons.ts';
import { type StateOptions, stateContent } from '../state/state-content.ts';

export interface RenderingCounts {
  readonly roots: number;
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
  return { roots: roots.length, reasons: [...reasons].sort(([, one], [, other]) => other - one) };
}

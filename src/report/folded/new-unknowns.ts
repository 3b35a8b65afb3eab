// In a comparison, the unknowns that the change brings. Those of base are a number, and those that a diagnostic states are left out.
import type { Report, TargetSummary } from '../report.ts';
import { kindLabel, unknownSentences } from '../wording/unknown-wording.ts';
import { COMBINED } from './alike.ts';
import { concernedTargets } from './concerned-targets.ts';

export interface FoldedUnknowns {
  readonly sentences: readonly string[];
  /** Number of sentences about base that are left out. */
  readonly earlier: number;
}

/** `isAll`: leaves out none. */
export function foldedUnknowns(report: Report, isAll: boolean): FoldedUnknowns {
  const targets = concernedTargets(report);
  const all = unknownSentences({ targets });
  if (isAll || report.comparison === undefined) return { sentences: all, earlier: 0 };
  const stated = report.diagnostics.map(({ message }) => message.replace(COMBINED, ''));
  const sentences = unknownSentences({ targets: targets.map((target) => withoutEarlier(target, stated)) });
  const earlier = unknownSentences({ targets: targets.map(onlyEarlier) });
  return { sentences, earlier: earlier.length };
}

function withoutEarlier(target: TargetSummary, stated: readonly string[]): TargetSummary {
  const { earlierUnknowns = [], earlierKinds = [], unknowns, unknownKinds } = target;
  const [known, kinds] = [new Set([...earlierUnknowns, ...stated]), new Set(earlierKinds)];
  return {
    ...target,
    unknowns: unknowns.filter((sentence) => !known.has(sentence)),
    unknownKinds: unknownKinds.filter((kind) => !kinds.has(kindLabel(kind))),
  };
}

function onlyEarlier(target: TargetSummary): TargetSummary {
  const { earlierUnknowns = [], earlierKinds = [], unknownKinds } = target;
  const kinds = new Set(earlierKinds);
  return {
    ...target,
    unknowns: earlierUnknowns,
    unknownKinds: unknownKinds.filter((kind) => kinds.has(kindLabel(kind))),
  };
}

// Unknowns of a comparison that base has too.
import { sentencesOf, type Unknown, type UnknownKind } from '../../policy/evaluation/unknown.ts';
import type { TargetSummary } from '../report.ts';
import { kindLabel } from '../wording/unknown-wording.ts';

interface Unknowns {
  readonly unknowns: readonly Unknown[];
  readonly unknownKinds: readonly UnknownKind[];
}

/** The number in a sentence may differ. Absent fields: none. */
export function earlierUnknowns(
  now: Unknowns,
  before: Unknowns,
): Pick<TargetSummary, 'earlierUnknowns' | 'earlierKinds'> {
  const known = new Set(before.unknowns.map(sentenceKey));
  const kinds = new Set(before.unknownKinds.map(kindLabel));
  const sentences = sentencesOf(now.unknowns.filter((unknown) => known.has(sentenceKey(unknown))));
  const names = now.unknownKinds.map(kindLabel).filter((key) => kinds.has(key));
  return {
    ...(sentences.length > 0 && { earlierUnknowns: sentences }),
    ...(names.length > 0 && { earlierKinds: names }),
  };
}

function sentenceKey({ before, after }: Unknown): string {
  return `${before}\0${after}`;
}

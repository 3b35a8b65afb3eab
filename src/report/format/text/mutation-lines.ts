// Effects of policies besides findings, one line each, for human-readable formats.
import type { Report } from '../../report.ts';
import { additionWords, auditAnnotationWords, mutatedAwayWords } from '../../wording/wording.ts';

export function clusterAdditions({ targets }: Report): readonly string[] {
  return targets.flatMap(({ name, additions = [] }) =>
    additions.map((addition) => `${additionWords(addition)}${on(name, targets)}`),
  );
}

export function mutatedAway({ targets }: Report): readonly string[] {
  return targets.flatMap(({ name, mutatedAway: findings = [] }) =>
    findings.map((finding) => `${mutatedAwayWords(finding)}${on(name, targets)}`),
  );
}

/** One line for each annotation and target. */
export function auditAnnotations({ targets }: Report): readonly string[] {
  return targets.flatMap(({ name, auditAnnotations: annotations = [] }) =>
    annotations.map((annotation) => `${auditAnnotationWords(annotation)}${on(name, targets)}`),
  );
}

function on(target: string, targets: Report['targets']): string {
  return targets.length > 1 ? ` (${target})` : '';
}

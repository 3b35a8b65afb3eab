// What a comparison says of the change itself: the same, however much of the two states was looked at.
import type { Report } from '../../src/report/report.ts';

/** Without what was there before. */
export function judgement({ findings, diagnostics, comparison, blastRadius }: Report) {
  const isNew = ({ status }: { readonly status?: string }): boolean => status === 'new';
  const { created, updated, deleted } = comparison?.objects ?? {};
  return {
    findings: findings.filter(isNew),
    diagnostics: diagnostics.filter(isNew),
    fixed: comparison?.fixed,
    changedFiles: comparison?.changedFiles,
    objects: { created, updated, deleted },
    blastRadius,
  };
}

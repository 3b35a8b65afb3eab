// The result of a comparison for the change itself, which must not depend on how much of the two states was rendered.
import type { Report } from '../../src/report/report.ts';

/** Drops entries that existed before the change. */
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

// Audits a repository on disk: the report of a check of everything, with the sections of an audit.
import { checkState } from '../../pipeline/check-state.ts';
import { askRepository, type CheckOptions, type CheckResult } from './check-repository.ts';

export interface AuditOptions {
  /** Format `2026-11-24`. */
  readonly day: string;
}

/** Throws WorkspaceError if something cannot be read. */
export async function auditRepository(options: CheckOptions, { day }: AuditOptions): Promise<CheckResult> {
  const asked = await askRepository(options, (input, _, hosts) => ({
    ...checkState(input),
    ...(hosts.length > 0 && { fetched: hosts }),
    audit: { day },
  }));
  return 'stopped' in asked ? asked.stopped : { report: asked.answer, unusable: false };
}

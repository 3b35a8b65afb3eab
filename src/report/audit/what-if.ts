// What candidate policies would change, without a pull request.
import type { BlastRadius, PolicySourceSummary, ReportedDiagnostic } from '../report.ts';

export interface WhatIf {
  /** `replaces`: the candidate stands for the source of the same name. */
  readonly sources: readonly (PolicySourceSummary & { readonly replaces: boolean })[];
  /** Absent: the candidates change no policy, binding, param or Namespace. At most 500 entries; the numbers are complete. */
  readonly blastRadius?: BlastRadius;
  /** Problems that only the candidates have; at most 100. A policy with an error judges nothing. */
  readonly problems: readonly ReportedDiagnostic[];
}

// Whether the gate passes, and the numbers it rests on.
import { NOTHING_UNLISTED, objectKey } from './finding-limits.ts';
import type {
  FailOn,
  Finding,
  FindingStatus,
  ReportedDiagnostic,
  UnlistedFindings,
  ValidationAction,
  Verdict,
} from './report.ts';

export interface VerdictInput {
  readonly findings: readonly Finding[];
  /** Findings that are not among these and have no excuse, as nobody looked for one. */
  readonly unlisted?: UnlistedFindings;
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly failOn: FailOn;
  /** Resources offered to at least one bound policy; a change that touches none has met the policies all the same. */
  readonly checked: number;
  /** `new`: what base has already does not count. */
  readonly only?: 'new' | 'all';
}

export function decideVerdict({ failOn, checked, only, unlisted = NOTHING_UNLISTED, ...found }: VerdictInput): Verdict {
  const isCounted = ({ status }: { readonly status?: FindingStatus }): boolean =>
    only !== 'new' || status !== 'existing';
  const findings = found.findings.filter(isCounted);
  const diagnostics = found.diagnostics.filter(isCounted);
  const counts = {
    denied: resourcesWith(findings, 'Deny'),
    warned: resourcesWith(findings, 'Warn'),
    audited: resourcesWith(findings, 'Audit'),
    errors: diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length,
  };
  const fails = gateFails(failOn, counts, findings) || failsUnlisted(failOn, unlisted);
  return {
    conclusion: fails ? 'denied' : checked === 0 ? 'nothing-checked' : 'allowed',
    failOn,
    ...(only && { only }),
    ...counts,
  };
}

type Counts = Pick<Verdict, 'denied' | 'warned' | 'audited' | 'errors'>;

/** Each level includes the ones above it: audit counts warnings and denials too. Errors of texts always count, except under `never`. */
function gateFails(failOn: FailOn, counts: Counts, findings: readonly Finding[]): boolean {
  switch (failOn) {
    case 'never':
      return false;
    case 'error':
      return counts.errors > 0 || findings.some((finding) => finding.result === 'error');
    case 'deny':
      return counts.errors + counts.denied > 0;
    case 'warn':
      return counts.errors + counts.denied + counts.warned > 0;
    case 'audit':
      return counts.errors + counts.denied + counts.warned + counts.audited > 0;
    default:
      return failOn satisfies never;
  }
}

/** Of what is not listed nothing is known but how severe it is; what may fail the gate fails it. */
function failsUnlisted(failOn: FailOn, { error, warning, notice }: UnlistedFindings): boolean {
  if (failOn === 'never') return false;
  return error > 0 || (failOn === 'warn' && warning > 0) || (failOn === 'audit' && warning + notice > 0);
}

/** Whether this finding alone makes the gate fail; under `never` as under `deny`, so that there is something to talk about. */
export function isGating({ actions, result }: Finding, failOn: FailOn): boolean {
  switch (failOn) {
    case 'error':
      return result === 'error';
    case 'deny':
    case 'never':
      return actions.includes('Deny');
    case 'warn':
      return actions.includes('Deny') || actions.includes('Warn');
    case 'audit':
      return actions.length > 0;
    default:
      return failOn satisfies never;
  }
}

function resourcesWith(findings: readonly Finding[], action: ValidationAction): number {
  const resources = new Set<string>();
  for (const finding of findings) {
    if (finding.actions.includes(action) && finding.result !== 'unknown') resources.add(objectKey(finding));
  }
  return resources.size;
}

// Computes the verdict: whether the run passes, and the numbers that decide.
import { NOTHING_UNLISTED, objectKey } from '../finding/finding-limits.ts';
import type {
  FailOn,
  Finding,
  FindingStatus,
  ReportedDiagnostic,
  UnlistedFindings,
  ValidationAction,
  Verdict,
} from '../report.ts';
import { objectsWith } from './object-tally.ts';

export interface VerdictInput {
  readonly findings: readonly Finding[];
  /** Findings omitted from the report; no suppression was applied to them. */
  readonly unlisted?: UnlistedFindings;
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly failOn: FailOn;
  /** Resources offered to at least one bound policy; for a change, also those that it does not touch. */
  readonly checked: number;
  /** Resources that a relevant policy did not judge, or judged under an assumption. */
  readonly open: number;
  /** Files and documents that a controller would read but Preadmit did not. */
  readonly unread: number;
  /** `new`: findings that base already has do not count. */
  readonly only?: 'new' | 'all';
}

export function decideVerdict({
  failOn,
  checked,
  open,
  unread,
  only,
  unlisted = NOTHING_UNLISTED,
  ...found
}: VerdictInput): Verdict {
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
  const unknown = found.findings.filter((finding) => finding.result === 'unknown' && isOfChange(finding, only));
  const notRendered = unrenderedRoots(diagnostics);
  const fails = gateFails(failOn, counts, findings) || failsUnlisted(failOn, unlisted);
  const mightFail = unknown.some(({ actions }) => mayFail(actions, failOn));
  const isMissing = failOn !== 'never' && (mightFail || open + notRendered + unread > 0);
  return {
    conclusion: fails ? 'denied' : checked === 0 ? 'nothing-checked' : isMissing ? 'undecided' : 'allowed',
    failOn,
    ...(only && { only }),
    ...counts,
    undecided: objectsWith(unknown),
    open,
    notRendered,
    unread,
  };
}

/** A failure that base also has is existing. An undecided finding counts as new unless the change leaves the object untouched. */
function isOfChange({ status, operation }: Finding, only: Verdict['only']): boolean {
  return only !== 'new' || status !== 'existing' || operation !== 'CREATE';
}

/** One diagnostic may represent several roots. */
function unrenderedRoots(diagnostics: readonly ReportedDiagnostic[]): number {
  return diagnostics.reduce((sum, { code, count = 1 }) => (code === 'not-rendered' ? sum + count : sum), 0);
}

type Counts = Pick<Verdict, 'denied' | 'warned' | 'audited' | 'errors'>;

/** Each level includes those above it: audit counts warnings and denials too. Errors of files always count, except under `never`. */
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

/** Only the severity of unlisted findings is known, so each one that might fail the run does. */
function failsUnlisted(failOn: FailOn, { error, warning, notice }: UnlistedFindings): boolean {
  if (failOn === 'never') return false;
  return error > 0 || (failOn === 'warn' && warning > 0) || (failOn === 'audit' && warning + notice > 0);
}

/** True if this finding alone fails the run; `never` is treated like `deny`, so that reports still highlight denials. */
export function isGating({ actions, result }: Finding, failOn: FailOn): boolean {
  return mayFail(actions, failOn) && (failOn !== 'error' || result === 'error');
}

/** True if a policy with these actions can fail the run. */
export function mayFail(actions: readonly ValidationAction[], failOn: FailOn): boolean {
  switch (failOn) {
    case 'error':
      return true;
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

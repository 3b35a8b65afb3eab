// Computes the verdict: whether the run passes, and the numbers that decide.

import { NOTHING_UNLISTED, objectKey } from '../finding/finding-limits.ts';
import { isCounted } from '../gate/counted.ts';
import { mayFail } from '../gate/may-fail.ts';
import { isGap, isOfChange, type UndecidedCode } from '../gate/undecided.ts';
import type {
  FailOn,
  Finding,
  OnUndecided,
  ReportedDiagnostic,
  Touched,
  UnlistedFindings,
  ValidationAction,
  Verdict,
} from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';
import { objectsWith } from './object-tally.ts';

export interface VerdictInput {
  readonly findings: readonly Finding[];
  /** Findings omitted from the report; no suppression was applied to them. */
  readonly unlisted?: UnlistedFindings;
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly failOn: FailOn;
  readonly onUndecided: OnUndecided;
  /** Resources offered to at least one bound policy; a change that touches none has met the policies all the same. */
  readonly checked: number;
  /** `new`: findings that base already has do not count. */
  readonly only?: 'new' | 'all';
  /** Default: `count`. */
  readonly touched?: Touched;
}

export function decideVerdict({
  failOn,
  onUndecided,
  checked,
  only,
  touched = 'count',
  unlisted = NOTHING_UNLISTED,
  ...found
}: VerdictInput): Verdict {
  const compared = only === undefined ? {} : { only, touched };
  const findings = found.findings.filter((finding) => isCounted(finding, compared));
  const diagnostics = found.diagnostics.filter((diagnostic) => isCounted(diagnostic, compared));
  const counts = {
    denied: resourcesWith(findings, 'Deny'),
    warned: resourcesWith(findings, 'Warn'),
    audited: resourcesWith(findings, 'Audit'),
    errors: diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length,
  };
  const unknown = found.findings.filter((finding) => finding.result === 'unknown' && isOfChange(finding, only));
  const open = objectsOf(diagnostics, 'undecided-object');
  const rendering = diagnostics.filter(({ code }) => code === 'not-rendered');
  const notRendered = countOf(
    rendering.filter(({ part }) => part === undefined),
    'not-rendered',
  );
  const unread = countOf(diagnostics, 'unread-document');
  const fails = gateFails(failOn, counts, findings) || failsUnlisted(failOn, unlisted);
  const isMissing = [found.findings, found.diagnostics].some((list) =>
    list.some((each) => isGap(each, { failOn, ...compared })),
  );
  return {
    conclusion: fails ? 'denied' : checked === 0 ? 'nothing-checked' : isMissing ? 'undecided' : 'allowed',
    failOn,
    onUndecided,
    ...compared,
    ...counts,
    undecided: objectsWith(unknown),
    open,
    notRendered,
    incomplete: incompleteRoots(rendering),
    unread,
  };
}

/** One diagnostic may represent several roots. */
function countOf(diagnostics: readonly ReportedDiagnostic[], wanted: UndecidedCode): number {
  return diagnostics.reduce((sum, { code, count = 1 }) => (code === wanted ? sum + count : sum), 0);
}

/** Distinct roots: one may lack several parts, and one diagnostic may represent several roots. */
function incompleteRoots(diagnostics: readonly ReportedDiagnostic[]): number {
  const names = diagnostics.flatMap(({ part, subject = '', subjects = [] }) => {
    if (part === undefined) return [];
    const ending = ` without ${part}`;
    return subjects.length === 0 ? [subject] : subjects.map((each) => each.slice(0, -ending.length));
  });
  return new Set(names).size;
}

/** Distinct objects: several policies may leave one object undecided. */
function objectsOf(diagnostics: readonly ReportedDiagnostic[], wanted: UndecidedCode): number {
  const entries = diagnostics.filter(({ code }) => code === wanted);
  const listed = new Set(
    entries.flatMap(({ subjects, resource }) => subjects ?? (resource ? [resourceLabel(resource)] : [])),
  );
  const unlisted = entries.filter(({ subjects, resource }) => subjects === undefined && resource === undefined);
  return listed.size + countOf(unlisted, wanted);
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

function resourcesWith(findings: readonly Finding[], action: ValidationAction): number {
  const resources = new Set<string>();
  for (const finding of findings) {
    if (finding.actions.includes(action) && finding.result !== 'unknown') resources.add(objectKey(finding));
  }
  return resources.size;
}

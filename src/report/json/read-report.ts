// Reads a JSON report and validates every field, because another job wrote it.

import type { PolicyFacts, TypeWarning } from '../../policy/language/policy-facts.ts';
import type { AuditHistory, BurnDown, FixedEntry, HistoryPoint } from '../audit/audit-history.ts';
import type { Upgrades } from '../audit/upgrades.ts';
import type { WhatIf } from '../audit/what-if.ts';
import {
  type Audit,
  type BlastRadius,
  type ClusterAddition,
  type Comparison,
  type Excuse,
  type Finding,
  type LineFix,
  type MutatedAwayFinding,
  type Outcome,
  type Ownership,
  type Place,
  REPORT_SCHEMA_VERSION,
  type RelatedPlace,
  type Report,
  type ReportedAuditAnnotation,
  type ReportedDiagnostic,
  type ResourceName,
  type Severity,
  type Suggestion,
} from '../report.ts';

export type ReadReport = { readonly report: Report } | { readonly problem: string };

/** `problem` continues a sentence that starts with the file name. */
export function readReport(text: string): ReadReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  if (!isObject(value) || !('schemaVersion' in value)) return { problem: 'is not a preadmit report' };
  if (value['schemaVersion'] !== REPORT_SCHEMA_VERSION) {
    return { problem: 'has a schemaVersion that this version of preadmit does not know' };
  }
  const wrong = REPORT(value);
  const read: unknown = value;
  return wrong === undefined ? { report: read as Report } : { problem: `is invalid at \`${wrong}\`` };
}

/** Fields validated after `schemaVersion`; no written report contains a diagnostic's `serverMessage`. */
type ReadFields = Omit<Report, 'schemaVersion' | 'diagnostics' | 'audit'> & {
  readonly diagnostics: readonly ReadDiagnostic[];
  readonly audit?: ReadAudit;
};
type ReadDiagnostic = Omit<ReportedDiagnostic, 'serverMessage'>;
type ReadWhatIf = Omit<WhatIf, 'problems'> & { readonly problems: readonly ReadDiagnostic[] };
type ReadAudit = Omit<Audit, 'whatIf'> & { readonly whatIf?: ReadWhatIf };

/** Returns the path of the first invalid value, or undefined. `checks` never exists at run time: it ties the check to the report type. */
interface Check<T> {
  (value: unknown): string | undefined;
  readonly checks?: (value: T) => T;
}

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Checks<T, K extends keyof T> = { readonly [Name in K]-?: Check<Required<T>[Name]> };

const text: Check<string> = (value) => (typeof value === 'string' ? undefined : '');
const isTrue: Check<true> = (value) => (value === true ? undefined : '');
const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? undefined : '');
/** A number from 0 to 1. */
const share: Check<number> = (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? undefined : '');
const number: Check<number> = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : '');

function oneOf<const T extends string>(...values: readonly T[]): Check<T> {
  return (value) => (values.includes(value as T) ? undefined : '');
}

function list<T>(item: Check<T>): Check<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return '';
    for (const [index, entry] of value.entries()) {
      const wrong = item(entry);
      if (wrong !== undefined) return `[${index}]${wrong}`;
    }
    return undefined;
  };
}

/** A key of T without a check does not compile. Additional keys of the value are accepted. */
function fields<T>(
  required: Checks<T, Exclude<keyof T, OptionalKey<T>>>,
  ...[optional]: [OptionalKey<T>] extends [never] ? [] : [Checks<T, OptionalKey<T>>]
): Check<T> {
  const checks = Object.entries<(value: unknown) => string | undefined>({ ...required, ...optional });
  return (value) => {
    if (!isObject(value)) return '';
    for (const [name, check] of checks) {
      if (!Object.hasOwn(value, name) && !Object.hasOwn(required, name)) continue;
      const wrong = check(value[name]);
      if (wrong !== undefined) return `.${name}${wrong}`;
    }
    return undefined;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SEVERITY: Check<Severity> = oneOf('error', 'warning', 'notice');
const PLACE: Check<Place> = fields(
  { path: text, startLine: number, startColumn: number, endLine: number, endColumn: number },
  { excerpt: fields({ firstLine: number, lines: list(text) }), lineHash: text },
);
const RELATED: Check<readonly RelatedPlace[]> = list(
  fields({ message: text, place: PLACE }, { role: oneOf('rule', 'binding', 'param') }),
);
const RESOURCE: Check<ResourceName> = fields({ apiVersion: text, kind: text, name: text }, { namespace: text });
const POLICY_COUNTS = { bindings: number, matched: number, denied: number, warned: number, audited: number };

const EXCUSE: Check<Excuse> = fields(
  { by: oneOf('baseline', 'annotation', 'exception'), reason: text, place: PLACE },
  { owner: text, expires: text },
);

const FINDING: Check<Finding> = fields(
  {
    code: text,
    fingerprint: text,
    target: text,
    severity: SEVERITY,
    result: oneOf('fail', 'error', 'unknown'),
    actions: list(oneOf('Deny', 'Warn', 'Audit')),
    policy: fields({ kind: text, name: text }),
    rule: fields({ field: text }, { expression: text }),
    message: text,
    serverMessage: text,
    reason: text,
    operation: text,
    resource: RESOURCE,
    fieldPath: text,
    primary: PLACE,
    related: RELATED,
  },
  {
    status: oneOf('new', 'existing', 'fixed'),
    binding: text,
    param: RESOURCE,
    httpStatus: number,
    serverTells: oneOf('yes', 'perhaps', 'no'),
    changedBy: text,
    mayBeChangedBy: list(text),
    targets: list(text),
    objects: list(fields({ target: text, resource: RESOURCE }, { message: text, serverMessage: text })),
    roots: list(text),
    defaulted: flag,
    owners: list(text),
    since: text,
    excuse: EXCUSE,
  },
);

const LINE_FIX: Check<LineFix> = fields(
  { path: text, line: number, before: list(text), after: list(text) },
  { above: text, below: text },
);

const TYPE_WARNING: Check<TypeWarning> = fields({ fieldRef: text, warning: text });

const FACTS: Check<PolicyFacts> = fields(
  { actions: list(text), matches: list(text) },
  {
    paramKind: text,
    since: text,
    isRefused: flag,
    readAccess: list(text),
    typeWarnings: list(TYPE_WARNING),
    budgetShare: share,
  },
);

const SUGGESTION: Check<Suggestion> = fields({
  resource: RESOURCE,
  fields: list(text),
  policies: list(fields({ kind: text, name: text })),
  fix: LINE_FIX,
});

const COMPARISON: Check<Comparison> = fields(
  {
    base: text,
    head: text,
    policiesFrom: oneOf('base', 'head', 'both'),
    scope: oneOf('changes', 'repository'),
    changedFiles: list(text),
    objects: fields({ created: number, updated: number, deleted: number, unchanged: number }),
    fixed: list(FINDING),
    notices: list(text),
  },
  { deleted: list(fields({ resource: RESOURCE, targets: list(text) })) },
);

const POLICY_NAME: Check<Finding['policy']> = fields({ kind: text, name: text });
const ADDITION: Check<ClusterAddition> = fields({
  policy: POLICY_NAME,
  field: text,
  objects: number,
  examples: list(RESOURCE),
});
const AUDIT_ANNOTATION: Check<ReportedAuditAnnotation> = fields(
  { policy: POLICY_NAME, key: text, values: list(fields({ value: text, objects: number, example: RESOURCE })) },
  { others: number },
);
const MUTATED_AWAY: Check<MutatedAwayFinding> = fields(
  { policy: POLICY_NAME, field: text, message: text, resource: RESOURCE, by: list(text) },
  { binding: text },
);

const OUTCOME: Check<Outcome> = oneOf('allowed', 'audited', 'warned', 'undecided', 'denied');
const BLAST_RADIUS: Check<BlastRadius> = fields(
  {
    causes: list(fields({ resource: RESOURCE, change: oneOf('created', 'updated', 'deleted'), path: text })),
    denied: number,
    allowed: number,
    warned: number,
    stricter: number,
    worse: number,
    entries: list(
      fields(
        {
          target: text,
          resource: RESOURCE,
          before: OUTCOME,
          after: OUTCOME,
          added: number,
          removed: number,
          policies: list(text),
          primary: PLACE,
        },
        { message: text, fields: list(fields({ field: text }, { before: text, after: text })), owners: list(text) },
      ),
    ),
  },
  { stored: number, open: number },
);

const OWNERSHIP: Check<Ownership> = fields(
  {},
  {
    label: text,
    annotation: text,
    path: text,
    syntax: oneOf('GitHub', 'GitLab'),
    problem: text,
    ignored: list(fields({ line: number, reason: text })),
    ignoredLines: number,
  },
);

const DIAGNOSTIC: Check<ReadDiagnostic> = fields(
  { code: text, severity: SEVERITY, message: text, related: RELATED },
  {
    status: oneOf('new', 'existing'),
    resource: RESOURCE,
    fieldPath: text,
    subject: text,
    part: text,
    owners: list(text),
    since: text,
    operation: text,
    policy: text,
    primary: PLACE,
    help: text,
    concerns: number,
    removedIn: text,
    cause: text,
    count: number,
    subjects: list(text),
    fix: LINE_FIX,
    excuse: EXCUSE,
  },
);

const WHAT_IF: Check<ReadWhatIf> = fields(
  { sources: list(fields({ name: text, version: text, replaces: flag })), problems: list(DIAGNOSTIC) },
  { blastRadius: BLAST_RADIUS },
);

const CONCLUSION = oneOf('allowed', 'denied', 'undecided', 'nothing-checked');
const UPGRADES: Check<Upgrades> = fields(
  {
    releases: list(
      fields({
        kubernetesVersion: text,
        conclusion: CONCLUSION,
        denied: number,
        warned: number,
        errors: number,
        undecided: number,
      }),
    ),
    unknown: list(text),
    isIncomplete: flag,
    actions: list(
      fields(
        {
          before: text,
          kind: oneOf('removed', 'refused', 'warned', 'policy', 'undecided', 'no-longer', 'not-evaluated'),
          what: text,
          message: text,
          count: number,
          subjects: list(text),
        },
        { owners: list(text) },
      ),
    ),
  },
  { unlisted: number },
);

const ENTRY: Check<FixedEntry> = fields(
  { rule: text, subject: text, targets: list(text), since: text },
  { policy: POLICY_NAME, path: text, owners: list(text), fixed: text },
);
const BURN_DOWN: Check<BurnDown> = fields(
  { name: text, open: number, new: number, fixed: number },
  { before: number, since: text },
);
const POINT: Check<HistoryPoint> = fields(
  { day: text },
  {
    open: number,
    denied: number,
    warned: number,
    audited: number,
    errors: number,
    undecided: number,
    accepted: number,
    evaluated: number,
  },
);
const HISTORY: Check<AuditHistory> = fields(
  {
    from: text,
    audits: number,
    new: number,
    fixed: number,
    fixedFindings: list(ENTRY),
    unjudged: number,
    unjudgedFindings: list(ENTRY),
    trend: list(POINT),
    byPolicy: list(BURN_DOWN),
    byOwner: list(BURN_DOWN),
    cleanPolicies: list(
      fields(
        { policy: POLICY_NAME, since: text, days: number, audits: number, isComplete: flag },
        { canBeEnforced: fields({ since: text, days: number }) },
      ),
    ),
    notes: list(text),
  },
  { comparedWith: text, sameDay: fields({ at: text, new: number, fixed: number }) },
);
const AUDIT: Check<ReadAudit> = fields({ day: text }, { history: HISTORY, upgrades: UPGRADES, whatIf: WHAT_IF });

const REPORT: Check<ReadFields> = fields(
  {
    preadmit: text,
    verdict: fields(
      {
        conclusion: CONCLUSION,
        failOn: oneOf('deny', 'warn', 'audit', 'error', 'never'),
        onUndecided: oneOf('fail', 'warn'),
        denied: number,
        warned: number,
        audited: number,
        errors: number,
        undecided: number,
        open: number,
        notRendered: number,
        incomplete: number,
        unread: number,
      },
      { only: oneOf('new', 'all'), touched: oneOf('count', 'forgive') },
    ),
    coverage: fields({
      files: number,
      found: number,
      evaluated: number,
      notEvaluated: list(fields({ reason: text, meaning: text, count: number })),
      skipped: list(fields({ path: text, reason: text }, { line: number, detail: text })),
    }),
    targets: list(
      fields(
        {
          name: text,
          kubernetesVersion: text,
          user: text,
          evaluated: number,
          policies: list(
            fields(
              { kind: text, name: text, path: text, ...POLICY_COUNTS },
              { undecided: number, neverDenies: isTrue, facts: FACTS },
            ),
          ),
          unknowns: list(text),
          unknownKinds: list(fields({ apiVersion: text, kind: text, count: number })),
        },
        {
          derivedFrom: text,
          validatedAs: text,
          serverSettings: list(fields({ setting: text, value: text, path: text, line: number })),
          earlierUnknowns: list(text),
          earlierKinds: list(text),
          additions: list(ADDITION),
          mutatedAway: list(MUTATED_AWAY),
          auditAnnotations: list(AUDIT_ANNOTATION),
        },
      ),
    ),
    findings: list(FINDING),
    diagnostics: list(DIAGNOSTIC),
  },
  {
    unlisted: fields({ error: number, warning: number, notice: number }),
    repository: text,
    repositories: list(
      fields(
        {
          name: text,
          conclusion: oneOf('allowed', 'denied', 'undecided', 'nothing-checked', 'missing'),
          evaluated: number,
          denied: number,
          warned: number,
          audited: number,
          errors: number,
          unjudged: number,
        },
        { preadmit: text, unusable: text },
      ),
    ),
    ownership: OWNERSHIP,
    listed: fields({ owner: text, findings: number, diagnostics: number, leftOut: number }),
    audit: AUDIT,
    unusable: text,
    notCompared: text,
    suggestions: list(SUGGESTION),
    policySources: list(fields({ name: text, version: text })),
    fetched: list(fields({ host: text, charts: number, bases: number, git: number, failed: number })),
    comparison: COMPARISON,
    blastRadius: BLAST_RADIUS,
    shard: fields({
      index: number,
      count: number,
      contents: text,
      unknowns: list(list(fields({ before: text, after: text }, { count: number }))),
    }),
  },
);

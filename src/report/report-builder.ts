// Collects what a run learns, in any order, and gives the same Report for the same facts.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { LoadedPolicy } from '../policy/policy-engine.ts';
import type { SourceFile } from '../source/source-file.ts';
import { findingsOf } from './finding.ts';
import { LineHashes } from './line-hash.ts';
import { placeOf } from './place.ts';
import {
  type FailOn,
  type Finding,
  type Place,
  type PolicySummary,
  REPORT_SCHEMA_VERSION,
  type Report,
  type ReportedDiagnostic,
  type SkippedEntry,
  type TargetSummary,
} from './report.ts';
import { decideVerdict } from './verdict.ts';

export interface ReportOptions {
  readonly preadmit: string;
  readonly failOn: FailOn;
  /** One line for each reason why something is not evaluated. */
  readonly meaningOf: (reason: string) => string;
}

export interface TargetFacts {
  readonly name: string;
  readonly kubernetesVersion: string;
  readonly user: string;
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns: readonly string[];
}

interface PolicyCounts {
  matched: number;
  denied: number;
  warned: number;
  audited: number;
}

export class ReportBuilder {
  readonly #options: ReportOptions;
  readonly #findings: Finding[] = [];
  readonly #diagnostics = new Map<string, ReportedDiagnostic>();
  readonly #skipped: SkippedEntry[] = [];
  readonly #unevaluated = new Map<Resource, SkippedEntry>();
  readonly #targets: TargetSummary[] = [];
  readonly #lineHashes = new LineHashes();
  /** Of the target whose resources are being added. */
  #counts = new Map<object, PolicyCounts>();
  #evaluatedInTarget = 0;
  #checked = 0;
  readonly #evaluatedResources = new Set<Resource>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** `changedBy`: the kustomization that changes the manifest before it is applied. */
  addEvaluated(evaluated: EvaluatedResource, target: string, changedBy?: string): void {
    const { file } = evaluated.resource.manifest;
    for (const finding of findingsOf(evaluated, target, changedBy)) {
      this.#findings.push({ ...finding, primary: this.#hashed(finding.primary, file) });
    }
    this.#evaluatedInTarget += 1;
    this.#evaluatedResources.add(evaluated.resource);
    for (const outcome of evaluated.outcomes) {
      for (const policy of outcome.matched) this.#countsOf(policy).matched += 1;
      for (const evaluation of outcome.evaluations) {
        if (evaluation.action !== 'deny') continue;
        const counts = this.#countsOf(evaluation.policy);
        if (evaluation.validationActions.includes('Deny')) counts.denied += 1;
        if (evaluation.validationActions.includes('Warn')) counts.warned += 1;
        if (evaluation.validationActions.includes('Audit')) counts.audited += 1;
      }
    }
  }

  /** Closes a target: resources added since the last one were its own. */
  addTarget({ policies, ...facts }: TargetFacts): void {
    const summaries = policies.map(
      ({ identity, bindings }): PolicySummary => ({
        kind: identity.kind,
        name: identity.name,
        path: identity.resource.manifest.file.path,
        bindings,
        ...this.#countsOf(identity),
      }),
    );
    if (policies.some((policy) => policy.bindings > 0)) this.#checked += this.#evaluatedInTarget;
    this.#targets.push({ ...facts, evaluated: this.#evaluatedInTarget, policies: summaries });
    this.#counts = new Map();
    this.#evaluatedInTarget = 0;
  }

  addDiagnostics(diagnostics: readonly Diagnostic[]): void {
    for (const { primary, related, help, ...rest } of diagnostics) {
      const reported: ReportedDiagnostic = {
        ...rest,
        ...(primary && { primary: this.#hashed(placeOf(primary), primary.file) }),
        related: related.map(({ message, location }) => ({ message, place: placeOf(location) })),
        ...(help !== undefined && { help }),
      };
      const key = [reported.code, reported.message, ...placeKey(reported.primary)].join('\0');
      if (!this.#diagnostics.has(key)) this.#diagnostics.set(key, reported);
    }
  }

  #hashed(place: Place, file: SourceFile): Place {
    const lineHash = this.#lineHashes.of(file, place.startLine);
    return lineHash === undefined ? place : { ...place, lineHash };
  }

  /** A resource that one target leaves out may still be evaluated by another; then it does not count as left out. */
  addUnevaluated(resource: Resource, reason: string, detail: string): void {
    const { file } = resource.manifest;
    const { line } = file.positionAt(resource.locate(['kind'], 'key').range.start);
    this.#unevaluated.set(resource, { path: file.path, line, reason, ...(detail !== '' && { detail }) });
  }

  addSkipped(entry: SkippedEntry): void {
    this.#skipped.push(entry);
  }

  /** `files`: number of files read. */
  build(files: number): Report {
    const findings = this.#findings.sort(compareFindings);
    const diagnostics = [...this.#diagnostics.values()].sort(compareDiagnostics);
    const evaluated = this.#evaluatedResources.size;
    const skipped = [...this.#skipped];
    for (const [resource, entry] of this.#unevaluated) if (!this.#evaluatedResources.has(resource)) skipped.push(entry);
    return {
      schemaVersion: REPORT_SCHEMA_VERSION,
      preadmit: this.#options.preadmit,
      verdict: decideVerdict({ findings, diagnostics, failOn: this.#options.failOn, checked: this.#checked }),
      coverage: {
        files,
        found: evaluated + skipped.length,
        evaluated,
        notEvaluated: this.#reasons(skipped),
        skipped: skipped.sort(compareSkipped),
      },
      targets: this.#targets,
      findings,
      diagnostics,
    };
  }

  #countsOf(policy: object): PolicyCounts {
    let counts = this.#counts.get(policy);
    if (counts === undefined) {
      counts = { matched: 0, denied: 0, warned: 0, audited: 0 };
      this.#counts.set(policy, counts);
    }
    return counts;
  }

  #reasons(skipped: readonly SkippedEntry[]): Report['coverage']['notEvaluated'] {
    const counts = new Map<string, number>();
    for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts]
      .map(([reason, count]) => ({ reason, meaning: this.#options.meaningOf(reason), count }))
      .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason));
  }
}

function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.primary.path, b.primary.path) ||
    a.primary.startLine - b.primary.startLine ||
    a.primary.startColumn - b.primary.startColumn ||
    compareText(a.policy.name, b.policy.name) ||
    compareText(a.rule.field, b.rule.field) ||
    compareText(a.fingerprint, b.fingerprint)
  );
}

function compareDiagnostics(a: ReportedDiagnostic, b: ReportedDiagnostic): number {
  return (
    compareText(a.primary?.path ?? '', b.primary?.path ?? '') ||
    (a.primary?.startLine ?? 0) - (b.primary?.startLine ?? 0) ||
    (a.primary?.startColumn ?? 0) - (b.primary?.startColumn ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareSkipped(a: SkippedEntry, b: SkippedEntry): number {
  return compareText(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0);
}

function placeKey(place: ReportedDiagnostic['primary']): readonly (string | number)[] {
  return place === undefined ? [] : [place.path, place.startLine, place.startColumn];
}

/** By UTF-16 code units: the same order on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

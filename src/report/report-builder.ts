// Collects what a run learns, in any order, and gives the same Report for the same facts.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { LoadedPolicy } from '../policy/policy-engine.ts';
import { sentencesOf, type Unknown } from '../policy/unknown.ts';
import type { SourceFile } from '../source/source-file.ts';
import { assembleReport } from './assemble.ts';
import { applyBaseline, type BaselineEntry } from './baseline.ts';
import { findingsOf } from './finding.ts';
import { LineHashes } from './line-hash.ts';
import { placeOf } from './place.ts';
import type {
  FailOn,
  Finding,
  Place,
  PolicySummary,
  Report,
  ReportedDiagnostic,
  ShardSummary,
  SkippedEntry,
  TargetSummary,
} from './report.ts';
import { type SuppressionMode, Suppressions } from './suppression.ts';

export interface ReportOptions {
  readonly preadmit: string;
  readonly failOn: FailOn;
  /** One line for each reason why something is not evaluated. */
  readonly meaningOf: (reason: string) => string;
  readonly suppressions: SuppressionMode;
  /** Findings that are known already. */
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`: what has a last day before it is over. */
  readonly today: string;
}

export interface TargetFacts {
  readonly name: string;
  readonly kubernetesVersion: string;
  readonly user: string;
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns: readonly Unknown[];
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
  readonly #diagnostics: ReportedDiagnostic[] = [];
  readonly #skipped: SkippedEntry[] = [];
  readonly #unevaluated = new Map<Resource, SkippedEntry>();
  readonly #targets: TargetSummary[] = [];
  readonly #unknowns: (readonly Unknown[])[] = [];
  readonly #lineHashes = new LineHashes();
  /** Of the target whose resources are being added. */
  #counts = new Map<object, PolicyCounts>();
  #evaluatedInTarget = 0;
  readonly #suppressions = new Map<Resource, Suppressions>();
  readonly #evaluatedResources = new Set<Resource>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** `changedBy`: the kustomization that changes the manifest before it is applied. */
  addEvaluated(evaluated: EvaluatedResource, target: string, changedBy?: string): void {
    const { file } = evaluated.resource.manifest;
    for (const finding of this.#suppressed(evaluated.resource, findingsOf(evaluated, target, changedBy))) {
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
    this.#targets.push({
      ...facts,
      evaluated: this.#evaluatedInTarget,
      policies: summaries,
      unknowns: sentencesOf(facts.unknowns),
    });
    this.#unknowns.push(facts.unknowns);
    this.#counts = new Map();
    this.#evaluatedInTarget = 0;
  }

  addDiagnostics(diagnostics: readonly Diagnostic[]): void {
    for (const { primary, related, help, ...rest } of diagnostics) {
      this.#diagnostics.push({
        ...rest,
        ...(primary && { primary: this.#hashed(placeOf(primary), primary.file) }),
        related: related.map(({ message, location }) => ({ message, place: placeOf(location) })),
        ...(help !== undefined && { help }),
      });
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

  /** `files`: number of files read. `shard`: which part of a run this is, if it is one. */
  build(files: number, shard?: Omit<ShardSummary, 'unknowns'>): Report {
    for (const suppressions of this.#suppressions.values()) this.addDiagnostics(suppressions.diagnostics());
    const { baseline = [], today } = this.#options;
    const known = applyBaseline(this.#findings, baseline, today);
    this.addDiagnostics(known.diagnostics);
    const left = [...this.#unevaluated].filter(([resource]) => !this.#evaluatedResources.has(resource));
    const report = assembleReport({
      ...this.#options,
      files,
      evaluated: this.#evaluatedResources.size,
      skipped: [...this.#skipped, ...left.map(([, entry]) => entry)],
      targets: this.#targets,
      findings: known.findings,
      diagnostics: this.#diagnostics,
    });
    return shard === undefined ? report : { ...report, shard: { ...shard, unknowns: this.#unknowns } };
  }

  #suppressed(resource: Resource, findings: readonly Finding[]): readonly Finding[] {
    const { suppressions: mode, today } = this.#options;
    const suppressions = this.#suppressions.get(resource) ?? Suppressions.of(resource, mode, today);
    if (suppressions === undefined) return findings;
    this.#suppressions.set(resource, suppressions);
    return suppressions.apply(findings);
  }

  #countsOf(policy: object): PolicyCounts {
    let counts = this.#counts.get(policy);
    if (counts === undefined) {
      counts = { matched: 0, denied: 0, warned: 0, audited: 0 };
      this.#counts.set(policy, counts);
    }
    return counts;
  }
}

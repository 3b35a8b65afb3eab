// Collects what a run learns, in any order, and gives the same Report for the same facts.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { append } from '../../go/slices/append.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { sentencesOf, type Unknown, type UnknownKind } from '../../policy/evaluation/unknown.ts';
import type { LoadedPolicy } from '../../policy/language/policy-language.ts';
import { applyBaseline, type BaselineEntry } from '../baseline/baseline.ts';
import { type KnownLines, type SuppressionMode, Suppressions, suppressionLines } from '../baseline/suppression.ts';
import type { StricterRule } from '../comparison/blast-radius.ts';
import { compareDiagnostics, compareFindings, uniteFindings } from '../comparison/comparison.ts';
import { draftFindings, findingsOf, type PlacedFindings } from '../finding/finding.ts';
import { addUnlisted, MAX_FINDINGS, NOTHING_UNLISTED, unlistedBeyond } from '../finding/finding-limits.ts';
import { sortedFindings } from '../finding/finding-order.ts';
import { FindingParts } from '../finding/finding-parts.ts';
import type {
  BlastRadius,
  Comparison,
  FailOn,
  Finding,
  Report,
  ReportedDiagnostic,
  ShardSummary,
  SkippedEntry,
  Suggestion,
  TargetSummary,
} from '../report.ts';
import { TargetTally } from '../tally/target-tally.ts';
import { isOpen, marksOf } from '../tally/verdict-marks.ts';
import { assembleReport, type ReportParts, withoutRepeats } from './assemble.ts';
import { KeptFindings } from './kept-findings.ts';
import { ReportedDiagnostics } from './reported-diagnostics.ts';

export interface ReportOptions {
  /** Tells what each policy is and needs, which takes time. */
  readonly describesPolicies?: boolean;
  readonly preadmit: string;
  readonly failOn: FailOn;
  /** One line for each reason why something is not evaluated. */
  readonly meaningOf: (reason: string) => string;
  /** True where a controller would read what was not read. */
  readonly isUnread: (reason: string) => boolean;
  readonly suppressions: SuppressionMode;
  /** `base`: of two states, what base's annotations suppress. */
  readonly exceptionsFrom: 'base' | 'head';
  /** Findings that are known already. */
  readonly baseline?: readonly BaselineEntry[];
  /** As `2026-11-21`: what has a last day before it is over. */
  readonly today: string;
}

export interface TargetFacts {
  readonly name: string;
  /** What told of the cluster, where no configuration did. */
  readonly derivedFrom?: string;
  readonly kubernetesVersion: string;
  readonly user: string;
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns: readonly Unknown[];
  readonly unknownKinds: readonly UnknownKind[];
}

export interface ComparedResource {
  readonly evaluated: EvaluatedResource;
  /** The object under other rules, or in another request. These findings count too. */
  readonly also?: readonly EvaluatedResource[];
  /** What base said of the object. */
  readonly before?: EvaluatedResource;
}

/** What a comparison adds to a report. */
export interface ComparisonFacts {
  readonly only: 'new' | 'all';
  readonly comparison: Omit<Comparison, 'fixed'>;
  readonly blastRadius: BlastRadius | undefined;
  /** Absent: they were not asked for. */
  readonly suggestions: readonly Suggestion[] | undefined;
}

const NO_FINDINGS: PlacedFindings = { findings: [], unlisted: NOTHING_UNLISTED, files: new Map() };

export class ReportBuilder {
  readonly #options: ReportOptions;
  readonly #reported = new ReportedDiagnostics();
  readonly #parts = new FindingParts();
  readonly #findings = new KeptFindings(this.#parts, (place, file) => this.#reported.hashed(place, file));
  readonly #diagnostics: ReportedDiagnostic[] = [];
  readonly #skipped: SkippedEntry[] = [];
  readonly #unevaluated = new Map<Resource, SkippedEntry>();
  readonly #targets: TargetSummary[] = [];
  readonly #unknowns: (readonly Unknown[])[] = [];
  readonly #fixed: Finding[] = [];
  /** Of the target whose resources are being added. */
  #tally = new TargetTally();
  readonly #suppressions = new Map<Resource, Suppressions>();
  readonly #evaluatedResources = new Set<Resource>();
  #open = 0;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** `changedBy`: the kustomization that changes the manifest before it is applied. */
  addEvaluated(evaluated: EvaluatedResource, target: string, changedBy?: string): void {
    const suppressions = this.#suppressionsOf(evaluated.resource, undefined);
    this.#findings.addDrafts(draftFindings(evaluated, target, changedBy), (draft) => marksOf(draft, suppressions));
    this.#count(evaluated);
    if (this.#isOpen(evaluated)) this.#open += 1;
  }

  /** An object that was compared with what it was before; every finding is marked. */
  addCompared({ evaluated, also = [], before }: ComparedResource, target: string, changedBy?: string): void {
    const known = this.#options.exceptionsFrom === 'head' ? undefined : suppressionLines(before?.resource);
    const isChanged = before === undefined || evaluated.request.operation !== 'CREATE';
    if ([evaluated, ...also].some((each) => this.#isOpen(each)) && (isChanged || !this.#isOpen(before)))
      this.#open += 1;
    if (before === undefined && also.length === 0) {
      const suppressions = this.#suppressionsOf(evaluated.resource, known);
      const drafted = draftFindings(evaluated, target, changedBy);
      this.#findings.addDrafts(drafted, (draft) => ({ status: 'new', ...marksOf(draft, suppressions) }));
      this.#count(evaluated);
      return;
    }
    const ofHead = findingsOf(evaluated, target, this.#parts, changedBy);
    const others = also.map((each) => findingsOf(each, target, this.#parts, changedBy));
    const ofBase = before === undefined ? NO_FINDINGS : findingsOf(before, target, this.#parts);
    let { findings: now, unlisted: uncounted } = ofHead;
    for (const other of others) {
      now = uniteFindings(now, other.findings);
      uncounted = addUnlisted(uncounted, other.unlisted);
    }
    const { findings, fixed } = compareFindings(now, ofBase.findings);
    const unlisted = unlistedBeyond(uncounted, ofBase.unlisted);
    const files = new Map([...others, ofHead].flatMap((each) => [...each.files]));
    this.#addFindings({ findings, unlisted, files }, evaluated, known);
    this.#addFixed(fixed);
    this.#count(evaluated);
  }

  /** What was found in an object that is no more, or that the policies are not asked about any more. */
  addFixed(before: EvaluatedResource, target: string): void {
    this.#addFixed(compareFindings([], findingsOf(before, target, this.#parts).findings).fixed);
  }

  /** What is gone decides nothing, so that of very much the first will do. */
  #addFixed(fixed: readonly Finding[]): void {
    append(this.#fixed, fixed.slice(0, MAX_FINDINGS - this.#fixed.length));
  }

  #addFindings(
    { findings, unlisted, files }: PlacedFindings,
    { resource }: EvaluatedResource,
    known: KnownLines,
  ): void {
    const suppressions = this.#suppressionsOf(resource, known);
    const listed = findings.map((finding): Finding => {
      const excuse = suppressions?.excuseOf(finding);
      const file = files.get(finding.primary.path) ?? resource.manifest.file;
      return { ...finding, ...(excuse && { excuse }), primary: this.#reported.hashed(finding.primary, file) };
    });
    this.#findings.add(listed, unlisted);
  }

  /**
   * Works out the findings that are listed, which spends of the run's work: after the last object, and before it is asked what was spent.
   * Otherwise it happens as the report is made.
   */
  settle(): void {
    this.#findings.settle();
  }

  #count(evaluated: EvaluatedResource): void {
    this.#tally.add(evaluated);
    this.#evaluatedResources.add(evaluated.resource);
  }

  #isOpen(evaluated: EvaluatedResource | undefined): boolean {
    return evaluated !== undefined && isOpen(evaluated, this.#options.failOn);
  }

  /** Closes a target: resources added since the last one were its own. */
  addTarget({ policies, ...facts }: TargetFacts): void {
    this.#targets.push({
      ...facts,
      ...this.#tally.summary(policies, this.#options.describesPolicies === true),
      unknowns: sentencesOf(facts.unknowns),
    });
    this.#tally = new TargetTally();
    this.#unknowns.push(facts.unknowns);
  }

  addDiagnostics(diagnostics: readonly (Diagnostic | ObjectDiagnostic)[]): void {
    for (const diagnostic of diagnostics) {
      this.#diagnostics.push(this.#suppressedDiagnostic(diagnostic, this.#reported.of(diagnostic), undefined));
    }
  }

  /** Of head, marked as new or existing by what was to be said of base; closes both lists. */
  addComparedDiagnostics(head: readonly (Diagnostic | ObjectDiagnostic)[], base: readonly Diagnostic[]): void {
    const isHeads = this.#options.exceptionsFrom === 'head';
    const ofHead = head.map((diagnostic) => {
      const known = isHeads || !('resource' in diagnostic) ? undefined : suppressionLines(diagnostic.before);
      return this.#suppressedDiagnostic(diagnostic, this.#reported.of(diagnostic), known);
    });
    const ofBase = base.map(({ fix: _, ...diagnostic }) => this.#reported.of(diagnostic));
    for (const diagnostic of compareDiagnostics(withoutRepeats(ofHead), withoutRepeats(ofBase))) {
      this.#diagnostics.push(diagnostic);
    }
  }

  #suppressedDiagnostic(
    diagnostic: Diagnostic | ObjectDiagnostic,
    reported: ReportedDiagnostic,
    known: KnownLines,
  ): ReportedDiagnostic {
    if (!('resource' in diagnostic)) return reported;
    return this.#suppressionsOf(diagnostic.resource, known)?.applyTo(reported) ?? reported;
  }

  /** What changed rules mean for the worse; of the change, whatever base says. */
  addStricterRules(rules: readonly StricterRule[]): void {
    for (const { diagnostic, objects } of rules) {
      this.#diagnostics.push({ ...this.#reported.of(diagnostic), related: objects, status: 'new' });
    }
  }

  /** A resource that one target leaves out may still be evaluated by another; then it does not count as left out. */
  addUnevaluated(resource: Resource, reason: string, detail: string): void {
    // Where a rendered object comes from takes a second build; of what is not evaluated, what declares it will do.
    const { file, range } = resource.manifest.declaredAt ?? resource.locate(['kind'], 'key');
    const { line } = file.positionAt(range.start);
    this.#unevaluated.set(resource, { path: file.path, line, reason, ...(detail !== '' && { detail }) });
  }

  addSkipped(entry: SkippedEntry): void {
    this.#skipped.push(entry);
  }

  /** `files`: number of files read. `shard`: which part of a run this is, if it is one. */
  build(files: number, shard?: Omit<ShardSummary, 'unknowns'>): Report {
    const { findings, problems, diagnostics } = this.#excused();
    const told = diagnostics.map((diagnostic) => this.#reported.of(diagnostic));
    const report = assembleReport({
      ...this.#partsOf(files),
      findings,
      diagnostics: [...problems, ...told],
      isPart: shard !== undefined,
    });
    return shard === undefined ? report : { ...report, shard: { ...shard, unknowns: this.#unknowns } };
  }

  /** A report of nothing but what is wrong with a file that everything else depends on. */
  buildUnusable(path: string): Report {
    const report = this.build(0);
    return { ...report, verdict: { ...report.verdict, conclusion: 'nothing-checked' }, unusable: path };
  }

  /** What a baseline has to say of entries nothing is left for is said only where everything was looked at. */
  buildComparison(files: number, { only, comparison, blastRadius, suggestions }: ComparisonFacts): Report {
    const { findings, problems, diagnostics } = this.#excused();
    const told =
      comparison.scope === 'repository' ? diagnostics.map((diagnostic) => this.#reported.of(diagnostic)) : [];
    return assembleReport({
      ...this.#partsOf(files),
      findings,
      diagnostics: [...problems, ...told],
      only,
      comparison: { ...comparison, fixed: sortedFindings(this.#fixed) },
      ...(blastRadius && { blastRadius }),
      ...(suggestions && { suggestions }),
    });
  }

  #excused(): ReturnType<typeof applyBaseline> {
    for (const suppressions of this.#suppressions.values()) this.addDiagnostics(suppressions.diagnostics());
    const { baseline = [], today } = this.#options;
    return applyBaseline(this.#findings.settle(), baseline, today, this.#diagnostics);
  }

  #partsOf(files: number): Omit<ReportParts, 'findings' | 'diagnostics'> {
    const left = [...this.#unevaluated].filter(([resource]) => !this.#evaluatedResources.has(resource));
    const skipped = [...this.#skipped, ...left.map(([, entry]) => entry)];
    return {
      ...this.#options,
      unlisted: this.#findings.unlisted,
      files,
      evaluated: this.#evaluatedResources.size,
      open: this.#open,
      unread: skipped.filter(({ reason }) => this.#options.isUnread(reason)).length,
      skipped,
      targets: this.#targets,
    };
  }

  /** Undefined: the object asks for nothing. */
  #suppressionsOf(resource: Resource, known: KnownLines): Suppressions | undefined {
    const { suppressions: mode, today } = this.#options;
    const suppressions = this.#suppressions.get(resource) ?? Suppressions.of(resource, mode, today, known);
    if (suppressions !== undefined) this.#suppressions.set(resource, suppressions);
    return suppressions;
  }
}

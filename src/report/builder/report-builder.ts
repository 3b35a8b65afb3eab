// Collects the results of a run in any order and builds a deterministic report.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { append } from '../../go/slices/append.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { sentencesOf, type Unknown, type UnknownKind } from '../../policy/evaluation/unknown.ts';
import type { LoadedPolicy, OpenQuestion } from '../../policy/language/policy-language.ts';
import { applyBaseline, type BaselineEntry } from '../baseline/baseline.ts';
import { type KnownLines, type SuppressionMode, Suppressions, suppressionLines } from '../baseline/suppression.ts';
import type { StricterRule } from '../comparison/blast-radius.ts';
import { compareDiagnostics, compareFindings, markRepeated, uniteFindings } from '../comparison/comparison.ts';
import { earlierUnknowns } from '../comparison/earlier-unknowns.ts';
import { draftFindings, findingsOf, type PlacedFindings } from '../finding/finding.ts';
import { addUnlisted, MAX_FINDINGS, NOTHING_UNLISTED, unlistedBeyond } from '../finding/finding-limits.ts';
import { sortedFindings } from '../finding/finding-order.ts';
import { FindingParts } from '../finding/finding-parts.ts';
import { Owners } from '../owner/owners.ts';
import type {
  BlastRadius,
  Comparison,
  FailOn,
  Finding,
  OnUndecided,
  Report,
  ReportedDiagnostic,
  ServerSetting,
  ShardSummary,
  SkippedEntry,
  Suggestion,
  TargetSummary,
  Touched,
} from '../report.ts';
import { TargetTally } from '../tally/target-tally.ts';
import { marksOf, openQuestions } from '../tally/verdict-marks.ts';
import { assembleReport, type ReportParts, withoutRepeats } from './assemble.ts';
import { KeptFindings } from './kept-findings.ts';
import { ReportedDiagnostics } from './reported-diagnostics.ts';

export interface ReportOptions {
  /** Also describes each policy, which takes time. */
  readonly describesPolicies?: boolean;
  readonly preadmit: string;
  readonly failOn: FailOn;
  readonly onUndecided: OnUndecided;
  readonly touched?: Touched;
  /** One line for each reason why something is not evaluated. */
  readonly meaningOf: (reason: string) => string;
  /** True for a skip reason of content that a controller would read. */
  readonly isUnread: (reason: string) => boolean;
  readonly suppressions: SuppressionMode;
  /** State whose suppression annotations apply in a comparison. */
  readonly exceptionsFrom: 'base' | 'head';
  /** Baseline entries. */
  readonly baseline?: readonly BaselineEntry[];
  /** Format `2026-11-21`; earlier last days are expired. */
  readonly today: string;
  /** Absent: nothing names an owner. */
  readonly owners?: Owners;
}

export interface TargetFacts {
  readonly name: string;
  /** Origin of a target that no configuration describes. */
  readonly derivedFrom?: string;
  readonly kubernetesVersion: string;
  readonly validatedAs?: string;
  readonly serverSettings?: readonly ServerSetting[];
  readonly user: string;
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns: readonly Unknown[];
  readonly unknownKinds: readonly UnknownKind[];
  /** Only in comparisons: the same in base. */
  readonly earlier?: Pick<TargetFacts, 'unknowns' | 'unknownKinds'>;
}

export interface ComparedResource {
  readonly evaluated: EvaluatedResource;
  /** The object under other rules, or in another request. These findings count too. */
  readonly also?: readonly EvaluatedResource[];
  /** Evaluation of the object in base. */
  readonly before?: EvaluatedResource;
  /** For an update: evaluates base's object as a new one. */
  readonly recreated?: () => EvaluatedResource | undefined;
}

/** Parts of a report that only a comparison has. */
export interface ComparisonFacts {
  readonly only: 'new' | 'all';
  readonly comparison: Omit<Comparison, 'fixed'>;
  readonly blastRadius: BlastRadius | undefined;
  /** Absent: not requested. */
  readonly suggestions: readonly Suggestion[] | undefined;
  /** True for a skipped document that base skips too and that the change does not touch. */
  readonly isKnown: (entry: SkippedEntry) => boolean;
}

const NO_FINDINGS: PlacedFindings = { findings: [], unlisted: NOTHING_UNLISTED, files: new Map() };

/** Objects listed per sentence; the others are counted. */
const MAX_LISTED_OPEN = 1000;

/** Policies and objects may lack the same Namespace. */
function missingFact(sentence: string): string {
  return /^(Namespace \S+ [^:]*): whether /.exec(sentence)?.[1] ?? sentence;
}

export class ReportBuilder {
  readonly #options: ReportOptions;
  readonly #reported: ReportedDiagnostics;
  readonly #parts = new FindingParts();
  readonly #owners: Owners;
  readonly #findings: KeptFindings;
  readonly #diagnostics: ReportedDiagnostic[] = [];
  readonly #skipped: SkippedEntry[] = [];
  readonly #unevaluated = new Map<Resource, SkippedEntry>();
  readonly #targets: TargetSummary[] = [];
  readonly #unknowns: (readonly Unknown[])[] = [];
  readonly #fixed: Finding[] = [];
  /** Tally of the target whose resources are being added. */
  readonly #openObjects = new Map<string, number>();
  /** Of the target whose resources are being added. */
  #tally = new TargetTally();
  readonly #suppressions = new Map<Resource, Suppressions>();
  readonly #evaluatedResources = new Set<Resource>();

  constructor(options: ReportOptions) {
    this.#options = options;
    this.#owners = options.owners ?? new Owners({});
    this.#reported = new ReportedDiagnostics(this.#owners);
    this.#findings = new KeptFindings(this.#parts, (place, file) => this.#reported.hashed(place, file), this.#owners);
  }

  /** `changedBy`: the kustomization that changes the manifest before it is applied. */
  addEvaluated(evaluated: EvaluatedResource, target: string, changedBy?: string): void {
    const suppressions = this.#suppressionsOf(evaluated.resource, undefined);
    this.#findings.addDrafts(draftFindings(evaluated, target, changedBy), (draft) => marksOf(draft, suppressions));
    this.#count(evaluated);
    this.#addOpen(evaluated, this.#questionsOf(evaluated));
  }

  /** Adds an object with its state in base; every finding gets a status. */
  addCompared(compared: ComparedResource, target: string, changedBy?: string): void {
    const { evaluated, also = [], before, recreated } = compared;
    const known = this.#options.exceptionsFrom === 'head' ? undefined : suppressionLines(before?.resource);
    const isChanged = before === undefined || evaluated.request.operation !== 'CREATE';
    const questions = [evaluated, ...also].flatMap((each) => this.#questionsOf(each));
    // A change counts for what it touches, and for what becomes undecided without being touched.
    if (isChanged || this.#questionsOf(before).length === 0) this.#addOpen(evaluated, questions, 'new');
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
    const { findings: marked, fixed } = compareFindings(now, ofBase.findings);
    const { failOn } = this.#options;
    const findings = markRepeated(marked, failOn, () => {
      const old = recreated?.();
      return old === undefined ? [] : findingsOf(old, target, this.#parts).findings;
    });
    const unlisted = unlistedBeyond(uncounted, ofBase.unlisted);
    const files = new Map([...others, ofHead].flatMap((each) => [...each.files]));
    this.#addFindings({ findings, unlisted, files }, evaluated, known);
    this.#addFixed(fixed);
    this.#count(evaluated);
  }

  /** Adds the findings of a deleted object, or of one that policies no longer match. */
  addFixed(before: EvaluatedResource, target: string): void {
    this.#addFixed(compareFindings([], findingsOf(before, target, this.#parts).findings).fixed);
  }

  /** Fixed findings do not affect the verdict, so only the first ones are kept. */
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
      const owners = this.#owners.of(finding.primary.path, resource);
      return {
        ...finding,
        primary: this.#reported.hashed(finding.primary, file),
        ...(owners && { owners }),
        ...(excuse && { excuse }),
      };
    });
    this.#findings.add(listed, unlisted);
  }

  /**
   * Completes the listed findings, which counts as work of the run. Call it after the last object and before reading the work counters;
   * otherwise `build` does it.
   */
  settle(): void {
    this.#findings.settle();
  }

  #count(evaluated: EvaluatedResource): void {
    this.#tally.add(evaluated);
    this.#evaluatedResources.add(evaluated.resource);
  }

  #questionsOf(evaluated: EvaluatedResource | undefined): readonly OpenQuestion[] {
    return evaluated === undefined ? [] : openQuestions(evaluated, this.#options.failOn);
  }

  #addOpen({ resource, request }: EvaluatedResource, questions: readonly OpenQuestion[], status?: 'new'): void {
    for (const { sentence, policy } of new Map(questions.map((each) => [each.sentence, each])).values()) {
      const objects = (this.#openObjects.get(sentence) ?? 0) + 1;
      this.#openObjects.set(sentence, objects);
      if (objects > MAX_LISTED_OPEN) continue;
      const reported = this.#reported.of({
        code: 'undecided-object',
        severity: 'warning',
        message: sentence,
        primary: resource.manifest.declaredAt ?? resource.locate(['kind'], 'key'),
        related: [],
        cause: missingFact(sentence),
        ...(policy !== undefined && { policy }),
        resource,
        namespace: request.namespace,
      });
      this.#diagnostics.push({ ...reported, ...(status && { status }) });
    }
  }

  /** Closes a target: all resources since the previous call belong to it. */
  addTarget({ policies, earlier, ...facts }: TargetFacts): void {
    this.#targets.push({
      ...facts,
      ...this.#tally.summary(policies, this.#options.describesPolicies === true),
      unknowns: sentencesOf(facts.unknowns),
      ...(earlier && earlierUnknowns(facts, earlier)),
    });
    this.#tally = new TargetTally();
    this.#unknowns.push(facts.unknowns);
  }

  addDiagnostics(diagnostics: readonly (Diagnostic | ObjectDiagnostic)[]): void {
    for (const diagnostic of diagnostics) {
      this.#diagnostics.push(this.#suppressedDiagnostic(diagnostic, this.#reported.of(diagnostic), undefined));
    }
  }

  /** Adds the diagnostics of head, with their status relative to base; closes both lists. */
  addComparedDiagnostics(
    head: readonly (Diagnostic | ObjectDiagnostic)[],
    base: readonly Diagnostic[],
    touched: ReadonlySet<string>,
  ): void {
    const isHeads = this.#options.exceptionsFrom === 'head';
    const ofHead = head.map((diagnostic) => {
      const known = isHeads || !('resource' in diagnostic) ? undefined : suppressionLines(diagnostic.before);
      return this.#suppressedDiagnostic(diagnostic, this.#reported.of(diagnostic), known);
    });
    const ofBase = base.map(({ fix: _, ...diagnostic }) => this.#reported.of(diagnostic));
    for (const diagnostic of compareDiagnostics(withoutRepeats(ofHead), withoutRepeats(ofBase), touched)) {
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

  /** Adds warnings about stricter rules; they belong to the change, regardless of base. */
  addStricterRules(rules: readonly StricterRule[]): void {
    for (const { diagnostic, objects } of rules) {
      this.#diagnostics.push({ ...this.#reported.of(diagnostic), related: objects, status: 'new' });
    }
  }

  /** Another target may still evaluate the resource; it then does not count as skipped. */
  addUnevaluated(resource: Resource, reason: string, detail: string): void {
    // The exact origin of a rendered object needs a second build; for a skipped object its declaration is enough.
    const { file, range } = resource.manifest.declaredAt ?? resource.locate(['kind'], 'key');
    const { line } = file.positionAt(range.start);
    this.#unevaluated.set(resource, { path: file.path, line, reason, ...(detail !== '' && { detail }) });
  }

  addSkipped(entry: SkippedEntry): void {
    this.#skipped.push(entry);
  }

  /** `files`: number of files read. `shard`: present for a shard of a run. */
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

  /** A report of only the errors in a configuration or baseline. */
  buildUnusable(path: string): Report {
    const report = this.build(0);
    return { ...report, verdict: { ...report.verdict, conclusion: 'nothing-checked' }, unusable: path };
  }

  /** Unused baseline entries are reported only if the whole repository was checked. */
  buildComparison(files: number, { only, comparison, blastRadius, suggestions, isKnown }: ComparisonFacts): Report {
    const { findings, problems, diagnostics } = this.#excused(isKnown);
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

  #excused(isKnown?: ComparisonFacts['isKnown']): ReturnType<typeof applyBaseline> {
    for (const suppressions of this.#suppressions.values()) this.addDiagnostics(suppressions.diagnostics());
    append(this.#diagnostics, this.#unlistedOpen());
    for (const entry of this.#allSkipped()) {
      if (!this.#options.isUnread(entry.reason)) continue;
      const status = isKnown && { status: isKnown(entry) ? ('existing' as const) : ('new' as const) };
      this.#diagnostics.push({ ...this.#unread(entry), ...status });
    }
    const { baseline = [], today } = this.#options;
    return applyBaseline(this.#findings.settle(), baseline, today, this.#diagnostics);
  }

  /** Call it after the last finding and diagnostic. */
  #partsOf(files: number): Omit<ReportParts, 'findings' | 'diagnostics'> {
    const ownership = this.#owners.summary();
    return {
      ...this.#options,
      unlisted: this.#findings.unlisted,
      files,
      evaluated: this.#evaluatedResources.size,
      skipped: this.#allSkipped(),
      targets: this.#targets,
      ...(ownership && { ownership }),
    };
  }

  /** Undefined if the object has no suppressions. */
  #unlistedOpen(): readonly ReportedDiagnostic[] {
    const more = [...this.#openObjects].filter(([, objects]) => objects > MAX_LISTED_OPEN);
    return more.map(([message, objects]) => ({
      code: 'undecided-object',
      severity: 'warning',
      message,
      related: [],
      count: objects - MAX_LISTED_OPEN,
    }));
  }

  #allSkipped(): readonly SkippedEntry[] {
    const left = [...this.#unevaluated].filter(([resource]) => !this.#evaluatedResources.has(resource));
    return [...this.#skipped, ...left.map(([, entry]) => entry)];
  }

  #unread({ path, line = 1, reason }: SkippedEntry): ReportedDiagnostic {
    const meaning = this.#options.meaningOf(reason);
    const owners = this.#owners.of(path);
    return {
      code: 'unread-document',
      severity: 'warning',
      message: `\`${path}\` was not read, so what it applies is not judged: ${meaning}`,
      subject: path,
      ...(owners && { owners }),
      primary: { path, startLine: line, startColumn: 1, endLine: line, endColumn: 1 },
      related: [],
      cause: reason,
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

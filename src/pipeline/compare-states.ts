// Two states of a repository in, one Report out: what the change between them does to the objects of each target.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { matchObjects } from '../engine/match-objects.ts';
import type { ObjectChange } from '../engine/object-request.ts';
import { unevaluatedPolicies } from '../engine/other-policies.ts';
import { spentBudget } from '../engine/spent-budget.ts';
import { type StageObserver, UNOBSERVED } from '../engine/stages.ts';
import type { Target } from '../engine/target.ts';
import { TargetEvaluator } from '../engine/target-evaluator.ts';
import { typedConverter } from '../engine/typed-converter.ts';
import { Unknowns } from '../engine/unknowns.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import { formatVersion } from '../kubernetes/api/version.ts';
import { RunBudget } from '../kubernetes/request/run-budget.ts';
import type { EvaluatedResource } from '../policy/evaluation/evaluated-resource.ts';
import type { ObjectDiagnostic } from '../policy/evaluation/object-diagnostic.ts';
import type { PolicyLanguage } from '../policy/language/policy-language.ts';
import type { ChartReference } from '../render/sources/chart-reference.ts';
import type { RenderedRoot } from '../render/sources/rendered-root.ts';
import { ReportBuilder } from '../report/builder/report-builder.ts';
import { BlastRadiusBuilder } from '../report/comparison/blast-radius.ts';
import { matchingUnknowns } from '../report/comparison/matching-unknowns.ts';
import type { Comparison, Finding, PoliciesFrom, Report } from '../report/report.ts';
import type { ConfiguredTarget } from '../settings/configuration.ts';
import { unmatchedGlobs } from '../settings/written-globs.ts';
import { append } from '../source/json/append.ts';
import { assumptions, reportOptions, unrendered } from './check-state.ts';
import { type Contradiction, undecidedVersions } from './clusters/contradictions.ts';
import { emptyTarget, unjudgedCluster } from './clusters/empty-targets.ts';
import { clusterUnknowns, contradictionsIn, withoutDuplicatePolicies } from './clusters/planned-targets.ts';
import { targetOf } from './clusters/targets.ts';
import type { ComparedClusters, ComparedTarget } from './compare/compared-clusters.ts';
import { Answers, type ComparedRules, verdictFacts } from './compare/compared-rules.ts';
import type { ComparisonInput } from './compare/comparison-input.ts';
import { type JudgedState, noLongerEvaluated } from './compare/no-longer-evaluated.ts';
import { type ReadStates, readStates } from './compare/read-states.ts';
import { SuggestedEdits } from './compare/suggestions.ts';
import { TouchedObjects } from './compare/touched-objects.ts';
import { changedRoots } from './scope/changed-roots.ts';
import type { ReadingScope } from './scope/reading-scope.ts';
import { languagesOf } from './state/languages.ts';
import { pinPlace, withSources } from './state/policy-sources.ts';
import type { FoundResource, RepositoryContent } from './state/read-repository.ts';
import { isNamespace, RuleResources } from './state/rule-resources.ts';

export function compareStates(input: ComparisonInput): Report {
  return new ComparisonRun(input, readStates(input)).report();
}

/** What of charts would have to be fetched to know more about the change. */
export function chartsMissingInChange(input: ComparisonInput): readonly ChartReference[] {
  const { base, head } = readStates(input);
  return [...base.missingCharts, ...head.missingCharts];
}

class ComparisonRun {
  readonly #input: ComparisonInput;
  readonly #scope: ReadingScope;
  readonly #stages: StageObserver;
  readonly #base: RepositoryContent;
  readonly #head: RepositoryContent;
  readonly #clusters: ComparedClusters;
  readonly #report: ReportBuilder;
  readonly #work: RunBudget;
  readonly #blastRadius = new BlastRadiusBuilder();
  readonly #suggested: SuggestedEdits | undefined;
  readonly #taken = new Set<FoundResource>();
  /** Names of roots that apply something else than before. */
  readonly #changedRoots: ReadonlySet<string>;
  readonly #rootOf: ReadonlyMap<Resource, RenderedRoot>;
  readonly #changedBy: ReadonlyMap<Resource, string | undefined>;
  readonly #notices: string[];
  /** Of base. */
  readonly #contradictions: Contradiction[] = [];
  /** What is said of contradictions that are new, or depended on, in some cluster: an old one of another is no excuse. */
  readonly #newlySaid = new Set<string>();
  #policiesFrom: PoliciesFrom;
  readonly #objects = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  readonly #diagnostics: { readonly base: Diagnostic[]; readonly head: (Diagnostic | ObjectDiagnostic)[] };

  constructor(input: ComparisonInput, states: ReadStates) {
    const { base, head, configuration, diagnostics = [], notices = [], baseline, today = '' } = input;
    const { scope, given } = states;
    this.#input = input;
    this.#work = RunBudget.of(configuration.workLimit, [...base.files, ...head.files]);
    this.#scope = scope;
    this.#suggested = input.suggests === true ? new SuggestedEdits(scope.changed) : undefined;
    this.#stages = input.stages ?? UNOBSERVED;
    this.#notices = [...notices];
    this.#policiesFrom = input.policiesFrom;
    this.#base = states.base;
    this.#head = states.head;
    this.#clusters = states.clusters;
    this.#changedRoots = changedRoots(this.#base.roots, this.#head.roots);
    this.#rootOf = new Map(
      [...this.#base.resources, ...this.#head.resources].flatMap(({ resource, root }) =>
        root === undefined ? [] : [[resource, root]],
      ),
    );
    this.#changedBy = new Map(this.#head.resources.map((found) => [found.resource, found.changedBy]));
    this.#report = new ReportBuilder(reportOptions(configuration, { today, ...(baseline && { baseline }) }));
    const rootFiles = new Set(
      [...this.#base.roots, ...this.#head.roots]
        .filter(({ name }) => this.#changedRoots.has(name))
        .map(({ location }) => location.file.path),
    );
    const isExamined = ({ primary }: Diagnostic): boolean =>
      primary === undefined || scope.examined.has(primary.file.path) || rootFiles.has(primary.file.path);
    this.#diagnostics = {
      base: [...this.#base.diagnostics.filter(isExamined), ...given.base.diagnostics],
      head: [...diagnostics, ...this.#head.diagnostics.filter(isExamined), ...given.head.diagnostics],
    };
    this.#addUnmatchedGlobs(input);
    append(this.#diagnostics.head, this.#hidden());
    const notReadBefore = new Set(base.notRead.map(({ path, reason }) => `${reason}\0${path}`));
    const inHead = new Set(head.files.map(({ file }) => file.path));
    const concerns = ({ path, reason }: { readonly path: string; readonly reason: string }): boolean =>
      scope.examined.has(path) || (!inHead.has(path) && !notReadBefore.has(`${reason}\0${path}`));
    for (const entry of this.#head.skipped) {
      if (scope.extent === 'repository' || concerns(entry)) this.#report.addSkipped(entry);
    }
    if (scope.extent === 'repository') for (const entry of given.head.skipped) this.#report.addSkipped(entry);
  }

  #hidden(): readonly (Diagnostic | ObjectDiagnostic)[] {
    const { base, head } = this.#input;
    const judged = (state: 'base' | 'head', content: RepositoryContent): JudgedState => ({
      state: this.#input[state],
      content,
      fixtures: this.#scope.classifiers?.[state].fixtures ?? new Set(),
    });
    if (base.files === head.files) return [];
    return noLongerEvaluated(judged('base', this.#base), judged('head', this.#head));
  }

  /** What is asked for now is wrong now; what is written is compared, and so is what head would write instead. */
  #addUnmatchedGlobs({ base, head, configuration, next }: ComparisonInput): void {
    const given = configuration.globs.filter(({ location }) => location === undefined);
    const written = configuration.globs.filter(({ location }) => location !== undefined);
    const everywhere = new Set([...base.paths, ...head.paths]);
    this.#report.addDiagnostics(unmatchedGlobs(given, everywhere));
    append(this.#diagnostics.base, unmatchedGlobs(written, base.paths));
    const last = next === undefined ? written : next.globs;
    append(this.#diagnostics.head, unmatchedGlobs(last, head.paths));
  }

  report(): Report {
    for (const compared of this.#clusters.targets(this.#input.configuration)) this.#addTarget(compared);
    return this.#finish();
  }

  #addTarget({ planned, belongs, rulesOfBase }: ComparedTarget): void {
    const { configured, derivedFrom } = planned;
    const common = { work: this.#work, explainsMutations: this.#input.explainsMutations === true };
    const all = (): boolean => true;
    const base = { ...targetOf(configured, this.#base.resources, new Set(), all, belongs?.base), ...common };
    const ofHead = this.#ofHead(configured);
    const head = { ...targetOf(ofHead, this.#head.resources, this.#taken, all, belongs?.head), ...common };
    const languages = languagesOf(configured, this.#input.today);
    const ruling =
      rulesOfBase === undefined
        ? base
        : { ...targetOf(configured, this.#base.resources, new Set(), all, rulesOfBase), ...common };
    if (this.#scope.extent === 'repository') {
      append(this.#diagnostics.base, emptyTarget(configured, base, languages));
      append(this.#diagnostics.head, emptyTarget(configured, head, languages));
    }
    const rules = this.#rulesOf(ruling, head, languages, rulesOfBase !== undefined);
    const { verdict, base: ofBase, before, also, evaluators } = rules;
    const objects = matchObjects(this.#examined(base), this.#examined(head), (resource) => before.identityOf(resource));
    this.#objects.created += objects.created.length;
    this.#objects.updated += objects.updated.length;
    this.#objects.deleted += objects.deleted.length;
    this.#objects.unchanged += objects.unchanged.length;
    for (const resource of objects.created) this.#evaluate(rules, head.name, { operation: 'CREATE', resource });
    for (const { resource, old } of objects.updated) {
      this.#evaluate(
        rules,
        head.name,
        { operation: 'UPDATE', resource, old },
        { operation: 'UPDATE', resource: old, old },
      );
    }
    for (const resource of objects.deleted) {
      this.#evaluate(rules, head.name, { operation: 'DELETE', resource });
      const last = before.evaluate({ operation: 'CREATE', resource });
      append(this.#diagnostics.base, last.diagnostics);
      if (last.evaluated !== undefined) this.#report.addFixed(last.evaluated, head.name);
    }
    for (const resource of objects.unchanged) {
      const asItStands: ObjectChange = { operation: 'CREATE', resource };
      this.#evaluate(rules, head.name, asItStands, asItStands);
    }
    // Where not everything was read nothing can be said of policies, and none of them changed.
    if (this.#scope.extent === 'repository') {
      append(this.#diagnostics.base, withoutDuplicatePolicies(ofBase.policyDiagnostics));
      append(this.#diagnostics.head, withoutDuplicatePolicies(rules.head.policyDiagnostics));
    }
    const identityOf = (resource: Resource): string | undefined => before.identityOf(resource);
    const twice = contradictionsIn(planned, head, this.#head, identityOf);
    const known = contradictionsIn(planned, base, this.#base, identityOf).found;
    // A verdict on what the change touches is no verdict if it depends on which version is taken, however old they are.
    const touched = new TouchedObjects(
      [...objects.created, ...objects.updated.map(({ resource }) => resource)],
      { ...head, policies: [...new Set([...head.policies, ...ruling.policies])] },
      languages,
    );
    const isAll = this.#scope.extent === 'repository';
    const [inBase, inHead] = [known, twice.found].map((found) => new Set(found.map(({ key }) => key)));
    const contents = new Set(known.map(({ contentKey }) => contentKey));
    for (const each of twice.found) {
      const depends = touched.dependOn(each.resource);
      if (!isAll && !depends && inBase?.has(each.key) === true) continue;
      const diagnostic = each.diagnostic();
      this.#diagnostics.head.push(diagnostic);
      if (depends || !contents.has(each.contentKey)) this.#newlySaid.add(diagnostic.message);
    }
    append(
      this.#contradictions,
      known.filter(({ key }) => isAll || inHead?.has(key) !== true),
    );
    const policies = [...verdict.policies, ...(also?.policies ?? [])];
    if (rulesOfBase !== undefined && policies.length === 0)
      append(this.#diagnostics.head, unjudgedCluster(head.name, objects.created, this.#base.resources, languages));
    // What a new cluster is held to in place of rules that it has not had yet has to be one thing, too.
    if (ruling !== base) {
      const { found } = contradictionsIn(planned, ruling, this.#base, identityOf);
      for (const each of found) this.#diagnostics.head.push(each.diagnostic());
    }
    const unknowns = new Unknowns();
    for (const sentence of unevaluatedPolicies(head.facts, languages)) unknowns.add(sentence);
    const replaced = new Set(objects.updated.map(({ old }) => old));
    for (const evaluator of evaluators) unknowns.addAll(evaluator.unknowns, (resource) => !replaced.has(resource));
    this.#report.addTarget({
      name: head.name,
      ...(derivedFrom !== undefined && { derivedFrom }),
      kubernetesVersion: formatVersion(head.kubernetesVersion),
      user: head.userInfo.username,
      policies,
      unknowns: [
        ...unknowns.sentences(),
        ...unrendered(this.#examined(head), this.#changedBy),
        ...assumptions(this.#head.roots.filter(({ name }) => this.#changedRoots.has(name))),
        ...matchingUnknowns(objects),
        ...undecidedVersions(twice.undecided.filter((each) => isAll || touched.has(each)).length),
        ...clusterUnknowns(this.#clusters.head, planned, verdict.policies.length > 0),
      ],
      unknownKinds: unknowns.kinds(),
    });
  }

  /** Head calls the sources of a target by head's names. */
  #ofHead({ policySources, ...configured }: ConfiguredTarget): ConfiguredTarget {
    const { next } = this.#input;
    const named =
      next === undefined ? policySources : next.targets.find(({ name }) => name === configured.name)?.policySources;
    return { ...configured, ...(named && { policySources: named }) };
  }

  #finish(): Report {
    const scope = this.#scope;
    for (const found of this.#head.resources) {
      if (found.selected && !this.#taken.has(found) && this.#isExamined(found.resource)) {
        this.#report.addUnevaluated(found.resource, 'no-target', '');
      }
    }
    for (const each of this.#contradictions) {
      const diagnostic = each.diagnostic();
      if (!this.#newlySaid.has(diagnostic.message)) this.#diagnostics.base.push(diagnostic);
    }
    // Whatever base comes to: what is not decided is not decided now.
    this.#report.settle();
    this.#report.addDiagnostics(spentBudget(this.#work));
    this.#stages.count('evaluate', 'steps', this.#work.spent);
    this.#report.addComparedDiagnostics(this.#diagnostics.head, this.#diagnostics.base);
    const files = scope.head.filter(({ file, selected }) => selected && scope.examined.has(file.path));
    const comparison: Omit<Comparison, 'fixed'> = {
      ...this.#input.names,
      policiesFrom: this.#policiesFrom,
      scope: scope.extent,
      changedFiles: [...scope.changed].sort(),
      objects: this.#objects,
      notices: this.#notices,
    };
    const blastRadius = this.#blastRadius.build();
    this.#report.addStricterRules(this.#blastRadius.stricterRules());
    const { only, base, head } = this.#input;
    const deciding = this.#policiesFrom === 'head' ? head : base;
    const report = this.#report.buildComparison(files.length, {
      only,
      comparison,
      blastRadius,
      suggestions: this.#suggested?.list(),
    });
    return withSources(report, deciding.policySources ?? []);
  }

  #examined({ manifests }: Target): readonly Resource[] {
    return manifests.filter((resource) => this.#isExamined(resource));
  }

  #isExamined(resource: Resource): boolean {
    const root = this.#rootOf.get(resource);
    if (root !== undefined && this.#scope.extent === 'changes') {
      return this.#changedRoots.has(root.name) || this.#scope.isConcerned(resource);
    }
    return root !== undefined || this.#scope.examined.has(resource.manifest.file.path);
  }

  /** `isNew`: of a cluster that base does not have; its own rules count at once. */
  #rulesOf(base: Target, head: Target, languages: readonly PolicyLanguage[], isNew: boolean): ComparedRules {
    const known = new RuleResources(languages, [...base.policies, ...head.policies]);
    const hasChanged = this.#addCauses(base, head, known);
    const evaluatorOf = (target: Target): TargetEvaluator =>
      new TargetEvaluator(target, languages, typedConverter(target), this.#stages);
    const before = evaluatorOf({ ...head, policies: base.policies, facts: verdictFacts(base, head) });
    const now = hasChanged ? evaluatorOf(head) : before;
    const evaluators = hasChanged ? [before, now] : [before];
    const isFirst = hasChanged && !base.policies.some((resource) => known.isPolicy(resource));
    if (isNew) {
      this.#notices.push(
        `the cluster ${head.name} is new: it is held to the rules that base has for every cluster, and to its own`,
      );
    } else if (isFirst && this.#input.policiesFrom !== 'head') {
      this.#notices.push(
        'base has no policies, so the verdict is by those of head: from the next change on, base has them',
      );
    }
    if (isFirst && !isNew) this.#policiesFrom = 'head';
    const from = isFirst ? 'head' : this.#input.policiesFrom;
    return {
      base: before,
      // What the first policies say of objects that were there before them is not the change's doing.
      before: isFirst ? now : before,
      head: now,
      verdict: from === 'head' ? now : before,
      also: (from === 'both' || isNew) && hasChanged && from !== 'head' ? now : undefined,
      evaluators,
    };
  }

  /** True if there are any: if what decides about objects is not what it was. */
  #addCauses(base: Target, head: Target, rules: RuleResources): boolean {
    const rulesOf = ({ policies, facts }: Target): readonly Resource[] =>
      [...new Set([...policies, ...facts])].filter((resource) => rules.isRule(resource));
    const { created, updated, deleted } = matchObjects(rulesOf(base), rulesOf(head), ({ gvk, namespace, name }) =>
      name === '' ? undefined : [gvk.group, gvk.kind, namespace, name].join('\0'),
    );
    const changed = [
      ...created
        .filter((resource) => !isNamespace(resource))
        .map((resource) => ({ resource, change: 'created' as const, old: undefined })),
      ...updated.map(({ resource, old }) => ({ resource, change: 'updated' as const, old })),
      ...deleted.map((resource) => ({ resource, change: 'deleted' as const, old: undefined })),
    ];
    if (!rules.hasPolicies) return false;
    const sources = this.#input.head.policySources ?? [];
    for (const { resource, change, old } of changed) {
      this.#blastRadius.addCause(resource, change, old, pinPlace(resource, sources));
    }
    return changed.length > 0;
  }

  /** `earlier`: what to ask of base's rules, to know what is not new. */
  #evaluate(rules: ComparedRules, target: string, change: ObjectChange, earlier?: ObjectChange): void {
    const ask = new Answers(change);
    const result = ask.of(rules.verdict);
    const isInHead = change.operation !== 'DELETE';
    if (isInHead) {
      const was = earlier && { before: earlier.resource };
      for (const diagnostic of result.diagnostics) this.#diagnostics.head.push({ ...diagnostic, ...was });
    }
    const old = earlier && (earlier === change ? ask.of(rules.before) : rules.before.evaluate(earlier));
    if (old !== undefined) append(this.#diagnostics.base, old.diagnostics);
    if (result.evaluated === undefined) {
      const { resource, reason, detail } = result.unevaluated;
      if (isInHead) this.#report.addUnevaluated(resource, reason, detail);
      return;
    }
    const also = rules.also && ask.of(rules.also).evaluated;
    this.#suggested?.add(change, result.evaluated, rules.verdict);
    this.#addResult(result.evaluated, { also, before: old?.evaluated }, target);
    if (rules.head === rules.base || !isInHead) return;
    const [underBase, underHead] = [ask.of(rules.base).evaluated, ask.of(rules.head).evaluated];
    if (underBase === undefined || underHead === undefined) return;
    // What the server refuses of head does not take the place of what base has.
    const isKept = ({ policy }: Finding): boolean => rules.head.refuses(policy);
    this.#blastRadius.add(underBase, underHead, target, isKept);
  }

  #addResult(
    evaluated: EvaluatedResource,
    { also, before }: { also: EvaluatedResource | undefined; before: EvaluatedResource | undefined },
    target: string,
  ): void {
    const compared = { evaluated, ...(also && { also }), ...(before && { before }) };
    this.#report.addCompared(compared, target, this.#changedBy.get(evaluated.resource));
  }
}

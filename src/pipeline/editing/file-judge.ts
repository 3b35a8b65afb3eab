// Reports on one file of a repository that is being edited: first without rendering, then for each root that renders the file.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { typedConverter } from '../../engine/conversion/typed-converter.ts';
import { UNOBSERVED } from '../../engine/stages.ts';
import { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { classifyRendered } from '../../inventory/classify.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { RootBuilder } from '../../render/sources/root/root-builder.ts';
import { ReportBuilder } from '../../report/builder/report-builder.ts';
import type { Report } from '../../report/report.ts';
import { unmatchedGlobs } from '../../settings/written-globs.ts';
import { isJsonObject } from '../../source/json/json.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { foldAsideRefusals } from '../check/aside-refusals.ts';
import { type CheckInput, reportOptions } from '../check-state.ts';
import { type Clusters, clustersOf } from '../clusters/clusters.ts';
import {
  contradictionsIn,
  type PlannedTarget,
  plannedTargets,
  withoutDuplicatePolicies,
} from '../clusters/planned-targets.ts';
import { ownValidation, targetOf } from '../clusters/targets.ts';
import { ClusterFacts, isSameList } from '../scope/cluster-facts.ts';
import { languagesOf } from '../state/languages.ts';
import type { PlannedBuilds } from '../state/planned-builds.ts';
import type { DocumentReader, FoundResource, RepositoryContent } from '../state/read-repository.ts';
import { rootDiagnostics } from '../state/rendered-reasons.ts';
import { RuleResources } from '../state/rule-resources.ts';

/** The edited state, as far as one file needs it. */
export interface StateToJudge {
  readonly input: CheckInput;
  /** As written, with the contents of the policy sources. */
  readonly content: RepositoryContent;
  /** Undefined if rendering is off. */
  readonly builds: PlannedBuilds | undefined;
  readonly reader: DocumentReader;
  file(path: string): SourceFile | undefined;
}

/** Maximum number of roots to render for one file. */
const MAX_ROOTS = 30;
/** Number of objects after which other work may run. */
const OBJECTS_AT_ONCE = 10;

interface KeptEvaluator {
  readonly facts: readonly FoundResource[];
  readonly evaluator: TargetEvaluator;
  readonly work: RunBudget;
}

type JudgedDiagnostic = Diagnostic | ObjectDiagnostic;

/** A Report, or the kind of the next step. Other work may run before it. */
export type JudgeStep = Report | 'objects' | 'root';

/** Keeps compiled policies until a resource changes that decides about other objects. */
export class FileJudge {
  readonly #facts: ClusterFacts;
  readonly #kept = new Map<string, KeptEvaluator>();
  /** By name of the target, so that a language reads its own tables only once. */
  readonly #languages = new Map<string, readonly PolicyLanguage[]>();
  #clusters: { readonly of: object | undefined; readonly clusters: Clusters } | undefined;

  constructor({ configuration }: Pick<CheckInput, 'configuration'>) {
    this.#facts = new ClusterFacts(configuration);
  }

  /** The resources that verdicts on a file depend on, besides its own objects. A new list if one of them changes. */
  factsOf({ content }: StateToJudge): readonly FoundResource[] {
    return this.#facts.of(content.resources);
  }

  /** Other work may run between two steps. The findings of the file are complete after the last step; those of other files are not. */
  *judge(path: string, state: StateToJudge): Generator<JudgeStep, void> {
    const { content, builds, input } = state;
    const own = content.resources.filter(({ resource }) => resource.manifest.file.path === path);
    const isBuilt = builds?.isBuilt(path) === true;
    const globs = input.configuration.globs.filter(({ location }) => location?.file.path === path);
    // Policies in files that no controller applies stay in effect.
    const isLeftOut = builds?.takes(path) === false;
    const read = isLeftOut ? [] : content.diagnostics.filter(({ primary }) => primary?.file.path === path);
    yield this.#report(state, [...read, ...unmatchedGlobs(globs, input.paths), ...this.#ofPolicies(own, state)]);
    const facts = this.#facts.of(content.resources);
    if (isLeftOut) return;
    const judged = isBuilt ? [] : own.filter(({ selected }) => selected);
    if (judged.length > 0) {
      yield* this.#judged(judged, facts, state, 'kept');
      yield this.#report(state, this.#repeated(judged, state));
    }
    if (builds !== undefined) yield* this.#throughRoots(path, own, facts, state);
  }

  /** Problems of the policies in the file, checked with the resources that they refer to and that refer to them. */
  #ofPolicies(own: readonly FoundResource[], state: StateToJudge): readonly JudgedDiagnostic[] {
    const policies = own.filter(({ resource }) => this.#facts.accepts(resource));
    if (policies.length === 0) return [];
    const near = this.#facts.around(policies, state.content.resources);
    const seen: (readonly FoundResource[])[] = [];
    return this.#targets(state).flatMap((planned) => {
      const ours = policies.filter((found) => planned.belongs?.(found) !== false);
      if (ours.length === 0) return [];
      // Clusters with the same policies and references report the same problems.
      if (planned.derivedFrom !== undefined) {
        const theirs = near.filter((found) => found.source !== undefined || planned.belongs?.(found) !== false);
        if (seen.some((others) => isSameList(others, theirs))) return [];
        seen.push(theirs);
      }
      const isOurs = (found: FoundResource): boolean => ours.includes(found);
      const { evaluator } = this.#evaluator(planned, near, isOurs, state);
      return withoutDuplicatePolicies(evaluator.policyDiagnostics);
    });
  }

  *#judged(
    judged: readonly FoundResource[],
    facts: readonly FoundResource[],
    state: StateToJudge,
    keeping: 'kept' | 'once',
  ): Generator<JudgeStep, void> {
    for (const planned of this.#targets(state)) {
      const { name, manifests } = targetOf(planned.configured, judged, new Set(), () => true, planned.belongs);
      if (manifests.length === 0) continue;
      const { evaluator } =
        keeping === 'kept'
          ? this.#keptEvaluator(planned, facts, state)
          : this.#evaluator(planned, facts, () => false, state);
      const report = this.#builder(state);
      const changedBy = new Map(judged.map((found) => [found.resource, found.changedBy]));
      const found: JudgedDiagnostic[] = [];
      let turn = 0;
      for (const resource of manifests) {
        turn += 1;
        if (turn % OBJECTS_AT_ONCE === 0) yield 'objects';
        const { evaluated, diagnostics } = evaluator.evaluate({ operation: 'CREATE', resource });
        for (const diagnostic of diagnostics) found.push(diagnostic);
        if (evaluated !== undefined) report.addEvaluated(evaluated, name, changedBy.get(resource));
      }
      const { diagnostics } = foldAsideRefusals(found, judged);
      report.addDiagnostics(withoutDuplicatePolicies(diagnostics));
      yield report.build(1);
    }
  }

  /** Other versions of the file's objects, among the objects that are applied as written. */
  #repeated(judged: readonly FoundResource[], state: StateToJudge): readonly JudgedDiagnostic[] {
    const { content, builds } = state;
    const names = new Set(judged.map(({ resource }) => resource.name));
    const identities = new Set(judged.map(({ resource }) => nameKey(resource)));
    const isAlike = (one: Resource): boolean => names.has(one.name) && identities.has(nameKey(one));
    const isWritten = ({ resource }: FoundResource): boolean => builds?.isBuilt(resource.manifest.file.path) !== true;
    const alike = content.resources.filter((found) => isAlike(found.resource) && isWritten(found));
    if (alike.length === judged.length) return [];
    const rest = this.factsOf(state).filter((found) => !isAlike(found.resource) && isWritten(found));
    const resources = [...alike, ...rest];
    return this.#targets(state).flatMap((planned) => {
      const whole = targetOf(planned.configured, resources, new Set(), () => true, planned.belongs);
      const { evaluator } = this.#keptEvaluator(planned, this.factsOf(state), state);
      // The other resources only decide which versions matter. Their own versions are reported in their own files.
      const identityOf = (one: Resource): string | undefined => (isAlike(one) ? evaluator.identityOf(one) : undefined);
      const { found } = contradictionsIn(planned, whole, { ...content, resources }, identityOf);
      return found.map((each) => each.diagnostic());
    });
  }

  /** Evaluates the objects that each root renders from the file. */
  *#throughRoots(
    path: string,
    own: readonly FoundResource[],
    facts: readonly FoundResource[],
    state: StateToJudge,
  ): Generator<JudgeStep, void> {
    const { builds, reader } = state;
    const kinds = this.#kindsIn(path, state);
    for (const planned of builds?.reaching(path).slice(0, MAX_ROOTS) ?? []) {
      yield 'root';
      if (builds?.loadEngine(planned) === true) yield 'root';
      // Each root is different, so a shared builder would only use memory.
      const root = builds?.render(planned, new RootBuilder(reader.documents), state.file);
      if (root === undefined) continue;
      const gaps = kinds?.has('Component') ? [] : rootDiagnostics(root);
      const ownGaps = gaps.filter(({ primary }) => primary?.file.path === path);
      if (ownGaps.length > 0) yield this.#report(state, ownGaps);
      const made = resourcesIn(root, reader);
      const judged = made.filter(({ resource }) => kinds === undefined || kinds.has(resource.gvk.kind));
      if (judged.length === 0) continue;
      yield 'objects';
      const isOwn = made.some((found) => this.#facts.has(found)) || own.some((found) => this.#facts.has(found));
      const others = facts.filter(({ resource }) => !root.inputs.has(resource.manifest.file.path));
      const known = isOwn ? [...others, ...made.filter((found) => this.#facts.has(found))] : facts;
      yield* this.#judged(judged, known, state, isOwn ? 'once' : 'kept');
    }
  }

  /** Kinds of objects that roots may render from the file; undefined if it may be any. */
  #kindsIn(path: string, { file, reader }: StateToJudge): ReadonlySet<string> | undefined {
    const text = file(path);
    const documents = text === undefined ? [] : reader.documentsOf(text).documents;
    const kinds = new Set<string>();
    for (const { value } of documents) {
      const kind = isJsonObject(value) ? value.get('kind') : undefined;
      const apiVersion = isJsonObject(value) ? value.get('apiVersion') : undefined;
      if (typeof kind !== 'string' || typeof apiVersion !== 'string') return undefined;
      // A controller or kustomize derives other objects from these.
      if (kind.endsWith('List')) return undefined;
      if (/^(?:kustomize\.config\.k8s\.io|.*\.fluxcd\.io|argoproj\.io)\//.test(apiVersion)) return undefined;
      kinds.add(kind);
    }
    return kinds.size === 0 ? undefined : kinds;
  }

  #targets({ input: { configuration }, content, builds }: StateToJudge): readonly PlannedTarget[] {
    const [whole] = configuration.targets;
    if (this.#clusters === undefined || this.#clusters.of !== builds) {
      const languages = whole === undefined ? [] : languagesOf(whole);
      const rules = new RuleResources(
        languages,
        content.resources.map(({ resource }) => resource).filter((one) => this.#facts.accepts(one)),
      );
      const isKnown = builds !== undefined && !configuration.hasWrittenTargets;
      const clusters = clustersOf({
        paths: content.paths,
        resources: isKnown ? content.resources : [],
        roots: isKnown ? builds.roots : [],
        isRule: (resource) => rules.isRule(resource),
      });
      this.#clusters = { of: builds, clusters };
    }
    return plannedTargets(configuration, this.#clusters.clusters, content);
  }

  #keptEvaluator(planned: PlannedTarget, facts: readonly FoundResource[], state: StateToJudge): KeptEvaluator {
    const { name } = planned.configured;
    const known = this.#kept.get(name);
    if (known !== undefined && known.facts === facts && known.work.spent < known.work.limit / 2) return known;
    const made = this.#evaluator(planned, facts, () => false, state);
    this.#kept.set(name, made);
    return made;
  }

  #evaluator(
    { configured, belongs }: PlannedTarget,
    facts: readonly FoundResource[],
    isOurs: (found: FoundResource) => boolean,
    { input }: StateToJudge,
  ): KeptEvaluator {
    const work = RunBudget.of(input.configuration.workLimit, input.files);
    const explainsMutations = input.explainsMutations === true;
    const target = {
      ...targetOf(configured, facts, new Set(), isOurs, belongs),
      ...ownValidation(configured, input.serverValidation),
      work,
      explainsMutations,
    };
    const languages = this.#languages.get(configured.name) ?? languagesOf(configured, input.today);
    this.#languages.set(configured.name, languages);
    return { facts, work, evaluator: new TargetEvaluator(target, languages, typedConverter(target), UNOBSERVED) };
  }

  #report(state: StateToJudge, diagnostics: readonly JudgedDiagnostic[]): Report {
    const report = this.#builder(state);
    report.addDiagnostics(diagnostics);
    return report.build(1);
  }

  #builder({ input: { configuration, today = '', baseline } }: StateToJudge): ReportBuilder {
    return new ReportBuilder(reportOptions(configuration, { today, ...(baseline && { baseline }) }));
  }
}

function resourcesIn(root: RenderedRoot, reader: DocumentReader): readonly FoundResource[] {
  return root.manifests.flatMap((manifest): readonly FoundResource[] => {
    if (manifest.neverApplied !== undefined || classifyRendered(manifest.value, false).reason !== undefined) return [];
    return reader
      .resourcesOf(manifest)
      .flatMap((one) =>
        'resource' in one ? [{ resource: one.resource, selected: true, changedBy: undefined, root }] : [],
      );
  });
}

function nameKey({ gvk, name }: Resource): string {
  return [gvk.group, gvk.kind, name].join('\0');
}

// Evaluates changes, one at a time, against the compiled policies of a target.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { formatApiVersion } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { AggregatedApis } from '../../kubernetes/cluster/aggregated-apis.ts';
import type { ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import { RepositoryCluster } from '../../kubernetes/cluster/repository-cluster.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { BudgetSpent, type Spender } from '../../kubernetes/request/run-budget.ts';
import { type BuiltinResources, builtinResources } from '../../kubernetes/schema/resources.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import { joinedOutcome, UNASKED } from '../../policy/evaluation/joined-outcome.ts';
import type { ObjectDiagnostic } from '../../policy/evaluation/object-diagnostic.ts';
import { unaskedSteps } from '../../policy/explanation/decided-steps.ts';
import type { PolicyExplanation } from '../../policy/explanation/explanation.ts';
import type { PolicyExpression } from '../../policy/explanation/policy-coverage.ts';
import { undecidedSteps } from '../../policy/explanation/undecided-steps.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import type {
  AdmissionOutcome,
  LoadedPolicies,
  LoadedPolicy,
  MutationOutcome,
  PolicyLanguage,
} from '../../policy/language/policy-language.ts';
import { type PolicyWrites, policyWrites } from '../../policy/mutation/policy-writes.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { type ChainStages, type MutatedPassage, type Passage, passThrough } from '../chain.ts';
import { convertedByServer } from '../conversion/server-conversion.ts';
import { requestedObjects, type StoredObjects } from '../conversion/worlds.ts';
import type { ConvertedObject, ObjectConverter, ObjectValidity, ReplacedObject } from '../object/admission-object.ts';
import { type RequestedChange, requestedChange } from '../object/existing-object.ts';
import { hasMadeUpName, type ObjectChange, objectRequest, requestNamespace } from '../object/object-request.ts';
import type { StageObserver } from '../stages.ts';
import { conditionalOutcome } from '../unknown/conditional-outcome.ts';
import { type UnevaluatedMutation, unevaluatedMutations } from '../unknown/unevaluated-mutations.ts';
import { Unknowns } from '../unknown/unknowns.ts';
import { limitDiagnostics, refusedIfOldExists } from '../validation/object-diagnostics.ts';
import { unservedKind } from '../validation/served-kinds.ts';
import { LookedUpSecrets } from './looked-up-secrets.ts';
import { mutationDrift } from './mutation-drift.ts';
import { explanationsOf } from './policy-explanations.ts';
import { preventedDenials } from './prevented-denials.ts';
import { RequestLookups } from './request-lookups.ts';
import { unfinishedWork, withinBudget } from './spent-budget.ts';
import type { Target, Unevaluated } from './target.ts';

/** The policies' results for a change, or the reason why they did not run; with the server's own diagnostics. */
export type ChangeEvaluation = { readonly diagnostics: readonly ObjectDiagnostic[] } & (
  | { readonly evaluated: EvaluatedResource; readonly unevaluated?: undefined }
  | { readonly evaluated?: undefined; readonly unevaluated: Unevaluated }
);

/** The result for a change, with the steps that each policy took. */
export type ChangeExplanation = ChangeEvaluation & { readonly policies: readonly PolicyExplanation[] };

const VALID: ObjectValidity = { refusals: [], unknowns: [] };

/** Fixed cost of every object, so that no evaluation starts once the budget is spent. */
const STEPS_FOR_OBJECT = 100;

export class TargetEvaluator {
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns = new Unknowns();
  readonly #target: Target;
  readonly #languages: readonly PolicyLanguage[];
  readonly #builtin: BuiltinResources;
  readonly #cluster: RepositoryCluster;
  readonly #requests: RequestLookups;
  /** Accounts for work that belongs to no policy or definition. */
  readonly #objects: Spender;
  readonly #aggregated: AggregatedApis;
  readonly #loaded: readonly LoadedPolicies[];
  /** Those of languages that can mutate objects. */
  readonly #mutating: readonly LoadedPolicies[];
  readonly #converter: ObjectConverter;
  readonly #stages: StageObserver;
  readonly #lookups: LookedUpSecrets;
  readonly #mutators: readonly UnevaluatedMutation[];
  /** True if validation of the current object stopped at the work limit. */
  #isUnfinished = false;
  readonly #chain: ChainStages = {
    findResource: (passage) => this.#findResource(passage),
    decode: (passage) => this.#decode(passage),
    mutate: (passage) => this.#mutate(passage),
    validateObject: (passage) => this.#validateObject(passage),
    refuse: (passage) => this.#refuse(passage),
    request: (passage) => this.#request(passage),
    askPolicies: (passage) => this.#askPolicies(passage),
  };
  /** Objects as the cluster holds them before an update. */
  readonly #stored: StoredObjects = {
    convert: (resource) => this.#asCreated(resource),
    inVersionOf: (written, resource, old) => this.#inVersionOf(written, resource, old),
  };

  constructor(target: Target, languages: readonly PolicyLanguage[], converter: ObjectConverter, stages: StageObserver) {
    stages.enter('compile');
    this.#target = target;
    this.#languages = languages;
    this.#converter = converter;
    this.#stages = stages;
    this.#builtin = builtinResources(target.kubernetesVersion.minor);
    const converted = (resource: Resource, mapping: ResourceMapping): ConvertedObject =>
      converter.convert(resource, mapping, requestNamespace(resource, mapping, target.defaultNamespace));
    this.#cluster = new RepositoryCluster({
      version: target.kubernetesVersion,
      builtin: this.#builtin,
      resources: target.facts,
      stored: (resource, mapping) => converted(resource, mapping).object,
      // An object that may not exist is open as a whole.
      openPaths: (resource, mapping) =>
        resource.manifest.dependsOn === undefined ? converted(resource, mapping).open : [[]],
      defaultNamespace: target.defaultNamespace,
      isComplete: target.isComplete ?? false,
      ...(target.claimedNamespaces && { claimedNamespaces: target.claimedNamespaces }),
      ...(target.complete && { complete: target.complete }),
      ...(target.accessRules && { accessRules: target.accessRules }),
      ...(target.featureGates && { featureGates: target.featureGates }),
      convert: (object, { group, version }) => convertedByServer(object, formatApiVersion(group, version), target),
      ...(target.work && { work: target.work }),
    });
    this.#requests = new RequestLookups(this.#cluster, target);
    this.#objects = this.#cluster.work.spender('the objects themselves');
    this.#loaded = languages.map((language) => language.load(target.policies.filter(language.accepts), this.#cluster));
    this.#mutating = this.#loaded.filter(({ mutation }) => mutation !== undefined);
    this.policies = this.#loaded.flatMap(({ policies }) => policies);
    stages.count('compile', 'policies', this.policies.length);
    this.#aggregated = new AggregatedApis(target.facts);
    this.#lookups = new LookedUpSecrets(target);
    this.#mutators = unevaluatedMutations(target.facts, languages);
    for (const { unknowns = [] } of this.#loaded) for (const sentence of unknowns) this.unknowns.add(sentence);
  }

  /** Problems of the policies, including decoding errors of policies outside the manifests. Compiles all policies. */
  get policyDiagnostics(): readonly Diagnostic[] {
    this.#stages.enter('compile');
    const ofLanguages = this.#loaded.flatMap((policies) => withinBudget(() => policies.diagnostics));
    const swept = new Set(this.#target.manifests);
    const others = this.#target.policies.filter((resource) => !swept.has(resource) && this.#isPolicy(resource));
    const decoded = others.flatMap((resource): readonly ObjectDiagnostic[] => {
      const namespace = this.#namespaceOf(resource);
      const found = withinBudget(() => this.#convert(resource).diagnostics);
      return found.map((diagnostic) => ({ ...diagnostic, resource, namespace }));
    });
    return [...ofLanguages, ...decoded];
  }

  /** Values of Secrets that messages of the policies may quote. */
  get lookedUp(): ReadonlySet<string> {
    return this.#lookups.all;
  }

  /** True if the server refuses this policy of the target, so that the policy has no effect. */
  refuses({ kind, name }: Pick<PolicyIdentity, 'kind' | 'name'>): boolean {
    const same = this.policies.filter(({ identity }) => identity.kind === kind && identity.name === name);
    return same.some(({ isRefused }) => isRefused?.() === true);
  }

  /** Group, kind, namespace and name; undefined if the server or the rendering generates the name. */
  identityOf(resource: Resource): string | undefined {
    if (resource.name === '' || hasMadeUpName(resource)) return undefined;
    const { group, kind } = resource.gvk;
    return [group, kind, this.#namespaceOf(resource), resource.name].join('\0');
  }

  /** Evaluates nothing once the run's budget is spent. */
  evaluate(written: ObjectChange): ChangeEvaluation {
    try {
      const { work } = this.#cluster;
      work.begin(this.#objects);
      work.spend(STEPS_FOR_OBJECT);
      return this.#evaluate(written);
    } catch (reason) {
      if (!(reason instanceof BudgetSpent)) throw reason;
      this.#stages.enter('report');
      return { diagnostics: [], unevaluated: { resource: written.resource, reason: 'too-much-work', detail: '' } };
    }
  }

  #evaluate(written: ObjectChange): ChangeEvaluation {
    this.#stages.enter('convert');
    const { change, ifOldExists } = this.#requested(written);
    const { resource } = change;
    this.#isUnfinished = false;
    const passed = passThrough(change, this.#chain);
    const { ending, request, outcomes, converted, mutated } = passed;
    const namespace = this.#namespaceOf(resource);
    const unfinished = unfinishedWork(resource, this.#isUnfinished, outcomes ?? []);
    const late = outcomes?.some(({ denial }) => denial !== undefined) ? [] : passed.lateRefusals;
    const all = [...passed.diagnostics, ...refusedIfOldExists(resource, ifOldExists), ...unfinished, ...late];
    const diagnostics = all.map((diagnostic) => ({ ...diagnostic, resource, namespace }));
    if (ending !== undefined || request === undefined || outcomes === undefined || converted === undefined) {
      return { diagnostics, unevaluated: { resource, ...(ending as NonNullable<typeof ending>) } };
    }
    this.#tellUnknowns(resource);
    for (const outcome of outcomes) for (const sentence of outcome.unknowns) this.unknowns.add(sentence, resource);
    const { isDefaulted } = converted;
    const changes = [...(mutated?.outcomes.values() ?? [])].flatMap((outcome) => outcome.changes);
    const changing = this.#mutators.filter((mutator) => mutator.mayChange(request)).map(({ label }) => label);
    if (outcomes.some(({ matched }) => matched.length > 0)) {
      for (const label of changing) this.unknowns.addMutator(label, resource);
    }
    const mayBeChangedBy = changing.length > 0 ? { mayBeChangedBy: changing } : {};
    const more = { ...mayBeChangedBy, ...(passed.mutatedAway && { mutatedAway: passed.mutatedAway }) };
    const writes = (): PolicyWrites | undefined => mutated?.writes();
    const lookedUp: EvaluatedResource['lookedUp'] = (policy) => this.#lookups.textsFor(policy);
    return { diagnostics, evaluated: { resource, request, outcomes, changes, writes, isDefaulted, lookedUp, ...more } };
  }

  /** Explains each policy's result. Evaluates every expression again, so use it for single objects only. */
  explain(written: ObjectChange): ChangeExplanation {
    const evaluation = this.evaluate(written);
    if (evaluation.evaluated === undefined) return { ...evaluation, policies: [] };
    const { request, outcomes } = evaluation.evaluated;
    const { change } = this.#requested(written);
    const converted = this.#convert(change.resource);
    const before = this.#requestBefore(change, converted);
    const observed = new Map<LoadedPolicies, readonly PolicyExplanation[]>();
    if (change.operation !== 'DELETE') withinBudget(() => [this.#mutated(change, converted, observed)]);
    const rejecting = outcomes.flatMap(({ denial, evaluations }) =>
      denial === undefined ? [] : evaluations.map(({ policy }) => policy.name),
    );
    const policies = this.#loaded.flatMap((loaded, index) =>
      outcomes[index] === UNASKED
        ? unaskedSteps(loaded, [...new Set(rejecting)])
        : undecidedSteps(
            withinBudget(() => observed.get(loaded) ?? explanationsOf(loaded, before, request)),
            outcomes[index]?.evaluations ?? [],
          ),
    );
    return { ...evaluation, policies };
  }

  /** From all policies that record coverage. */
  get expressions(): readonly PolicyExpression[] {
    return this.#loaded.flatMap((loaded) => loaded.expressions?.() ?? []);
  }

  #findResource(passage: Passage): Passage {
    const diagnostic = unservedKind(passage.change.resource, this.#builtin, this.#cluster);
    if (diagnostic === undefined) return passage;
    const detail = 'the API server does not serve its kind';
    return { ...passage, diagnostics: [diagnostic], ending: { reason: 'refused-object', detail } };
  }

  #decode(passage: Passage): Passage {
    const converted = this.#convert(passage.change.resource);
    return { ...passage, converted, diagnostics: converted.diagnostics };
  }

  #mutate(passage: Passage): Passage {
    const { change, converted } = passage;
    if (converted === undefined || change.operation === 'DELETE') return passage;
    const mutated = this.#mutated(change, converted);
    if (mutated === undefined) return passage;
    return { ...passage, mutated, converted: mutated.converted };
  }

  /** The request before mutation. The server generates the name later, when it stores the object. */
  #requestBefore(change: ObjectChange, converted: ConvertedObject): AdmissionRequest {
    const { resource } = change;
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const namespace = this.#namespaceOf(resource);
    const requested = requestedObjects(change, converted, this.#stored);
    const { userInfo } = this.#target;
    const isNamespaceAssumed = this.#isNamespaceAssumed(resource);
    const facts = { resource, ...requested, mapping, userInfo, namespace, isNamespaceAssumed };
    return { ...objectRequest(facts), name: resource.name };
  }

  /** Undefined if no policy can change the object. `observed` receives explanations of the languages that observe. */
  #mutated(
    change: Exclude<ObjectChange, { operation: 'DELETE' }>,
    converted: ConvertedObject,
    observed?: Map<LoadedPolicies, readonly PolicyExplanation[]>,
  ): MutatedPassage | undefined {
    const { resource } = change;
    if (converted.refused || converted.placeholder !== undefined) return undefined;
    if (this.#mutating.length === 0 || this.#isPolicy(resource)) return undefined;
    const request = this.#requestBefore(change, converted);
    const concerned = this.#mutating.filter(({ mutation }) => mutation?.concerns(request) === true);
    if (concerned.length === 0) return undefined;
    this.#stages.enter('compile');
    for (const policies of concerned) policies.prepare(request);
    this.#stages.enter('evaluate');
    const outcomes = new Map<LoadedPolicies, MutationOutcome>();
    let isRejected = false;
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const result = this.#converter.mutated(resource, mapping, request.namespace, (admitted, stage) => {
      let current = admitted;
      for (const policies of concerned) {
        const asked = { ...request, object: current };
        const seen = observed && !outcomes.has(policies) ? policies.mutation?.observe?.(asked, stage) : undefined;
        if (seen !== undefined) observed?.set(policies, seen.explanations);
        const mutation = seen ?? policies.mutation?.mutate(asked, stage);
        if (mutation === undefined) continue;
        // Record the first run only; later runs are for the variants of the object.
        if (!outcomes.has(policies)) {
          outcomes.set(policies, mutation);
          isRejected ||= mutation.outcome.denial !== undefined;
        }
        if (mutation.outcome.denial !== undefined) return admitted;
        current = mutation.object ?? current;
      }
      return current;
    });
    this.#stages.enter('convert');
    let writes: { readonly made: PolicyWrites | undefined } | undefined;
    const made = (): PolicyWrites | undefined => {
      const changes = [...outcomes.values()].flatMap((outcome) => outcome.changes);
      writes ??= { made: policyWrites(resource, changes) };
      return writes.made;
    };
    return { ...result, outcomes, isRejected, before: converted, writes: made };
  }

  #validateObject(passage: Passage): Passage {
    const { change, mutated } = passage;
    // An update that changes nothing gets the answer of a create, which is cached.
    const isUpdate = change.operation === 'UPDATE' && change.old !== change.resource;
    const old = isUpdate ? this.#replaced(change.old) : undefined;
    const {
      refusals: ofObject,
      warnings = [],
      stopped,
      missing = [],
      lateRefusals = [],
    } = mutated === undefined
      ? this.#validity(change.resource, old)
      : this.#validityOfMutated(change.resource, mutated, old);
    const isDeletion = change.operation === 'DELETE';
    for (const kind of isDeletion ? [] : missing) this.unknowns.addMissing(kind, change.resource);
    const mapping = this.#cluster.mappingFor(change.resource.gvk);
    const early = this.#requests.refusal(change, mapping, this.#namespaceOf(change.resource));
    // Plugins do not look at the object of a DELETE.
    const asked = isDeletion ? ofObject.filter(({ code }) => code !== 'forbidden-object') : ofObject;
    const refusals = early === undefined ? asked : [early, ...asked];
    const remarks = [...(mutated?.outcomes.values() ?? [])].flatMap((outcome) => outcome.remarks);
    const limits = limitDiagnostics(change.resource, [
      ...passage.diagnostics,
      ...(stopped === undefined ? [] : [stopped]),
      ...refusals,
      ...warnings,
    ]);
    const drifts = mutated === undefined || mutated.isRejected ? [] : this.#drifts(passage.change.resource, mutated);
    const diagnostics = [...limits, ...limitDiagnostics(passage.change.resource, drifts), ...remarks];
    return { ...passage, diagnostics, isRefused: refusals.length > 0, lateRefusals: isDeletion ? [] : lateRefusals };
  }

  #drifts(resource: Resource, { writes }: MutatedPassage): readonly Diagnostic[] {
    const { mutationDrift: severity } = this.#target;
    return severity === undefined ? [] : mutationDrift(resource, writes()?.writes ?? [], severity);
  }

  #refuse(passage: Passage): Passage {
    const { converted, isRefused } = passage;
    if (converted?.placeholder !== undefined) {
      return { ...passage, ending: { reason: 'placeholder', detail: converted.placeholder } };
    }
    if (!converted?.refused && !isRefused) return passage;
    const detail = 'the API server refuses it before it evaluates policies';
    return { ...passage, ending: { reason: 'refused-object', detail } };
  }

  #request(passage: Passage): Passage {
    const { change } = passage;
    const { resource } = change;
    const request = objectRequest({
      resource,
      ...requestedObjects(change, passage.converted as ConvertedObject, this.#stored),
      mapping: this.#cluster.mappingFor(resource.gvk),
      userInfo: this.#target.userInfo,
      namespace: this.#namespaceOf(resource),
      isNamespaceAssumed: this.#isNamespaceAssumed(resource),
    });
    return { ...passage, request };
  }

  #askPolicies(passage: Passage): Passage {
    const { request, mutated } = passage;
    if (request === undefined) return passage;
    this.#stages.enter('compile');
    for (const policies of this.#loaded) policies.prepare(request);
    this.#stages.enter('evaluate');
    const outcomes = this.#loaded.map((policies) => {
      const mutation = mutated?.outcomes.get(policies);
      if (mutation === undefined) return mutated?.isRejected ? UNASKED : policies.evaluate(request);
      const isDone = mutated?.isRejected || policies.mutation?.isFollowedByEvaluation !== true;
      return isDone ? mutation.outcome : joinedOutcome(mutation.outcome, policies.evaluate(request));
    });
    this.#stages.count('evaluate', 'requests', 1);
    this.#stages.enter('report');
    if (outcomes.every((outcome) => outcome.exempt)) {
      const detail = `${passage.change.resource.gvk.kind} objects are exempt from admission policies`;
      return { ...passage, ending: { reason: 'exempt-kind', detail } };
    }
    const prevented = this.#preventedDenials(passage, request, outcomes);
    const { dependsOn } = passage.change.resource.manifest;
    const known = dependsOn === undefined ? outcomes : outcomes.map((each) => conditionalOutcome(each, dependsOn));
    return { ...passage, outcomes: known, mutatedAway: prevented };
  }

  /** Evaluates the validating policies again, on the unmutated object. */
  #preventedDenials(
    { change, mutated }: Passage,
    request: AdmissionRequest,
    outcomes: readonly AdmissionOutcome[],
  ): Passage['mutatedAway'] {
    if (this.#target.explainsMutations !== true || mutated === undefined || mutated.isRejected) return undefined;
    if ([...mutated.outcomes.values()].every(({ changes }) => changes.length === 0)) return undefined;
    const { object, oldObject, invented } = requestedObjects(change, mutated.before, this.#stored);
    const unchanged = { ...request, object, oldObject, invented };
    return preventedDenials(
      this.#loaded.map((policies) => policies.evaluate(unchanged)),
      outcomes,
    );
  }

  /** Records the facts about the cluster that the result depends on and that the repository does not contain. */
  #tellUnknowns(resource: Resource): void {
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const aggregated = this.#aggregated.caveat(resource.gvk);
    if (aggregated !== undefined) this.unknowns.add(aggregated, resource);
    else if (mapping.origin === 'conventional' && !this.#isPolicy(resource)) this.unknowns.addUnknownKind(resource);
    if (this.#isNamespaceAssumed(resource)) {
      this.unknowns.addDefaultedNamespace(resource, this.#target.defaultNamespace);
    }
  }

  #isNamespaceAssumed({ gvk, namespace, manifest }: Resource): boolean {
    return namespace === '' && manifest.root === undefined && this.#cluster.mappingFor(gvk).namespaced;
  }

  #requested(change: ObjectChange): RequestedChange {
    const refusals = (resource: Resource, old?: Resource): readonly Diagnostic[] => {
      const converted = this.#convert(resource);
      return converted.refused ? converted.diagnostics : this.#validity(resource, old && this.#replaced(old)).refusals;
    };
    const isStored = (old: Resource): boolean =>
      unservedKind(old, this.#builtin, this.#cluster) === undefined &&
      !this.#convert(old).refused &&
      refusals(old).length === 0;
    return requestedChange(change, { isStored, refusals });
  }

  /** True for policies and bindings, which their language validates. */
  #isPolicy(resource: Resource): boolean {
    return this.#languages.some((language) => !language.acceptsObjects && language.accepts(resource));
  }

  /** Policies and bindings are validated by their language. */
  #validity(resource: Resource, old: ReplacedObject | undefined): ObjectValidity {
    if (this.#isPolicy(resource)) return VALID;
    const mapping = this.#cluster.mappingFor(resource.gvk);
    return this.#noted(resource, this.#converter.validate(resource, old, mapping, this.#namespaceOf(resource)));
  }

  /** The server skips validation after a rejected mutation. */
  #validityOfMutated(resource: Resource, passage: MutatedPassage, old: ReplacedObject | undefined): ObjectValidity {
    return passage.isRejected ? VALID : this.#noted(resource, passage.validity(old));
  }

  #noted(resource: Resource, validity: ObjectValidity): ObjectValidity {
    const { refusals, unknowns, isUnfinished } = validity;
    this.#isUnfinished ||= isUnfinished === true;
    if (refusals.length === 0) for (const sentence of unknowns) this.unknowns.add(sentence, resource);
    return validity;
  }

  #replaced(resource: Resource): ReplacedObject {
    return { resource, stored: () => this.#asCreated(resource) };
  }

  /** Policies also mutate an object when it is created. */
  #asCreated(resource: Resource): ConvertedObject {
    const plain = this.#convert(resource);
    const mutated = this.#mutated({ operation: 'CREATE', resource }, plain);
    return mutated === undefined || mutated.isRejected ? plain : mutated.converted;
  }

  /** The server converts the old object to the version of the request. */
  #inVersionOf(oldObject: JsonObject, resource: Resource, old: Resource): JsonObject {
    const converted = this.#cluster.convert(oldObject, old.gvk, resource.gvk);
    if (converted !== undefined) return converted;
    const versions = `from ${old.apiVersion} to ${resource.apiVersion}: policies see the old object as ${old.apiVersion}`;
    this.unknowns.add(`cannot convert ${old.gvk.kind} ${versions}`, resource);
    return oldObject;
  }

  #convert(resource: Resource): ConvertedObject {
    return this.#converter.convert(resource, this.#cluster.mappingFor(resource.gvk), this.#namespaceOf(resource));
  }

  #namespaceOf(resource: Resource): string {
    return requestNamespace(resource, this.#cluster.mappingFor(resource.gvk), this.#target.defaultNamespace);
  }
}

// Requests × policies → evaluations, for one target.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { AdmissionRequest, InventedFields, PossibleObjects } from '../kubernetes/admission-request.ts';
import { AggregatedApis } from '../kubernetes/cluster/aggregated-apis.ts';
import { RepositoryCluster } from '../kubernetes/cluster/repository-cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { BuiltinResources } from '../kubernetes/schema/resources.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type {
  AdmissionOutcome,
  LoadedPolicies,
  LoadedPolicy,
  MutationOutcome,
  PolicyEngine,
} from '../policy/policy-engine.ts';
import type { JsonObject } from '../source/json.ts';
import { objectOrEmpty, textField } from '../source/json-field.ts';
import type { ConvertedObject, MutatedObject, ObjectConverter } from './admission-object.ts';
import { limitDiagnostics } from './object-diagnostics.ts';
import { type ObjectChange, objectRequest, requestNamespace } from './object-request.ts';
import { unevaluatedPolicies } from './other-policies.ts';
import type { StageObserver } from './stages.ts';
import { asStored, COUNTERS, STATUS } from './stored-state.ts';
import type { Target, TargetEvaluation, Unevaluated } from './target.ts';
import { Unknowns } from './unknowns.ts';

/** Every evaluated resource is handed to `visit` in order and then let go, so that memory does not grow with the repository. */
export function evaluateTarget(
  target: Target,
  engines: readonly PolicyEngine[],
  converter: ObjectConverter,
  stages: StageObserver,
  visit: (evaluated: EvaluatedResource) => void,
): TargetEvaluation {
  const evaluator = new TargetEvaluator(target, engines, converter, stages);
  const diagnostics = [...evaluator.policyDiagnostics];
  const unevaluated: Unevaluated[] = [];
  let evaluated = 0;
  for (const resource of target.manifests) {
    const result = evaluator.evaluate({ operation: 'CREATE', resource });
    diagnostics.push(...result.diagnostics);
    if (result.evaluated === undefined) unevaluated.push(result.unevaluated);
    else {
      evaluated += 1;
      stages.progress(evaluated, target.manifests.length);
      visit(result.evaluated);
    }
  }
  return {
    target,
    policies: evaluator.policies,
    evaluated,
    unevaluated,
    diagnostics,
    unknowns: evaluator.unknowns,
  };
}

/** An object on its way through the policies that change it. */
interface Mutated extends MutatedObject {
  readonly outcomes: ReadonlyMap<LoadedPolicies, MutationOutcome>;
  readonly isRejected: boolean;
}

/** Of a language whose turn does not come, because another refused the request before. */
const UNASKED: AdmissionOutcome = {
  exempt: false,
  matched: [],
  evaluations: [],
  omitted: [],
  passed: 0,
  denial: undefined,
  warnings: [],
  auditAnnotations: new Map(),
  unknowns: [],
};

/** What the policies say about a change, or why they are not asked; and what the server would say of the object itself. */
export type ChangeEvaluation = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly evaluated: EvaluatedResource; readonly unevaluated?: undefined }
  | { readonly evaluated?: undefined; readonly unevaluated: Unevaluated }
);

/** The policies of a target, compiled once, and the cluster they decide in; asked about one change at a time. */
export class TargetEvaluator {
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns = new Unknowns();
  readonly #target: Target;
  readonly #engines: readonly PolicyEngine[];
  readonly #cluster: RepositoryCluster;
  readonly #aggregated: AggregatedApis;
  readonly #loaded: readonly LoadedPolicies[];
  readonly #converter: ObjectConverter;
  readonly #stages: StageObserver;
  /** Asked for more than once in one evaluation. */
  #lastStored: { readonly resource: Resource; readonly stored: ConvertedObject } | undefined;

  constructor(target: Target, engines: readonly PolicyEngine[], converter: ObjectConverter, stages: StageObserver) {
    stages.enter('compile');
    this.#target = target;
    this.#engines = engines;
    this.#converter = converter;
    this.#stages = stages;
    this.#cluster = new RepositoryCluster({
      version: target.kubernetesVersion,
      builtin: new BuiltinResources(target.kubernetesVersion.minor),
      resources: target.facts,
      stored: (resource, mapping) =>
        converter.convert(resource, mapping, requestNamespace(resource, mapping, target.defaultNamespace)).object,
      defaultNamespace: target.defaultNamespace,
      isComplete: target.isComplete ?? false,
      ...(target.accessRules && { accessRules: target.accessRules }),
      ...(target.featureGates && { featureGates: target.featureGates }),
    });
    this.#loaded = engines.map((engine) => engine.load(target.policies.filter(engine.accepts), this.#cluster));
    this.policies = this.#loaded.flatMap(({ policies }) => policies);
    stages.count('compile', 'policies', this.policies.length);
    this.#aggregated = new AggregatedApis(target.facts);
    for (const { unknowns = [] } of this.#loaded) for (const sentence of unknowns) this.unknowns.add(sentence);
    for (const sentence of unevaluatedPolicies(target.facts)) this.unknowns.add(sentence);
  }

  /** What is wrong with the policies themselves; compiles them all. */
  get policyDiagnostics(): readonly Diagnostic[] {
    this.#stages.enter('compile');
    return this.#loaded.flatMap(({ diagnostics }) => diagnostics);
  }

  /** Group, kind, namespace and name; undefined for objects whose name the server makes up. */
  identityOf(resource: Resource): string | undefined {
    if (resource.name === '') return undefined;
    const { group, kind } = resource.gvk;
    return [group, kind, this.#namespaceOf(resource), resource.name].join('\0');
  }

  evaluate(written: ObjectChange): ChangeEvaluation {
    this.#stages.enter('convert');
    const change = this.#asRequested(written);
    const { resource } = change;
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const plain = this.#convert(resource);
    const decodes = plain.placeholder === undefined && !plain.refused;
    const mutated = decodes && change.operation !== 'DELETE' ? this.#mutate(change, plain) : undefined;
    const converted = mutated?.converted ?? plain;
    const old = change.operation === 'UPDATE' ? change.old : undefined;
    const refusals = mutated === undefined ? this.#refusals(resource, old) : this.#mutatedRefusals(old, mutated);
    const remarks = [...(mutated?.outcomes.values() ?? [])].flatMap((outcome) => outcome.remarks);
    const diagnostics = [...limitDiagnostics(resource, [...plain.diagnostics, ...refusals]), ...remarks];
    if (converted.placeholder !== undefined) {
      return { diagnostics, unevaluated: { resource, reason: 'placeholder', detail: converted.placeholder } };
    }
    if (converted.refused || refusals.length > 0) {
      const detail = 'the API server refuses it before any policy';
      return { diagnostics, unevaluated: { resource, reason: 'refused-object', detail } };
    }
    const request = objectRequest({
      resource,
      ...this.#objectsOf(change, converted),
      mapping,
      userInfo: this.#target.userInfo,
      namespace: this.#namespaceOf(resource),
    });
    this.#stages.enter('compile');
    for (const policies of this.#loaded) policies.prepare(request);
    this.#stages.enter('evaluate');
    const outcomes = this.#loaded.map(
      (policies) =>
        mutated?.outcomes.get(policies)?.outcome ?? (mutated?.isRejected ? UNASKED : policies.evaluate(request)),
    );
    this.#stages.count('evaluate', 'requests', 1);
    this.#stages.enter('report');
    if (outcomes.every((outcome) => outcome.exempt)) {
      const detail = `${resource.gvk.kind} objects are exempt from admission policies`;
      return { diagnostics, unevaluated: { resource, reason: 'exempt-kind', detail } };
    }
    const aggregated = this.#aggregated.caveat(resource.gvk);
    if (aggregated !== undefined) this.unknowns.add(aggregated);
    else if (mapping.origin === 'conventional') this.unknowns.addUnknownKind(resource);
    if (mapping.namespaced && resource.namespace === '') {
      this.unknowns.addDefaultedNamespace(resource, this.#target.defaultNamespace);
    }
    for (const outcome of outcomes) for (const sentence of outcome.unknowns) this.unknowns.add(sentence);
    const changes = [...(mutated?.outcomes.values() ?? [])].flatMap((outcome) => outcome.changes);
    return { diagnostics, evaluated: { resource, request, outcomes, changes, isDefaulted: converted.isDefaulted } };
  }

  /** Undefined where no policy can change the object. */
  #mutate(change: Exclude<ObjectChange, { operation: 'DELETE' }>, plain: ConvertedObject): Mutated | undefined {
    const { resource } = change;
    if (this.#engines.some((engine) => engine.accepts(resource))) return undefined;
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const namespace = this.#namespaceOf(resource);
    const { operation, oldObject } = this.#objectsOf(change, plain);
    const { userInfo } = this.#target;
    const facts = { resource, operation, object: plain.object, oldObject, mapping, userInfo, namespace };
    // The name is made up later, in storing.
    const request: AdmissionRequest = { ...objectRequest(facts), name: resource.name };
    const concerned = this.#loaded.filter(({ mutation }) => mutation?.concerns(request) === true);
    if (concerned.length === 0) return undefined;
    this.#stages.enter('compile');
    for (const policies of concerned) policies.prepare(request);
    this.#stages.enter('evaluate');
    const outcomes = new Map<LoadedPolicies, MutationOutcome>();
    let isRejected = false;
    const { converted, validity } = this.#converter.mutated(resource, mapping, namespace, (object, stage) => {
      let current = object;
      for (const policies of concerned) {
        const outcome = policies.mutation?.mutate({ ...request, object: current }, stage);
        if (outcome === undefined) continue;
        // The first run is the one that is told of; those that follow are about what only a server knows.
        if (!outcomes.has(policies)) outcomes.set(policies, outcome);
        isRejected ||= outcome.outcome.denial !== undefined;
        if (outcome.outcome.denial !== undefined) return object;
        current = outcome.object ?? current;
      }
      return current;
    });
    this.#stages.enter('convert');
    return { converted, validity, outcomes, isRejected };
  }

  /** Who refuses the mutation refuses before anything is validated. */
  #mutatedRefusals(old: Resource | undefined, mutated: Mutated): readonly Diagnostic[] {
    if (mutated.isRejected) return [];
    const { refusals, unknowns } = mutated.validity(old);
    if (refusals.length === 0) for (const sentence of unknowns) this.unknowns.add(sentence);
    return refusals;
  }

  /** As creating it left it in the cluster. */
  #stored(resource: Resource): ConvertedObject {
    if (this.#lastStored?.resource !== resource) this.#lastStored = { resource, stored: this.#createdAs(resource) };
    return this.#lastStored.stored;
  }

  #createdAs(resource: Resource): ConvertedObject {
    const plain = this.#convert(resource);
    if (plain.refused || plain.placeholder !== undefined) return plain;
    const mutated = this.#mutate({ operation: 'CREATE', resource }, plain);
    return mutated === undefined || mutated.isRejected ? plain : mutated.converted;
  }

  /** What the server refused then is not in the cluster now. */
  #asRequested(change: ObjectChange): ObjectChange {
    if (change.operation !== 'UPDATE') return change;
    const { resource, old } = change;
    const wasTaken = !this.#convert(old).refused && this.#refusals(old, undefined).length === 0;
    return wasTaken ? change : { operation: 'CREATE', resource };
  }

  /** Empty for policies and bindings, which their engine validates. */
  #refusals(resource: Resource, old: Resource | undefined): readonly Diagnostic[] {
    if (this.#engines.some((engine) => engine.accepts(resource))) return [];
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const validity = this.#converter.validate(resource, old, mapping, this.#namespaceOf(resource));
    if (validity.refusals.length === 0) for (const sentence of validity.unknowns) this.unknowns.add(sentence);
    return validity.refusals;
  }

  #objectsOf(
    change: ObjectChange,
    converted: ConvertedObject,
  ): Pick<AdmissionRequest, 'object' | 'oldObject'> & Pick<ObjectChange, 'operation'> & { invented: InventedFields } {
    const { object, invented: paths } = converted;
    if (change.operation === 'CREATE') {
      const place = (created: JsonObject) => ({ object: created, oldObject: null });
      const possible = () => converted.possible().map((each) => ({ name: nameIn(each), ...place(each) }));
      return { operation: 'CREATE', ...place(object), invented: { paths, possible } };
    }
    const unseen = converted.hasServerStatus ? [STATUS] : [];
    if (change.operation === 'DELETE') {
      const stored = this.#stored(change.resource);
      const [oldObject = object] = asStored([stored.object], 'before');
      const possible = () =>
        asStored(stored.possible(), 'before').map((each) => ({ name: nameIn(each), object: null, oldObject: each }));
      const invented = { paths: [...paths, ...COUNTERS], unseen, possible };
      return { operation: 'DELETE', object: null, oldObject, invented };
    }
    const old = this.#stored(change.old);
    const oldObjects = (objects: readonly JsonObject[]): readonly JsonObject[] =>
      asStored(objects, 'before').map((each) => this.#inVersionOf(change, each));
    const possible = (): readonly PossibleObjects[] => {
      const before = oldObjects(old.possible());
      return asStored(converted.possible(), 'after').map((updated, index) => ({
        name: nameIn(updated),
        object: updated,
        oldObject: before[index] as JsonObject,
      }));
    };
    const [updated = object] = asStored([object], 'after');
    const [oldObject = old.object] = oldObjects([old.object]);
    const invented = { paths: [...paths, ...old.invented, ...COUNTERS], unseen, possible };
    return { operation: 'UPDATE', object: updated, oldObject, invented };
  }

  /** The server hands out the old object in the version of the request. */
  #inVersionOf({ resource, old }: Extract<ObjectChange, { operation: 'UPDATE' }>, oldObject: JsonObject): JsonObject {
    const converted = this.#cluster.convert(oldObject, old.gvk, resource.gvk);
    if (converted !== undefined) return converted;
    this.unknowns.add(
      `what a ${old.gvk.kind} is as ${resource.apiVersion} is not known here: policies see its old object as ${old.apiVersion}`,
    );
    return oldObject;
  }

  #convert(resource: Resource): ConvertedObject {
    return this.#converter.convert(resource, this.#cluster.mappingFor(resource.gvk), this.#namespaceOf(resource));
  }

  #namespaceOf(resource: Resource): string {
    return requestNamespace(resource, this.#cluster.mappingFor(resource.gvk), this.#target.defaultNamespace);
  }
}

function nameIn(object: JsonObject): string {
  return textField(objectOrEmpty(object.get('metadata')), 'name');
}

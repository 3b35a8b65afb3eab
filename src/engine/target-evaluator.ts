// The policies of a target, compiled once, and the cluster they decide in; asked about one change at a time.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { AggregatedApis } from '../kubernetes/cluster/aggregated-apis.ts';
import { RepositoryCluster } from '../kubernetes/cluster/repository-cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { BuiltinResources } from '../kubernetes/schema/resources.ts';
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { LoadedPolicies, LoadedPolicy, PolicyLanguage } from '../policy/policy-language.ts';
import type { JsonObject } from '../source/json.ts';
import type { ConvertedObject, ObjectConverter } from './admission-object.ts';
import { type ChainStages, type Passage, passThrough } from './chain.ts';
import { limitDiagnostics } from './object-diagnostics.ts';
import { type ObjectChange, objectRequest, requestNamespace } from './object-request.ts';
import { unevaluatedPolicies } from './other-policies.ts';
import { unservedKind } from './served-kinds.ts';
import type { StageObserver } from './stages.ts';
import type { Target, Unevaluated } from './target.ts';
import { Unknowns } from './unknowns.ts';
import { requestedObjects, type StoredObjects } from './worlds.ts';

/** What the policies say about a change, or why they are not asked; and what the server would say of the object itself. */
export type ChangeEvaluation = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly evaluated: EvaluatedResource; readonly unevaluated?: undefined }
  | { readonly evaluated?: undefined; readonly unevaluated: Unevaluated }
);

export class TargetEvaluator {
  readonly policies: readonly LoadedPolicy[];
  readonly unknowns = new Unknowns();
  readonly #target: Target;
  readonly #languages: readonly PolicyLanguage[];
  readonly #builtin: BuiltinResources;
  readonly #cluster: RepositoryCluster;
  readonly #aggregated: AggregatedApis;
  readonly #loaded: readonly LoadedPolicies[];
  readonly #converter: ObjectConverter;
  readonly #stages: StageObserver;
  readonly #chain: ChainStages = {
    findResource: (passage) => this.#findResource(passage),
    decode: (passage) => this.#decode(passage),
    validateObject: (passage) => this.#validateObject(passage),
    refuse: (passage) => this.#refuse(passage),
    request: (passage) => this.#request(passage),
    askPolicies: (passage) => this.#askPolicies(passage),
  };
  /** Objects as the cluster holds them before an update. */
  readonly #stored: StoredObjects = {
    convert: (resource) => this.#convert(resource),
    inVersionOf: (written, resource, old) => this.#inVersionOf(written, resource, old),
  };

  constructor(target: Target, languages: readonly PolicyLanguage[], converter: ObjectConverter, stages: StageObserver) {
    stages.enter('compile');
    this.#target = target;
    this.#languages = languages;
    this.#converter = converter;
    this.#stages = stages;
    this.#builtin = new BuiltinResources(target.kubernetesVersion.minor);
    this.#cluster = new RepositoryCluster({
      version: target.kubernetesVersion,
      builtin: this.#builtin,
      resources: target.facts,
      stored: (resource, mapping) =>
        converter.convert(resource, mapping, requestNamespace(resource, mapping, target.defaultNamespace)).object,
      defaultNamespace: target.defaultNamespace,
      isComplete: false,
      ...(target.accessRules && { accessRules: target.accessRules }),
    });
    this.#loaded = languages.map((language) => language.load(target.policies.filter(language.accepts), this.#cluster));
    this.policies = this.#loaded.flatMap(({ policies }) => policies);
    stages.count('compile', 'policies', this.policies.length);
    this.#aggregated = new AggregatedApis(target.facts);
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
    const { diagnostics, ending, request, outcomes, converted } = passThrough(change, this.#chain);
    if (ending !== undefined || request === undefined || outcomes === undefined || converted === undefined) {
      return { diagnostics, unevaluated: { resource, ...(ending as NonNullable<typeof ending>) } };
    }
    this.#tellUnknowns(resource);
    for (const outcome of outcomes) for (const sentence of outcome.unknowns) this.unknowns.add(sentence);
    return { diagnostics, evaluated: { resource, request, outcomes, isDefaulted: converted.isDefaulted } };
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

  #validateObject(passage: Passage): Passage {
    const { change } = passage;
    const refusals = this.#refusals(change.resource, change.operation === 'UPDATE' ? change.old : undefined);
    const diagnostics = limitDiagnostics(change.resource, [...passage.diagnostics, ...refusals]);
    return { ...passage, diagnostics, isRefused: refusals.length > 0 };
  }

  #refuse(passage: Passage): Passage {
    const { converted, isRefused } = passage;
    if (converted?.placeholder !== undefined) {
      return { ...passage, ending: { reason: 'placeholder', detail: converted.placeholder } };
    }
    if (!converted?.refused && !isRefused) return passage;
    const detail = 'the API server refuses it before any policy';
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
    });
    return { ...passage, request };
  }

  #askPolicies(passage: Passage): Passage {
    const { request } = passage;
    if (request === undefined) return passage;
    this.#stages.enter('compile');
    for (const policies of this.#loaded) policies.prepare(request);
    this.#stages.enter('evaluate');
    const outcomes = this.#loaded.map((policies) => policies.evaluate(request));
    this.#stages.count('evaluate', 'requests', 1);
    this.#stages.enter('report');
    if (outcomes.every((outcome) => outcome.exempt)) {
      const detail = `${passage.change.resource.gvk.kind} objects are exempt from admission policies`;
      return { ...passage, ending: { reason: 'exempt-kind', detail } };
    }
    return { ...passage, outcomes };
  }

  /** What of an evaluated object rests on what the repository does not tell. */
  #tellUnknowns(resource: Resource): void {
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const aggregated = this.#aggregated.caveat(resource.gvk);
    if (aggregated !== undefined) this.unknowns.add(aggregated);
    else if (mapping.origin === 'conventional' && !this.#isPolicy(resource)) this.unknowns.addUnknownKind(resource);
    if (mapping.namespaced && resource.namespace === '') {
      this.unknowns.addDefaultedNamespace(resource, this.#target.defaultNamespace);
    }
  }

  /** What the server refused then is not in the cluster now. */
  #asRequested(change: ObjectChange): ObjectChange {
    if (change.operation !== 'UPDATE') return change;
    const { resource, old } = change;
    const isServed = unservedKind(old, this.#builtin, this.#cluster) === undefined;
    const wasTaken = isServed && !this.#convert(old).refused && this.#refusals(old, undefined).length === 0;
    return wasTaken ? change : { operation: 'CREATE', resource };
  }

  /** Policies and bindings: their language knows what they are. */
  #isPolicy(resource: Resource): boolean {
    return this.#languages.some((language) => !language.acceptsObjects && language.accepts(resource));
  }

  /** Empty for policies and bindings, which their language validates. */
  #refusals(resource: Resource, old: Resource | undefined): readonly Diagnostic[] {
    if (this.#isPolicy(resource)) return [];
    const mapping = this.#cluster.mappingFor(resource.gvk);
    const validity = this.#converter.validate(resource, old, mapping, this.#namespaceOf(resource));
    if (validity.refusals.length === 0) for (const sentence of validity.unknowns) this.unknowns.add(sentence);
    return validity.refusals;
  }

  /** The server hands out the old object in the version of the request. */
  #inVersionOf(oldObject: JsonObject, resource: Resource, old: Resource): JsonObject {
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

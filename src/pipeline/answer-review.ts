// Answers AdmissionReview objects with given policies and cluster objects. Pure: reads no files and prints nothing.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { typedConverter } from '../engine/conversion/typed-converter.ts';
import type { ObjectConverter } from '../engine/object/admission-object.ts';
import { requestNamespace } from '../engine/object/object-request.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../kubernetes/api/version.ts';
import { RepositoryCluster } from '../kubernetes/cluster/repository-cluster.ts';
import type { AdmissionRequest } from '../kubernetes/request/admission-request.ts';
import { readAdmissionReview } from '../kubernetes/request/admission-review.ts';
import { RunBudget } from '../kubernetes/request/run-budget.ts';
import { builtinResources } from '../kubernetes/schema/resources.ts';
import { joinedOutcome, UNASKED } from '../policy/evaluation/joined-outcome.ts';
import type { AdmissionOutcome, Denial, LoadedPolicies, RecordedDecision } from '../policy/language/policy-language.ts';
import { editsBetween, type PatchStep, patchSteps } from '../source/edit/json-edit.ts';
import { compareUtf8, type JsonObject, type JsonValue, stringifyJson } from '../source/json/json.ts';
import { LANGUAGES } from './state/languages.ts';

export interface ReviewerOptions {
  /** Policies and bindings, and all other objects of the cluster: params, Namespaces, CustomResourceDefinitions, RBAC objects. */
  readonly resources: readonly Resource[];
  readonly kubernetesVersion: KubernetesVersion;
}

export type ReviewAnswer =
  | {
      readonly review: JsonObject;
      /** What the response cannot decide, one sentence each. */
      readonly unknowns: readonly string[];
    }
  | { readonly error: string };

/**
 * Compiles the policies once. Treats the resources as the complete cluster, except for Namespaces: requests come from a server that has
 * checked theirs, so a Namespace that is not among the resources exists without labels.
 */
export class Reviewer {
  readonly #loaded: readonly LoadedPolicies[];
  readonly #converter: ObjectConverter;

  constructor({ resources, kubernetesVersion }: ReviewerOptions) {
    const converter = typedConverter({ kubernetesVersion, facts: resources });
    this.#converter = converter;
    const cluster = new RepositoryCluster({
      version: kubernetesVersion,
      builtin: builtinResources(kubernetesVersion.minor),
      resources,
      stored: (resource, mapping) =>
        converter.convert(resource, mapping, requestNamespace(resource, mapping, 'default')).object,
      defaultNamespace: 'default',
      isComplete: true,
      // The server's own limits bound each review. The number of reviews is not limited.
      work: new RunBudget(Number.POSITIVE_INFINITY),
    });
    this.#loaded = LANGUAGES.map((language) => language.load(resources.filter(language.accepts), cluster));
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#loaded.flatMap(({ diagnostics }) => diagnostics);
  }

  get boundPolicies(): number {
    return this.#loaded.flatMap(({ policies }) => policies).filter(({ bindings }) => bindings > 0).length;
  }

  /** `withDecisions` adds every decision as `decisions`, beside `response`. */
  answer(value: JsonValue, withDecisions: boolean): ReviewAnswer {
    const review = readAdmissionReview(value);
    if ('error' in review) return review;
    const decisions: JsonValue[] = [];
    const record = (decision: RecordedDecision): void => void decisions.push(decisionObject(decision));
    const { request, outcomes: mutations, unknowns: unsettled } = this.#mutated(review.request);
    const isRefused = [...mutations.values()].some(({ denial }) => denial !== undefined);
    const outcomes = this.#loaded.map((policies) => {
      const mutation = mutations.get(policies);
      if (isRefused || (mutation !== undefined && policies.mutation?.isFollowedByEvaluation !== true)) {
        return mutation ?? UNASKED;
      }
      const judged = policies.evaluate(request, withDecisions ? record : undefined);
      return mutation === undefined ? judged : joinedOutcome(mutation, judged);
    });
    const patch = isRefused ? [] : patchSteps(editsBetween(review.request.object, request.object));
    const fields = new Map<string, JsonValue>([
      ['kind', 'AdmissionReview'],
      ['apiVersion', 'admission.k8s.io/v1'],
      ['response', responseObject(review.uid, outcomes, patch)],
    ]);
    if (withDecisions) fields.set('decisions', decisions);
    const undecided = outcomes.flatMap(({ evaluations }) => evaluations.filter(({ result }) => result === 'unknown'));
    const unknowns = new Set([
      ...unsettled,
      ...undecided.flatMap(({ policy, missing }) => missing.map((text) => `${policy.name}: ${text}`)),
    ]);
    return { review: fields, unknowns: [...unknowns] };
  }

  /** The request with the object as mutating policies leave it. Later policies see this one. */
  #mutated(asked: AdmissionRequest): {
    readonly request: AdmissionRequest;
    readonly outcomes: ReadonlyMap<LoadedPolicies, AdmissionOutcome>;
    readonly unknowns: readonly string[];
  } {
    const outcomes = new Map<LoadedPolicies, AdmissionOutcome>();
    const stage = {
      patchTarget: (kind: AdmissionRequest['kind']) => this.#converter.patchTarget(kind),
      // The server that sent the review runs its other plugins again itself.
      admitAgain: (again: JsonObject) => again,
    };
    let request = asked;
    for (const policies of this.#loaded) {
      if (request.object === null || policies.mutation?.concerns(request) !== true) continue;
      const { object, outcome } = policies.mutation.mutate(request, stage);
      outcomes.set(policies, outcome);
      if (outcome.denial !== undefined) break;
      request = { ...request, object };
    }
    return { request, outcomes, unknowns: [...outcomes.values()].flatMap(({ unknowns }) => unknowns) };
  }
}

/** `admission/v1 AdmissionResponse` with fields in the order in which Go writes them; empty fields are omitted. */
function responseObject(uid: string, outcomes: readonly AdmissionOutcome[], patch: readonly PatchStep[]): JsonObject {
  const denial = outcomes.find((outcome) => outcome.denial !== undefined)?.denial;
  const warnings = outcomes.flatMap((outcome) => outcome.warnings);
  const auditAnnotations = new Map(outcomes.flatMap((outcome) => [...outcome.auditAnnotations]));
  const fields = new Map<string, JsonValue>([
    ['uid', uid],
    ['allowed', denial === undefined],
  ]);
  if (denial !== undefined) fields.set('status', statusObject(denial));
  if (patch.length > 0 && denial === undefined) {
    const steps = patch.map(({ op, path, value }): JsonObject => {
      const step = new Map<string, JsonValue>([
        ['op', op],
        ['path', path],
      ]);
      return value === undefined ? step : step.set('value', value);
    });
    fields.set('patch', base64(stringifyJson(steps, { sortKeys: false, escapeHtml: true })));
    fields.set('patchType', 'JSONPatch');
  }
  if (auditAnnotations.size > 0) {
    fields.set('auditAnnotations', new Map([...auditAnnotations].sort(([a], [b]) => compareUtf8(a, b))));
  }
  if (warnings.length > 0) fields.set('warnings', warnings);
  return fields;
}

/** Encodes the text's UTF-8 bytes. */
function base64(text: string): string {
  return btoa(new TextEncoder().encode(text).reduce((bytes, byte) => bytes + String.fromCharCode(byte), ''));
}

/** `meta/v1 Status`. */
function statusObject({ message, reason, code, details }: Denial): JsonObject {
  const shown = new Map<string, JsonValue>();
  if (details.name !== '') shown.set('name', details.name);
  if (details.group !== '') shown.set('group', details.group);
  shown.set('kind', details.kind);
  shown.set('causes', [new Map([['message', details.cause]])]);
  return new Map<string, JsonValue>([
    ['metadata', new Map()],
    ['status', 'Failure'],
    ['message', message],
    ['reason', reason],
    ['details', shown],
    ['code', BigInt(code)],
  ]);
}

function decisionObject(decision: RecordedDecision): JsonObject {
  const { policy, binding, param, index, action, evaluation, reason, message } = decision;
  return new Map<string, JsonValue>([
    ['policy', policy.name],
    ['binding', binding?.name ?? null],
    ['param', param === undefined ? null : paramObject(param)],
    ['index', BigInt(index)],
    ['action', action],
    ['evaluation', evaluation],
    ['reason', reason],
    ['message', message],
  ]);
}

function paramObject(param: Resource): JsonObject {
  return new Map<string, JsonValue>([
    ['apiVersion', param.apiVersion],
    ['kind', param.gvk.kind],
    ...(param.namespace === '' ? [] : [['namespace', param.namespace] as const]),
    ['name', param.name],
  ]);
}

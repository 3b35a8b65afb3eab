// Answers a recorded line about mutations: from policy and request to the object after each mutation.

import { recurringKind } from '../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../src/kubernetes/cel/admission-environment.ts';
import { isSameJson } from '../../src/kubernetes/custom-resource/object/json-equality.ts';
import { BuiltinMergeTypes } from '../../src/kubernetes/patch/builtin-merge-type.ts';
import { HostContainers } from '../../src/kubernetes/patch/host-containers.ts';
import { UNTYPED_DEDUCED } from '../../src/kubernetes/patch/merge-type.ts';
import type { PatchTarget } from '../../src/kubernetes/patch/patch-target.ts';
import { typedPatchTarget } from '../../src/kubernetes/patch/typed-patch-target.ts';
import { untypedPatchTarget } from '../../src/kubernetes/patch/untyped-patch-target.ts';
import type { AdmissionRequest, MatchedRequest } from '../../src/kubernetes/request/admission-request.ts';
import { readAdmissionReview } from '../../src/kubernetes/request/admission-review.ts';
import { RunBudget } from '../../src/kubernetes/request/run-budget.ts';
import type { KindCompletion } from '../../src/kubernetes/schema/admission-object.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { compileMutations } from '../../src/policy/admission/mutating/compiled-policy.ts';
import { readMutatingPolicy } from '../../src/policy/admission/mutating/mutating-policy.ts';
import { type MutationPhase, type MutationResult, Mutator } from '../../src/policy/admission/mutating/mutator.ts';
import { NamespaceObject } from '../../src/policy/expression/namespace-object.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** Sets no defaults. */
const AS_DECODED: Pick<KindCompletion, 'complete' | 'isComplete' | 'lossOf'> = {
  complete: () => {},
  // Recorded objects come from Go's types, so a patch converts only its own changes.
  isComplete: () => true,
  lossOf: () => undefined,
};

/** The recording uses client-go's scheme, which has no defaults. */
const catalog = new SchemaCatalog(36);
const mergeTypes = new BuiltinMergeTypes();

/** `text` is one line of the file; its numbers distinguish integers from doubles. */
export function answerMap(text: string): Readonly<Record<string, unknown>> {
  const [manifest] = readManifests(new SourceFile('line.json', text)).manifests;
  if (manifest === undefined || !isJsonObject(manifest.value)) throw new Error('the line is no JSON object');
  const line = manifest.value;
  const gvk = recurringKind('admissionregistration.k8s.io', 'v1', '');
  const policy = readMutatingPolicy(new Resource(manifest, ['policy'], gvk, objectOrEmpty(line.get('policy'))));
  const environments = new AdmissionEnvironments(
    parseKubernetesVersion(textField(line, 'kubernetes')) ?? DEFAULT_VERSION,
  );
  const mutator = new Mutator(policy, compileMutations(policy, 'stored', environments), new RunBudget());
  const request = requestOf(line);
  const run = new Run(mutator, line, request);
  const first = run.invoke(request.object);
  const isChanged = first.final !== null && !isSameJson(first.final, request.object ?? null);
  const again = policy.reinvocationPolicy === 'IfNeeded' && isChanged ? run.invoke(first.final) : undefined;
  return { id: textField(line, 'id'), ...first, ...(again && { reinvoked: again.answer }) };
}

interface Invocation {
  readonly matchConditions: unknown;
  readonly steps: readonly unknown[];
  readonly aborted?: boolean;
  readonly final: JsonObject | null;
}

class Run {
  readonly #mutator: Mutator;
  readonly #line: JsonObject;
  readonly #request: AdmissionRequest;
  readonly #target: PatchTarget;

  constructor(mutator: Mutator, line: JsonObject, request: AdmissionRequest) {
    this.#mutator = mutator;
    this.#line = line;
    this.#request = request;
    this.#target = targetOf(request);
  }

  invoke(input: JsonObject | null): Invocation & { readonly answer: Invocation } {
    const conditions = this.#conditions(input);
    if (conditions !== null && !conditions.matches)
      return withAnswer({ matchConditions: conditions, steps: [], final: input });
    const steps: unknown[] = [];
    let object = input;
    for (const [index] of this.#mutator.policy.mutations.entries()) {
      const result = this.#mutator.mutate(index, this.#subject(object), this.#target);
      steps.push(stepOf(result));
      if ('fault' in result || 'panic' in result) {
        return withAnswer({ matchConditions: conditions, steps, aborted: true, final: null });
      }
      if ('object' in result) object = result.object;
    }
    return withAnswer({ matchConditions: conditions, steps, final: object });
  }

  #conditions(object: JsonObject | null): { readonly matches: boolean; readonly error?: string } | null {
    if (this.#mutator.policy.matchConditions.length === 0) return null;
    const outcome = this.#mutator.match(this.#subject(object));
    if ('error' in outcome) return { matches: false, error: outcome.error };
    if (outcome.matches) return { matches: true };
    const failed = outcome.index === undefined ? undefined : this.#mutator.policy.matchConditions[outcome.index]?.name;
    return { matches: false, ...(failed !== undefined && { failedCondition: failed }) };
  }

  #subject(object: JsonObject | null) {
    const request = { ...this.#request, object };
    const matched: MatchedRequest = { request, matchedKind: request.kind, matchedResource: request.resource };
    const namespace = objectField(this.#line, 'namespaceObject');
    const decision = textField(this.#line, 'authorizer') === 'allow' ? ('allow' as const) : ('noOpinion' as const);
    return {
      matched,
      params: objectField(this.#line, 'params') ?? null,
      namespace: namespace === undefined ? null : new NamespaceObject(namespace),
      authorization: () => ({ check: () => ({ decision, reason: '' }) }),
      hosts: new HostContainers(),
      spend: () => {},
    };
  }
}

function withAnswer(invocation: Invocation): Invocation & { readonly answer: Invocation } {
  return Object.defineProperty({ ...invocation }, 'answer', { value: invocation, enumerable: false }) as Invocation & {
    readonly answer: Invocation;
  };
}

function stepOf(result: MutationResult): unknown {
  if ('object' in result) return { patched: result.object };
  if ('panic' in result) return { panic: result.panic };
  if ('fault' in result) {
    const message = `Internal error occurred: ${result.fault}`;
    return { error: message, errorType: '*errors.StatusError', status: { code: 500n, reason: 'InternalError' } };
  }
  return { error: result.error, errorType: GO_ERRORS[result.phase] };
}

/** The recording names the Go type of each error. */
const GO_ERRORS: Readonly<Record<MutationPhase, string>> = {
  compile: '*errors.joinError',
  evaluate: '*cel.Error',
  patch: '*fmt.wrapError',
  convert: '*errors.errorString',
};

function targetOf({ kind }: AdmissionRequest): PatchTarget {
  const struct = catalog.structForKind(kind);
  if (struct === undefined) return untypedPatchTarget(UNTYPED_DEDUCED, () => {});
  return typedPatchTarget({ gvk: kind, struct, mergeType: mergeTypes.of(struct), ...AS_DECODED });
}

function requestOf(line: JsonObject): AdmissionRequest {
  const review = new Map<string, JsonValue>([
    ['apiVersion', 'admission.k8s.io/v1'],
    ['kind', 'AdmissionReview'],
    ['request', line.get('request') ?? null],
  ]);
  const read = readAdmissionReview(review);
  if ('error' in read) throw new Error(read.error);
  return read.request;
}

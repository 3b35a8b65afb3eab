// Answers a recorded line about admission: from policy, request, params and namespace to decisions and audit annotations.

import { recurringKind } from '../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../src/kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../src/kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, MatchedRequest } from '../../src/kubernetes/request/admission-request.ts';
import { readAdmissionReview } from '../../src/kubernetes/request/admission-review.ts';
import { RunBudget } from '../../src/kubernetes/request/run-budget.ts';
import { labelsOf } from '../../src/kubernetes/selector/label-selector.ts';
import { compilePolicy } from '../../src/policy/admission/validating/compiled-policy.ts';
import { readValidatingPolicy } from '../../src/policy/admission/validating/validating-policy.ts';
import { Validator } from '../../src/policy/admission/validating/validator.ts';
import { NamespaceObject } from '../../src/policy/expression/namespace-object.ts';
import { readMatchResources } from '../../src/policy/matching/match-resources.ts';
import { type MatchOutcome, matchRequest } from '../../src/policy/matching/matcher.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

export interface VapAnswer {
  readonly id: string;
  readonly decisions: readonly {
    readonly action: string;
    readonly evaluation: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly auditAnnotations: readonly {
    readonly key: string;
    readonly action: string;
    readonly value: string;
    readonly error: string;
  }[];
}

/** Compiled policies by their text, because many lines share a policy. */
export type PolicyCache = Map<string, Validator>;

/** `text` is one line of the file; its numbers distinguish integers from doubles. */
export function answerVap(text: string, cache: PolicyCache = new Map()): VapAnswer {
  const file = new SourceFile('line.json', text);
  const [manifest] = readManifests(file).manifests;
  if (manifest === undefined || !isJsonObject(manifest.value)) throw new Error('the line is no JSON object');
  const line = manifest.value;
  const policy = objectOrEmpty(line.get('policy'));
  const version = textField(line, 'kubernetes');
  const key = `${version} ${JSON.stringify([...policy], replacer)}`;
  let validator = cache.get(key);
  if (validator === undefined) {
    const read = readValidatingPolicy(
      new Resource(manifest, ['policy'], recurringKind('admissionregistration.k8s.io', 'v1', ''), policy),
    );
    const environments = new AdmissionEnvironments(parseKubernetesVersion(version) ?? DEFAULT_VERSION);
    const compiled = compilePolicy(read, 'stored', environments);
    validator = new Validator(read, compiled, new RunBudget());
    cache.set(key, validator);
  }
  const request = requestOf(line);
  const decision = textField(line, 'authorizer') === 'allow' ? 'allow' : 'noOpinion';
  const matched: MatchedRequest = { request, matchedKind: request.kind, matchedResource: request.resource };
  const namespace = objectField(line, 'namespaceObject');
  const result = validator.validate(
    matched,
    objectField(line, 'params') ?? null,
    namespace === undefined ? null : new NamespaceObject(namespace),
    () => ({ check: () => ({ decision, reason: '' }) }),
  );
  return {
    id: textField(line, 'id'),
    decisions: result.decisions.map(({ action, evaluation, reason, message }) => ({
      action,
      evaluation,
      reason,
      message,
    })),
    auditAnnotations: result.auditAnnotations.map(({ key: name, action, value, error }) => ({
      key: name,
      action,
      value,
      error,
    })),
  };
}

/** True if the line's policy matches its request; undefined without matchConstraints, which the recording reports as an error. */
export function answerMatch(line: JsonObject): MatchOutcome | undefined {
  const constraints = objectField(objectOrEmpty(objectOrEmpty(line.get('policy')).get('spec')), 'matchConstraints');
  if (constraints === undefined) return undefined;
  const namespace = objectField(line, 'namespaceObject') ?? new Map();
  const cluster: Pick<Cluster, 'namespace' | 'equivalentResources' | 'kindFor'> = {
    namespace: () => ({ object: namespace, resource: undefined, labels: labelsOf(namespace), isClaimed: false, openPaths: [] }),
    equivalentResources: () => [],
    kindFor: () => undefined,
  };
  return matchRequest(readMatchResources(constraints), requestOf(line), cluster as Cluster);
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

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map ? [...value] : value;
}

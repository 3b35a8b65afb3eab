// Applies mutating policies to one request, in a cluster of its own.
import { parse } from 'yaml';
import { type Resource, resourcesOf } from '../../../../src/kubernetes/api/resource.ts';
import { RepositoryCluster } from '../../../../src/kubernetes/cluster/repository-cluster.ts';
import { BuiltinMergeTypes } from '../../../../src/kubernetes/patch/builtin-merge-type.ts';
import { typedPatchTarget } from '../../../../src/kubernetes/patch/typed-patch-target.ts';
import type { AdmissionRequest } from '../../../../src/kubernetes/request/admission-request.ts';
import type { KindCompletion } from '../../../../src/kubernetes/schema/admission-object.ts';
import { decodeTyped } from '../../../../src/kubernetes/schema/decode.ts';
import { BuiltinResources } from '../../../../src/kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../../../src/kubernetes/schema/schema-catalog.ts';
import { mutatingLanguage } from '../../../../src/policy/admission/mutating/mutating-language.ts';
import type { MutationOutcome } from '../../../../src/policy/language/policy-language.ts';
import type { JsonObject, JsonValue } from '../../../../src/source/json/json.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

/** Adds no defaults. Remembers decoded objects, so that the next patch converts only its own changes. */
const decodedObjects = new WeakSet<JsonObject>();
const AS_DECODED: Pick<KindCompletion, 'complete' | 'isComplete' | 'lossOf'> = {
  complete: (object) => decodedObjects.add(object),
  isComplete: (object) => decodedObjects.has(object),
  lossOf: () => undefined,
};

export interface WrittenPolicy {
  /** One expression per mutation. Those that start with `[` or contain `JSONPatch` are JSON patches, unless `types` overrides that. */
  readonly mutations: readonly string[];
  readonly types?: readonly ('ApplyConfiguration' | 'JSONPatch')[];
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchConditions?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly objectSelector?: Readonly<Record<string, string>>;
  readonly operations?: readonly string[];
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  /** `spec` of each binding, without policyName. */
  readonly bindings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface WrittenRequest {
  /** By name. */
  readonly policies: Readonly<Record<string, WrittenPolicy>>;
  /** YAML. */
  readonly object: string;
  readonly oldObject?: string;
  readonly operation?: AdmissionRequest['operation'];
  /** YAML of further objects in the cluster. */
  readonly cluster?: string;
}

export type Answer =
  | { readonly object: unknown }
  | { readonly code: number; readonly reason: string; readonly message: string };

const catalog = new SchemaCatalog(36);
const mergeTypes = new BuiltinMergeTypes();
const VERSION = { major: 1, minor: 36 };

/** Adds no defaults, so that only mutations change the object. */
export function mutateOnce(request: WrittenRequest): MutationOutcome {
  const facts = resources(request.cluster ?? '');
  const policies = resources(Object.entries(request.policies).flatMap(policyTexts).join('---\n'));
  const cluster = new RepositoryCluster({
    version: VERSION,
    builtin: new BuiltinResources(36),
    resources: [...facts, ...policies],
    stored: ({ value }) => value,
    defaultNamespace: 'default',
    isComplete: true,
    accessRules: [],
  });
  const [object] = resources(request.object) as [Resource];
  const [old] = request.oldObject === undefined ? [] : resources(request.oldObject);
  const loaded = mutatingLanguage({ areStored: true }).load(policies, cluster);
  const mapping = cluster.mappingFor(object.gvk);
  const admission: AdmissionRequest = {
    operation: request.operation ?? 'CREATE',
    kind: object.gvk,
    resource: mapping.resource,
    subResource: '',
    name: object.name,
    namespace: mapping.namespaced ? 'default' : '',
    object: request.operation === 'DELETE' ? null : decoded(object),
    oldObject: old === undefined ? null : decoded(old),
    options: null,
    dryRun: false,
    userInfo: { username: 'alice', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() },
  };
  const outcome = loaded.mutation?.mutate(admission, {
    admitAgain: (again) => again,
    patchTarget: (gvk) => {
      const struct = catalog.structForKind(gvk);
      return struct && typedPatchTarget({ gvk, struct, mergeType: mergeTypes.of(struct), ...AS_DECODED });
    },
  });
  if (outcome === undefined) throw new Error('the language does not mutate');
  return outcome;
}

/** As plain JavaScript. Integers become numbers. */
export function answer(request: WrittenRequest): Answer {
  const { object, outcome } = mutateOnce(request);
  const { denial } = outcome;
  if (denial === undefined) return { object: plain(object) };
  return { code: denial.code, reason: denial.reason, message: denial.message };
}

export function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item as JsonValue)]));
  return typeof value === 'bigint' ? Number(value) : value;
}

function decoded({ gvk, value }: Resource): JsonObject {
  const struct = catalog.structForKind(gvk);
  const result = struct === undefined ? { object: value } : decodeTyped(value, struct);
  if ('error' in result) throw new Error(result.error.message);
  return result.object;
}

function policyTexts([name, policy]: readonly [string, WrittenPolicy]): readonly string[] {
  const mutations = policy.mutations.map((expression, index) => {
    const guess = /^\s*\[|JSONPatch/.test(expression) ? 'JSONPatch' : 'ApplyConfiguration';
    const patchType = policy.types?.[index] ?? guess;
    return { patchType, [patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration']: { expression } };
  });
  const named = (items: Readonly<Record<string, string>> = {}) =>
    Object.entries(items).map(([key, expression]) => ({ name: key, expression }));
  const { failurePolicy = 'Fail', reinvocationPolicy = 'IfNeeded', paramKind, objectSelector } = policy;
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: policy.operations ?? ['*'], resources: ['*'] };
  const spec = {
    failurePolicy,
    reinvocationPolicy,
    ...(paramKind && { paramKind }),
    matchConstraints: {
      resourceRules: [rule],
      ...(objectSelector && { objectSelector: { matchLabels: objectSelector } }),
    },
    matchConditions: named(policy.matchConditions),
    variables: named(policy.variables),
    mutations,
  };
  const bindings = policy.bindings ?? { b: {} };
  return [
    admissionObject('MutatingAdmissionPolicy', name, spec),
    ...Object.entries(bindings).map(([binding, more]) =>
      admissionObject('MutatingAdmissionPolicyBinding', binding, { policyName: name, ...more }),
    ),
  ];
}

/** JSON is valid YAML. */
function admissionObject(kind: string, name: string, spec: unknown): string {
  return `${JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec })}\n`;
}

function resources(yaml: string): readonly Resource[] {
  const { manifests } = readManifests(new SourceFile('test.yaml', yaml));
  return manifests.flatMap((manifest) =>
    resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
  );
}

export function yaml(text: string): unknown {
  return parse(text);
}

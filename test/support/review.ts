// Evaluates policies for one request, through the same entry point as `preadmit review`.
import { appendFileSync } from 'node:fs';
import { resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { Reviewer } from '../../src/pipeline/answer-review.ts';
import { stringifyJson } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** JSON in tests. */
// biome-ignore lint/suspicious/noExplicitAny: tests write objects of every shape
export type Json = any;

export interface Answer {
  readonly response: {
    readonly allowed: boolean;
    readonly status?: {
      readonly message: string;
      readonly reason: string;
      readonly code: number;
      readonly details: Json;
    };
    readonly warnings?: readonly string[];
    readonly auditAnnotations?: Readonly<Record<string, string>>;
  };
  readonly decisions: readonly {
    readonly policy: string;
    readonly binding: string | null;
    readonly param: { readonly name: string; readonly namespace?: string } | null;
    readonly index: number;
    readonly action: string;
    readonly evaluation: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

export function reviewerOf(objects: readonly Json[], version = '1.36'): Reviewer {
  const resources = objects
    .flatMap((object, index) => readManifests(new SourceFile(`${index}.json`, JSON.stringify(object))).manifests)
    .flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));
  return new Reviewer({ resources, kubernetesVersion: parseKubernetesVersion(version) ?? DEFAULT_VERSION });
}

/** If PREADMIT_RECORD is set, every case is also appended to that file as a JSON line, so that upstream's packages can evaluate it. */
export function ask(objects: readonly Json[], review: Json, version?: string): Answer {
  const record = process.env['PREADMIT_RECORD'];
  if (record !== undefined) appendFileSync(record, `${JSON.stringify({ version, objects, reviews: [review] })}\n`);
  const parsed = parseJson(JSON.stringify(review));
  const answer = reviewerOf(objects, version).answer('value' in parsed ? parsed.value : null, true);
  if ('error' in answer) throw new Error(answer.error);
  return JSON.parse(stringifyJson(answer.review, { sortKeys: false, escapeHtml: false }));
}

/** A policy `p` that matches everything, merged with `spec`. */
export function policy(spec: Json, name = 'p'): Json {
  const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [everything] }, validations: [{ expression: 'false' }], ...spec },
  };
}

/** A binding `b` of `p` that denies, merged with `spec`. */
export function binding(spec: Json = {}, name = 'b'): Json {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
  };
}

/** Creation of the ConfigMap shop/settings by alice, merged with `request`. */
export function review(request: Json = {}): Json {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'uid',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'settings',
      namespace: 'shop',
      operation: 'CREATE',
      userInfo: { username: 'alice', groups: ['system:authenticated'] },
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } },
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
      ...request,
    },
  };
}

/** A review for a kind such as `apps/v1 Deployment deployments` or `v1 Pod pods/exec`. */
export function reviewOf(what: string, request: Json = {}): Json {
  const [apiVersion = '', kind = '', path = ''] = what.split(' ');
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const [resource, subResource] = path.split('/');
  return review({
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...(subResource !== undefined && { subResource }),
    object: { apiVersion, kind, metadata: { name: 'settings', namespace: 'shop' } },
    ...request,
  });
}

export function namespaceObject(name: string, labels: Json = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
  };
}

/** A CustomResourceDefinition of example.com with these served versions. */
export function customResource(
  kind: string,
  scope: 'Namespaced' | 'Cluster',
  versions: readonly string[],
  spec: Json = {},
): Json {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { kind, plural },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
      ...spec,
    },
  };
}

/** Error messages of policies and bindings, without locations. */
export function diagnosticsOf(objects: readonly Json[], version?: string): readonly string[] {
  const errors = reviewerOf(objects, version).diagnostics.filter(({ severity }) => severity === 'error');
  return errors.map(({ message }) => message);
}

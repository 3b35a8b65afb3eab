// Answers of a kube-apiserver 1.36.3 to server-side apply of objects that do not fit the merge schema.
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostic/diagnostic.ts';
import { typedConverter } from '../../../src/engine/conversion/typed-converter.ts';
import type { Resource } from '../../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { formatFieldPath } from '../../../src/source/node/field-path.ts';
import { resourcesIn } from '../../support/validating-policy.ts';

const WIDGETS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
              tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
              labels: {type: object, additionalProperties: {type: string}}
`;

type Tool = 'argo-cd' | 'flux';

function refusals(text: string, tool: Tool): readonly Diagnostic[] {
  const converter = typedConverter({ kubernetesVersion: DEFAULT_VERSION, facts: resourcesIn(WIDGETS) });
  const [written] = resourcesIn(text) as [Resource];
  const { gvk } = written;
  Object.assign(written.manifest, { applier: { obeys: [tool], isServerSide: true } });
  const resource = { group: gvk.group, version: gvk.version, resource: `${gvk.kind.toLowerCase()}s` };
  const mapping = { resource, namespaced: true, origin: 'builtin' as const };
  // The server does not validate what it cannot merge.
  const { refused, diagnostics } = converter.convert(written, mapping, 'shop');
  if (refused) expect(converter.validate(written, undefined, mapping, 'shop')).toEqual({ refusals: [], unknowns: [] });
  return diagnostics;
}

function withPod(apiVersion: string, kind: string, spec: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web, namespace: shop}\nspec: ${spec}\n`;
}

function deployment(pod: string): string {
  return withPod('apps/v1', 'Deployment', `{template: {spec: ${pod}}}`);
}

const OF_DEPLOYMENT = 'failed to create typed patch object (shop/web; apps/v1, Kind=Deployment)';
const OF_WIDGET = 'failed to create typed patch object (shop/web; example.com/v1, Kind=Widget)';
const AT = '.spec.template.spec';

describe('server-side apply refuses', () => {
  test.each([
    [
      'variables and ports of a container',
      deployment(
        '{containers: [{name: a, env: [{name: A}, {name: A}, {name: A}], ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}]}]}',
      ),
      `${OF_DEPLOYMENT}: errors:\n  ${AT}.containers[name="a"].env: duplicate entries for key [name="A"]\n  ${AT}.containers[name="a"].env: duplicate entries for key [name="A"]\n  ${AT}.containers[name="a"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]`,
      ['containers[0].env[1].name', 'containers[0].env[2].name', 'containers[0].ports[1].containerPort'].map(
        (path) => `${AT.slice(1)}.${path}`,
      ),
    ],
    [
      'lists of a Pod after those of its containers',
      deployment('{containers: [{name: c, env: [{name: B}, {name: B}]}], imagePullSecrets: [{name: a}, {name: a}]}'),
      `${OF_DEPLOYMENT}: errors:\n  ${AT}.containers[name="c"].env: duplicate entries for key [name="B"]\n  ${AT}.imagePullSecrets: duplicate entries for key [name="a"]`,
      [`${AT.slice(1)}.containers[0].env[1].name`, `${AT.slice(1)}.imagePullSecrets[1].name`],
    ],
    [
      'hosts',
      deployment(
        '{hostAliases: [{ip: 10.0.0.1, hostnames: [a]}, {ip: 10.0.0.1, hostnames: [b]}], containers: [{name: a}]}',
      ),
      `${OF_DEPLOYMENT}: ${AT}.hostAliases: duplicate entries for key [ip="10.0.0.1"]`,
      [`${AT.slice(1)}.hostAliases[1].ip`],
    ],
    [
      'a name with a quotation mark',
      deployment('{initContainers: [{name: a, env: [{name: "A\\"b"}, {name: "A\\"b"}]}]}'),
      `${OF_DEPLOYMENT}: ${AT}.initContainers[name="a"].env: duplicate entries for key [name="A\\"b"]`,
      [`${AT.slice(1)}.initContainers[0].env[1].name`],
    ],
    [
      'constraints of one key',
      deployment(
        '{topologySpreadConstraints: [{topologyKey: a, whenUnsatisfiable: DoNotSchedule}, {topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}',
      ),
      `${OF_DEPLOYMENT}: ${AT}.topologySpreadConstraints: duplicate entries for key [topologyKey="a",whenUnsatisfiable="DoNotSchedule"]`,
      [`${AT.slice(1)}.topologySpreadConstraints[1].topologyKey`],
    ],
    [
      'variables of a CronJob',
      withPod(
        'batch/v1',
        'CronJob',
        '{jobTemplate: {spec: {template: {spec: {containers: [{name: a, env: [{name: A}, {name: A}]}]}}}}}',
      ),
      'failed to create typed patch object (shop/web; batch/v1, Kind=CronJob): .spec.jobTemplate.spec.template.spec.containers[name="a"].env: duplicate entries for key [name="A"]',
      ['spec.jobTemplate.spec.template.spec.containers[0].env[1].name'],
    ],
    [
      'secrets of a ServiceAccount',
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\nsecrets: [{name: a}, {name: a}]\nimagePullSecrets: [{name: a}, {name: a}]\n',
      'failed to create typed patch object (shop/web; /v1, Kind=ServiceAccount): .secrets: duplicate entries for key [name="a"]',
      ['secrets[1].name'],
    ],
    [
      'ports of a Service',
      withPod(
        'v1',
        'Service',
        '{ports: [{name: a, port: 53}, {name: b, port: 53}, {name: c, port: 53, protocol: UDP}]}',
      ),
      'failed to create typed patch object (shop/web; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=53,protocol="TCP"]',
      ['spec.ports[1].port'],
    ],
  ])('%s', (_, text, message, paths) => {
    const told = refusals(text, 'flux');
    expect(told.map(({ field }) => formatFieldPath(field ?? []))).toEqual(paths);
    expect(new Set(told.map((refusal) => refusal.serverMessage ?? refusal.message))).toEqual(new Set([message]));
  });

  test.each([
    [
      'two protocols of a port',
      deployment('{containers: [{name: a, ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]}]}'),
    ],
    [
      'one variable in two containers',
      deployment('{containers: [{name: a, env: [{name: A}]}, {name: b, env: [{name: A}]}]}'),
    ],
    [
      'two labels of a selector',
      withPod('policy/v1', 'PodDisruptionBudget', '{selector: {matchLabels: {a: b, c: b}}}'),
    ],
  ])('not %s', (_, text) => {
    expect(refusals(text, 'flux')).toEqual([]);
  });

  test.each([
    [
      'a field that the type lacks',
      deployment('{containers: [{name: a, imagee: b}]}'),
      `${OF_DEPLOYMENT}: ${AT}.containers[name="a"].imagee: field not declared in schema`,
    ],
    [
      'a number in a text',
      deployment('{containers: [{name: a, image: 5}]}'),
      `${OF_DEPLOYMENT}: ${AT}.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:5}`,
    ],
    [
      'a text in a number',
      withPod('apps/v1', 'Deployment', '{replicas: "3"}'),
      `${OF_DEPLOYMENT}: .spec.replicas: expected numeric (int or float), got string`,
    ],
    [
      'null in a list with keys',
      deployment('{containers: [{name: a, env: [null]}]}'),
      `${OF_DEPLOYMENT}: ${AT}.containers[name="a"].env: element 0: associative list with keys may not have a null element`,
    ],
    [
      'a repeated finalizer',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop, finalizers: [a.b/c, a.b/c]}\n',
      'failed to create typed patch object (shop/web; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="a.b/c"]',
    ],
    [
      'a field that the definition lacks',
      withPod('example.com/v1', 'Widget', '{size: 1, sise: 2}'),
      `${OF_WIDGET}: .spec.sise: field not declared in schema`,
    ],
    [
      'a value of another type than the definition has',
      withPod('example.com/v1', 'Widget', '{labels: {a: 1}}'),
      `${OF_WIDGET}: .spec.labels.a: expected string, got &value.valueUnstructured{Value:1}`,
    ],
    [
      'a repeated element of a set',
      withPod('example.com/v1', 'Widget', '{tags: [a, a]}'),
      `${OF_WIDGET}: .spec.tags: duplicate entries for key [="a"]`,
    ],
  ])('%s', (_, text, message) => {
    expect(refusals(text, 'argo-cd').map((refusal) => refusal.message)).toEqual([message]);
  });

  test('no unknown field that Flux drops before', () => {
    const inRole =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: web, namespace: shop}\nrulez: []\n';
    const declared = (text: string): readonly string[] =>
      refusals(text, 'flux').flatMap(
        ({ message }) => /\): (.*): field not declared in schema/.exec(message)?.[1] ?? [],
      );
    expect(declared(deployment('{containers: [{name: a, imagee: b}]}'))).toEqual([]);
    expect(declared(`${withPod('example.com/v1', 'Widget', '{sise: 2}')}status: {}\n`)).toEqual(['.spec.sise']);
    expect(declared(inRole)).toEqual(['.rulez']);
  });

  test('nothing about a placeholder', () => {
    expect(refusals(withPod('apps/v1', 'Deployment', '{replicas: "<REPLICAS>"}'), 'flux')).toEqual([]);
  });
});

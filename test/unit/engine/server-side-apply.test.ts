// Answers of a kube-apiserver 1.36.3 to server-side apply with lists in which a key occurs twice.
import { describe, expect, test } from 'vitest';
import { refusedDuplicates } from '../../../src/engine/validation/server-side-apply.ts';
import type { Resource } from '../../../src/kubernetes/api/resource.ts';
import { formatFieldPath } from '../../../src/source/node/field-path.ts';
import { resourcesIn } from '../../support/validating-policy.ts';

function withPod(apiVersion: string, kind: string, spec: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web, namespace: shop}\nspec: ${spec}\n`;
}

function deployment(pod: string): string {
  return withPod('apps/v1', 'Deployment', `{template: {spec: ${pod}}}`);
}

const OF_DEPLOYMENT = 'failed to create typed patch object (shop/web; apps/v1, Kind=Deployment)';
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
      deployment('{imagePullSecrets: [{name: a}, {name: a}], containers: [{name: c, env: [{name: B}, {name: B}]}]}'),
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
    const [resource] = resourcesIn(text);
    const refusals = refusedDuplicates(resource as Resource, 'web', 'shop');
    expect(refusals.map(({ field }) => formatFieldPath(field ?? []))).toEqual(paths);
    expect(new Set(refusals.map((refusal) => refusal.serverMessage ?? refusal.message))).toEqual(new Set([message]));
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
    expect(refusedDuplicates(resourcesIn(text)[0] as Resource, 'web', 'shop')).toEqual([]);
  });
});

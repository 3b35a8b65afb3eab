// Answers of a kube-apiserver 1.36.3 to objects that a ResourceQuota of an empty Namespace refuses, and to updates.
import { describe, expect, test } from 'vitest';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import { AdmissionObjects } from '../../../../src/kubernetes/schema/admission-object.ts';
import { NO_OBJECTS } from '../../../../src/kubernetes/schema/plugins/plugin-request.ts';
import type { JsonObject } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

function json(value: unknown): JsonObject {
  return (parseJson(JSON.stringify(value)) as { readonly value: JsonObject }).value;
}

type Kind = 'Pod' | 'Service' | 'PersistentVolumeClaim';

function answer(quota: object, kind: Kind, spec: object, oldSpec?: object): string | undefined {
  const objectOf = (of: object): JsonObject =>
    json({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'shop' }, spec: of });
  const stored = json({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: quota });
  const known = { ...NO_OBJECTS, objects: (of: { kind: string }) => (of.kind === 'ResourceQuota' ? [stored] : []) };
  const objects = new AdmissionObjects(DEFAULT_VERSION, { known });
  const admitted = (of: object) => {
    const result = objects.convert(objectOf(of), { group: '', version: 'v1', kind }, 'shop');
    if (result === undefined || 'error' in result) throw new Error('not decoded');
    return result;
  };
  const old = oldSpec === undefined ? undefined : admitted(oldSpec).validating.object;
  const refusals = admitted(spec).forbidden(old);
  expect(refusals.every(({ isAfterPolicies }) => isAfterPolicies)).toBe(true);
  return refusals[0]?.message;
}

const container = (name: string, resources: object = {}, more: object = {}): object => ({
  name,
  image: 'x',
  resources,
  ...more,
});
const COMPUTE = { hard: { 'limits.cpu': '2', 'limits.memory': '2Gi', 'requests.cpu': '1', memory: '1Gi' } };
const NONE = {
  hard: {
    pods: '0',
    'requests.nvidia.com/gpu': '1',
    'services.loadbalancers': '0',
    'services.nodeports': '1',
    'count/services': '5',
    persistentvolumeclaims: '0',
    'requests.storage': '1Gi',
    'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
  },
};
const NO_PODS = 'exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0';
const TWO_PORTS = [
  { port: 1, name: 'a' },
  { port: 2, name: 'b' },
];

describe('a quota refuses', () => {
  test.each<readonly [string, object, Kind, object, string]>([
    [
      'containers without what it counts',
      COMPUTE,
      'Pod',
      { containers: [container('b'), container('a', { limits: { cpu: '1' } })], initContainers: [container('i')] },
      'failed quota: q: must specify limits.cpu for: b,i; limits.memory for: a,b,i; memory for: a,b,i; requests.cpu for: b,i',
    ],
    [
      'more than all of it',
      COMPUTE,
      'Pod',
      {
        containers: [
          container('a', { limits: { cpu: '3', memory: '3Gi' }, requests: { cpu: '1500m', memory: '512Mi' } }),
        ],
      },
      'exceeded quota: q, requested: limits.cpu=3,limits.memory=3Gi,requests.cpu=1500m, used: limits.cpu=0,limits.memory=0,requests.cpu=0, limited: limits.cpu=2,limits.memory=2Gi,requests.cpu=1',
    ],
    [
      'resources of the Pod itself',
      COMPUTE,
      'Pod',
      { resources: { limits: { cpu: '3', memory: '3Gi' } }, containers: [container('a')] },
      'exceeded quota: q, requested: limits.cpu=3,limits.memory=3Gi,memory=3Gi,requests.cpu=3, used: limits.cpu=0,limits.memory=0,memory=0,requests.cpu=0, limited: limits.cpu=2,limits.memory=2Gi,memory=1Gi,requests.cpu=1',
    ],
    [
      'the sum of containers',
      COMPUTE,
      'Pod',
      {
        containers: ['a', 'b'].map((name) =>
          container(name, { limits: { cpu: '1500m', memory: '1Gi' }, requests: { cpu: '600m' } }),
        ),
      },
      'exceeded quota: q, requested: limits.cpu=3,memory=2Gi,requests.cpu=1200m, used: limits.cpu=0,memory=0,requests.cpu=0, limited: limits.cpu=2,memory=1Gi,requests.cpu=1',
    ],
    [
      'init containers beside sidecars',
      { hard: { 'requests.cpu': '1', 'limits.cpu': '1' } },
      'Pod',
      {
        containers: [container('a', { limits: { cpu: '300m' } })],
        initContainers: [
          container('s', { limits: { cpu: '400m' } }, { restartPolicy: 'Always' }),
          container('i', { limits: { cpu: '700m' } }),
        ],
      },
      'exceeded quota: q, requested: limits.cpu=1100m,requests.cpu=1100m, used: limits.cpu=0,requests.cpu=0, limited: limits.cpu=1,requests.cpu=1',
    ],
    [
      'an extended resource',
      NONE,
      'Pod',
      { containers: [container('a', { limits: { 'nvidia.com/gpu': '2' } })] },
      'exceeded quota: q, requested: pods=1,requests.nvidia.com/gpu=2, used: pods=0,requests.nvidia.com/gpu=0, limited: pods=0,requests.nvidia.com/gpu=1',
    ],
    [
      'a load balancer with its node ports',
      NONE,
      'Service',
      { type: 'LoadBalancer', ports: TWO_PORTS },
      'exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=2, used: services.loadbalancers=0,services.nodeports=0, limited: services.loadbalancers=0,services.nodeports=1',
    ],
    [
      'a load balancer without node ports',
      NONE,
      'Service',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: TWO_PORTS },
      'exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    ],
    [
      'node ports',
      NONE,
      'Service',
      { type: 'NodePort', ports: TWO_PORTS },
      'exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
    ],
    [
      'a claim of a class',
      NONE,
      'PersistentVolumeClaim',
      {
        storageClassName: 'gold',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '2Gi' } },
      },
      'exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=2Gi,persistentvolumeclaims=1,requests.storage=2Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0,persistentvolumeclaims=0,requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=1Gi,persistentvolumeclaims=0,requests.storage=1Gi',
    ],
    ['best effort', { hard: { pods: '0' }, scopes: ['BestEffort'] }, 'Pod', { containers: [container('a')] }, NO_PODS],
    [
      'Pods with a deadline',
      { hard: { pods: '0' }, scopes: ['Terminating'] },
      'Pod',
      { activeDeadlineSeconds: 5, containers: [container('a')] },
      NO_PODS,
    ],
    [
      'a priority class',
      inClass('In', 'system-node-critical'),
      'Pod',
      { priorityClassName: 'system-node-critical', containers: [container('a')] },
      NO_PODS,
    ],
    ['no priority class', inClass('NotIn', 'a'), 'Pod', { containers: [container('a')] }, NO_PODS],
    [
      'affinity to other Namespaces',
      { hard: { pods: '0' }, scopes: ['CrossNamespacePodAffinity'] },
      'Pod',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', namespaces: ['x'] }],
          },
        },
        containers: [container('a')],
      },
      NO_PODS,
    ],
  ])('%s', (_, quota, kind, spec, message) => {
    expect(answer(quota, kind, spec)).toBe(message);
  });

  test.each<readonly [string, object, Kind, object]>([
    ['what is within it', COMPUTE, 'Pod', { containers: [container('a', { limits: { cpu: '1', memory: '1Gi' } })] }],
    ['Services of the cluster', NONE, 'Service', { ports: [{ port: 1 }] }],
    [
      'Pods of another scope',
      { hard: { pods: '0' }, scopes: ['BestEffort'] },
      'Pod',
      { containers: [container('a', { requests: { cpu: '1m' } })] },
    ],
    [
      'Pods without a deadline',
      { hard: { pods: '0' }, scopes: ['Terminating'] },
      'Pod',
      { containers: [container('a')] },
    ],
    ['Pods of another class', inClass('In', 'a'), 'Pod', { containers: [container('a')] }],
  ])('not %s', (_, quota, kind, spec) => {
    expect(answer(quota, kind, spec)).toBeUndefined();
  });
});

function inClass(operator: string, value: string): object {
  const matchExpressions = [{ scopeName: 'PriorityClass', operator, values: [value] }];
  return { hard: { pods: '0' }, scopeSelector: { matchExpressions } };
}

describe('an update', () => {
  const claim = (storage: string): object => ({
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
  });
  const quota = { hard: { 'requests.storage': '10Gi', persistentvolumeclaims: '0' } };

  test('is charged for what it adds', () => {
    expect(answer(quota, 'PersistentVolumeClaim', claim('12Gi'), claim('8Gi'))).toBe(
      'exceeded quota: q, requested: requests.storage=4Gi, used: requests.storage=8Gi, limited: requests.storage=10Gi',
    );
    expect(answer(quota, 'PersistentVolumeClaim', claim('9Gi'), claim('8Gi'))).toBeUndefined();
  });

  test('of a Pod is not charged', () => {
    const pod = { containers: [container('a')] };
    expect(answer(NONE, 'Pod', pod, pod)).toBeUndefined();
  });
});

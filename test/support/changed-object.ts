// Random changes of an object: other leaves, missing fields, repeated list items, odd texts, boundary numbers, other types.
import { copyJson } from '../../src/source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';

export type Random = () => number;

const ODD_TEXTS = [
  '',
  ' ',
  'a',
  'A',
  '-',
  'a-',
  'a.b',
  'a/b',
  'a/b/c',
  '../a',
  '..a',
  '/a',
  'a/../b',
  'a//b',
  '.',
  '..',
  '*',
  '*.a',
  'a_b',
  'ä',
  'a b',
  '0',
  '1',
  '-1',
  '80',
  '65536',
  'http',
  'a--b',
  'None',
  'Always',
  'Never',
  'OnFailure',
  'Exists',
  'In',
  'Equal',
  'Local',
  'Localhost',
  'ClusterIP',
  'NodePort',
  'LoadBalancer',
  'ExternalName',
  'RollingUpdate',
  'Recreate',
  'OnDelete',
  'Memory',
  'Bidirectional',
  'TCP',
  'UDP',
  'SCTP',
  'ClientIP',
  'Unmasked',
  'CAP_SYS_ADMIN',
  'ReadWriteOncePod',
  'Block',
  'Indexed',
  'User',
  'Group',
  'ServiceAccount',
  'Resource',
  'Value',
  '10.0.0.1',
  '010.0.0.1',
  '10.0.0.1/8',
  '10.0.0.0/8',
  '::1',
  '::/0',
  '1.5',
  '1.5Mi',
  '0.1',
  '100m',
  '1Gi',
  '1e3',
  '-1Gi',
  '1n',
  '101%',
  '100%',
  '0%',
  '5%',
  'web',
  'data',
  'cpu',
  'memory',
  'system-a',
  'kubernetes.io/tls',
  'bootstrap.kubernetes.io/token',
  'Opaque',
  'e30=',
  'e30',
  'bnVsbA==',
  'MWU5OTk=',
  'eyJhIjoxZTk5OX0=',
  '@daily',
  '@every 1h',
  'TZ=UTC * * * * *',
  '* * * * 7',
  '60 * * * *',
  '5/2 * * * *',
  '3-1 * * * *',
  '? * * * *',
  '2026-01-31T00:00:00Z',
  '2026-01-01T00:00:00Z',
  'beta.kubernetes.io/os',
  'node-role.kubernetes.io/master',
  'x'.repeat(52),
  'x'.repeat(63),
  'x'.repeat(64),
  `${'x'.repeat(60)}.${'x'.repeat(60)}`,
  'x'.repeat(254),
  "metadata.labels['a b']",
  "metadata.annotations['A/b']",
  'metadata.labels',
  'status.podIPs',
  'status.hostIPs',
  'limits.memory',
  '\ud800',
];
const NUMBERS = [
  0n,
  1n,
  -1n,
  2n,
  7n,
  80n,
  443n,
  511n,
  512n,
  599n,
  600n,
  3600n,
  3601n,
  30_000n,
  65_535n,
  65_536n,
  86_400n,
  86_401n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 32n,
  2n ** 32n + 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  1_000_000_000n,
  1_000_000_001n,
];
const KEYS = [
  'a',
  'A b',
  'app',
  'name',
  'value',
  'example.com/a',
  'kubernetes.io/a',
  'requests.cpu',
  'nvidia.com/gpu',
  'hugepages-2Mi',
  'storage',
  'count/pods',
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/job-name',
  'kubernetes.io/ingress.class',
  'service.kubernetes.io/topology-aware-hints',
  'service.kubernetes.io/topology-mode',
  'service.beta.kubernetes.io/load-balancer-source-ranges',
  'scheduler.alpha.kubernetes.io/critical-pod',
  'scheduler.alpha.kubernetes.io/tolerations',
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/web',
  'container.apparmor.security.beta.kubernetes.io/web',
  'controller.kubernetes.io/pod-deletion-cost',
  'kubernetes.io/config.mirror',
  'deprecated.daemonset.template.generation',
  'deprecated.deployment.rollback.to',
  'volume.beta.kubernetes.io/storage-class',
  'kubernetes.io/enforce-mountable-secrets',
  'beta.kubernetes.io/os',
  'batch.kubernetes.io/cronjob-scheduled-timestamp',
  'autoscaling.alpha.kubernetes.io/behavior',
  'service.alpha.kubernetes.io/tolerate-unready-endpoints',
  'kubernetes.io/service-account.name',
  'endpoints.kubernetes.io/over-capacity',
  'uid',
  'finalizers',
  'ownerReferences',
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'managedFields',
  'generateName',
  'creationTimestamp',
  'hostNetwork',
  'hostPID',
  'shareProcessNamespace',
  'activeDeadlineSeconds',
  'hostIP',
  'hostPort',
  'externalIPs',
  'clusterIP',
  'externalName',
  'immutable',
  'paused',
  'rollingUpdate',
  'completionMode',
  'completions',
  'nodeName',
  'minAvailable',
  'maxUnavailable',
  'selector',
  'restartPolicy',
  'nodePort',
  'subPathExpr',
  'localhostProfile',
];

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** `donors`: values of other objects, which replace some. */
export function changedObject(object: JsonObject, random: Random, donors: readonly JsonValue[]): JsonObject {
  const changed = copyJson(object);
  const changes = 1 + Math.floor(random() * random() * 4);
  for (let index = 0; index < changes; index++) change(changed, random, donors);
  return changed;
}

type Parent = Map<string, JsonValue> | JsonValue[];

/** Every container of the object, the object included; deeper ones as likely as outer ones. */
function containersOf(root: Parent): readonly Parent[] {
  const found: Parent[] = [root];
  for (const parent of found) {
    for (const value of parent.values()) if (isJsonObject(value) || isJsonArray(value)) found.push(value as Parent);
  }
  return found;
}

function change(root: Map<string, JsonValue>, random: Random, donors: readonly JsonValue[]): void {
  const parent = pick(containersOf(root), random);
  const draw = random();
  if (Array.isArray(parent)) {
    const index = Math.floor(random() * parent.length);
    const item = parent[index];
    if (item === undefined || draw < 0.1) parent.push(leaf(random));
    else if (draw < 0.3) parent.splice(index, 1);
    else if (draw < 0.5) parent.push(copyJson(item));
    else if (draw < 0.6) parent.push(near(copyJson(item), random, donors));
    else parent[index] = near(item, random, donors);
    return;
  }
  const keys = [...parent.keys()];
  const key = pick(keys, random);
  if (key === undefined || draw < 0.12)
    parent.set(pick(KEYS, random), random() < 0.5 ? leaf(random) : copyJson(pick(donors, random)));
  else if (draw < 0.3) parent.delete(key);
  else parent.set(key, near(parent.get(key) as JsonValue, random, donors));
}

function near(value: JsonValue, random: Random, donors: readonly JsonValue[]): JsonValue {
  const draw = random();
  if (draw < 0.08) return leaf(random);
  if (draw < 0.16) return copyJson(pick(donors, random));
  if (typeof value === 'string') {
    if (draw < 0.3 && value !== '') return value.slice(1);
    return draw < 0.4 ? `${value}${pick(ODD_TEXTS, random)}` : pick(ODD_TEXTS, random);
  }
  if (typeof value === 'bigint') return draw < 0.5 ? value + (draw < 0.3 ? 1n : -1n) : pick(NUMBERS, random);
  if (typeof value === 'boolean') return !value;
  const copy = copyJson(value);
  const parents = isJsonObject(copy) || isJsonArray(copy) ? containersOf(copy as Parent) : [];
  const parent = pick(parents, random);
  if (Array.isArray(parent)) parent.push(leaf(random));
  else if (parent !== undefined) parent.set(pick(KEYS, random), leaf(random));
  return copy;
}

function leaf(random: Random): JsonValue {
  const draw = random();
  if (draw < 0.6) return pick(ODD_TEXTS, random);
  if (draw < 0.85) return pick(NUMBERS, random);
  return copyJson(pick<JsonValue>([null, true, false, 1.5, [], new Map(), [''], ['a', 'a']], random));
}

/** Values of the objects, as donors. */
export function valuesOf(objects: readonly JsonObject[]): readonly JsonValue[] {
  return objects.flatMap((object) => containersOf(object as Parent).flatMap((parent) => [...parent.values()]));
}

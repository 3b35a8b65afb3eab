// What the plain check proves. Its soundness is a property against the engine.
import { describe, expect, test } from 'vitest';
import { copyJson } from '../../../src/source/json/copy-json.ts';
import type { JsonObject, JsonValue } from '../../../src/source/json/json.ts';
import { valueAt } from '../../../src/source/json/json-field.ts';
import type { FieldPath } from '../../../src/source/node/field-path.ts';
import { provenWarnings } from '../../../src/validation/plain/proven-warnings.ts';
import { plainObjects } from '../../support/plain-objects.ts';

const RELEASE = { minor: 36 };
const OBJECTS = plainObjects(36);

function provesValid(...given: Parameters<typeof provenWarnings>): boolean {
  return provenWarnings(...given)?.length === 0;
}

function the(kind: string): JsonObject {
  return OBJECTS.find((object) => object.get('kind') === kind) as JsonObject;
}

function withField(object: JsonObject, path: FieldPath, value: JsonValue): JsonObject {
  const copy = copyJson(object);
  const parent = valueAt(copy, path.slice(0, -1)) as Map<string, JsonValue>;
  parent.set(String(path.at(-1)), value);
  return copy;
}

function csiVolume(secret: string): JsonObject {
  const nodePublishSecretRef = new Map([['name', secret]]);
  const csi = new Map<string, JsonValue>([
    ['driver', 'secrets.example.com'],
    ['nodePublishSecretRef', nodePublishSecretRef],
  ]);
  return new Map<string, JsonValue>([
    ['name', 'settings'],
    ['csi', csi],
  ]);
}

/** A Pod that has this volume only, and mounts none. */
function podWith(volume: JsonObject): JsonObject {
  const container = new Map([
    ['name', 'web'],
    ['image', 'example.com/web:1'],
  ]);
  const fields: readonly (readonly [string, JsonValue])[] = [
    ['containers', [container]],
    ['initContainers', []],
    ['volumes', [volume]],
  ];
  return fields.reduce((pod, [name, value]) => withField(pod, ['spec', name], value), the('Pod'));
}

describe('plain check', () => {
  test.each(OBJECTS.map((object, index) => [`${object.get('kind')} ${index}`, object] as const))(
    'proves %s',
    (_, object) => {
      expect(provesValid(object, undefined, RELEASE)).toBe(true);
    },
  );

  test.each([31, 37])('proves objects of Kubernetes 1.%i', (minor) => {
    expect(plainObjects(minor).map((object) => provesValid(object, undefined, { minor }))).not.toContain(false);
  });

  test.each([30, 38])('proves nothing for Kubernetes 1.%i', (minor) => {
    expect(provesValid(the('ConfigMap'), undefined, { minor })).toBe(false);
  });

  test.each([
    ['Deployment', ['spec', 'replicas'], 5n],
    ['StatefulSet', ['spec', 'replicas'], 5n],
    ['Service', ['spec', 'publishNotReadyAddresses'], true],
    ['ConfigMap', ['data'], new Map([['a', 'b']])],
    ['CronJob', ['spec', 'schedule'], '@daily'],
  ] as const)('proves an update of a %s', (kind, path, value) => {
    expect(provesValid(withField(the(kind), path, value), the(kind), RELEASE)).toBe(true);
  });

  test.each([
    ['Deployment', ['spec', 'selector', 'matchLabels'], new Map()],
    ['StatefulSet', ['spec', 'serviceName'], 'other'],
    ['Service', ['spec', 'type'], 'NodePort'],
    ['Secret', ['type'], 'example.com/other'],
    ['PersistentVolumeClaim', ['spec', 'storageClassName'], 'slow'],
    ['RoleBinding', ['roleRef', 'name'], 'other'],
    ['StorageClass', ['reclaimPolicy'], 'Retain'],
    ['PriorityClass', ['value'], 7n],
    ['Pod', ['spec', 'priorityClassName'], 'low'],
  ] as const)('is not sure of an update of a %s in %j', (kind, path, value) => {
    expect(provesValid(withField(the(kind), path, value), the(kind), RELEASE)).toBe(false);
  });

  test('is not sure of an invalid name of the Secret of a CSI driver', () => {
    expect(provesValid(podWith(csiVolume('web')), undefined, RELEASE)).toBe(true);
    expect(provesValid(podWith(csiVolume('Web')), undefined, RELEASE)).toBe(false);
  });

  test('reads null in a projected volume as absent', () => {
    const token = new Map<string, JsonValue>([
      ['configMap', new Map([['name', 'web']])],
      ['serviceAccountToken', null],
    ]);
    const projected = new Map([['sources', [token]]]);
    const volume = new Map<string, JsonValue>([
      ['name', 'settings'],
      ['projected', projected],
    ]);
    expect(provesValid(podWith(volume), undefined, RELEASE)).toBe(true);
  });

  test('is not sure of a StatefulSet with another type of strategy', () => {
    const strategy = (type: string): JsonObject =>
      withField(the('StatefulSet'), ['spec', 'updateStrategy'], new Map([['type', type]]));
    expect(provesValid(strategy('OnDelete'), strategy('OnDelete'), RELEASE)).toBe(true);
    expect(provesValid(strategy('OnDelete'), strategy('RollingUpdate'), RELEASE)).toBe(false);
  });

  test('is not sure of a headless Service that gets a selector', () => {
    const headless = withField(the('Service'), ['spec', 'clusterIP'], 'None');
    const without = withField(headless, ['spec', 'selector'], new Map());
    expect(provesValid(without, headless, RELEASE)).toBe(true);
    expect(provesValid(headless, without, RELEASE)).toBe(false);
  });

  test('is not sure of an updated headless Service without a selector that names its IP family', () => {
    const headless = withField(the('Service'), ['spec', 'clusterIP'], 'None');
    const selecting = withField(headless, ['spec', 'ipFamilies'], ['IPv4']);
    const named = withField(selecting, ['spec', 'selector'], new Map());
    expect(provesValid(selecting, selecting, RELEASE)).toBe(true);
    expect(provesValid(named, undefined, RELEASE)).toBe(true);
    expect(provesValid(named, named, RELEASE)).toBe(false);
  });

  test('is not sure of a ServiceAccount with an empty name of a Secret', () => {
    const secrets = (name: string): JsonValue => [new Map([['name', name]])];
    const account = (name: string): JsonObject => withField(the('ServiceAccount'), ['imagePullSecrets'], secrets(name));
    expect(provesValid(account('registry'), account('mirror'), RELEASE)).toBe(true);
    expect(provesValid(account('registry'), account(''), RELEASE)).toBe(false);
  });

  test.each([
    ['a field without a rule', ['spec', 'hostUsers'], false],
    ['a value of another type', ['spec', 'nodeName'], 1n],
    ['a request above its limit', ['spec', 'containers', 0, 'resources', 'requests'], new Map([['cpu', '2']])],
    ['a volume that is missing', ['spec', 'volumes'], []],
    ['an annotation with a meaning', ['metadata', 'annotations'], new Map([['kubernetes.io/config.mirror', 'a']])],
    ['a finalizer', ['metadata', 'finalizers'], ['example.com/a']],
  ] as const)('is not sure of a Pod with %s', (_, path, value) => {
    expect(provesValid(withField(the('Pod'), path, value), undefined, RELEASE)).toBe(false);
  });

  test('knows the warnings about equal ports', () => {
    const port = new Map<string, JsonValue>([
      ['containerPort', 8080n],
      ['name', 'http'],
    ]);
    const containers = ['web', 'proxy'].map(
      (name) =>
        new Map<string, JsonValue>([
          ['name', name],
          ['image', 'example.com/web:1'],
          ['ports', [port]],
        ]),
    );
    const template = ['spec', 'template', 'spec'];
    const bare = withField(
      withField(the('Deployment'), [...template, 'initContainers'], []),
      [...template, 'volumes'],
      [],
    );
    const deployment = withField(bare, [...template, 'containers'], containers);
    const [first, second] = [0, 1].map((index) => `spec.template.spec.containers[${index}].ports[0]`);
    expect(provesValid(deployment, undefined, RELEASE)).toBe(false);
    expect(provenWarnings(deployment, undefined, RELEASE)).toEqual([
      `${second}: duplicate port definition with ${first}`,
      `${second}: duplicate port name "http" with ${first}, services and probes that select ports by name will use ${first}`,
    ]);
    expect(provenWarnings(deployment, deployment, RELEASE)).toBeUndefined();
  });
});

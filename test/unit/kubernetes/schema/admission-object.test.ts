// From manifests to the objects that policies see: defaults, derived fields, creation, and unknown values.
import { describe, expect, test } from 'vitest';
import { parseApiVersion } from '../../../../src/kubernetes/api/group-version.ts';
import {
  type AdmissionObject,
  type AdmissionObjectOptions,
  AdmissionObjects,
  refusalMessage,
} from '../../../../src/kubernetes/schema/admission-object.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../../src/source/json/json.ts';
import { manifest, sortedJson } from '../../../support/typed-object.ts';

interface Conversion extends AdmissionObjectOptions {
  readonly minor?: number;
  readonly stage?: 'validating' | 'mutating';
}

function convert(text: string, { minor = 36, stage = 'validating', ...options }: Conversion = {}): AdmissionObject {
  const value = manifest(text);
  const gvk = {
    group: '',
    version: '',
    ...parseApiVersion(String(value.get('apiVersion'))),
    kind: String(value.get('kind')),
  };
  const result = new AdmissionObjects({ major: 1, minor }, options).convert(value, gvk, 'shop');
  if (result === undefined || 'error' in result) throw new Error(result?.error.message ?? 'no such kind');
  return stage === 'validating' ? result.validating : result.mutating();
}

/** The value at a path like `spec.containers.0.image`, as JSON; undefined if there is none. */
function at({ object }: AdmissionObject, path: string): string | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path.split('.')) {
    if (isJsonObject(value)) value = value.get(step);
    else if (isJsonArray(value)) value = value[Number(step)];
    else return undefined;
  }
  return value === undefined ? undefined : sortedJson(value);
}

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, uid: written, resourceVersion: "7"}
spec:
  template:
    spec:
      containers:
      - image: nginx
        livenessProbe: {httpGet: {port: 80}}
        ports: [{containerPort: 80}]
      volumes: [{name: a}]
status: {replicas: 3}`;

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: ';

describe('defaults of a Deployment', () => {
  const deployment = convert(DEPLOYMENT);
  test.each([
    ['spec.replicas', '1'],
    ['spec.strategy', '{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}'],
    ['spec.revisionHistoryLimit', '10'],
    ['spec.progressDeadlineSeconds', '600'],
    ['spec.selector', 'null'],
    ['spec.template.spec.restartPolicy', '"Always"'],
    ['spec.template.spec.securityContext', '{}'],
    ['spec.template.spec.volumes.0', '{"emptyDir":{},"name":"a"}'],
    ['spec.template.spec.containers.0.imagePullPolicy', '"Always"'],
    ['spec.template.spec.containers.0.ports.0', '{"containerPort":80,"protocol":"TCP"}'],
    ['spec.template.spec.containers.0.resources', '{}'],
    [
      'spec.template.spec.containers.0.livenessProbe',
      '{"failureThreshold":3,"httpGet":{"path":"/","port":80,"scheme":"HTTP"},"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1}',
    ],
    ['spec.template.spec.serviceAccountName', undefined],
    ['spec.template.spec.tolerations', undefined],
    ['metadata.namespace', '"shop"'],
    ['metadata.generation', '1'],
    ['metadata.resourceVersion', '"7"'],
    ['status', '{}'],
  ])('%s', (path, expected) => {
    expect(at(deployment, path)).toBe(expected);
  });

  test('distinguishes defaults from written values', () => {
    expect(deployment.isDefaulted(['spec', 'replicas'])).toBe(true);
    expect(deployment.isDefaulted(['spec', 'template', 'spec', 'containers', 0, 'imagePullPolicy'])).toBe(true);
    expect(deployment.isDefaulted(['spec', 'template', 'spec', 'containers', 0, 'image'])).toBe(false);
    expect(deployment.isDefaulted(['spec', 'nothing'])).toBe(false);
  });

  test('distinguishes invented values from known ones', () => {
    expect(at(deployment, 'metadata.uid')).toBe('"00000000-0000-4000-8000-000000000000"');
    expect(deployment.invented).toContainEqual(['metadata', 'uid']);
    expect(deployment.invented).toContainEqual(['metadata', 'managedFields']);
    expect(deployment.invented).not.toContainEqual(['metadata', 'generation']);
  });
});

describe('pull policy', () => {
  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['registry.example:5000/team/app', 'Always'],
    ['registry.example:5000/team/app:v2', 'IfNotPresent'],
    ['[::1]:5000/app', 'Always'],
    [`nginx@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    [`nginx:latest@sha256:${'0'.repeat(64)}`, 'Always'],
    [`nginx:latest@sha256:${'0'.repeat(63)}`, 'IfNotPresent'],
    ['UPPER/case', 'Always'],
    ['Nginx', 'IfNotPresent'],
    ['', 'IfNotPresent'],
    ['$(IMAGE)', 'IfNotPresent'],
    ['a'.repeat(300), 'IfNotPresent'],
  ])('%s', (image, policy) => {
    const pod = convert(`${POD}{containers: [{image: ${JSON.stringify(image)}}]}`);
    expect(at(pod, 'spec.containers.0.imagePullPolicy')).toBe(`"${policy}"`);
  });
});

describe('Pods', () => {
  test('defaults requests from limits, and host ports from container ports', () => {
    const pod = convert(
      `${POD}{hostNetwork: true, containers: [{ports: [{containerPort: 80}], resources: {limits: {cpu: 2, memory: 1Gi}}}]}`,
    );
    expect(at(pod, 'spec.containers.0.resources')).toBe(
      '{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"2","memory":"1Gi"}}',
    );
    expect(at(pod, 'spec.containers.0.ports')).toBe('[{"containerPort":80,"hostPort":80,"protocol":"TCP"}]');
    expect(at(pod, 'status')).toBe('{"phase":"Pending","qosClass":"Guaranteed"}');
  });

  test.each([
    ['{}', 'BestEffort'],
    ['{requests: {cpu: 1}}', 'Burstable'],
    ['{requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 1Gi}}', 'Burstable'],
    ['{requests: {"example.com/gpu": 1}}', 'BestEffort'],
  ])('quality of service with resources %s', (resources, expected) => {
    expect(at(convert(`${POD}{containers: [{resources: ${resources}}]}`), 'status.qosClass')).toBe(`"${expected}"`);
  });

  test('Pod-level resources', () => {
    const body =
      '{resources: {limits: {cpu: 4}}, containers: [{resources: {requests: {cpu: 500m}}}, {resources: {requests: {cpu: 500m}}}]}';
    expect(at(convert(POD + body), 'spec.resources')).toBe('{"limits":{"cpu":"4"},"requests":{"cpu":"1"}}');
  });

  test('default admission plugins', () => {
    const pod = convert(`${POD}{containers: [{name: a}]}`);
    expect(at(pod, 'spec.serviceAccountName')).toBe('"default"');
    expect(at(pod, 'spec.serviceAccount')).toBe('"default"');
    expect(at(pod, 'spec.priority')).toBe('0');
    expect(at(pod, 'spec.preemptionPolicy')).toBe('"PreemptLowerPriority"');
    expect(at(pod, 'spec.tolerations.1')).toBe(
      '{"effect":"NoExecute","key":"node.kubernetes.io/unreachable","operator":"Exists","tolerationSeconds":300}',
    );
    expect(at(pod, 'spec.containers.0.volumeMounts')).toBe(
      '[{"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","name":"kube-api-access-xxxxx","readOnly":true}]',
    );
    expect(at(pod, 'spec.volumes.0.projected.sources.0')).toBe(
      '{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}}',
    );
    expect(pod.invented).toContainEqual(['spec', 'volumes', 0, 'name']);
  });

  test('a known ServiceAccount and PriorityClass', () => {
    const account = manifest(
      'metadata: {name: quiet}\nautomountServiceAccountToken: false\nimagePullSecrets: [{name: key}]',
    );
    const priorityClass = manifest('metadata: {name: high}\nvalue: 1000\npreemptionPolicy: Never');
    const pod = convert(`${POD}{serviceAccountName: quiet, priorityClassName: high, containers: [{}]}`, {
      known: {
        objects: ({ kind }, namespace) => {
          if (kind === 'ServiceAccount') return namespace === 'shop' ? [account] : [];
          return kind === 'PriorityClass' ? [priorityClass] : [];
        },
        has: () => true,
        holdsAll: () => false,
      },
    });
    expect(at(pod, 'spec.volumes')).toBeUndefined();
    expect(at(pod, 'spec.imagePullSecrets')).toBe('[{"name":"key"}]');
    expect(at(pod, 'spec.priority')).toBe('1000');
    expect(at(pod, 'spec.preemptionPolicy')).toBe('"Never"');
  });

  test('a generated name', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: web-}\nspec: {containers: []}';
    expect(at(convert(text), 'metadata.name')).toBe('"web-xxxxx"');
    expect(convert(text).invented).toContainEqual(['metadata', 'name']);
    expect(at(convert(text, { stage: 'mutating' }), 'metadata.name')).toBeUndefined();
  });

  test('drops fields of disabled features after mutating policies', () => {
    const body = `${POD}{containers: [{lifecycle: {stopSignal: SIGTERM}}], schedulingGroup: {podGroupName: a}}`;
    expect(at(convert(body), 'spec.schedulingGroup')).toBeUndefined();
    expect(at(convert(body), 'spec.containers.0.lifecycle')).toBeUndefined();
    expect(at(convert(body, { stage: 'mutating' }), 'spec.schedulingGroup')).toBe('{"podGroupName":"a"}');
  });
});

describe('other kinds', () => {
  test.each([
    ['v1', 'Namespace', 'metadata: {name: a}', 'metadata.labels', '{"kubernetes.io/metadata.name":"a"}'],
    ['v1', 'Namespace', 'metadata: {name: a, namespace: b}', 'metadata.namespace', undefined],
    ['v1', 'Namespace', '{}', 'spec', '{"finalizers":["kubernetes"]}'],
    ['v1', 'Secret', 'stringData: {a: b}', 'data', '{"a":"Yg=="}'],
    ['v1', 'Secret', 'stringData: {a: b}', 'stringData', undefined],
    ['v1', 'Secret', '{}', 'type', '"Opaque"'],
    ['v1', 'Service', 'spec: {ports: [{port: 80}]}', 'spec.ports.0', '{"port":80,"protocol":"TCP","targetPort":80}'],
    ['v1', 'Service', 'spec: {clusterIP: None}', 'spec.ipFamilies', '["IPv4","IPv6"]'],
    ['v1', 'Service', 'spec: {type: ExternalName}', 'spec.clusterIP', undefined],
    ['v1', 'Service', 'spec: {type: NodePort, ports: [{port: 80}]}', 'spec.externalTrafficPolicy', '"Cluster"'],
    ['v1', 'PersistentVolumeClaim', '{}', 'metadata.finalizers', '["kubernetes.io/pvc-protection"]'],
    ['v1', 'PersistentVolumeClaim', '{}', 'status', '{}'],
    ['v1', 'ResourceQuota', 'spec: {hard: {cpu: 1n}}', 'spec.hard.cpu', '"1m"'],
    ['batch/v1', 'Job', 'metadata: {name: a}', 'spec.template.metadata.labels.job-name', '"a"'],
    ['batch/v1', 'Job', '{}', 'spec.podReplacementPolicy', '"TerminatingOrFailed"'],
    ['batch/v1', 'CronJob', '{}', 'spec.jobTemplate.spec.backoffLimit', undefined],
    ['apps/v1', 'DaemonSet', '{}', 'metadata.annotations', '{"deprecated.daemonset.template.generation":"1"}'],
    ['apps/v1', 'StatefulSet', '{}', 'spec.updateStrategy', '{"rollingUpdate":{"partition":0},"type":"RollingUpdate"}'],
    ['autoscaling/v1', 'HorizontalPodAutoscaler', '{}', 'spec.targetCPUUtilizationPercentage', '80'],
    ['networking.k8s.io/v1', 'NetworkPolicy', 'spec: {egress: [{}]}', 'spec.policyTypes', '["Ingress","Egress"]'],
    [
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      'subjects: [{kind: User}, {kind: ServiceAccount}]',
      'subjects',
      '[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":""},{"kind":"ServiceAccount","name":""}]',
    ],
    [
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicy',
      'spec: {matchConstraints: {resourceRules: [{}]}}',
      'spec',
      '{"failurePolicy":"Fail","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[{"scope":"*"}]}}',
    ],
    ['authorization.k8s.io/v1', 'SubjectAccessReview', 'status: {allowed: true}', 'status.allowed', 'true'],
    ['autoscaling/v1', 'Scale', 'spec: {replicas: 2}', 'spec.replicas', '2'],
  ])('%s %s %s: %s', (apiVersion, kind, body, path, expected) => {
    const text = body.startsWith('{}') ? '' : body;
    expect(at(convert(`apiVersion: ${apiVersion}\nkind: ${kind}\n${text}`), path)).toBe(expected);
  });

  test('converts the object again after mutating policies', () => {
    const first = convert(DEPLOYMENT, { stage: 'mutating' }).object;
    const again = new AdmissionObjects({ major: 1, minor: 36 }).convert(
      first,
      { group: 'apps', version: 'v1', kind: 'Deployment' },
      'shop',
    );
    expect(again !== undefined && 'validating' in again && sortedJson(again.validating.object)).toBe(
      sortedJson(convert(DEPLOYMENT).object),
    );
  });

  test('a list item without apiVersion and kind', () => {
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
    const result = new AdmissionObjects({ major: 1, minor: 36 }).convert(manifest('spec: {}'), kind, 'shop');
    const object = result !== undefined && 'validating' in result ? result.validating.object : new Map();
    expect([object.get('apiVersion'), object.get('kind')]).toEqual(['apps/v1', 'Deployment']);
  });

  test('kinds that are not built-in', () => {
    const kind = { group: 'example.com', version: 'v1', kind: 'Deployment' };
    expect(new AdmissionObjects({ major: 1, minor: 36 }).convert(manifest('a: b'), kind, '')).toBeUndefined();
  });

  test('the message of a refusal', () => {
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
    expect(refusalMessage(kind, 'strict decoding error: unknown field "a"')).toBe(
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "a"',
    );
  });
});

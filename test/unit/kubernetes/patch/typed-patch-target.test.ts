// Parts that a mutation does not change are not decoded again: the result equals that of decoding them.
import { expect, it } from 'vitest';
import { resourcesOf } from '../../../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, NEWEST_VERSION } from '../../../../src/kubernetes/api/version.ts';
import { applyJsonPatch } from '../../../../src/kubernetes/patch/json-patch.ts';
import { PatchTargets } from '../../../../src/kubernetes/patch/patch-targets.ts';
import { AdmissionObjects } from '../../../../src/kubernetes/schema/admission-object.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../src/source/json/json.ts';
import { valueAt } from '../../../../src/source/json/json-field.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

const TARGETS = new PatchTargets(new AdmissionObjects(DEFAULT_VERSION));
const NEWEST_TARGETS = new PatchTargets(new AdmissionObjects(NEWEST_VERSION));
const POD = '{containers: [{name: a, image: b, ports: [{containerPort: 80}], resources: {limits: {cpu: 1000m}}}]}';
const TEMPLATE = `{metadata: {labels: {app: a}}, spec: ${POD}}`;

const OBJECTS: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': `{selector: {matchLabels: {app: a}}, template: ${TEMPLATE}}`,
  'apps/v1 DaemonSet': `{selector: {matchLabels: {app: a}}, template: ${TEMPLATE}}`,
  'apps/v1 StatefulSet': `{selector: {matchLabels: {app: a}}, serviceName: a, template: ${TEMPLATE}, volumeClaimTemplates: [{metadata: {name: c}}]}`,
  'batch/v1 Job': `{template: ${TEMPLATE}}`,
  'v1 ReplicationController': `{template: ${TEMPLATE}}`,
  'v1 Pod': POD,
  'v1 Namespace': '{}',
  'v1 Service': '{ports: [{port: 80}]}',
  'autoscaling/v1 HorizontalPodAutoscaler': '{maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: a}}',
};

const ANNOTATIONS: Readonly<Record<string, readonly (readonly [string, JsonValue])[]>> = {
  'plain ones': [['example.com/team', 'shop']],
  'one that is a spec': [['autoscaling.alpha.kubernetes.io/metrics', '[{"type":"Resource"}]']],
  'one that is none': [['example.com/team', 1n]],
  none: [],
};

const show = (value: unknown): string =>
  value instanceof Map ? stringifyJson(value as JsonObject, { sortKeys: false, escapeHtml: false }) : String(value);

it.each(
  Object.entries(OBJECTS).flatMap(([kind, spec]) =>
    Object.entries(ANNOTATIONS).map(([name, entries]) => ({ kind, spec, name, entries })),
  ),
)('$kind with $name', ({ kind: words, spec, entries }) => {
  const [apiVersion, kind] = words.split(' ');
  const text = `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a, namespace: default}, spec: ${spec}}`;
  const [result] = readManifests(new SourceFile('a.yaml', text)).manifests.flatMap(resourcesOf);
  if (result === undefined || !('resource' in result)) throw new Error(text);
  const target = TARGETS.ofBuiltin(result.resource.gvk);
  const first = target?.fromMerged(result.resource.value);
  if (target === undefined || first === undefined || 'error' in first) throw new Error(text);
  const before = first.object;
  const written = show(before);
  const metadata = new Map<string, JsonValue>(before.get('metadata') as JsonObject);
  metadata.set('labels', new Map([['example.com/new', 'yes']])).set('annotations', new Map(entries));
  const made = new Map<string, JsonValue>(before).set('metadata', metadata);
  for (const way of ['fromMerged', 'fromPatched'] as const) {
    const [again, shared] = [target[way](made), target[way](made, before)];
    if ('error' in again || 'error' in shared) expect(shared).toEqual(again);
    else expect(show(shared.object)).toBe(show(again.object));
  }
  expect(show(before)).toBe(written);
});

it('a default that depends on a mutated field does not change the object before the mutation', () => {
  const cases = [
    {
      text: '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, resources: {limits: {cpu: 1}}}]}}',
      patch: { op: 'add', path: '/spec/containers/0/resources/limits/memory', from: '', value: '1Gi' },
      follows: ['spec', 'containers', 0, 'resources', 'requests', 'memory'],
      value: '1Gi',
    },
    {
      text: '{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {updateStrategy: {type: OnDelete, rollingUpdate: {}}}}',
      patch: { op: 'replace', path: '/spec/updateStrategy/type', from: '', value: 'RollingUpdate' },
      follows: ['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'],
      value: 1n,
    },
  ];
  for (const { text, patch, follows, value } of cases) {
    const [result] = readManifests(new SourceFile('a.yaml', text)).manifests.flatMap(resourcesOf);
    if (result === undefined || !('resource' in result)) throw new Error(text);
    const target = NEWEST_TARGETS.ofBuiltin(result.resource.gvk);
    const first = target?.fromPatched(result.resource.value);
    if (target === undefined || first === undefined || 'error' in first) throw new Error(text);
    const patched = applyJsonPatch(first.object, [patch]);
    if (!('document' in patched)) throw new Error(text);
    const after = target.fromPatched(patched.document as JsonObject, first.object);
    expect('object' in after && valueAt(after.object, follows)).toBe(value);
    expect(valueAt(first.object, follows)).toBeUndefined();
  }
});

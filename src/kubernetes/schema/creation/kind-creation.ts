// Creation of individual kinds (PrepareForCreate in upstream's pkg/registry/*/*/strategy.go).
import type { JsonValue } from '../../../source/json/json.ts';
import {
  childList,
  childObject,
  childObjects,
  childText,
  ensureObject,
  isNil,
  type MutableObject,
  setIfNil,
} from '../typed-field.ts';
import type { CreationContext, CreationFunction } from './creation-function.ts';
import { createPod } from './pod-creation.ts';
import { createService } from './service-creation.ts';

/** By group and kind; core kinds have no group and no slash. */
export const KIND_CREATION: ReadonlyMap<string, CreationFunction> = new Map([
  ['LimitRange', createLimitRange],
  ['Namespace', createNamespace],
  ['PersistentVolume', createPersistentVolume],
  ['PersistentVolumeClaim', createPersistentVolumeClaim],
  ['Pod', createPod],
  ['Service', createService],
  ['ServiceAccount', createServiceAccount],
  ['apiextensions.k8s.io/CustomResourceDefinition', createCustomResourceDefinition],
  ['apiregistration.k8s.io/APIService', createApiService],
  ['batch/Job', createJob],
  ['discovery.k8s.io/EndpointSlice', createEndpointSlice],
]);

function createNamespace(namespace: MutableObject): void {
  ensureObject(namespace, 'status').set('phase', 'Active');
  const spec = ensureObject(namespace, 'spec');
  const finalizers = childList(spec, 'finalizers');
  if (!finalizers.includes('kubernetes')) spec.set('finalizers', [...finalizers, 'kubernetes']);
  const metadata = ensureObject(namespace, 'metadata');
  ensureObject(metadata, 'labels').set('kubernetes.io/metadata.name', childText(metadata, 'name'));
}

function createLimitRange(range: MutableObject, context: CreationContext): void {
  const metadata = ensureObject(range, 'metadata');
  if (childText(metadata, 'name') !== '') return;
  metadata.set('name', context.uid);
  context.invent(['metadata', 'name']);
}

function createPersistentVolume(volume: MutableObject, context: CreationContext): void {
  if (context.minor < 29) return;
  const status = ensureObject(volume, 'status');
  status.set('phase', 'Pending');
  status.set('lastPhaseTransitionTime', context.now);
  context.invent(['status', 'lastPhaseTransitionTime']);
}

/**
 * Sources in other namespaces need a feature that is off by default. Synchronizes `dataSource` and `dataSourceRef`; the
 * older `dataSource` accepts only claims and snapshots.
 */
function createPersistentVolumeClaim(claim: MutableObject): void {
  const spec = ensureObject(claim, 'spec');
  const source = childObject(spec, 'dataSource');
  const written = childObject(spec, 'dataSourceRef');
  const isElsewhere = written !== undefined && childText(written, 'namespace') !== '';
  if (isElsewhere) spec.delete('dataSourceRef');
  const reference = isElsewhere ? undefined : written;
  if (reference === undefined && source !== undefined) {
    if (isClaimOrSnapshot(source)) spec.set('dataSourceRef', new Map(source));
    else spec.delete('dataSource');
  } else if (reference !== undefined && source === undefined) {
    const copy: MutableObject = new Map(reference);
    copy.delete('namespace');
    setIfNil(copy, 'apiGroup', null);
    spec.set('dataSource', copy);
  }
}

function isClaimOrSnapshot(source: MutableObject): boolean {
  const kind = childText(source, 'kind');
  const group = childText(source, 'apiGroup');
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}

function createServiceAccount(account: MutableObject): void {
  const secrets = childObjects(account, 'secrets');
  if (secrets.length === 0) return;
  const names = secrets.map((secret) => childText(secret, 'name'));
  account.set(
    'secrets',
    names.map((name) => new Map(name === '' ? [] : [['name', name]])),
  );
}

function createCustomResourceDefinition(definition: MutableObject): void {
  const versions = childObjects(ensureObject(definition, 'spec'), 'versions');
  const stored = versions.find((version) => version.get('storage') === true);
  if (stored !== undefined) ensureObject(definition, 'status').set('storedVersions', [childText(stored, 'name')]);
}

function createApiService(service: MutableObject, context: CreationContext): void {
  if (!isNil(ensureObject(service, 'spec'), 'service')) return;
  const condition = new Map<string, JsonValue>([
    ['type', 'Available'],
    ['status', 'True'],
    ['lastTransitionTime', context.now],
    ['reason', 'Local'],
    ['message', 'Local APIServices are always available'],
  ]);
  ensureObject(service, 'status').set('conditions', [condition]);
  context.invent(['status', 'conditions', 0, 'lastTransitionTime']);
}

/** Sets the labels and selector that match a Job's Pods. Both contain its UID, which only the server knows. */
function createJob(job: MutableObject, context: CreationContext): void {
  const spec = ensureObject(job, 'spec');
  if (spec.get('manualSelector') === true) return;
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  const metadata = ensureObject(job, 'metadata');
  const name = childText(metadata, 'name');
  const isShared = childObject(metadata, 'labels') === labels;
  for (const label of ['job-name', 'batch.kubernetes.io/job-name']) setIfNil(labels, label, name);
  for (const label of ['controller-uid', UID_LABEL]) {
    if (!isNil(labels, label)) continue;
    labels.set(label, context.uid);
    context.invent(['spec', 'template', 'metadata', 'labels', label]);
    if (isShared) context.invent(['metadata', 'labels', label]);
  }
  const matchLabels = ensureObject(ensureObject(spec, 'selector'), 'matchLabels');
  if (!isNil(matchLabels, UID_LABEL)) return;
  matchLabels.set(UID_LABEL, context.uid);
  context.invent(['spec', 'selector', 'matchLabels', UID_LABEL]);
}

const UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** The v1 API ignores the deprecated topology. */
function createEndpointSlice(slice: MutableObject, { version }: CreationContext): void {
  if (version !== 'v1') return;
  for (const endpoint of childObjects(slice, 'endpoints')) endpoint.delete('deprecatedTopology');
}

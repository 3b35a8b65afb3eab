// Creation of a Pod (pkg/registry/core/pod/strategy.go, pkg/apis/core/helper/qos).
import type { JsonValue } from '../../../source/json/json.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../quantity/quantity.ts';
import { childList, childObject, childObjects, childText, ensureObject, type MutableObject } from '../typed-field.ts';
import type { CreationContext } from './creation-function.ts';

const APPARMOR_ANNOTATION_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

export function createPod(pod: MutableObject, context: CreationContext): void {
  const { minor, writtenStatus } = context;
  const spec = ensureObject(pod, 'spec');
  const metadata = ensureObject(pod, 'metadata');
  const status = ensureObject(pod, 'status');
  status.set('phase', 'Pending');
  const writtenClass = isClassKept(minor) && writtenStatus !== undefined ? childText(writtenStatus, 'qosClass') : '';
  status.set('qosClass', writtenClass || qualityOfService(spec, minor));
  if (childList(spec, 'schedulingGates').length > 0) {
    status.set('conditions', [gatedCondition(context.now)]);
    context.invent(['status', 'conditions', 0, 'lastTransitionTime']);
  }
  if (minor >= 31) selectByOwnLabels(spec, childObject(metadata, 'labels') ?? new Map());
  if (minor >= 30) reconcileAppArmor(spec, metadata, minor);
}

/** From 1.29 to 1.36, `GetPodQOS` returned an existing class. */
function isClassKept(minor: number): boolean {
  return minor >= 29 && minor <= 36;
}

function gatedCondition(now: string): MutableObject {
  return new Map<string, JsonValue>([
    ['type', 'PodScheduled'],
    ['status', 'False'],
    ['lastProbeTime', null],
    ['lastTransitionTime', now],
    ['reason', 'SchedulingGated'],
    ['message', 'Scheduling is blocked due to non-empty scheduling gates'],
  ]);
}

/** `ComputePodQOS`: from the Pod's own resources if it has any (KEP-2837), else from its containers' resources. */
export function qualityOfService(spec: MutableObject, minor: number): string {
  const own = minor >= 34 ? childObject(spec, 'resources') : undefined;
  const holders =
    own === undefined
      ? [...childObjects(spec, 'containers'), ...childObjects(spec, 'initContainers')].map((container) =>
          ensureObject(container, 'resources'),
        )
      : [own];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let isGuaranteed = true;
  for (const holder of holders) {
    addPositive(requests, childObject(holder, 'requests'));
    const limited = addPositive(limits, childObject(holder, 'limits'));
    const isExempt = own !== undefined && (childObject(own, 'limits')?.size ?? 0) === 0;
    if (limited < 2 && !isExempt) isGuaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isMet = [...requests].every(([name, request]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, request) === 0;
  });
  return isGuaranteed && isMet && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Adds the positive amounts of cpu and memory, and returns their number. */
function addPositive(sums: Map<string, Quantity>, resources: MutableObject | undefined): number {
  let found = 0;
  for (const name of ['cpu', 'memory']) {
    const quantity = parseQuantity(String(resources?.get(name) ?? '0'));
    if ('error' in quantity || quantity.amount.value <= 0n) continue;
    found++;
    const sum = sums.get(name);
    sums.set(name, (sum && addQuantities(quantity, sum)) ?? quantity);
  }
  return found;
}

/** Adds `matchLabelKeys` to the selector in the same term. */
function selectByOwnLabels(spec: MutableObject, labels: MutableObject): void {
  const affinity = childObject(spec, 'affinity');
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const rules = affinity && childObject(affinity, kind);
    if (rules === undefined) continue;
    const preferred = childObjects(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map((rule) =>
      ensureObject(rule, 'podAffinityTerm'),
    );
    for (const term of [...preferred, ...childObjects(rules, 'requiredDuringSchedulingIgnoredDuringExecution')]) {
      extendSelector(term, 'matchLabelKeys', 'In', labels);
      extendSelector(term, 'mismatchLabelKeys', 'NotIn', labels);
    }
  }
}

function extendSelector(term: MutableObject, keysField: string, operator: string, labels: MutableObject): void {
  const selector = childObject(term, 'labelSelector');
  if (selector === undefined) return;
  const added = childList(term, keysField).flatMap((key) => {
    const value = labels.get(String(key));
    if (value === undefined) return [];
    return [
      new Map<string, JsonValue>([
        ['key', key],
        ['operator', operator],
        ['values', [value]],
      ]),
    ];
  });
  if (added.length > 0) selector.set('matchExpressions', [...childList(selector, 'matchExpressions'), ...added]);
}

/** Converts deprecated annotations to the field that replaces them; up to 1.33, also converts the field to annotations. */
function reconcileAppArmor(spec: MutableObject, metadata: MutableObject, minor: number): void {
  const os = childObject(spec, 'os');
  if (os !== undefined && childText(os, 'name') === 'windows') return;
  const ofPod = childObject(ensureObject(spec, 'securityContext'), 'appArmorProfile');
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of childObjects(spec, list)) {
      const key = `${APPARMOR_ANNOTATION_PREFIX}${childText(container, 'name')}`;
      const annotation = childObject(metadata, 'annotations')?.get(key);
      const context = childObject(container, 'securityContext');
      const own = context && childObject(context, 'appArmorProfile');
      if (annotation === undefined) {
        const text = minor <= 33 ? annotationOf(own ?? ofPod) : undefined;
        if (text !== undefined) ensureObject(metadata, 'annotations').set(key, text);
      } else if (own === undefined) {
        const profile = profileOf(annotation);
        const isNew = profile !== undefined && (ofPod === undefined || !isSameProfile(ofPod, profile));
        if (isNew) ensureObject(container, 'securityContext').set('appArmorProfile', profile);
      }
    }
  }
}

function annotationOf(profile: MutableObject | undefined): string | undefined {
  const type = profile?.get('type');
  if (type === 'Unconfined') return 'unconfined';
  if (type === 'RuntimeDefault') return 'runtime/default';
  const local = profile?.get('localhostProfile');
  return type === 'Localhost' && typeof local === 'string' ? `localhost/${local}` : undefined;
}

function profileOf(annotation: JsonValue): MutableObject | undefined {
  if (annotation === 'unconfined') return new Map([['type', 'Unconfined']]);
  if (annotation === 'runtime/default') return new Map([['type', 'RuntimeDefault']]);
  if (typeof annotation !== 'string' || !annotation.startsWith('localhost/')) return undefined;
  const profile = annotation.slice('localhost/'.length);
  if (profile.trim() === '' || profile.length > 4095) return undefined;
  return new Map([
    ['type', 'Localhost'],
    ['localhostProfile', profile],
  ]);
}

function isSameProfile(a: MutableObject, b: MutableObject): boolean {
  return a.get('type') === b.get('type') && a.get('localhostProfile') === b.get('localhostProfile');
}

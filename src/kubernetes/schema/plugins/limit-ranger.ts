// Defaults and bounds of a Namespace's LimitRanges (`plugin/pkg/admission/limitranger/admission.go`).
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { formatQuantity, type Quantity } from '../../quantity/quantity.ts';
import { compareAmounts, roundedUp } from '../../quantity/quantity-amount.ts';
import { aggregateErrors } from '../../validation/aggregate-errors.ts';
import { childObject, childObjects, childText, ensureObject, type MutableObject } from '../typed-field.ts';
import { type KnownObjects, LIMIT_RANGE, type PluginContext } from './plugin-request.ts';
import { podResources, type ResourceList, resourceList } from './pod-resources.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';
const CONTAINER_LISTS = ['containers', 'initContainers'] as const;

export function setDefaultLimits(pod: MutableObject, namespace: string, known: KnownObjects): void {
  const spec = ensureObject(pod, 'spec');
  for (const range of known.objects(LIMIT_RANGE, namespace)) {
    const ofContainers = limitsIn(range).filter((limit) => childText(limit, 'type') === 'Container');
    const limits = merged(ofContainers, 'default');
    const requests = merged(ofContainers, 'defaultRequest');
    const told = CONTAINER_LISTS.flatMap((list) =>
      childObjects(spec, list).flatMap((container) => setDefaults(container, list, requests, limits)),
    );
    if (told.length === 0) continue;
    const metadata = ensureObject(pod, 'metadata');
    ensureObject(metadata, 'annotations').set(ANNOTATION, `LimitRanger plugin set: ${told.join('; ')}`);
  }
}

function limitsIn(range: JsonObject): readonly MutableObject[] {
  const spec = childObject(range as MutableObject, 'spec');
  return spec === undefined ? [] : childObjects(spec, 'limits');
}

/** Of several items, the last one decides. */
function merged(limits: readonly MutableObject[], field: string): MutableObject {
  return new Map(limits.flatMap((limit) => [...(childObject(limit, field) ?? [])]));
}

/** What the plugin writes into its annotation. */
function setDefaults(
  container: MutableObject,
  list: (typeof CONTAINER_LISTS)[number],
  requests: MutableObject,
  limits: MutableObject,
): readonly string[] {
  const role = list === 'containers' ? 'container' : 'init container';
  const set = (field: string, defaults: MutableObject): readonly string[] => {
    const resources = new Map(childObject(container, 'resources'));
    const own = new Map(childObject(resources, field));
    const missing = [...defaults.keys()].filter((name) => !own.has(name)).sort();
    if (missing.length === 0) return [];
    for (const name of missing) own.set(name, defaults.get(name) ?? null);
    container.set('resources', resources.set(field, own));
    return [
      `${missing.join(', ')} ${field === 'limits' ? 'limit' : 'request'} for ${role} ${childText(container, 'name')}`,
    ];
  };
  const limited = set('limits', limits);
  return [...set('requests', requests), ...limited];
}

const POD_READS: readonly FieldPath[] = [
  ['spec', 'containers'],
  ['spec', 'initContainers'],
  ['spec', 'resources'],
];

/** Forbids what is outside of the bounds; for Pods on creation only. The server's order of several errors is random. */
export function validateLimits(
  object: JsonObject,
  kind: 'Pod' | 'PersistentVolumeClaim',
  namespace: string,
  known: KnownObjects,
  context: PluginContext,
): void {
  const spec = childObject(object as MutableObject, 'spec');
  if (spec === undefined) return;
  for (const range of known.objects(LIMIT_RANGE, namespace)) {
    const errors = limitsIn(range).flatMap((limit) =>
      kind === 'Pod' ? podErrors(spec, limit) : claimErrors(spec, limit),
    );
    if (errors.length === 0) continue;
    const isPod = kind === 'Pod';
    const first = errors[0] as BoundError;
    context.forbid({
      message: aggregateErrors(errors.map(({ message }) => message)),
      path: first.path,
      reads: isPod ? POD_READS : [['spec', 'resources']],
    });
  }
}

interface BoundError {
  readonly message: string;
  readonly path: FieldPath;
}

interface Bounded {
  readonly path: FieldPath;
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

function podErrors(spec: MutableObject, limit: MutableObject): readonly BoundError[] {
  const type = childText(limit, 'type');
  if (type === 'Pod') {
    const total = { requests: podResources(spec, 'requests'), limits: podResources(spec, 'limits') };
    return boundErrors({ path: ['spec', 'containers'], ...total }, type, limit);
  }
  if (type !== 'Container') return [];
  return CONTAINER_LISTS.flatMap((list) =>
    childObjects(spec, list).flatMap((container, index) => {
      const resources = childObject(container, 'resources');
      const path = ['spec', list, index, 'resources'];
      const own = { requests: resourceList(resources, 'requests'), limits: resourceList(resources, 'limits') };
      return boundErrors({ path, ...own }, type, limit);
    }),
  );
}

function claimErrors(spec: MutableObject, limit: MutableObject): readonly BoundError[] {
  const type = childText(limit, 'type');
  if (type !== 'PersistentVolumeClaim') return [];
  const path = ['spec', 'resources', 'requests', 'storage'];
  const requests = resourceList(childObject(spec, 'resources'), 'requests');
  const minimum = [...resourceList(limit, 'min')].flatMap(([name, bound]) =>
    belowMinimum(type, name, bound, requests.get(name), undefined),
  );
  const maximum = [...resourceList(limit, 'max')].flatMap(([name, bound]) => {
    const request = requests.get(name);
    const start = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
    if (request === undefined) return [`${start}.  No request is specified`];
    return compared(request, bound) > 0 ? [`${start}, but request is ${formatQuantity(request)}`] : [];
  });
  return [...minimum, ...maximum].map((message) => ({ message, path }));
}

function boundErrors({ path, requests, limits }: Bounded, type: string, limit: MutableObject): readonly BoundError[] {
  const texts = [
    ...[...resourceList(limit, 'min')].flatMap(([name, bound]) =>
      belowMinimum(type, name, bound, requests.get(name), limits.get(name)),
    ),
    ...[...resourceList(limit, 'max')].flatMap(([name, bound]) =>
      aboveMaximum(type, name, bound, requests.get(name), limits.get(name)),
    ),
    ...[...resourceList(limit, 'maxLimitRequestRatio')].flatMap(([name, bound]) =>
      aboveRatio(type, name, bound, requests.get(name), limits.get(name)),
    ),
  ];
  return texts.map((message) => ({ message, path }));
}

function belowMinimum(
  type: string,
  name: string,
  bound: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): readonly string[] {
  const start = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return [`${start}.  No request is specified`];
  if (compared(request, bound) < 0) return [`${start}, but request is ${formatQuantity(request)}`];
  if (limit !== undefined && compared(limit, bound) < 0) return [`${start}, but limit is ${formatQuantity(limit)}`];
  return [];
}

function aboveMaximum(
  type: string,
  name: string,
  bound: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): readonly string[] {
  const start = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limit === undefined) return [`${start}.  No limit is specified`];
  if (compared(limit, bound) > 0) return [`${start}, but limit is ${formatQuantity(limit)}`];
  if (request !== undefined && compared(request, bound) > 0)
    return [`${start}, but request is ${formatQuantity(request)}`];
  return [];
}

function aboveRatio(
  type: string,
  name: string,
  bound: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): readonly string[] {
  const start = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}, but`;
  const [requested, limited] = [milli(request), milli(limit)];
  if (requested === 0n) return [`${start} no request is specified or request is 0`];
  if (limited === 0n) return [`${start} no limit is specified or limit is 0`];
  const ratio = Number(limited) / Number(requested);
  return ratio * 1000 > Number(milli(bound)) ? [`${start} provided ratio is ${ratio.toFixed(6)}`] : [];
}

/** `requestLimitEnforcedValues` compares thousandths, rounded up. */
function compared(one: Quantity, other: Quantity): -1 | 0 | 1 {
  return compareAmounts(roundedUp(one.amount, -3), roundedUp(other.amount, -3));
}

function milli(quantity: Quantity | undefined): bigint {
  if (quantity === undefined) return 0n;
  const { value, scale } = roundedUp(quantity.amount, -3);
  return value * 10n ** BigInt(Math.min(Math.max(scale + 3, 0), 40));
}

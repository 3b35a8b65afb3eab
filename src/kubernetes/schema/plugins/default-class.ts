// The default classes of claims and Ingresses, and the growth of claims (`plugin/pkg/admission/storage`, `…/network/defaultingressclass`).
import type { JsonObject } from '../../../source/json/json.ts';
import { compareQuantities, parseQuantity } from '../../quantity/quantity.ts';
import { childObject, childText, ensureObject, isNil, type MutableObject } from '../typed-field.ts';
import {
  annotationsIn,
  findNamed,
  INGRESS_CLASS,
  type KnownObjects,
  lookedUpName,
  type PluginContext,
  STORAGE_CLASS,
} from './plugin-request.ts';

const DEFAULT_STORAGE_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const BETA_STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_INGRESS_CLASS = ['ingressclass.kubernetes.io/is-default-class'];
const BETA_INGRESS_CLASS = 'kubernetes.io/ingress.class';

export function useStorageClass(claim: MutableObject, known: KnownObjects): void {
  const spec = ensureObject(claim, 'spec');
  if (!isNil(spec, 'storageClassName') || annotationsIn(claim)?.has(BETA_STORAGE_CLASS) === true) return;
  const name = onlyDefault(known.objects(STORAGE_CLASS, ''), DEFAULT_STORAGE_CLASS);
  if (name !== undefined) spec.set('storageClassName', name);
}

export function useIngressClass(ingress: MutableObject, known: KnownObjects): void {
  const spec = ensureObject(ingress, 'spec');
  if (!isNil(spec, 'ingressClassName') || annotationsIn(ingress)?.has(BETA_INGRESS_CLASS) === true) return;
  const name = onlyDefault(known.objects(INGRESS_CLASS, ''), DEFAULT_INGRESS_CLASS);
  if (name !== undefined) spec.set('ingressClassName', name);
}

/** Of several defaults, the server takes the newest one, which Git does not tell. */
function onlyDefault(classes: readonly JsonObject[], annotations: readonly string[]): string | undefined {
  const isDefault = (each: JsonObject): boolean => annotations.some((key) => annotationsIn(each)?.get(key) === 'true');
  const defaults = classes.filter(isDefault);
  return defaults.length === 1 && defaults[0] !== undefined ? lookedUpName(defaults[0]) : undefined;
}

const SIZE = ['spec', 'resources', 'requests', 'storage'];

/** A claim counts as bound, so only its class decides about growth. */
export function validateResize(claim: JsonObject, old: JsonObject, known: KnownObjects, context: PluginContext): void {
  const [size, oldSize] = [sizeOf(claim), sizeOf(old)];
  if (size === undefined || oldSize === undefined || compareQuantities(size, oldSize) <= 0) return;
  const name = classOf(claim);
  const found = findNamed(known.objects(STORAGE_CLASS, ''), name);
  // A class without a file may allow it. A claim without a class has that of the cluster.
  const isKnown = found !== undefined || (known.holdsAll(STORAGE_CLASS, '') && !known.has(STORAGE_CLASS, '', name));
  if (name === '' || name !== classOf(old) || !isKnown || found?.get('allowVolumeExpansion') === true) return;
  const message =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  context.forbid({ message, path: SIZE, reads: [SIZE, ['spec', 'storageClassName']] });
}

function sizeOf(claim: JsonObject): ReturnType<typeof quantityOf> {
  const spec = childObject(claim as MutableObject, 'spec');
  const requests = spec && childObject(ensureObject(spec, 'resources'), 'requests');
  return requests && quantityOf(childText(requests, 'storage'));
}

function quantityOf(text: string) {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? undefined : parsed;
}

/** `pkg/apis/core/helper: GetPersistentVolumeClaimClass`. */
export function classOf(claim: JsonObject): string {
  const annotated = annotationsIn(claim)?.get(BETA_STORAGE_CLASS);
  if (typeof annotated === 'string') return annotated;
  const spec = childObject(claim as MutableObject, 'spec');
  return spec === undefined ? '' : childText(spec, 'storageClassName');
}

// The default admission plugins in the API server's order (`pkg/kubeapiserver/options/plugins.go: AllOrderedPlugins`).
import type { JsonObject } from '../../../source/json/json.ts';
import type { CreationContext } from '../creation/creation-function.ts';
import { childList, childObject, childObjects, childText, ensureObject, type MutableObject } from '../typed-field.ts';
import { useIngressClass, useStorageClass, validateResize } from './default-class.ts';
import { setDefaultLimits, validateLimits } from './limit-ranger.ts';
import type { AdmissionPlugin, KnownObjects, MissingObject, PluginContext, PluginRefusal } from './plugin-request.ts';
import { annotationsIn } from './plugin-request.ts';
import { usePriority, validatePriorityClass } from './priority.ts';
import { isCharged, validateQuota } from './resource-quota.ts';
import { useRuntimeClass, validateRuntimeClass } from './runtime-class.ts';
import { useServiceAccount, validateMirror, validateServiceAccount } from './service-account.ts';

/** Configuration and known objects for the plugins. */
export interface InTreeAdmission {
  readonly known: KnownObjects;
  readonly disabled: ReadonlySet<AdmissionPlugin>;
}

/** What the plugins found out about one object. */
export interface PluginFindings {
  /** In the order of the plugins; the first one is the server's answer. */
  readonly refusals: readonly PluginRefusal[];
  readonly missing: readonly MissingObject[];
}

const FINALIZERS: ReadonlyMap<string, { readonly finalizer: string; readonly firstMinor: number }> = new Map([
  ['PersistentVolume', { finalizer: 'kubernetes.io/pv-protection', firstMinor: 0 }],
  ['PersistentVolumeClaim', { finalizer: 'kubernetes.io/pvc-protection', firstMinor: 0 }],
  ['storage.k8s.io/VolumeAttributesClass', { finalizer: 'kubernetes.io/vac-protection', firstMinor: 34 }],
]);
const INGRESS = 'networking.k8s.io/Ingress';
const PRIORITY_CLASS = 'scheduling.k8s.io/PriorityClass';
const NOTHING: PluginFindings = { refusals: [], missing: [] };

/** False for kinds that no plugin below changes; `kind` as in `admitInTree`. */
export function isAdmittedInTree(kind: string): boolean {
  return kind === 'Pod' || kind === INGRESS || FINALIZERS.has(kind);
}

/** The plugins' mutating phase. `kind` has its group as a prefix; core kinds have none. */
export function admitInTree(
  object: MutableObject,
  kind: string,
  namespace: string,
  admission: InTreeAdmission,
  context: CreationContext,
): PluginFindings {
  if (!isAdmittedInTree(kind)) return NOTHING;
  const findings = collector(context);
  const { known, disabled } = admission;
  if (kind === 'Pod') admitPod(object, namespace, admission, findings.context);
  if (kind === 'PersistentVolumeClaim' && !disabled.has('DefaultStorageClass')) useStorageClass(object, known);
  const protection = disabled.has('StorageObjectInUseProtection') ? undefined : FINALIZERS.get(kind);
  if (protection !== undefined && context.minor >= protection.firstMinor) {
    const metadata = ensureObject(object, 'metadata');
    const finalizers = childList(metadata, 'finalizers');
    const { finalizer } = protection;
    if (!finalizers.includes(finalizer)) metadata.set('finalizers', [...finalizers, finalizer]);
  }
  if (kind === INGRESS && !disabled.has('DefaultIngressClass')) useIngressClass(object, known);
  return findings;
}

/** The plugins' validating phase, after the object's validation. `old`: what an update replaces. */
export function validateInTree(
  object: JsonObject,
  old: JsonObject | undefined,
  kind: string,
  namespace: string,
  { known, disabled }: InTreeAdmission,
  context: CreationContext,
): readonly PluginRefusal[] {
  if (!isAdmittedInTree(kind) && kind !== PRIORITY_CLASS && !isCharged(kind)) return [];
  const { context: own, refusals } = collector(context);
  const isCreation = old === undefined;
  if (!disabled.has('LimitRanger')) {
    if (kind === 'Pod' && isCreation) validateLimits(object, kind, namespace, known, own);
    if (kind === 'PersistentVolumeClaim') validateLimits(object, kind, namespace, known, own);
  }
  if (kind === 'Pod' && isCreation && !disabled.has('ServiceAccount')) {
    if (isMirror(object)) validateMirror(childObject(object as MutableObject, 'spec') ?? new Map(), own);
    else validateServiceAccount(object, namespace, known, own);
  }
  if (kind === PRIORITY_CLASS && !disabled.has('Priority')) {
    validatePriorityClass(object, known, own);
  }
  if (kind === 'PersistentVolumeClaim' && old !== undefined && !disabled.has('PersistentVolumeClaimResize')) {
    validateResize(object, old, known, own);
  }
  if (kind === 'Pod' && isCreation && !disabled.has('RuntimeClass')) validateRuntimeClass(object, known, own);
  if (isCharged(kind) && !disabled.has('ResourceQuota')) validateQuota(object, old, kind, namespace, known, own);
  return refusals;
}

function collector(context: CreationContext): PluginFindings & { readonly context: PluginContext } {
  const refusals: PluginRefusal[] = [];
  const missing: MissingObject[] = [];
  const own: PluginContext = {
    ...context,
    forbid: (refusal) => refusals.push(refusal),
    miss: (each) => missing.push(each),
  };
  return { refusals, missing, context: own };
}

function admitPod(
  pod: MutableObject,
  namespace: string,
  { known, disabled }: InTreeAdmission,
  context: PluginContext,
): void {
  if (!disabled.has('LimitRanger')) setDefaultLimits(pod, namespace, known);
  const spec = ensureObject(pod, 'spec');
  if (!disabled.has('ServiceAccount')) {
    if (isMirror(pod)) validateMirror(spec, context);
    else useServiceAccount(spec, namespace, known, context);
  }
  if (!disabled.has('Priority')) usePriority(spec, known, context);
  if (!disabled.has('DefaultTolerationSeconds')) tolerateUnreadyNodes(spec);
  if (!disabled.has('RuntimeClass')) useRuntimeClass(spec, known, context);
}

function isMirror(pod: JsonObject): boolean {
  return annotationsIn(pod)?.has('kubernetes.io/config.mirror') === true;
}

function tolerateUnreadyNodes(spec: MutableObject): void {
  const tolerations = childObjects(spec, 'tolerations');
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !tolerations.some((toleration) => toleratesEviction(toleration, key)),
  );
  if (added.length > 0) spec.set('tolerations', [...tolerations, ...added.map(evictionToleration)]);
}

function toleratesEviction(toleration: MutableObject, key: string): boolean {
  const [ownKey, effect] = [childText(toleration, 'key'), childText(toleration, 'effect')];
  return (ownKey === '' || ownKey === key) && (effect === '' || effect === 'NoExecute');
}

function evictionToleration(key: string): MutableObject {
  return new Map(Object.entries({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300n }));
}

// Fields that the conversion to the server's internal version and back adds or removes (pkg/apis/*/v*/conversion.go).
import { encodeBase64Text } from '../../../go/encoding/base64.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import type { Struct } from '../struct.ts';
import {
  childList,
  childObject,
  childObjects,
  childText,
  ensureObject,
  isNil,
  type MutableObject,
  ownObject,
  setInsideIfNil,
} from '../typed-field.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';

const ROLLBACK_ANNOTATION = 'deprecated.deployment.rollback.rollbackTo';
const TEMPLATE_GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

const INIT_CONTAINER_ANNOTATIONS: readonly string[] = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';
const AUTOSCALER_STATUS_ANNOTATIONS: readonly string[] = [
  'autoscaling.alpha.kubernetes.io/current-metrics',
  'autoscaling.alpha.kubernetes.io/conditions',
];

/** Marks empty PodDisruptionBudget selectors in the internal version, for policy/v1beta1; policy/v1 strips it. */
const EMPTY_SELECTOR_LABEL = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

export const ROUND_TRIP: DefaultFunctions = new Map([
  ['core/v1.Pod', passPod],
  ['core/v1.PodSpec', passPodSpec],
  ['core/v1.PodStatus', passPodStatus],
  ['core/v1.PodTemplateSpec', dropInitContainerAnnotations],
  ['core/v1.NodeSpec', passNodeSpec],
  ['core/v1.Secret', passSecret],
  ['apps/v1.Deployment', passDeployment],
  ['apps/v1.DaemonSet', passDaemonSet],
  ['apps/v1.StatefulSetSpec', passStatefulSetSpec],
  ['apiextensions/v1.CustomResourceConversion', passConversion],
  ['autoscaling/v1.HorizontalPodAutoscaler', passAutoscaler],
  ['policy/v1.PodDisruptionBudgetSpec', passDisruptionBudget],
  ['resource/v1alpha3.Device', passDevice],
  ['resource/v1beta1.Device', passDevice],
]);

/** Structs and fields that lose values here or in `CORE_DEFAULTS`; annotations are listed separately. */
const LOSING: ReadonlySet<string> = new Set([
  'apiextensions/v1.CustomResourceConversion',
  'core/v1.NodeSpec',
  'core/v1.PodStatus',
  'core/v1.Secret.stringData',
  'core/v1.ServiceSpec',
  'policy/v1.PodDisruptionBudgetSpec',
]);
const LOST_ANNOTATIONS: ReadonlySet<string> = new Set([
  ...INIT_CONTAINER_ANNOTATIONS,
  ...AUTOSCALER_STATUS_ANNOTATIONS,
  ROLLBACK_ANNOTATION,
]);

/** Values that completion may remove; see `KindCompletion`. */
export function lossOf({ name }: Struct, field: string): ReadonlySet<string> | 'anything' | undefined {
  if (name === 'meta/v1.ObjectMeta' && field === 'annotations') return LOST_ANNOTATIONS;
  return LOSING.has(name) || LOSING.has(`${name}.${field}`) ? 'anything' : undefined;
}

function passPod(pod: MutableObject): void {
  dropInitContainerAnnotations(pod);
  const spec = ensureObject(pod, 'spec');
  const gracePeriod = spec.get('terminationGracePeriodSeconds');
  if (typeof gracePeriod === 'bigint' && gracePeriod < 0n) spec.set('terminationGracePeriodSeconds', 1n);
}

function dropInitContainerAnnotations(template: MutableObject): void {
  const metadata = childObject(template, 'metadata');
  if (metadata !== undefined) dropAnnotations(metadata, INIT_CONTAINER_ANNOTATIONS);
}

function dropAnnotations(metadata: MutableObject, names: readonly string[]): void {
  const annotations = childObject(metadata, 'annotations');
  if (annotations === undefined) return;
  for (const name of names) annotations.delete(name);
  if (annotations.size === 0) metadata.delete('annotations');
}

/** `serviceAccount` is the old name of `serviceAccountName`; the server writes both. */
function passPodSpec(spec: MutableObject): void {
  const name = childText(spec, 'serviceAccountName') || childText(spec, 'serviceAccount');
  if (name === '') return;
  spec.set('serviceAccountName', name);
  spec.set('serviceAccount', name);
}

/** `podIP` is the first entry of `podIPs` and takes precedence over it. */
function passPodStatus(status: MutableObject): void {
  const single = childText(status, 'podIP');
  const [first] = childObjects(status, 'podIPs');
  const firstIp = first === undefined ? '' : childText(first, 'ip');
  if (single !== '' && firstIp !== single) status.set('podIPs', [new Map([['ip', single]])]);
  else if (single === '' && firstIp !== '') status.set('podIP', firstIp);
}

function passNodeSpec(spec: MutableObject): void {
  const single = childText(spec, 'podCIDR');
  const list = childList(spec, 'podCIDRs');
  if (single !== '' && list[0] !== single) spec.set('podCIDRs', [single]);
  else if (single === '' && list.length > 0 && list[0] !== '') spec.set('podCIDR', list[0] as JsonValue);
}

/** `stringData` takes precedence over `data` and is never returned. */
function passSecret(secret: MutableObject): void {
  const texts = childObject(secret, 'stringData');
  const data = texts === undefined || texts.size === 0 ? undefined : ownObject(secret, 'data');
  for (const [key, text] of texts ?? []) data?.set(key, encodeBase64Text(String(text)));
  secret.delete('stringData');
}

function passDeployment(deployment: MutableObject): void {
  const metadata = ensureObject(deployment, 'metadata');
  const annotations = childObject(metadata, 'annotations');
  if (annotations?.get(ROLLBACK_ANNOTATION) === '') dropAnnotations(metadata, [ROLLBACK_ANNOTATION]);
}

/** At least 1 after creation (`registry/apps/daemonset/strategy.go`). */
function passDaemonSet(set: MutableObject): void {
  const annotations = ensureObject(ensureObject(set, 'metadata'), 'annotations');
  const written = childText(annotations, TEMPLATE_GENERATION_ANNOTATION);
  const generation = /^[+-]?\d{1,18}$/.test(written) ? BigInt(written.replace('+', '')) : 1n;
  annotations.set(TEMPLATE_GENERATION_ANNOTATION, String(generation < 1n ? 1n : generation));
}

function passStatefulSetSpec(spec: MutableObject): void {
  for (const claim of childObjects(spec, 'volumeClaimTemplates')) {
    claim.set('apiVersion', 'v1');
    claim.set('kind', 'PersistentVolumeClaim');
  }
}

/** Metrics other than CPU utilization are in an annotation; without any, the server sets the CPU target to 80. */
function passAutoscaler(autoscaler: MutableObject): void {
  const metadata = ensureObject(autoscaler, 'metadata');
  dropAnnotations(metadata, AUTOSCALER_STATUS_ANNOTATIONS);
  const metrics = childObject(metadata, 'annotations')?.get(METRICS_ANNOTATION) ?? '';
  if (metrics === '' || metrics === '[]') setInsideIfNil(autoscaler, 'spec', 'targetCPUUtilizationPercentage', 80n);
}

/** The internal version has only the parts of the webhook, not the webhook itself. */
function passConversion(conversion: MutableObject): void {
  const webhook = childObject(conversion, 'webhook');
  if (webhook === undefined || !isNil(webhook, 'conversionReviewVersions')) return;
  if (childObject(webhook, 'clientConfig') === undefined) conversion.delete('webhook');
}

function passDisruptionBudget(spec: MutableObject): void {
  const selector = childObject(spec, 'selector');
  const labels = selector && childObject(selector, 'matchLabels');
  if (selector === undefined || labels === undefined || labels.size === 1) return;
  labels.delete(EMPTY_SELECTOR_LABEL);
}

/** Since 1.33 there is only one type of device, which is always written. */
function passDevice(device: MutableObject, { minor }: DefaultContext): void {
  if (minor >= 33 && isNil(device, 'basic')) device.set('basic', new Map());
}

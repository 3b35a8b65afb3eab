// Converts built-in objects between versions that differ in more than the apiVersion (upstream's `pkg/apis/*/*/conversion.go`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';

/** Undefined if the conversion is unknown here. */
export function convertVersion(
  object: JsonObject,
  from: GroupVersionKind,
  to: GroupVersionKind,
): JsonObject | undefined {
  if (from.group !== to.group || from.kind !== to.kind) return undefined;
  const convert = CONVERSIONS.get(`${from.group} ${from.kind} ${from.version} ${to.version}`);
  const converted = convert?.(object);
  return converted && new Map(converted).set('apiVersion', formatApiVersion(to.group, to.version));
}

type Convert = (object: JsonObject) => JsonObject | undefined;

const CONVERSIONS: ReadonlyMap<string, Convert> = new Map([
  ['autoscaling HorizontalPodAutoscaler v1 v2', autoscalerToV2],
  ['autoscaling HorizontalPodAutoscaler v2 v1', autoscalerToV1],
]);

/** Annotations of v1 for values that only v2 has fields for. */
const KEPT_IN_ANNOTATIONS = /^autoscaling\.alpha\.kubernetes\.io\/(?:metrics|behavior|current-metrics|conditions)$/;
const DEFAULT_UTILIZATION = 80n;

function autoscalerToV2(object: JsonObject): JsonObject | undefined {
  const annotations = objectField(objectOrEmpty(object.get('metadata')), 'annotations');
  const status = objectOrEmpty(object.get('status'));
  if ([...(annotations?.keys() ?? [])].some((key) => KEPT_IN_ANNOTATIONS.test(key))) return undefined;
  if (status.has('currentCPUUtilizationPercentage')) return undefined;
  const spec = new Map<string, JsonValue>(objectOrEmpty(object.get('spec')));
  const utilization = spec.get('targetCPUUtilizationPercentage') ?? DEFAULT_UTILIZATION;
  spec.delete('targetCPUUtilizationPercentage');
  spec.set('metrics', [cpuMetric(utilization)]);
  const newStatus = new Map<string, JsonValue>(status);
  if (newStatus.get('currentReplicas') === 0n) newStatus.delete('currentReplicas');
  newStatus.set('currentMetrics', null);
  return new Map<string, JsonValue>(object).set('spec', spec).set('status', newStatus);
}

function autoscalerToV1(object: JsonObject): JsonObject | undefined {
  const spec = new Map<string, JsonValue>(objectOrEmpty(object.get('spec')));
  const status = new Map<string, JsonValue>(objectOrEmpty(object.get('status')));
  if (spec.has('behavior') || isFilled(status.get('currentMetrics')) || isFilled(status.get('conditions')))
    return undefined;
  const metrics = spec.get('metrics');
  const utilizations = isJsonArray(metrics) ? metrics.map(cpuUtilization) : [];
  if (utilizations.length > 1 || utilizations.includes(undefined)) return undefined;
  spec.delete('metrics');
  const [utilization] = utilizations;
  if (utilization !== undefined) spec.set('targetCPUUtilizationPercentage', utilization);
  status.delete('currentMetrics');
  status.delete('conditions');
  if (!status.has('currentReplicas')) status.set('currentReplicas', 0n);
  return new Map<string, JsonValue>(object).set('spec', spec).set('status', status);
}

function cpuMetric(utilization: JsonValue): JsonObject {
  const target = new Map<string, JsonValue>([
    ['type', 'Utilization'],
    ['averageUtilization', utilization],
  ]);
  const resource = new Map<string, JsonValue>([
    ['name', 'cpu'],
    ['target', target],
  ]);
  return new Map<string, JsonValue>([
    ['type', 'Resource'],
    ['resource', resource],
  ]);
}

/** The only metric that v1 has a field for. */
function cpuUtilization(metric: JsonValue): JsonValue | undefined {
  const resource = objectField(objectOrEmpty(metric), 'resource');
  if (resource === undefined || textField(resource, 'name') !== 'cpu') return undefined;
  return objectField(resource, 'target')?.get('averageUtilization');
}

function isFilled(value: JsonValue | undefined): boolean {
  return isJsonArray(value) ? value.length > 0 : isJsonObject(value);
}

// Defaults of Deployments, DaemonSets, StatefulSets, Jobs and autoscalers (pkg/apis/{apps,batch,autoscaling}/v*/defaults.go).
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
  setIfZero,
  setInsideIfNil,
} from '../typed-field.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';

const MAX_INT32 = 2147483647n;

export const WORKLOAD_DEFAULTS: DefaultFunctions = new Map([
  ['apps/v1.DeploymentStrategy', defaultDeploymentStrategy],
  ['apps/v1.DaemonSetUpdateStrategy', defaultDaemonSetUpdateStrategy],
  ['apps/v1.StatefulSetUpdateStrategy', defaultStatefulSetUpdateStrategy],
  ['batch/v1.Job', defaultJob],
  ['autoscaling/v2.HorizontalPodAutoscalerSpec', defaultAutoscaler],
]);

function defaultDeploymentStrategy(strategy: MutableObject): void {
  if (childText(strategy, 'type') !== 'RollingUpdate') return;
  const rollingUpdate = ensureObject(strategy, 'rollingUpdate');
  setIfNil(rollingUpdate, 'maxUnavailable', '25%');
  setIfNil(rollingUpdate, 'maxSurge', '25%');
}

function defaultDaemonSetUpdateStrategy(strategy: MutableObject): void {
  if (childText(strategy, 'type') !== 'RollingUpdate') return;
  const rollingUpdate = ensureObject(strategy, 'rollingUpdate');
  setIfNil(rollingUpdate, 'maxUnavailable', 1n);
  setIfNil(rollingUpdate, 'maxSurge', 0n);
}

function defaultStatefulSetUpdateStrategy(strategy: MutableObject, { minor }: DefaultContext): void {
  if (childText(strategy, 'type') === '') {
    strategy.set('type', 'RollingUpdate');
    ensureObject(strategy, 'rollingUpdate');
  }
  if (childText(strategy, 'type') !== 'RollingUpdate' || isNil(strategy, 'rollingUpdate')) return;
  setInsideIfNil(strategy, 'rollingUpdate', 'partition', 0n);
  if (minor >= 37) setInsideIfNil(strategy, 'rollingUpdate', 'maxUnavailable', 1n);
}

function defaultJob(job: MutableObject, { minor }: DefaultContext): void {
  const spec = ensureObject(job, 'spec');
  if (isNil(spec, 'parallelism')) {
    setIfNil(spec, 'completions', 1n);
    spec.set('parallelism', 1n);
  }
  setIfNil(spec, 'backoffLimit', isNil(spec, 'backoffLimitPerIndex') ? 6n : MAX_INT32);
  const templateMetadata = childObject(ensureObject(spec, 'template'), 'metadata');
  // Shares the map, as the server does: labels that storing adds to the template also appear on the Job.
  const labels = templateMetadata && childObject(templateMetadata, 'labels');
  if (labels !== undefined && labels.size > 0) setInsideIfNil(job, 'metadata', 'labels', labels);
  setIfNil(spec, 'completionMode', 'NonIndexed');
  setIfNil(spec, 'suspend', false);
  if (minor < 34) defaultFailurePolicy(spec);
  if (minor < 29) return;
  setIfNil(spec, 'podReplacementPolicy', isNil(spec, 'podFailurePolicy') ? 'TerminatingOrFailed' : 'Failed');
  setIfNil(spec, 'manualSelector', false);
}

/** Later releases do this for CronJobs too. */
function defaultFailurePolicy(spec: MutableObject): void {
  const policy = childObject(spec, 'podFailurePolicy');
  for (const rule of policy === undefined ? [] : childObjects(policy, 'rules')) {
    for (const pattern of childObjects(rule, 'onPodConditions')) setIfZero(pattern, 'status', 'True');
  }
}

function defaultAutoscaler(spec: MutableObject): void {
  if (childList(spec, 'metrics').length === 0) spec.set('metrics', [cpuUtilizationMetric()]);
  const behavior = childObject(spec, 'behavior');
  if (behavior === undefined) return;
  const scaleUp = ensureObject(behavior, 'scaleUp');
  setIfNil(scaleUp, 'stabilizationWindowSeconds', 0n);
  setIfNil(scaleUp, 'selectPolicy', 'Max');
  setIfNil(scaleUp, 'policies', [scalingPolicy('Pods', 4n), scalingPolicy('Percent', 100n)]);
  const scaleDown = ensureObject(behavior, 'scaleDown');
  setIfNil(scaleDown, 'selectPolicy', 'Max');
  setIfNil(scaleDown, 'policies', [scalingPolicy('Percent', 100n)]);
}

function cpuUtilizationMetric(): MutableObject {
  const target = new Map<string, JsonValue>([
    ['type', 'Utilization'],
    ['averageUtilization', 80n],
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

function scalingPolicy(type: string, value: bigint): MutableObject {
  return new Map<string, JsonValue>([
    ['type', type],
    ['value', value],
    ['periodSeconds', 15n],
  ]);
}

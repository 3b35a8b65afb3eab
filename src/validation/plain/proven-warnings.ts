// The plain check: proves in microseconds that the server accepts an object, and never refuses one.
import type { JsonObject } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';
import { horizontalPodAutoscaler } from './autoscaling.ts';
import { persistentVolumeClaim } from './claim.ts';
import { configMap, namespace, secret, serviceAccount } from './data.ts';
import { cronJob, job } from './jobs.ts';
import type { PlainKind } from './kind.ts';
import { limitRange, podDisruptionBudget, priorityClass, resourceQuota, storageClass } from './limits.ts';
import { ingress, networkPolicy } from './networking.ts';
import { portWarnings } from './port-warnings.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';
import { childOf } from './rule.ts';
import { service } from './services.ts';
import { daemonSet, deployment, pod, statefulSet } from './workloads.ts';

const KINDS: ReadonlyMap<string, PlainKind> = new Map([
  ['apps/v1 DaemonSet', daemonSet],
  ['apps/v1 Deployment', deployment],
  ['apps/v1 StatefulSet', statefulSet],
  ['autoscaling/v2 HorizontalPodAutoscaler', horizontalPodAutoscaler],
  ['batch/v1 CronJob', cronJob],
  ['batch/v1 Job', job],
  ['networking.k8s.io/v1 Ingress', ingress],
  ['networking.k8s.io/v1 NetworkPolicy', networkPolicy],
  ['policy/v1 PodDisruptionBudget', podDisruptionBudget],
  ['rbac.authorization.k8s.io/v1 ClusterRole', clusterRole],
  ['rbac.authorization.k8s.io/v1 ClusterRoleBinding', clusterRoleBinding],
  ['rbac.authorization.k8s.io/v1 Role', role],
  ['rbac.authorization.k8s.io/v1 RoleBinding', roleBinding],
  ['scheduling.k8s.io/v1 PriorityClass', priorityClass],
  ['storage.k8s.io/v1 StorageClass', storageClass],
  ['v1 ConfigMap', configMap],
  ['v1 LimitRange', limitRange],
  ['v1 Namespace', namespace],
  ['v1 PersistentVolumeClaim', persistentVolumeClaim],
  ['v1 Pod', pod],
  ['v1 ResourceQuota', resourceQuota],
  ['v1 Secret', secret],
  ['v1 Service', service],
  ['v1 ServiceAccount', serviceAccount],
]);

/** Releases with the rules that the tables hold. */
const OLDEST_MINOR = 31;
const NEWEST_MINOR = 37;

interface Release {
  readonly minor: number;
}

/**
 * The warnings of the engine, in its order and words, if it is sure to accept the object: as a create, or as an update of `old`, whether
 * a client applies both or the object replaces the other. Undefined means "not sure". Both objects are decoded and defaulted. The only
 * warnings that are known are those about equal ports in one Pod.
 */
export function provenWarnings(
  object: JsonObject,
  old: JsonObject | undefined,
  { minor }: Release,
): readonly string[] | undefined {
  if (!(minor >= OLDEST_MINOR && minor <= NEWEST_MINOR)) return undefined;
  const type = typeOf(object);
  const kind = KINDS.get(type);
  if (kind === undefined) return undefined;
  if (old === undefined) return kind.rule(object) ? warningsOf(kind, object) : undefined;
  if (kind.allowsUpdate === undefined || typeOf(old) !== type || !isSameObject(object, old)) return undefined;
  if (!kind.rule(object) || !kind.rule(old) || !kind.allowsUpdate(object, old)) return undefined;
  // Whether the server warns again depends on what else changes.
  const warnings = warningsOf(kind, object);
  return warnings.length === 0 ? warnings : undefined;
}

function warningsOf(kind: PlainKind, object: JsonObject): readonly string[] {
  return kind.podAt === undefined ? [] : portWarnings(object, kind.podAt);
}

function typeOf(object: JsonObject): string {
  return `${textField(object, 'apiVersion')} ${textField(object, 'kind')}`;
}

/** The server compares what it set; absent values are taken over from the old object. */
function isSameObject(object: JsonObject, old: JsonObject): boolean {
  const [metadata, before] = [childOf(object, 'metadata'), childOf(old, 'metadata')];
  return ['name', 'namespace', 'uid', 'generation'].every((name) => metadata.get(name) === before.get(name));
}

// Violations by a Namespace's existing Pods when its level becomes stricter, based on the repository (`EvaluatePodsInNamespace`).

import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { evaluatePod, forbiddenReason } from '../../kubernetes/pod-security/evaluate-pod.ts';
import type { PodSecurityLevelVersion } from '../../kubernetes/pod-security/level-version.ts';
import { compareUtf8 } from '../../source/json/json.ts';
import { podPartOf } from './pod-template.ts';
import type { PodSecuritySettings } from './settings.ts';

export interface ExistingPods {
  /** Violations by Pods in the repository, one line for each kind of violation, in the server's text and order. */
  readonly lines: readonly string[];
  /** Objects whose Pods violate the level; only the server knows the Pods' names. E.g. `Deployment web: privileged`. */
  readonly makers: readonly string[];
}

const POD: GroupVersionKind = { group: '', version: 'v1', kind: 'Pod' };

/** Kinds that run Pods. A PodTemplate runs none. */
const MAKERS: readonly GroupVersionKind[] = [
  { group: '', version: 'v1', kind: 'ReplicationController' },
  { group: 'apps', version: 'v1', kind: 'DaemonSet' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
  { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  { group: 'batch', version: 'v1', kind: 'CronJob' },
  { group: 'batch', version: 'v1', kind: 'Job' },
];

export function existingPods(
  namespace: string,
  enforce: PodSecurityLevelVersion,
  cluster: Cluster,
  settings: PodSecuritySettings,
): ExistingPods {
  const violations = (gvk: GroupVersionKind): readonly { readonly name: string; readonly reason: string }[] =>
    cluster.objects(gvk, namespace).flatMap(({ object, resource }) => {
      const part = podPartOf(cluster.mappingFor(gvk).resource, object);
      if (part === undefined || settings.exemptions.runtimeClasses.includes(part.runtimeClassName)) return [];
      const reason = forbiddenReason(evaluatePod(enforce, part.pod, cluster.version));
      return reason === '' ? [] : [{ name: resource.name, reason }];
    });
  const namesByReason = new Map<string, string[]>();
  for (const { name, reason } of violations(POD)) {
    const names = namesByReason.get(reason);
    if (names === undefined) namesByReason.set(reason, [name]);
    else names.push(name);
  }
  return {
    lines: [...namesByReason].map(([reason, names]) => `${podsLabel(names)}: ${reason}`).sort(compareUtf8),
    makers: MAKERS.flatMap((gvk) => violations(gvk).map(({ name, reason }) => `${gvk.kind} ${name}: ${reason}`)),
  };
}

/** Names the first Pod and counts the others. */
function podsLabel(names: readonly string[]): string {
  const [first = ''] = [...names].sort(compareUtf8);
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

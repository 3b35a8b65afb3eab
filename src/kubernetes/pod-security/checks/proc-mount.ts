// Baseline: proc mounts must be masked; since 1.35, not for Pods with their own user namespace (`check_procMount_*.go`).
import { optionalTextField } from '../../../source/json/json-field.ts';
import {
  containerList,
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, hasOwnUserNamespace } from '../pod.ts';

export const procMountBaseline: PodSecurityCheck = {
  id: 'procMount',
  level: 'baseline',
  versions: [
    { minimumMinor: 0, check },
    { minimumMinor: 35, check: (pod) => (hasOwnUserNamespace(pod) ? undefined : check(pod)) },
  ],
};

export const procMountRestricted: PodSecurityCheck = {
  id: 'procMount_restricted',
  level: 'restricted',
  versions: [{ minimumMinor: 35, overrides: ['procMount'], check }],
};

function check(pod: CheckedPod): Violation | undefined {
  const containers: string[] = [];
  const types: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const type = securityContext && optionalTextField(securityContext, 'procMount');
    if (type === undefined || type === 'Default') continue;
    containers.push(name);
    types.push(type);
    errors.push(forbiddenField([...path, 'securityContext', 'procMount'], type));
  }
  if (containers.length === 0) return undefined;
  const values = joinQuoted(sortedSet(types));
  const detail = `${containerList(containers)} must not set securityContext.procMount to ${values}`;
  return { reason: 'procMount', detail, errors };
}

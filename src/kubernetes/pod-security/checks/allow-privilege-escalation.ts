// Restricted: every container must set allowPrivilegeEscalation=false (pod-security-admission `check_allowPrivilegeEscalation.go`).
import {
  containerList,
  forbiddenField,
  type PodSecurityCheck,
  type PodSecurityError,
  requiredField,
  type Violation,
} from '../check.ts';
import { type CheckedPod, isWindowsPod } from '../pod.ts';

export const allowPrivilegeEscalation: PodSecurityCheck = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  versions: [
    { minimumMinor: 8, check: checkContainers },
    { minimumMinor: 25, check: (pod) => (isWindowsPod(pod) ? undefined : checkContainers(pod)) },
  ],
};

function checkContainers(pod: CheckedPod): Violation | undefined {
  const containers: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    const value = securityContext?.get('allowPrivilegeEscalation');
    if (value === false) continue;
    const field = [...path, 'securityContext', 'allowPrivilegeEscalation'];
    containers.push(name);
    if (securityContext === undefined) errors.push(requiredField(field));
    else errors.push(forbiddenField(field, value === true ? true : 'nil'));
  }
  if (containers.length === 0) return undefined;
  const detail = `${containerList(containers)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail, errors };
}

// Baseline: no privileged containers (pod-security-admission `check_privileged.go`).
import { containerList, forbiddenField, type PodSecurityCheck, type Violation } from '../check.ts';
import type { CheckedPod } from '../pod.ts';

export const privileged: PodSecurityCheck = {
  id: 'privileged',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check }],
};

function check(pod: CheckedPod): Violation | undefined {
  const bad = pod.containers.filter(({ securityContext }) => securityContext?.get('privileged') === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containerList(bad.map(({ name }) => name))} must not set securityContext.privileged=true`,
    errors: bad.map(({ path }) => forbiddenField([...path, 'securityContext', 'privileged'], true)),
  };
}

// Restricted: no user 0; since 1.35, not for Pods with their own user namespace (`check_runAsUser.go`).
import { forbiddenField, type PodSecurityCheck, type PodSecurityError, settersText, type Violation } from '../check.ts';
import { type CheckedPod, hasOwnUserNamespace, POD_SECURITY_CONTEXT } from '../pod.ts';

export const runAsUser: PodSecurityCheck = {
  id: 'runAsUser',
  level: 'restricted',
  versions: [
    { minimumMinor: 23, check },
    { minimumMinor: 35, check: (pod) => (hasOwnUserNamespace(pod) ? undefined : check(pod)) },
  ],
};

function check(pod: CheckedPod): Violation | undefined {
  const isPodRoot = pod.securityContext?.get('runAsUser') === 0n;
  const errors: PodSecurityError[] = isPodRoot ? [forbiddenField([...POD_SECURITY_CONTEXT, 'runAsUser'], 0n)] : [];
  const containers: string[] = [];
  for (const { name, securityContext, path } of pod.containers) {
    if (securityContext?.get('runAsUser') !== 0n) continue;
    containers.push(name);
    errors.push(forbiddenField([...path, 'securityContext', 'runAsUser'], 0n));
  }
  if (errors.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${settersText(isPodRoot, containers)} must not set runAsUser=0`, errors };
}

// Restricted: containers must not run as root; since 1.35, not for Pods with their own user namespace (`check_runAsNonRoot.go`).
import {
  containerList,
  forbiddenField,
  type PodSecurityCheck,
  type PodSecurityError,
  requiredField,
  settersText,
  type Violation,
} from '../check.ts';
import { type CheckedPod, hasOwnUserNamespace, POD_SECURITY_CONTEXT } from '../pod.ts';

export const runAsNonRoot: PodSecurityCheck = {
  id: 'runAsNonRoot',
  level: 'restricted',
  versions: [
    { minimumMinor: 0, check },
    { minimumMinor: 35, check: (pod) => (hasOwnUserNamespace(pod) ? undefined : check(pod)) },
  ],
};

function check(pod: CheckedPod): Violation | undefined {
  const podValue = pod.securityContext?.get('runAsNonRoot');
  const explicit: string[] = [];
  const implicit: string[] = [];
  const explicitErrors: PodSecurityError[] = [];
  const implicitErrors: PodSecurityError[] = [];
  if (podValue === false) explicitErrors.push(forbiddenField([...POD_SECURITY_CONTEXT, 'runAsNonRoot'], false));
  for (const { name, securityContext, path } of pod.containers) {
    const value = securityContext?.get('runAsNonRoot');
    const field = [...path, 'securityContext', 'runAsNonRoot'];
    if (value === false) {
      explicit.push(name);
      explicitErrors.push(forbiddenField(field, false));
    } else if (value !== true && podValue !== true) {
      implicit.push(name);
      implicitErrors.push(requiredField(field));
    }
  }
  const reason = 'runAsNonRoot != true';
  if (explicitErrors.length > 0) {
    const unsaid = implicitErrors.map((error) => ({ ...error, isUnsaid: true as const }));
    const setters = settersText(podValue === false, explicit);
    const detail = `${setters} must not set securityContext.runAsNonRoot=false`;
    return { reason, detail, errors: [...explicitErrors, ...unsaid] };
  }
  if (implicit.length === 0) return undefined;
  const detail = `pod or ${containerList(implicit)} must set securityContext.runAsNonRoot=true`;
  return { reason, detail, errors: implicitErrors };
}

// Baseline: no Windows host processes (pod-security-admission `check_windowsHostProcess.go`).
import { forbiddenField, type PodSecurityCheck, settersText, type Violation } from '../check.ts';
import { type CheckedPod, fieldAt, POD_SECURITY_CONTEXT } from '../pod.ts';

export const windowsHostProcess: PodSecurityCheck = {
  id: 'windowsHostProcess',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check }],
};

const HOST_PROCESS = ['windowsOptions', 'hostProcess'];

function check(pod: CheckedPod): Violation | undefined {
  const isPodBad = fieldAt(pod.securityContext, ...HOST_PROCESS) === true;
  const containers = pod.containers.filter(({ securityContext }) => fieldAt(securityContext, ...HOST_PROCESS) === true);
  if (!isPodBad && containers.length === 0) return undefined;
  const setters = settersText(
    isPodBad,
    containers.map(({ name }) => name),
  );
  const paths = containers.map(({ path }) => [...path, 'securityContext', ...HOST_PROCESS]);
  if (isPodBad) paths.unshift([...POD_SECURITY_CONTEXT, ...HOST_PROCESS]);
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
    errors: paths.map((path) => forbiddenField(path, true)),
  };
}

// Baseline: no host namespaces (pod-security-admission `check_hostNamespaces.go`).
import { forbiddenField, type PodSecurityCheck, type Violation } from '../check.ts';
import type { CheckedPod } from '../pod.ts';

export const hostNamespaces: PodSecurityCheck = {
  id: 'hostNamespaces',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check }],
};

const FIELDS = ['hostNetwork', 'hostPID', 'hostIPC'];

function check({ spec }: CheckedPod): Violation | undefined {
  const set = FIELDS.filter((field) => spec.get(field) === true);
  if (set.length === 0) return undefined;
  return {
    reason: 'host namespaces',
    detail: set.map((field) => `${field}=true`).join(', '),
    errors: set.map((field) => forbiddenField(['spec', field], true)),
  };
}

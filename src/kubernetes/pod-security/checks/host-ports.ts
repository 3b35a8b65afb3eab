// Baseline: no host ports (pod-security-admission `check_hostPorts.go`).
import { objectItems } from '../../../source/json/json-field.ts';
import {
  containerList,
  forbiddenField,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  sortedSet,
  type Violation,
} from '../check.ts';
import type { CheckedPod } from '../pod.ts';

export const hostPorts: PodSecurityCheck = {
  id: 'hostPorts',
  level: 'baseline',
  versions: [{ minimumMinor: 0, check }],
};

function check(pod: CheckedPod): Violation | undefined {
  const containers: string[] = [];
  const ports: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, container, path } of pod.containers) {
    const before = errors.length;
    for (const [index, port] of objectItems(container.get('ports')).entries()) {
      const hostPort = port.get('hostPort');
      if (typeof hostPort !== 'bigint' || hostPort === 0n) continue;
      ports.push(String(hostPort));
      errors.push(forbiddenField([...path, 'ports', index, 'hostPort'], hostPort));
    }
    if (errors.length > before) containers.push(name);
  }
  if (containers.length === 0) return undefined;
  // Sorted as text, so 10 precedes 9.
  const distinct = sortedSet(ports);
  const use = plural('uses', 'use', containers.length);
  const list = `${plural('hostPort', 'hostPorts', distinct.length)} ${distinct.join(', ')}`;
  return { reason: 'hostPort', detail: `${containerList(containers)} ${use} ${list}`, errors };
}

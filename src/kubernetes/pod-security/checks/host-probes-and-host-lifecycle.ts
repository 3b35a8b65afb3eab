// Baseline: no host in probes and lifecycle handlers (pod-security-admission `check_hostProbesAndhostLifecycle.go`).
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import {
  containerList,
  forbiddenField,
  joinQuoted,
  type PodSecurityCheck,
  type PodSecurityError,
  plural,
  sortedSet,
  type Violation,
} from '../check.ts';
import { type CheckedPod, fieldAt } from '../pod.ts';

export const hostProbesAndHostLifecycle: PodSecurityCheck = {
  id: 'hostProbesAndHostLifecycle',
  level: 'baseline',
  versions: [{ minimumMinor: 34, check }],
};

const HANDLERS = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];
const ACTIONS = ['httpGet', 'tcpSocket'];

function check(pod: CheckedPod): Violation | undefined {
  const containers: string[] = [];
  const hosts: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const { name, container, path } of pod.containers) {
    for (const handler of HANDLERS) {
      for (const action of ACTIONS) {
        const host = textField(objectOrEmpty(fieldAt(container, ...handler, action)), 'host');
        if (host === '') continue;
        containers.push(name);
        hosts.push(host);
        errors.push(forbiddenField([...path, ...handler, action, 'host'], host));
      }
    }
  }
  if (containers.length === 0) return undefined;
  const names = sortedSet(containers);
  const distinct = sortedSet(hosts);
  const use = plural('uses', 'use', names.length);
  const list = `${plural('probe or lifecycle host', 'probe or lifecycle hosts', distinct.length)} ${joinQuoted(distinct)}`;
  return { reason: 'probe or lifecycle host', detail: `${containerList(names)} ${use} ${list}`, errors };
}

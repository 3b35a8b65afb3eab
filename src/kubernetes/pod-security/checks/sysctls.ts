// Baseline: only safe sysctls; later versions allow more (pod-security-admission `check_sysctls.go`).
import { objectItems, textField } from '../../../source/json/json-field.ts';
import { forbiddenField, type PodSecurityCheck, type PodSecurityError, type Violation } from '../check.ts';
import { type CheckedPod, POD_SECURITY_CONTEXT } from '../pod.ts';

const SAFE_1_0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SAFE_1_27 = [...SAFE_1_0, 'net.ipv4.ip_local_reserved_ports'];
const SAFE_1_29 = [
  ...SAFE_1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SAFE_1_32 = [...SAFE_1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const SAFE_1_37 = [...SAFE_1_32, 'net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat'];

export const sysctls: PodSecurityCheck = {
  id: 'sysctls',
  level: 'baseline',
  versions: [
    { minimumMinor: 0, check: (pod) => check(pod, SAFE_1_0) },
    { minimumMinor: 27, check: (pod) => check(pod, SAFE_1_27) },
    { minimumMinor: 29, check: (pod) => check(pod, SAFE_1_29) },
    { minimumMinor: 32, check: (pod) => check(pod, SAFE_1_32) },
    { minimumMinor: 37, check: (pod) => check(pod, SAFE_1_37) },
  ],
};

function check({ securityContext }: CheckedPod, safe: readonly string[]): Violation | undefined {
  const names: string[] = [];
  const errors: PodSecurityError[] = [];
  for (const [index, sysctl] of objectItems(securityContext?.get('sysctls')).entries()) {
    const name = textField(sysctl, 'name');
    if (safe.includes(name)) continue;
    names.push(name);
    errors.push(forbiddenField([...POD_SECURITY_CONTEXT, 'sysctls', index, 'name'], name));
  }
  return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', '), errors };
}

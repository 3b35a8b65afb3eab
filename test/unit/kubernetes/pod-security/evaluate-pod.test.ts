import { describe, expect, it } from 'vitest';
import type { KubernetesVersion } from '../../../../src/kubernetes/api/version.ts';
import type { PodSecurityError } from '../../../../src/kubernetes/pod-security/check.ts';
import { evaluatePod, forbiddenDetail, violationsOf } from '../../../../src/kubernetes/pod-security/evaluate-pod.ts';
import {
  LATEST_POD_SECURITY_VERSION,
  type PodSecurityLevel,
} from '../../../../src/kubernetes/pod-security/level-version.ts';
import { type CheckedPod, checkedPod } from '../../../../src/kubernetes/pod-security/pod.ts';
import { objectOrEmpty } from '../../../../src/source/json/json-field.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';
import { formatFieldPath } from '../../../../src/source/node/field-path.ts';

describe('evaluatePod', () => {
  it('has no checks for privileged', () => {
    expect(evaluate('privileged', { hostNetwork: true })).toEqual([]);
  });

  it('has no checks newer than the server', () => {
    const spec = { containers: [{ name: 'web', livenessProbe: { httpGet: { host: 'h', port: 1 } } }] };
    expect(detailOf('baseline', spec, {}, 33)).toBe('');
    expect(detailOf('baseline', spec, {}, 34)).toContain('probe or lifecycle host');
  });

  it('uses the messages of servers before 1.30 for AppArmor', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/web': 'unconfined' };
    const text = 'container.apparmor.security.beta.kubernetes.io/web="unconfined"';
    expect(detailOf('baseline', { containers: [{ name: 'web' }] }, { annotations }, 29)).toBe(
      `forbidden AppArmor profile (${text})`,
    );
    expect(detailOf('baseline', { containers: [{ name: 'web' }] }, { annotations }, 30)).toBe(
      `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${text}")`,
    );
  });

  it('lists the invalid fields with their values', () => {
    const spec = {
      hostPID: true,
      containers: [
        { name: 'a', securityContext: { capabilities: { add: ['CHOWN', 'SYS_ADMIN', 'NET_RAW'] } } },
        { name: 'b', ports: [{ containerPort: 1 }, { containerPort: 2, hostPort: 80 }] },
      ],
    };
    expect(errorsOf('baseline', spec).map(shown)).toEqual([
      'forbidden spec.containers[0].securityContext.capabilities.add NET_RAW,SYS_ADMIN at spec.containers[0].securityContext.capabilities.add[1],spec.containers[0].securityContext.capabilities.add[2]',
      'forbidden spec.hostPID true',
      'forbidden spec.containers[1].ports[1].hostPort 80',
    ]);
  });

  it('marks errors that the detail omits', () => {
    const containers = [{ name: 'root', securityContext: { runAsNonRoot: false } }, { name: 'silent' }];
    const errors = errorsOf('restricted', { containers }).filter(({ path }) => path.at(-1) === 'runAsNonRoot');
    expect(errors.map(({ type, isUnsaid }) => [type, isUnsaid ?? false])).toEqual([
      ['forbidden', false],
      ['required', true],
    ]);
  });
});

function evaluate(level: PodSecurityLevel, spec: unknown, metadata: unknown = {}, minor?: number) {
  const server: KubernetesVersion | undefined = minor === undefined ? undefined : { major: 1, minor };
  return evaluatePod({ level, version: LATEST_POD_SECURITY_VERSION }, podOf(spec, metadata), server);
}

function podOf(spec: unknown, metadata: unknown): CheckedPod {
  const [specObject, metadataObject] = [spec, metadata].map((plain) => {
    const parsed = parseJson(JSON.stringify(plain));
    return objectOrEmpty('value' in parsed ? parsed.value : undefined);
  });
  return checkedPod(objectOrEmpty(metadataObject), objectOrEmpty(specObject));
}

function detailOf(level: PodSecurityLevel, spec: unknown, metadata: unknown, minor: number): string {
  return forbiddenDetail(evaluate(level, spec, metadata, minor));
}

function errorsOf(level: PodSecurityLevel, spec: unknown): readonly PodSecurityError[] {
  return violationsOf(evaluate(level, spec)).flatMap(({ errors }) => errors);
}

function shown({ type, path, value, entries }: PodSecurityError): string {
  const at = entries ? ` at ${entries.map(formatFieldPath).join(',')}` : '';
  return `${type} ${formatFieldPath(path)} ${value}${at}`;
}

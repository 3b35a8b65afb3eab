// Port: the checks of the Pod Security Standards (k8s.io/pod-security-admission 0.36), each in all its revisions.
import type { Violation } from '../../../src/kubernetes/pod-security/check.ts';
import { POD_SECURITY_CHECKS } from '../../../src/kubernetes/pod-security/check-table.ts';
import { evaluatePod, forbiddenDetail, forbiddenReason } from '../../../src/kubernetes/pod-security/evaluate-pod.ts';
import {
  POD_SECURITY_LEVELS,
  parsePodSecurityLevel,
  parsePodSecurityVersion,
} from '../../../src/kubernetes/pod-security/level-version.ts';
import { type CheckedPod, checkedPod } from '../../../src/kubernetes/pod-security/pod.ts';
import { objectOrEmpty } from '../../../src/source/json/json-field.ts';
import type { Chance } from './chance.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { jsonArgument } from './tagged-json.ts';

const SERVER = { major: 1, minor: 36 };
const NAMES = ['web', 'log', 'init', 'debug', 'é', '', 'a"b'];
const CAPABILITIES = ['ALL', 'NET_BIND_SERVICE', 'CHOWN', 'SYS_ADMIN', 'NET_ADMIN', 'all', 'KILL', '', 'SETUID', 'a"b'];
const PROFILES = ['RuntimeDefault', 'Localhost', 'Unconfined', '', 'runtime/default'];
const SYSCTLS = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range'],
  ...['net.ipv4.ip_unprivileged_port_start', 'net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time'],
  ...['net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes', 'kernel.msgmax'],
  ...['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem', 'net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat', ''],
];
const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t', 'spc_t', 'a"b'];
const VOLUMES = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'],
  ...['image', 'hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs', 'rbd'],
  ...['flexVolume', 'cinder', 'cephfs', 'flocker', 'fc', 'azureFile', 'vsphereVolume', 'quobyte', 'azureDisk'],
  ...['photonPersistentDisk', 'portworxVolume', 'scaleIO', 'storageos'],
];
const ANNOTATION_VALUES = [
  ...[
    'runtime/default',
    'docker/default',
    'localhost/a',
    'localhost',
    'unconfined',
    '',
    'localhost/',
    'a"b\n',
    'é\u0000',
  ],
];
const HOSTS = ['', '127.0.0.1', 'localhost', '10.0.0.1', '::1', 'example.com'];

type Fields = Readonly<Record<string, unknown>>;

/** Each field with its share in percent, so that small Pods are common. */
function fields(chance: Chance, share: number, makers: Readonly<Record<string, () => unknown>>): Fields {
  return Object.fromEntries(
    Object.entries(makers).flatMap(([name, make]) => (chance.in(share) ? [[name, chance.in(3) ? null : make()]] : [])),
  );
}

function securityContext(chance: Chance, isPod: boolean): Fields {
  const profile = (): Fields => fields(chance, 90, { type: () => chance.pick(PROFILES) });
  const names = (): string[] => chance.several(0, 3, () => chance.pick(CAPABILITIES));
  return fields(chance, 45, {
    runAsNonRoot: () => chance.in(50),
    runAsUser: () => chance.pick([0, 1, 1000]),
    seccompProfile: profile,
    appArmorProfile: profile,
    seLinuxOptions: () =>
      fields(chance, 50, {
        type: () => chance.pick(SELINUX_TYPES),
        user: () => chance.pick(['', 'system_u', 'a']),
        role: () => chance.pick(['', 'object_r']),
        level: () => 's0',
      }),
    windowsOptions: () => fields(chance, 70, { hostProcess: () => chance.in(50) }),
    ...(isPod
      ? { sysctls: () => chance.several(0, 3, () => ({ name: chance.pick(SYSCTLS), value: '1' })) }
      : {
          privileged: () => chance.in(60),
          allowPrivilegeEscalation: () => chance.in(50),
          procMount: () => chance.pick(['Default', 'Unmasked', '', 'default']),
          capabilities: () => fields(chance, 75, { add: names, drop: names }),
        }),
  });
}

function container(chance: Chance, name: string): Fields {
  const action = (): Fields =>
    fields(chance, 60, {
      httpGet: () => ({ port: 80, ...fields(chance, 70, { host: () => chance.pick(HOSTS) }) }),
      tcpSocket: () => ({ port: 80, ...fields(chance, 70, { host: () => chance.pick(HOSTS) }) }),
    });
  return {
    name,
    ...fields(chance, 30, {
      livenessProbe: action,
      readinessProbe: action,
      startupProbe: action,
      lifecycle: () => fields(chance, 70, { postStart: action, preStop: action }),
      ports: () =>
        chance.several(0, 3, () => ({
          containerPort: 80,
          ...fields(chance, 60, { hostPort: () => chance.pick([0, 80, 443, 8080]) }),
        })),
    }),
    ...(chance.in(80) && { securityContext: securityContext(chance, false) }),
  };
}

function volume(chance: Chance): Fields {
  const sources = chance.several(chance.in(95) ? 1 : 0, chance.in(10) ? 2 : 1, () => chance.pick(VOLUMES));
  return {
    name: chance.pick(NAMES),
    ...Object.fromEntries(
      sources.map((source) => [source, source === 'hostPath' ? { path: chance.pick(['/', '/etc']) } : {}]),
    ),
  };
}

function pod(chance: Chance): Arguments {
  const containers = (least: number): unknown => chance.several(least, 3, () => container(chance, chance.pick(NAMES)));
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...NAMES.map((name) => `container.seccomp.security.alpha.kubernetes.io/${name}`),
    ...NAMES.map((name) => `container.apparmor.security.beta.kubernetes.io/${name}`),
    'a',
  ];
  return [
    {
      metadata: fields(chance, 40, {
        annotations: () =>
          Object.fromEntries(chance.several(0, 4, () => [chance.pick(keys), chance.pick(ANNOTATION_VALUES)])),
      }),
      spec: {
        ...fields(chance, 25, {
          hostNetwork: () => chance.in(60),
          hostPID: () => chance.in(60),
          hostIPC: () => chance.in(60),
          hostUsers: () => chance.in(30),
          os: () => ({ name: chance.pick(['windows', 'linux', '']) }),
          initContainers: () => containers(0),
          ephemeralContainers: () => containers(0),
          volumes: () => chance.several(0, 3, () => volume(chance)),
        }),
        ...(chance.in(70) && { securityContext: securityContext(chance, true) }),
        containers: containers(1),
      },
    },
  ];
}

const VERSIONS = [
  'latest',
  'v1.0',
  'v1.7',
  'v1.8',
  'v1.18',
  'v1.19',
  'v1.21',
  'v1.22',
  'v1.23',
  'v1.24',
  'v1.25',
  'v1.26',
];
const MORE_VERSIONS = [
  ...['v1.27', 'v1.28', 'v1.29', 'v1.30', 'v1.31', 'v1.32', 'v1.33', 'v1.34', 'v1.35', 'v1.36', 'v1.37', 'v1.99'],
  ...['', '1.25', 'v1', 'v1.01', 'v2.0', 'v1.-1', 'Latest', 'v1.9223372036854775808', 'v1.1.1', ' v1.2'],
];

function checkedArgument(argument: unknown): CheckedPod {
  const given = objectOrEmpty(jsonArgument(argument));
  return checkedPod(objectOrEmpty(given.get('metadata')), objectOrEmpty(given.get('spec')));
}

function shown(violation: Violation | undefined): unknown {
  return violation === undefined ? null : [violation.reason, violation.detail];
}

function evaluated([given, levelText, versionText]: Arguments): Answer {
  const version = parsePodSecurityVersion(String(versionText));
  if (version === undefined) return { error: 'version' };
  const level = parsePodSecurityLevel(String(levelText));
  if (level === undefined) return { error: 'level' };
  const results = evaluatePod({ level, version }, checkedArgument(given), SERVER);
  const reason = forbiddenReason(results);
  return {
    value: {
      allowed: results.every(({ violation }) => violation === undefined),
      reason,
      detail: forbiddenDetail(results),
    },
  };
}

export const POD_SECURITY: Port = {
  name: 'pod-security',
  program: 'packages',
  sources: ['kubernetes/pod-security'],
  originals: ['k8s.io/pod-security-admission/policy', 'k8s.io/pod-security-admission/api'],
  sampled: 100,
  functions: () => [
    ...POD_SECURITY_CHECKS.map(({ id }) => ({ name: id, generate: pod })),
    {
      name: 'evaluate',
      generate: (chance) => [
        ...pod(chance),
        chance.in(97) ? chance.pick(POD_SECURITY_LEVELS) : chance.pick(['', 'Baseline', 'none']),
        chance.in(90) ? chance.pick([...VERSIONS, ...MORE_VERSIONS.slice(0, 12)]) : chance.pick(MORE_VERSIONS),
      ],
    },
  ],
  surface: () => ['evaluate', ...POD_SECURITY_CHECKS.map(({ id }) => id)].sort(),
  start: () => (name, args) => {
    if (name === 'evaluate') return evaluated(args);
    const check = POD_SECURITY_CHECKS.find(({ id }) => id === name);
    const given = checkedArgument(args[0]);
    const known = check?.versions.filter(({ minimumMinor }) => minimumMinor <= SERVER.minor);
    return { value: known?.map((version) => shown(version.check(given, SERVER))) };
  },
};

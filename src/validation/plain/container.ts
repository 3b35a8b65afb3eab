// Containers (pkg/apis/core/validation `validateContainers`, `validateInitContainers`; pkg/api/pod/warnings.go).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { command, environment, environmentFrom, filledCommand } from './environment.ts';
import { isDescendingPath, label, portName, portNumber, portNumberOrName, protocol } from './formats.ts';
import { resources } from './quantities.ts';
import {
  anyText,
  count,
  filledText,
  flag,
  hasOneOf,
  integer,
  isAbsent,
  itemsOf,
  list,
  listBy,
  member,
  oneOf,
  type Rule,
  struct,
  text,
  union,
} from './rule.ts';
import { containerSecurity } from './security-context.ts';

const header = struct({ name: text((name) => /^[-A-Za-z0-9]+$/.test(name)), value: anyText }, 'name');

const HANDLERS = {
  exec: struct({ command: filledCommand }, 'command'),
  httpGet: struct(
    { path: filledText, port: portNumberOrName, host: anyText, scheme: oneOf('HTTP', 'HTTPS'), httpHeaders: list(header) },
    'port',
  ),
  tcpSocket: struct({ port: portNumberOrName, host: anyText }, 'port'),
};

const lifecycle = struct({ postStart: union(HANDLERS), preStop: union(HANDLERS) });

const READINESS = {
  ...HANDLERS,
  grpc: struct({ port: portNumber, service: anyText }, 'port'),
  initialDelaySeconds: count,
  timeoutSeconds: count,
  periodSeconds: count,
  successThreshold: count,
  failureThreshold: count,
};
const hasHandler = hasOneOf(['exec', 'httpGet', 'tcpSocket', 'grpc']);
const readiness = struct(READINESS, '', hasHandler);
const liveness = struct(
  { ...READINESS, successThreshold: integer(1n, 1n), terminationGracePeriodSeconds: integer(1n) },
  '',
  hasHandler,
);

const port = struct({ name: portName, containerPort: portNumber, hostPort: portNumber, protocol }, 'containerPort');

const volumeMount = struct(
  {
    name: label,
    mountPath: filledText,
    readOnly: flag,
    subPath: text((path) => path === '' || isDescendingPath(path)),
    subPathExpr: text(isDescendingPath),
    mountPropagation: oneOf('None', 'HostToContainer', 'Bidirectional'),
  },
  'name mountPath',
  (mount) => isAbsent(mount.get('subPathExpr')) || (mount.get('subPath') ?? '') === '',
);

const COMMON = {
  name: label,
  image: text((image) => image !== '' && image.trim() === image),
  command,
  args: command,
  workingDir: anyText,
  ports: list(port),
  env: environment,
  envFrom: environmentFrom,
  resources,
  volumeMounts: listBy('mountPath', volumeMount),
  terminationMessagePath: anyText,
  terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
  imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  securityContext: containerSecurity,
  stdin: flag,
  stdinOnce: flag,
  tty: flag,
};
const RUNNING = { lifecycle, livenessProbe: liveness, readinessProbe: readiness, startupProbe: liveness };

const container = struct({ ...COMMON, ...RUNNING }, 'name image', hasPrivilegeToPropagate);
const initContainer = struct({ ...COMMON, ...RUNNING, restartPolicy: oneOf('Always') }, 'name image', (object) => {
  const isSidecar = object.get('restartPolicy') === 'Always';
  return hasPrivilegeToPropagate(object) && (isSidecar || Object.keys(RUNNING).every((name) => isAbsent(object.get(name))));
});

export const containers: Rule = list(container, 1);
export const initContainers: Rule = list(initContainer);

/** `validateMountPropagation`. */
function hasPrivilegeToPropagate(object: JsonObject): boolean {
  const mounts = itemsOf(object.get('volumeMounts'));
  if (!mounts.some((mount) => mount.get('mountPropagation') === 'Bidirectional')) return true;
  return member(object, 'securityContext').get('privileged') === true;
}

/** Names are unique, and each mount names one of the volumes. */
export function areDistinctAndMounted(all: readonly JsonObject[], volumes: ReadonlySet<JsonValue | undefined>): boolean {
  const names = new Set<JsonValue | undefined>();
  for (const each of all) {
    names.add(each.get('name'));
    for (const mount of itemsOf(each.get('volumeMounts'))) if (!volumes.has(mount.get('name'))) return false;
  }
  return names.size === all.length;
}

export interface PortFacts {
  /** Without `hostPort` where the host's network needs it, or with two equal ports. */
  readonly isValid: boolean;
  /** The server warns of equal ports and of equal names in one Pod. */
  readonly hasWarning: boolean;
}

/** `isPod`: a Pod itself, which has its defaults; in a template the Pod gets them later. */
export function portFacts(all: readonly JsonObject[], usesHost: boolean, isPod: boolean): PortFacts {
  const [hosts, numbers, names] = [new Set<string>(), new Set<string>(), new Set<JsonValue>()];
  let hasWarning = false;
  for (const each of all) {
    const own = new Set<JsonValue>();
    for (const fields of itemsOf(each.get('ports'))) {
      const [name, number] = [fields.get('name') ?? '', fields.get('containerPort')];
      const [transport, host] = [fields.get('protocol') ?? 'TCP', fields.get('hostPort') ?? undefined];
      if (usesHost && host !== number && (isPod || host !== undefined)) return { isValid: false, hasWarning };
      if (host !== undefined) {
        const key = `${host}/${transport}`;
        if (hosts.has(key)) return { isValid: false, hasWarning };
        hosts.add(key);
      }
      const key = `${number}/${transport}`;
      hasWarning ||= numbers.has(key) || names.has(name);
      numbers.add(key);
      if (name === '') continue;
      if (own.has(name)) return { isValid: false, hasWarning };
      own.add(name);
      names.add(name);
    }
  }
  return { isValid: true, hasWarning };
}

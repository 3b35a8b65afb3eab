// Containers (pkg/apis/core/validation `validateContainers`, `validateInitContainers`; pkg/api/pod/warnings.go).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { command, environment, environmentFrom, filledCommand } from './environment.ts';
import { isDescendingPath, label, portName, portNumber, portNumberOrName, protocol } from './formats.ts';
import { resources } from './quantities.ts';
import {
  anyText,
  childOf,
  filledText,
  flag,
  hasOneOf,
  integer,
  isAbsent,
  itemsOf,
  list,
  listBy,
  naturalNumber,
  oneOf,
  type PlainRule,
  structOf,
  textThat,
  unionOf,
} from './rule.ts';
import { containerSecurity } from './security-context.ts';

const header = structOf({ name: textThat((name) => /^[-A-Za-z0-9]+$/.test(name)), value: anyText }, 'name');

const HANDLERS = {
  exec: structOf({ command: filledCommand }, 'command'),
  httpGet: structOf(
    {
      path: filledText,
      port: portNumberOrName,
      host: anyText,
      scheme: oneOf('HTTP', 'HTTPS'),
      httpHeaders: list(header),
    },
    'port',
  ),
  tcpSocket: structOf({ port: portNumberOrName, host: anyText }, 'port'),
};

const lifecycle = structOf({ postStart: unionOf(HANDLERS), preStop: unionOf(HANDLERS) });

const READINESS = {
  ...HANDLERS,
  grpc: structOf({ port: portNumber, service: anyText }, 'port'),
  initialDelaySeconds: naturalNumber,
  timeoutSeconds: naturalNumber,
  periodSeconds: naturalNumber,
  successThreshold: naturalNumber,
  failureThreshold: naturalNumber,
};
const hasHandler = hasOneOf(['exec', 'httpGet', 'tcpSocket', 'grpc']);
const readiness = structOf(READINESS, '', hasHandler);
const liveness = structOf(
  { ...READINESS, successThreshold: integer(1n, 1n), terminationGracePeriodSeconds: integer(1n) },
  '',
  hasHandler,
);

const port = structOf({ name: portName, containerPort: portNumber, hostPort: portNumber, protocol }, 'containerPort');

const volumeMount = structOf(
  {
    name: label,
    mountPath: filledText,
    readOnly: flag,
    subPath: textThat((path) => path === '' || isDescendingPath(path)),
    subPathExpr: textThat(isDescendingPath),
    mountPropagation: oneOf('None', 'HostToContainer', 'Bidirectional'),
  },
  'name mountPath',
  (mount) => isAbsent(mount.get('subPathExpr')) || (mount.get('subPath') ?? '') === '',
);

const COMMON = {
  name: label,
  image: textThat((image) => image !== '' && image.trim() === image),
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

const container = structOf({ ...COMMON, ...RUNNING }, 'name image', hasPrivilegeToPropagate);
const initContainer = structOf({ ...COMMON, ...RUNNING, restartPolicy: oneOf('Always') }, 'name image', (object) => {
  const isSidecar = object.get('restartPolicy') === 'Always';
  return (
    hasPrivilegeToPropagate(object) && (isSidecar || Object.keys(RUNNING).every((name) => isAbsent(object.get(name))))
  );
});

export const podContainers: PlainRule = list(container, 1);
export const initContainers: PlainRule = list(initContainer);

/** `validateMountPropagation`. */
function hasPrivilegeToPropagate(object: JsonObject): boolean {
  const mounts = itemsOf(object.get('volumeMounts'));
  if (!mounts.some((mount) => mount.get('mountPropagation') === 'Bidirectional')) return true;
  return childOf(object, 'securityContext').get('privileged') === true;
}

/** Names are unique, and each mount names one of the volumes. */
export function areDistinctAndMounted(
  all: readonly JsonObject[],
  volumes: ReadonlySet<JsonValue | undefined>,
): boolean {
  const names = new Set<JsonValue | undefined>();
  for (const each of all) {
    names.add(each.get('name'));
    for (const mount of itemsOf(each.get('volumeMounts'))) if (!volumes.has(mount.get('name'))) return false;
  }
  return names.size === all.length;
}

/** The server warns of each pair of equal ports. */
const MAX_PORTS = 100;

/** True unless two ports ask for one port of the node, or one container has two ports of one name. `isPod`: in a template the Pod gets defaults later. */
export function hasFittingPorts(all: readonly JsonObject[], usesHost: boolean, isPod: boolean): boolean {
  const hosts = new Set<string>();
  let naturalNumber = 0;
  for (const each of all) {
    const names = new Set<JsonValue>();
    for (const fields of itemsOf(each.get('ports'))) {
      if (++naturalNumber > MAX_PORTS) return false;
      const [name, host] = [fields.get('name') ?? undefined, fields.get('hostPort') ?? undefined];
      if (usesHost && host !== fields.get('containerPort') && (isPod || host !== undefined)) return false;
      if (host !== undefined) {
        const key = `${host}/${transportOf(fields)}`;
        if (hosts.has(key)) return false;
        hosts.add(key);
      }
      if (name === undefined) continue;
      if (names.has(name)) return false;
      names.add(name);
    }
  }
  return true;
}

export function transportOf(port: JsonObject): JsonValue {
  return port.get('protocol') ?? 'TCP';
}

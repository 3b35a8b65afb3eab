// The fields of Flux objects that decide which objects the controllers apply. The others decide when, and what happens to failures.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';

/** Fields of `spec` that change no applied object, by kind. Sources: HelmChart, HelmRepository and others. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  Kustomization: ['dependsOn', 'healthCheckExprs', 'healthChecks', 'interval', 'retryInterval', 'timeout', 'wait'],
  HelmRelease: [
    'dependsOn',
    'driftDetection',
    'healthCheckExprs',
    'interval',
    'maxHistory',
    'rollback',
    'test',
    'timeout',
    'uninstall',
    'waitStrategy',
  ],
};
const LEFT_OUT_OF_SOURCES = ['interval', 'timeout'];

/** Fields of `spec.install` and `spec.upgrade` of a HelmRelease. */
const LEFT_OUT_OF_ACTIONS: ReadonlySet<string> = new Set([
  'cleanupOnFail',
  'disableWait',
  'disableWaitForJobs',
  'remediation',
  'strategy',
  'timeout',
]);

/** Without labels and annotations, which the controllers do not pass on. */
export function decidingFields({ gvk, namespace, name, value }: Resource): JsonObject {
  const left = new Set(LEFT_OUT[gvk.kind] ?? LEFT_OUT_OF_SOURCES);
  const spec: [string, JsonValue][] = [];
  for (const [field, written] of objectOrEmpty(value.get('spec'))) {
    const isAction = field === 'install' || field === 'upgrade';
    const kept = isAction ? withoutHandling(objectOrEmpty(written)) : undefined;
    if (!left.has(field) && kept?.size !== 0) spec.push([field, kept ?? written]);
  }
  return new Map<string, JsonValue>([
    ['object', [gvk.group, gvk.kind, namespace, name]],
    ['spec', new Map(spec)],
  ]);
}

function withoutHandling(action: JsonObject): JsonObject {
  return new Map([...action].filter(([field]) => !LEFT_OUT_OF_ACTIONS.has(field)));
}

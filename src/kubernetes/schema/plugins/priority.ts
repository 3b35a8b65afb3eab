// The priority of a Pod, and the one default among PriorityClasses (`plugin/pkg/admission/priority/admission.go`).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { childText, isNil, type MutableObject, setIfNil } from '../typed-field.ts';
import { findNamed, type KnownObjects, lookedUpName, type PluginContext, PRIORITY_CLASS } from './plugin-request.ts';

/** Priorities of the two built-in classes. */
const SYSTEM_PRIORITIES: ReadonlyMap<string, bigint> = new Map([
  ['system-cluster-critical', 2_000_000_000n],
  ['system-node-critical', 2_000_001_000n],
]);

/** A class that is not in the files may be in the cluster; its value is then unknown. */
export function usePriority(spec: MutableObject, known: KnownObjects, context: PluginContext): void {
  const classes = known.objects(PRIORITY_CLASS, '');
  let name = childText(spec, 'priorityClassName');
  const isNamed = name !== '';
  if (name === '') {
    name = defaultClass(classes) ?? '';
    if (name !== '') spec.set('priorityClassName', name);
  }
  const chosen = findNamed(classes, name);
  const priority = name === '' ? 0n : (SYSTEM_PRIORITIES.get(name) ?? chosen?.get('value'));
  const policy = priority === undefined ? context.preemptionPolicy : (chosen?.get('preemptionPolicy') ?? PREEMPTS);
  if (priority === undefined) {
    requireClass(name, known, context);
    for (const field of ['priority', 'preemptionPolicy']) if (isNil(spec, field)) context.invent(['spec', field]);
  } else if (isNamed || known.holdsAll(PRIORITY_CLASS, '')) {
    refuseOther(spec, priority, policy, context);
  }
  setIfNil(spec, 'priority', priority ?? context.priority);
  setIfNil(spec, 'preemptionPolicy', policy);
}

const PREEMPTS = 'PreemptLowerPriority';

function requireClass(name: string, known: KnownObjects, context: PluginContext): void {
  if (known.has(PRIORITY_CLASS, '', name)) return;
  const path = ['spec', 'priorityClassName'];
  if (known.holdsAll(PRIORITY_CLASS, '')) {
    context.forbid({ message: `no PriorityClass with name ${name} was found`, path, reads: [path] });
  } else if (known.objects(PRIORITY_CLASS, '').length > 0) {
    context.miss({ kind: 'PriorityClass', name, path });
  }
}

/** Of several defaults, the server takes the one with the lowest value. */
function defaultClass(classes: readonly JsonObject[]): string | undefined {
  const defaults = classes.filter((each) => each.get('globalDefault') === true);
  const [lowest] = [...defaults].sort((a, b) =>
    priorityOf(a) < priorityOf(b) ? -1 : priorityOf(a) > priorityOf(b) ? 1 : 0,
  );
  return lowest && lookedUpName(lowest);
}

function priorityOf(priorityClass: JsonObject): bigint {
  const value = priorityClass.get('value');
  return typeof value === 'bigint' ? value : 0n;
}

function refuseOther(spec: MutableObject, priority: JsonValue, policy: JsonValue, context: PluginContext): void {
  const written = spec.get('priority') ?? priority;
  const reads = [
    ['spec', 'priority'],
    ['spec', 'preemptionPolicy'],
    ['spec', 'priorityClassName'],
  ];
  if (written !== priority) {
    const message = `the integer value of priority (${written}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
    context.forbid({ message, path: ['spec', 'priority'], reads });
  }
  const writtenPolicy = spec.get('preemptionPolicy') ?? policy;
  if (writtenPolicy !== policy) {
    const message = `the string value of PreemptionPolicy (${writtenPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    context.forbid({ message, path: ['spec', 'preemptionPolicy'], reads });
  }
}

/** `validatePriorityClass`: of two defaults, the server refuses the one that it gets last, which is taken to be the later one in the files. */
export function validatePriorityClass(object: JsonObject, known: KnownObjects, context: PluginContext): void {
  if (object.get('globalDefault') !== true) return;
  const first = known.objects(PRIORITY_CLASS, '').find((each) => each.get('globalDefault') === true);
  if (first === undefined || lookedUpName(first) === lookedUpName(object)) return;
  const message = `PriorityClass ${lookedUpName(first)} is already marked as default. Only one default can exist`;
  context.forbid({ message, path: ['globalDefault'], reads: [['globalDefault'], ['metadata', 'name']] });
}

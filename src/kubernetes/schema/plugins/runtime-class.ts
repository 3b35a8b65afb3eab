// Overhead, node selector and tolerations of a Pod's RuntimeClass (`plugin/pkg/admission/runtimeclass/admission.go`).
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import { childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import { findNamed, type KnownObjects, type PluginContext, RUNTIME_CLASS } from './plugin-request.ts';

const NAME = ['spec', 'runtimeClassName'];
const OVERHEAD = ['spec', 'overhead'];

export function useRuntimeClass(spec: MutableObject, known: KnownObjects, context: PluginContext): void {
  const name = spec.get('runtimeClassName');
  if (typeof name !== 'string') return;
  const found = findNamed(known.objects(RUNTIME_CLASS, ''), name);
  if (found === undefined) {
    requireClass(name, known, context);
    return;
  }
  const overhead = fixedOverhead(found);
  const written = childObject(spec, 'overhead');
  if (overhead !== undefined) {
    if (written !== undefined && written.size > 0 && !isSame(written, overhead)) {
      const message = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
      context.forbid({ message, path: OVERHEAD, reads: [OVERHEAD, NAME] });
    } else spec.set('overhead', new Map(overhead));
  }
  const scheduling = childObject(found, 'scheduling');
  if (scheduling !== undefined) schedule(spec, scheduling, context);
}

function requireClass(name: string, known: KnownObjects, context: PluginContext): void {
  if (known.has(RUNTIME_CLASS, '', name)) return;
  if (known.holdsAll(RUNTIME_CLASS, '')) {
    context.forbid({ message: `pod rejected: RuntimeClass "${name}" not found`, path: NAME, reads: [NAME] });
  } else if (known.objects(RUNTIME_CLASS, '').length > 0) {
    context.miss({ kind: 'RuntimeClass', name, path: NAME });
  }
}

/** The class exists, and without a class that has one, a Pod has no overhead. Policies may have changed both. */
export function validateRuntimeClass(object: JsonObject, known: KnownObjects, context: PluginContext): void {
  const spec = childObject(object as MutableObject, 'spec');
  const name = spec?.get('runtimeClassName');
  if (typeof name === 'string') requireClass(name, known, context);
  if (spec === undefined || childObject(spec, 'overhead') === undefined) return;
  const found = typeof name === 'string' ? findNamed(known.objects(RUNTIME_CLASS, ''), name) : undefined;
  if (typeof name === 'string' && found === undefined) return;
  if (found !== undefined && fixedOverhead(found) !== undefined) return;
  const message = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  context.forbid({ message, path: OVERHEAD, reads: [OVERHEAD, NAME] });
}

function fixedOverhead(runtimeClass: MutableObject): MutableObject | undefined {
  const overhead = childObject(runtimeClass, 'overhead');
  return overhead && (childObject(overhead, 'podFixed') ?? new Map());
}

function schedule(spec: MutableObject, scheduling: MutableObject, context: PluginContext): void {
  const selector: MutableObject = new Map(childObject(spec, 'nodeSelector'));
  for (const [key, value] of childObject(scheduling, 'nodeSelector') ?? []) {
    const own = selector.get(key);
    if (own !== undefined && own !== value) {
      const message = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
      context.forbid({
        message,
        path: ['spec', 'nodeSelector', key],
        reads: [['spec', 'nodeSelector'], NAME],
      });
      return;
    }
    selector.set(key, value);
  }
  if (selector.size > 0) spec.set('nodeSelector', selector);
  const merged = mergedTolerations([...childObjects(spec, 'tolerations'), ...childObjects(scheduling, 'tolerations')]);
  if (merged.length > 0) spec.set('tolerations', merged);
}

/** `pkg/util/tolerations/tolerations.go: MergeTolerations`. */
function mergedTolerations(all: readonly MutableObject[]): readonly MutableObject[] {
  const merged: MutableObject[] = [];
  for (const [index, each] of all.entries()) {
    const isCovered =
      merged.some((kept) => isSuperset(kept, each)) ||
      all.slice(index + 1).some((later) => !isSame(each, later) && isSuperset(later, each));
    if (!isCovered) merged.push(each);
  }
  return merged;
}

function isSuperset(wide: MutableObject, narrow: MutableObject): boolean {
  if (isSame(wide, narrow)) return true;
  const [key, operator] = [childText(wide, 'key'), childText(wide, 'operator')];
  const effect = childText(wide, 'effect');
  if (childText(narrow, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (childText(narrow, 'effect') !== effect && effect !== '') return false;
  const seconds = wide.get('tolerationSeconds');
  if (effect === 'NoExecute' && typeof seconds === 'bigint') {
    const own = narrow.get('tolerationSeconds');
    if (typeof own !== 'bigint' || own > seconds) return false;
  }
  if (operator === 'Exists') return true;
  const isEqual = operator === 'Equal' || operator === '';
  return (
    isEqual && childText(narrow, 'operator') === 'Equal' && childText(narrow, 'value') === childText(wide, 'value')
  );
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  const text = (value: JsonValue): string => stringifyJson(value, { sortKeys: true, escapeHtml: false });
  return text(one) === text(other);
}

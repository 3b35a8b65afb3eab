// Contributions of patches to a field: the field of a strategic merge patch, or the value of a JSON patch operation.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { RenderStep } from '../engine/render-request.ts';
import { alignedPath } from './aligned-path.ts';
import { type AskedField, type FieldDecision, writtenAs } from './decision.ts';
import { isNamedBy, isSelected } from './selected-object.ts';
import type { PatchSetting } from './transformer-settings.ts';
import type { Written } from './written.ts';

/** Limit for operations on one field, because hostile patches repeat operations. */
const MAXIMUM_OPERATIONS = 200;

/**
 * Patches of one transformer that apply to the object, in order. `config`: the transformer's settings, which identify the patch. Without
 * them, patches are selected by their targets.
 */
export function patchesOf(
  patches: readonly PatchSetting[],
  asked: AskedField,
  config?: RenderStep['config'],
): readonly Written[] {
  const told = new Set(config === undefined ? [] : PATCH_FIELDS.flatMap((field) => textsOf(config[field])));
  const named = patches.filter(({ given }) => told.has(given));
  const isNamedOnly = named.length === 1;
  return (named.length > 0 ? named : patches).flatMap(({ target, documents }) => {
    if (target !== undefined) return isNamedOnly || isSelected(target, asked) ? documents : [];
    const own = documents.filter(({ value }) => isJsonObject(value) && isNamedBy(value, asked));
    return own.length === 0 && isNamedOnly ? documents : own;
  });
}

const PATCH_FIELDS = ['path', 'patch', 'jsonOp', 'paths', 'patches'];

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function patchDecisions(patches: readonly Written[], asked: AskedField): readonly FieldDecision[] {
  return [...patches].reverse().flatMap((patch) => {
    if (isJsonArray(patch.value)) return operationDecisions(patch, patch.value, asked);
    const decision = mergeDecision(patch, asked);
    return decision === undefined ? [] : [decision];
  });
}

const IDENTITY: readonly string[] = ['apiVersion', 'kind'];

function mergeDecision(patch: Written, { path, value, object }: AskedField): FieldDecision | undefined {
  const [first, second] = path;
  if (IDENTITY.includes(String(first)) || (first === 'metadata' && (second === 'name' || path.length === 1))) {
    return undefined;
  }
  const aligned = alignedPath(object, path, patch.value);
  if (aligned.length === 0 || (aligned.length === 1 && first === 'metadata')) return undefined;
  const found = valueAt(patch.value, aligned) ?? null;
  const isWhole = aligned.length === path.length;
  const removes = value === undefined && (found === null || isDeleted(found));
  const isExact = removes || (isWhole && value !== undefined && isSameJson(found, value));
  return writtenAs('patched by', patch, aligned, { isExact, depth: aligned.length });
}

function isDeleted(value: JsonValue): boolean {
  return isJsonObject(value) && value.get('$patch') === 'delete';
}

const OPERATIONS = new WeakMap<JsonArray, ReadonlyMap<string, readonly number[]>>();

/** Operations by pointer, with all indices replaced by `#`, because other operations may have moved items. */
function operationsOf(list: JsonArray): ReadonlyMap<string, readonly number[]> {
  let byPointer = OPERATIONS.get(list) as Map<string, number[]> | undefined;
  if (byPointer !== undefined) return byPointer;
  byPointer = new Map();
  for (const [index, operation] of list.entries()) {
    const key = patternOf(pointerSteps(textField(objectOrEmpty(operation), 'path')));
    const known = byPointer.get(key);
    if (known === undefined) byPointer.set(key, [index]);
    else known.push(index);
  }
  OPERATIONS.set(list, byPointer);
  return byPointer;
}

function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function patternOf(steps: FieldPath): string {
  return steps.map((step) => (/^(?:\d+|-)$/.test(String(step)) ? '#' : step)).join('\0');
}

function operationDecisions(patch: Written, list: JsonArray, asked: AskedField): readonly FieldDecision[] {
  const { path } = asked;
  const operations = operationsOf(list);
  const found: { readonly index: number; readonly decision: FieldDecision }[] = [];
  for (let depth = path.length; depth > 0; depth--) {
    const indices = operations.get(patternOf(path.slice(0, depth))) ?? [];
    for (const index of indices.slice(-MAXIMUM_OPERATIONS)) {
      const decision = operationDecision(patch, index, objectOrEmpty(list[index]), depth, asked);
      if (decision !== undefined) found.push({ index, decision });
    }
  }
  return found.sort((one, other) => other.index - one.index).map(({ decision }) => decision);
}

function operationDecision(
  patch: Written,
  index: number,
  operation: ReadonlyMap<string, JsonValue>,
  depth: number,
  { path, value, object }: AskedField,
): FieldDecision | undefined {
  const kind = textField(operation, 'op');
  const steps = pointerSteps(textField(operation, 'path'));
  const there = valueAt(object, path.slice(0, depth));
  if (kind === 'remove') {
    if (there !== undefined) return undefined;
    return writtenAs('removed by', patch, [index, 'path'], { isExact: true, depth: path.length });
  }
  if (kind === 'move' || kind === 'copy') {
    return writtenAs(`${kind === 'move' ? 'moved' : 'copied'} by`, patch, [index, 'from'], {
      isExact: value !== undefined,
      depth,
    });
  }
  const given = operation.get('value');
  if ((kind !== 'add' && kind !== 'replace') || given === undefined) return undefined;
  const rest = path.slice(depth);
  const aligned = there === undefined ? [] : alignedPath(there, rest, given);
  const whole = aligned.length === rest.length ? valueAt(given, aligned) : undefined;
  const isExact = value !== undefined && whole !== undefined && isSameJson(whole, value);
  // Another index means another item, unless the items are equal.
  const isSameIndex = steps.every((step, at) => !/^(?:\d+|-)$/.test(step) || step === String(path[at]));
  if (!isSameIndex && !(there !== undefined && isSameJson(there, given)) && !isExact) return undefined;
  return writtenAs('patched by', patch, [index, 'value', ...aligned], { isExact, depth: depth + aligned.length });
}

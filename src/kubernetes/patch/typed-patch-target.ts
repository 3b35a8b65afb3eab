// Patches of built-in kinds, including the conversion of the result to the server's Go types.
import { copyFields } from '../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { KindCompletion } from '../schema/admission-object.ts';
import { decodeTyped, strictDecodingMessage } from '../schema/decode.ts';
import type { FieldType, Struct } from '../schema/struct.ts';
import { itemBefore, type MutableObject } from '../schema/typed-field.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchedObject, PatchTarget } from './patch-target.ts';
import { holdsNumbers } from './patch-value.ts';
import { PlainMerges } from './plain-merge.ts';

export interface TypedPatchOptions extends KindCompletion {
  readonly gvk: GroupVersionKind;
  readonly mergeType: MergeType;
}

/** Parts that a patch does not change are not converted again if the server already completed them. */
export function typedPatchTarget(options: TypedPatchOptions): PatchTarget {
  const { gvk, struct, mergeType, complete, lossOf, isComplete } = options;
  const plainMerge = new PlainMerges(struct, mergeType, lossOf);
  const completed = (object: MutableObject, known: JsonObject | undefined): PatchedObject => {
    object.set('apiVersion', formatApiVersion(gvk.group, gvk.version));
    object.set('kind', gvk.kind);
    complete(object, known);
    return { object };
  };
  const knownOf = (before: JsonObject | undefined): JsonObject | undefined =>
    before !== undefined && isComplete(before) ? before : undefined;
  return {
    mergeType,
    isAssumed: false,
    isTyped: true,
    mergePlain(value, before) {
      const merged = isComplete(before) ? plainMerge.merge(value, before) : undefined;
      if (merged === undefined || merged.object === before) return merged;
      complete(merged.object as MutableObject, before);
      return merged;
    },
    fromMerged(merged, before, configuration) {
      if (merged === before && isComplete(before)) return { object: before };
      const where = `unable to convert unstructured object to ${formatApiVersion(gvk.group, gvk.version)}, Kind=${gvk.kind}`;
      const known = knownOf(before);
      // Without new numbers, the existing ones already have the right type.
      const isFitted = known !== undefined && configuration !== undefined && !holdsNumbers(configuration);
      const fitted = isFitted ? merged : fitStruct(merged, struct, known);
      if (fitted instanceof Misfit) return { error: `${where}: ${fitted.message}` };
      const decoded = decodeTyped(fitted, struct, known);
      if ('error' in decoded) return { error: `${where}: ${withoutField(decoded.error.message)}` };
      return completed(decoded.object, known);
    },
    fromPatched(patched, before) {
      if (patched === before && isComplete(before)) return { object: before };
      const unregistered = otherKind(patched, gvk);
      if (unregistered !== undefined) return { error: unregistered };
      const known = knownOf(before);
      const decoded = decodeTyped(patched, struct, known);
      if ('error' in decoded) return { error: decoded.error.message };
      if (decoded.strictErrors.length > 0) return { error: strictDecodingMessage(decoded.strictErrors) };
      return completed(decoded.object, known);
    },
    fromUnpatched: (object) => ({ object }),
  };
}

class Misfit {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Converts the numbers of a merged object to their field types (apimachinery `runtime/converter.go: fromUnstructured`):
 * a double without a fraction becomes an integer, and integers that are too large lose their upper bits.
 */
function fitStruct(object: JsonObject, struct: Struct, known: JsonValue | undefined): JsonObject | Misfit {
  let fitted: Map<string, JsonValue> | undefined;
  const fields = isJsonObject(known) ? known : undefined;
  // The error is about the first misfit in the order of the struct's fields.
  let misfit: { readonly field: string; readonly problem: Misfit } | undefined;
  for (const name of object.keys()) {
    const value = object.get(name) as JsonValue;
    const before = fields?.get(name);
    if (value === before || value === null) continue;
    const field = struct.fields.get(name);
    if (field === undefined) continue;
    const fit = fitValue(value, field.type, before);
    if (fit === value) continue;
    if (fit instanceof Misfit) {
      misfit = misfit === undefined || comesBefore(struct, name, misfit.field) ? { field: name, problem: fit } : misfit;
      continue;
    }
    fitted ??= copyFields(object);
    fitted.set(name, fit);
  }
  return misfit?.problem ?? fitted ?? object;
}

function comesBefore(struct: Struct, one: string, other: string): boolean {
  for (const name of struct.fields.keys()) if (name === one || name === other) return name === one;
  return false;
}

function fitValue(value: JsonValue, type: FieldType, known: JsonValue | undefined): JsonValue | Misfit {
  if (value === known) return value;
  switch (type.form) {
    case 'integer':
      return fitInteger(value, type.bits, type.goName);
    case 'float':
      return typeof value === 'bigint' ? Number(value) : value;
    case 'struct':
      return isJsonObject(value) ? fitStruct(value, type.struct, known) : value;
    case 'list':
      return isJsonArray(value) && leadsToNumbers(type.element) ? fitList(value, type.element, known) : value;
    case 'map':
      return isJsonObject(value) && leadsToNumbers(type.value) ? fitMap(value, type.value, known) : value;
    default:
      return value;
  }
}

/** False for types without numbers. */
function leadsToNumbers({ form }: FieldType): boolean {
  return form === 'integer' || form === 'float' || form === 'struct' || form === 'list' || form === 'map';
}

function fitInteger(value: JsonValue, bits: number, goName: string): JsonValue | Misfit {
  if (typeof value === 'bigint') return BigInt.asIntN(bits, value);
  if (typeof value !== 'number') return value;
  return Number.isInteger(value)
    ? BigInt.asIntN(bits, BigInt(value))
    : new Misfit(`cannot convert float64 to ${goName}`);
}

function fitList(list: JsonArray, element: FieldType, known: JsonValue | undefined): JsonValue | Misfit {
  let fitted: JsonValue[] | undefined;
  const items = isJsonArray(known) ? known : undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    const fit = fitValue(item, element, itemBefore(list, index, items));
    if (fit instanceof Misfit) return fit;
    if (fit === item) continue;
    fitted ??= [...list];
    fitted[index] = fit;
  }
  return fitted ?? list;
}

function fitMap(map: JsonObject, value: FieldType, known: JsonValue | undefined): JsonValue | Misfit {
  let fitted: Map<string, JsonValue> | undefined;
  const items = isJsonObject(known) ? known : undefined;
  for (const key of map.keys()) {
    const item = map.get(key) as JsonValue;
    const fit = fitValue(item, value, items?.get(key));
    if (fit instanceof Misfit) return fit;
    if (fit === item) continue;
    fitted ??= copyFields(map);
    fitted.set(key, fit);
  }
  return fitted ?? map;
}

/** A type with its own decoder reports no field here. */
function withoutField(message: string): string {
  return message.replace(/Go struct field \S+ of type/, 'Go value of type');
}

/** The error if the patch changes the object's kind to an unknown one. */
function otherKind(patched: JsonObject, { group, version, kind }: GroupVersionKind): string | undefined {
  const own = formatApiVersion(group, version);
  const apiVersion = patched.get('apiVersion');
  const written = patched.get('kind');
  const newVersion = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : own;
  const newKind = typeof written === 'string' && written !== '' ? written : kind;
  if (newVersion === own && newKind === kind) return undefined;
  return `no kind "${newKind}" is registered for version "${newVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;
}

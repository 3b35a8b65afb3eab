// Patches of objects of built-in kinds: what becomes of them when the server takes them back into Go's types.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json.ts';
import { formatApiVersion, type GroupVersionKind } from '../group-version.ts';
import { decodeTyped, strictDecodingMessage } from '../schema/decode.ts';
import type { FieldType, Struct } from '../schema/struct.ts';
import type { MutableObject } from '../schema/typed-field.ts';
import type { MergeType } from './merge-type.ts';
import type { PatchedObject, PatchTarget } from './patch-target.ts';

export interface TypedPatchOptions {
  readonly gvk: GroupVersionKind;
  readonly struct: Struct;
  readonly mergeType: MergeType;
  /** Completes what was decoded, in place: the server defaults after each mutation. */
  readonly complete: (object: MutableObject) => void;
}

export function typedPatchTarget({ gvk, struct, mergeType, complete }: TypedPatchOptions): PatchTarget {
  const settled = new WeakSet<JsonObject>();
  const completed = (object: MutableObject): PatchedObject => {
    object.set('apiVersion', formatApiVersion(gvk.group, gvk.version));
    object.set('kind', gvk.kind);
    complete(object);
    settled.add(object);
    return { object };
  };
  /** What is to be decoded of `made`: its metadata where `before` is settled and nothing else has changed. */
  const unsettled = (made: JsonObject, before: JsonObject | undefined): JsonObject =>
    before !== undefined && settled.has(before) && differsInMetadata(made, before)
      ? new Map([[METADATA, made.get(METADATA) as JsonValue]])
      : made;
  return {
    mergeType,
    isAssumed: false,
    isTyped: true,
    fromMerged(merged, before) {
      const where = `unable to convert unstructured object to ${formatApiVersion(gvk.group, gvk.version)}, Kind=${gvk.kind}`;
      const open = unsettled(merged, before);
      const fitted = fitStruct(open, struct);
      if (fitted instanceof Misfit) return { error: `${where}: ${fitted.message}` };
      const decoded = decodeTyped(fitted, struct);
      if ('error' in decoded) return { error: `${where}: ${withoutField(decoded.error.message)}` };
      return completed(open === merged ? decoded.object : withMetadata(merged, decoded.object));
    },
    fromPatched(patched, before) {
      const unregistered = otherKind(patched, gvk);
      if (unregistered !== undefined) return { error: unregistered };
      const open = unsettled(patched, before);
      const decoded = decodeTyped(open, struct);
      if ('error' in decoded) return { error: decoded.error.message };
      if (decoded.strictErrors.length > 0) return { error: strictDecodingMessage(decoded.strictErrors) };
      return completed(open === patched ? decoded.object : withMetadata(patched, decoded.object));
    },
    fromUnpatched: (object) => ({ object }),
  };
}

const METADATA = 'metadata';

/** Everything else is the very same: what was completed once is not decoded again. */
function differsInMetadata(made: JsonObject, before: JsonObject): boolean {
  if (made.size !== before.size || !isJsonObject(made.get(METADATA)) || !before.has(METADATA)) return false;
  for (const [name, value] of made) if (name !== METADATA && before.get(name) !== value) return false;
  return true;
}

/** The fields themselves are shared with the object before; a default that looks at metadata sets no more than one of their fields. */
function withMetadata(made: JsonObject, decoded: JsonObject): MutableObject {
  const object: MutableObject = new Map();
  for (const [name, value] of made) {
    if (name === METADATA) object.set(name, decoded.get(METADATA) as JsonValue);
    else object.set(name, isJsonObject(value) ? new Map(value) : value);
  }
  return object;
}

class Misfit {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/**
 * The numbers of a merged object in the types of their fields (apimachinery `runtime/converter.go: fromUnstructured`): a double
 * without fraction becomes an integer, integers that are too large lose their upper bits.
 */
function fitStruct(object: JsonObject, struct: Struct): JsonObject | Misfit {
  let fitted: Map<string, JsonValue> | undefined;
  for (const field of struct.fields.values()) {
    const value = object.get(field.name);
    if (value === undefined || value === null) continue;
    const fit = fitValue(value, field.type);
    if (fit instanceof Misfit) return fit;
    if (fit === value) continue;
    fitted ??= new Map(object);
    fitted.set(field.name, fit);
  }
  return fitted ?? object;
}

function fitValue(value: JsonValue, type: FieldType): JsonValue | Misfit {
  switch (type.form) {
    case 'integer':
      return fitInteger(value, type.bits, type.goName);
    case 'float':
      return typeof value === 'bigint' ? Number(value) : value;
    case 'struct':
      return isJsonObject(value) ? fitStruct(value, type.struct) : value;
    case 'list':
      return isJsonArray(value) ? fitList(value, type.element) : value;
    case 'map':
      return isJsonObject(value) ? fitMap(value, type.value) : value;
    default:
      return value;
  }
}

function fitInteger(value: JsonValue, bits: number, goName: string): JsonValue | Misfit {
  if (typeof value === 'bigint') return BigInt.asIntN(bits, value);
  if (typeof value !== 'number') return value;
  return Number.isInteger(value)
    ? BigInt.asIntN(bits, BigInt(value))
    : new Misfit(`cannot convert float64 to ${goName}`);
}

function fitList(list: readonly JsonValue[], element: FieldType): JsonValue | Misfit {
  const fitted: JsonValue[] = [];
  let isSame = true;
  for (const item of list) {
    const fit = fitValue(item, element);
    if (fit instanceof Misfit) return fit;
    isSame &&= fit === item;
    fitted.push(fit);
  }
  return isSame ? list : fitted;
}

function fitMap(map: JsonObject, value: FieldType): JsonValue | Misfit {
  const fitted = new Map<string, JsonValue>();
  let isSame = true;
  for (const [key, item] of map) {
    const fit = fitValue(item, value);
    if (fit instanceof Misfit) return fit;
    isSame &&= fit === item;
    fitted.set(key, fit);
  }
  return isSame ? map : fitted;
}

/** A type that decodes itself does so on its own here. */
function withoutField(message: string): string {
  return message.replace(/Go struct field \S+ of type/, 'Go value of type');
}

/** The patch may not make the object one of a kind that the server does not know. */
function otherKind(patched: JsonObject, { group, version, kind }: GroupVersionKind): string | undefined {
  const own = formatApiVersion(group, version);
  const apiVersion = patched.get('apiVersion');
  const written = patched.get('kind');
  const newVersion = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : own;
  const newKind = typeof written === 'string' && written !== '' ? written : kind;
  if (newVersion === own && newKind === kind) return undefined;
  return `no kind "${newKind}" is registered for version "${newVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;
}

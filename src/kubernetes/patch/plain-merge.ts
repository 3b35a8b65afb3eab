// A fast path: merges and converts most configurations in one pass. It handles fields, scalars and list elements.
import { JoinedList } from '../../cel/value/joined-list.ts';
import { StructValue, type Value } from '../../cel/value/value.ts';
import { copyFields } from '../../source/json/copy-json.ts';
import { countValues } from '../../source/json/count-values.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import type { KindCompletion } from '../schema/admission-object.ts';
import { isOmitted } from '../schema/decode.ts';
import { canonicalQuantity } from '../schema/decode-custom.ts';
import type { Field, FieldType, Struct } from '../schema/struct.ts';
import { zeroField } from '../schema/zero-value.ts';
import { isNamedWithin } from './applied-configuration.ts';
import type { MergeList, MergeMap, MergeType } from './merge-type.ts';
import type { PlainMerge } from './patch-target.ts';
import type { PatchValue } from './patch-value.ts';
import { placesInOrder } from './structured-merge.ts';

type LossOf = KindCompletion['lossOf'];

/** Returned if the configuration needs the general path or is invalid. */
const REST = Symbol('rest');
type Merged = JsonValue | typeof REST;

const NO_ELEMENTS: JsonArray = [];

/** For objects of one kind that the server has already completed with defaults. */
export class PlainMerges {
  readonly #root: Plan | undefined;

  constructor(struct: Struct, { map }: MergeType, lossOf: LossOf) {
    this.#root = map && new Plan(struct, map, lossOf);
  }

  /** Copies only the changed parts and does not set defaults. Undefined if the configuration needs the general path. */
  merge(value: StructValue, before: JsonObject): PlainMerge | undefined {
    const { fields } = value;
    if (this.#root === undefined || fields.has('apiVersion') || fields.has('kind')) return undefined;
    const walk = new PlainWalk();
    const object = walk.struct(this.#root, before, value);
    if (object === REST) return undefined;
    return { object: object as JsonObject, brought: walk.mayTakeAway ? undefined : walk.brought };
  }
}

/** The fields of a struct, each planned on first use. */
class Plan {
  readonly struct: Struct;
  /** Fields without a value that are written as null; they come last. */
  readonly nulls: readonly string[];
  readonly #map: MergeMap;
  readonly #fields = new Map<string, PlannedField | undefined>();

  readonly #lossOf: LossOf;

  constructor(struct: Struct, map: MergeMap, lossOf: LossOf) {
    this.struct = struct;
    this.#lossOf = lossOf;
    this.nulls = struct.alwaysWritten.filter((field) => zeroField(field) === null).map(({ name }) => name);
    this.#map = map;
  }

  field(name: string): PlannedField | undefined {
    let planned = this.#fields.get(name);
    if (planned === undefined && !this.#fields.has(name)) {
      const field = this.struct.fields.get(name);
      const merge = this.#map.field(name)?.type;
      planned = field &&
        merge && {
          field,
          loss: this.#lossOf(this.struct, name),
          ...plannedType(field.type, merge, this.#lossOf),
        };
      this.#fields.set(name, planned);
    }
    return planned;
  }
}

interface PlannedType {
  readonly type: FieldType;
  /** Undefined for atomic lists, which a configuration must not contain. */
  readonly list: MergeList | undefined;
  readonly isAtomic: boolean;
  /** The plan of a struct, or of the structs in a list. */
  plan(): Plan | undefined;
}

interface PlannedField extends PlannedType {
  readonly field: Field;
  readonly loss: ReturnType<LossOf>;
}

function plannedType(type: FieldType, merge: MergeType, lossOf: LossOf): PlannedType {
  const struct = type.form === 'list' ? type.element : type;
  let plan: Plan | undefined;
  return {
    type,
    list: merge.list,
    isAtomic: merge.list?.isAtomic === true || merge.map?.isAtomic === true,
    plan: () => {
      const map = merge.list === undefined ? merge.map : merge.list.element.map;
      if (map?.isAtomic === true) return undefined;
      if (plan === undefined && struct.form === 'struct' && map !== undefined)
        plan = new Plan(struct.struct, map, lossOf);
      return plan;
    },
  };
}

class PlainWalk {
  /** See `PlainMerge`. */
  brought = 0;
  mayTakeAway = false;

  struct(plan: Plan, live: JsonObject, { fields, type }: StructValue): Merged {
    let merged: Map<string, JsonValue> | undefined;
    for (const name of fields.keys()) {
      const planned = plan.field(name);
      if (planned === undefined) return REST;
      const known = live.get(name);
      const applied = fields.get(name) as Value;
      const value = this.#value(planned, known, applied, type.name, name);
      if (value === REST) return REST;
      if (value === known) continue;
      this.#noteLoss(planned, applied);
      const { field } = planned;
      if (field.omit === 'never' || field.isPointer || !isOmitted(field, value)) {
        merged ??= copyFields(live);
        merged.set(name, value);
        if (!isContainer(known)) this.brought += countValues(value) - countValues(known);
      } else if (known !== undefined) {
        merged ??= copyFields(live);
        merged.delete(name);
        this.brought -= countValues(known);
      }
    }
    if (merged === undefined) return live;
    for (const name of plan.nulls) {
      if (merged.get(name) !== null) continue;
      merged.delete(name);
      merged.set(name, null);
    }
    return merged;
  }

  #value(
    { type, list, isAtomic, plan }: PlannedType,
    known: JsonValue | undefined,
    value: Value,
    outer: string,
    name: string,
  ): Merged {
    if (isAtomic) return REST;
    switch (type.form) {
      case 'struct': {
        const inner = plan();
        if (inner === undefined || !(value instanceof StructValue)) return REST;
        if (!isNamedWithin(value.type.name, outer, name)) return REST;
        return isJsonObject(known) ? this.struct(inner, known, value) : this.#made(inner, value);
      }
      case 'list':
        if (list === undefined || !Array.isArray(value) || value instanceof JoinedList) return REST;
        return this.#list(list, type.element, plan(), known, value as readonly Value[], outer, name);
      case 'map':
        return value instanceof Map ? this.#map(type.value, known, value) : REST;
      default:
        return scalarOf(type, value);
    }
  }

  #made(plan: Plan, { fields, type }: StructValue): Merged {
    const made = new Map<string, JsonValue>();
    for (const name of fields.keys()) {
      const planned = plan.field(name);
      if (planned === undefined) return REST;
      const applied = fields.get(name) as Value;
      const value = this.#value(planned, undefined, applied, type.name, name);
      if (value === REST) return REST;
      this.#noteLoss(planned, applied);
      const { field } = planned;
      if (field.omit === 'never' || field.isPointer || !isOmitted(field, value)) made.set(name, value);
    }
    for (const field of plan.struct.alwaysWritten) {
      if (!made.has(field.name)) made.set(field.name, zeroField(field));
    }
    return made;
  }

  #noteLoss({ loss }: PlannedField, applied: Value): void {
    if (loss === undefined) return;
    if (loss === 'anything' || !(applied instanceof Map)) this.mayTakeAway = true;
    else for (const key of applied.keys()) this.mayTakeAway ||= loss.has(key);
  }

  #map(type: FieldType, known: JsonValue | undefined, value: ReadonlyMap<unknown, Value>): Merged {
    const live = isJsonObject(known) ? known : undefined;
    let merged: Map<string, JsonValue> | undefined = live === undefined ? new Map() : undefined;
    for (const key of value.keys()) {
      if (typeof key !== 'string') return REST;
      const item = scalarOf(type, value.get(key) as Value);
      if (item === REST) return REST;
      const before = live?.get(key);
      if (item === before) continue;
      merged ??= copyFields(live as JsonObject);
      merged.set(key, item);
      if (live !== undefined && before === undefined) this.brought += 1;
    }
    return merged ?? (live as JsonObject);
  }

  #list(
    list: MergeList,
    element: FieldType,
    plan: Plan | undefined,
    known: JsonValue | undefined,
    values: readonly Value[],
    outer: string,
    name: string,
  ): Merged {
    const live = isJsonArray(known) ? known : undefined;
    const elements: PatchValue[] = [];
    for (const value of values) {
      const applied = value instanceof StructValue ? elementFields(list, value, outer, name) : value;
      if (applied === undefined || (applied === value && (plan !== undefined || typeof value !== 'string')))
        return REST;
      elements.push(applied as PatchValue);
    }
    const places = placesInOrder(list, live ?? NO_ELEMENTS, elements);
    if (places === undefined) return REST;
    const merged = live === undefined ? [] : [...live];
    let isChanged = live === undefined;
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as Value;
      const at = places[index] as number;
      const before = at < 0 ? undefined : live?.[at];
      const item = this.#element(plan, element, before, value);
      if (item === REST) return REST;
      if (at < 0) {
        merged.push(item);
        if (live !== undefined) this.brought += countValues(item);
      } else merged[at] = item;
      isChanged ||= item !== before;
    }
    return isChanged ? merged : (live as JsonArray);
  }

  #element(plan: Plan | undefined, type: FieldType, before: JsonValue | undefined, value: Value): Merged {
    if (!(value instanceof StructValue)) return scalarOf(type, value);
    if (plan === undefined) return REST;
    if (before === undefined) return this.#made(plan, value);
    return isJsonObject(before) ? this.struct(plan, before, value) : REST;
  }
}

/** The identity of a list element; undefined if a key is not a scalar. */
function elementFields(
  list: MergeList,
  { type, fields }: StructValue,
  outer: string,
  name: string,
): PatchValue | undefined {
  if (!isNamedWithin(type.name, outer, name)) return undefined;
  for (const key of list.keys) if (typeof (fields.get(key) ?? '') === 'object') return undefined;
  return fields as ReadonlyMap<string, PatchValue>;
}

function isContainer(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

/** The scalar as the server writes it. */
function scalarOf(type: FieldType, value: Value): Merged {
  switch (type.form) {
    case 'string':
      return typeof value === 'string' ? value : REST;
    case 'bool':
      return typeof value === 'boolean' ? value : REST;
    case 'integer':
      return typeof value === 'bigint' && type.bits !== 8 && BigInt.asIntN(type.bits, value) === value ? value : REST;
    case 'custom':
      if (typeof value !== 'string') return REST;
      if (type.custom === 'intstr.IntOrString') return value;
      return type.custom === 'resource.Quantity' ? (canonicalQuantity(value) ?? REST) : REST;
    default:
      return REST;
  }
}

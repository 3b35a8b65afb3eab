// List, map and struct literals (cel-go `evalList`, `evalMap`, `evalObj`).
import type { Type } from '../check/type.ts';
import type { TypeProvider } from '../check/type-provider.ts';
import { goText } from '../value/go-text.ts';
import { KeyedMap } from '../value/keyed-map.ts';
import { ErrorValue, type MapValue, Optional, StructValue, type Value } from '../value/value.ts';
import { LIST_COST, MAP_COST, STRUCT_COST } from './call-cost.ts';
import type { Run } from './frame.ts';
import { newWellKnownMessage } from './well-known-message.ts';

export interface LiteralElement {
  readonly value: Run;
  readonly optional: boolean;
}

export interface LiteralEntry extends LiteralElement {
  readonly key: Run;
}

export interface LiteralField extends LiteralElement {
  readonly name: string;
}

/** Literals have the same cost whether or not an element fails. */
export function planList(elements: readonly LiteralElement[]): Run {
  return (frame) => {
    const values: Value[] = [];
    let failure: ErrorValue | undefined;
    for (const { value: run, optional } of elements) {
      const value = optional ? unwrap(run(frame), listElementError) : run(frame);
      if (value === undefined) continue;
      if (value instanceof ErrorValue) {
        failure = value;
        break;
      }
      values.push(value);
    }
    frame.charge(LIST_COST);
    return failure ?? values;
  };
}

export function planMap(entries: readonly LiteralEntry[]): Run {
  return (frame) => {
    const map = new MapBuilder();
    let failure: ErrorValue | undefined;
    for (const { key: keyRun, value: run, optional } of entries) {
      const key = keyRun(frame);
      const raw = key instanceof ErrorValue ? key : run(frame);
      const value = optional ? unwrap(raw, (wrong) => entryError(key, wrong)) : raw;
      if (value instanceof ErrorValue) {
        failure = value;
        break;
      }
      map.put(key, value);
    }
    frame.charge(MAP_COST);
    return failure ?? map.build();
  };
}

/** `name` is the name of the message. Its type may have another name (`google.protobuf.Int64Value` is an `int`). */
export function planStruct(name: string, type: Type, fields: readonly LiteralField[], provider: TypeProvider): Run {
  const isWellKnown = name.startsWith('google.protobuf.');
  const construct = (values: ReadonlyMap<string, Value>): Value => {
    const message = isWellKnown ? newWellKnownMessage(name, values) : undefined;
    if (message !== undefined) return message;
    return provider.newStruct?.(type, values) ?? new StructValue(type, values);
  };
  return (frame) => {
    const values = new Map<string, Value>();
    let failure: ErrorValue | undefined;
    for (const { name: field, value: run, optional } of fields) {
      const raw = run(frame);
      const value = optional ? unwrap(raw, (wrong) => entryError(field, wrong)) : raw;
      if (value instanceof ErrorValue) {
        failure = value;
        break;
      }
      if (value === undefined) values.delete(field);
      else values.set(field, value);
    }
    const result = failure === undefined ? construct(values) : failure;
    frame.charge(STRUCT_COST);
    return result;
  };
}

/** The content of an optional; undefined if it is empty. */
function unwrap(value: Value, complain: (value: Value) => ErrorValue): Value | undefined {
  if (value instanceof Optional) return value.value;
  return value instanceof ErrorValue ? value : complain(value);
}

function listElementError(value: Value): ErrorValue {
  return new ErrorValue(`cannot initialize optional list element from non-optional value ${goText(value)}`);
}

function entryError(key: Value, value: Value): ErrorValue {
  return new ErrorValue(`cannot initialize optional entry '${goText(key)}' from non-optional value ${goText(value)}`);
}

/** Of entries with equal keys, the last wins. */
class MapBuilder {
  readonly #strings = new Map<string, Value>();
  #keyed: KeyedMap | undefined;

  /** Without a value, removes the entry of the key. */
  put(key: Value, value: Value | undefined): void {
    if (this.#keyed === undefined && typeof key === 'string') {
      if (value === undefined) this.#strings.delete(key);
      else this.#strings.set(key, value);
      return;
    }
    this.#keyed ??= keyedCopy(this.#strings);
    if (value === undefined) this.#keyed.delete(key);
    else this.#keyed.set(key, value);
  }

  build(): MapValue {
    return this.#keyed?.toMapValue() ?? this.#strings;
  }
}

function keyedCopy(strings: ReadonlyMap<string, Value>): KeyedMap {
  const copy = new KeyedMap();
  for (const [key, value] of strings) copy.set(key, value);
  return copy;
}

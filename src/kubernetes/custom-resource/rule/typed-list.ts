// Lists of custom resources in rules, with the equality and addition of sets and list maps (apiserver `unstructuredList` and related types).
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { HostList } from '../../../cel/value/host-container.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { COMPARED, type Meter } from '../../../go/meter.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import { escapeFieldName } from '../../cel/field-name.ts';
import type { Schema } from '../schema/schema.ts';
import { ForeignValue, type GoValue, goValueOf, hashKey, nativeValueOf } from './go-value.ts';
import { sameMember } from './same-member.ts';
import type { ValueTyper } from './typed-values.ts';

/** An atomic list. Added elements are converted to the type of its elements. */
export class TypedList extends HostList {
  readonly elements: readonly GoValue[];
  protected readonly items: Schema;
  protected readonly typed: ValueTyper;
  #native: Value | undefined;

  constructor(elements: readonly GoValue[], items: Schema, typed: ValueTyper) {
    super();
    this.elements = elements;
    this.items = items;
    this.typed = typed;
    for (const element of elements) this.push(typed(element, items));
  }

  /** A list with foreign elements has no JSON; a list that contains it needs only its Go type. */
  get json(): GoValue {
    return this.elements.every((element) => !(element instanceof ForeignValue))
      ? (this.elements as readonly Exclude<GoValue, ForeignValue>[])
      : new ForeignValue('[]interface {}');
  }

  /** Foreign elements have no JSON, so the list keeps its own values. */
  get native(): Value {
    const { json } = this;
    this.#native ??= json instanceof ForeignValue ? [...this] : nativeValueOf(json);
    return this.#native;
  }

  equals(other: Value, meter?: Meter): boolean | ErrorValue {
    if (!Array.isArray(other)) return noSuchOverload(other);
    if (other.length !== this.length) return false;
    for (let index = 0; index < this.length; index++) {
      meter?.spend(COMPARED);
      const same = sameMember(this[index] as Value, other[index] as Value, meter);
      if (same !== true) return same;
    }
    return true;
  }

  contains(element: Value, meter?: Meter): boolean | ErrorValue {
    let failure: ErrorValue | undefined;
    for (let index = 0; index < this.length; index++) {
      meter?.spend(COMPARED);
      const same = sameMember(this[index] as Value, element, meter);
      if (same === true) return true;
      if (same instanceof ErrorValue) failure ??= same;
    }
    return failure ?? false;
  }

  plus(other: Value): Value {
    if (!Array.isArray(other)) return noSuchOverload(other);
    return this.rebuilt([...this.elements, ...other.map(goValueOf)]);
  }

  protected rebuilt(elements: readonly GoValue[]): TypedList {
    return new TypedList(elements, this.items, this.typed);
  }
}

/**
 * Ignores the order in comparisons, and skips existing elements in additions. In a set of numbers, an integer differs
 * from the equal double.
 */
export class TypedSet extends TypedList {
  override equals(other: Value, meter?: Meter): boolean | ErrorValue {
    if (!Array.isArray(other)) return noSuchOverload(other);
    if (other.length !== this.length) return false;
    const own = new Set(this.elements.map(hashKey));
    for (const element of other) {
      meter?.spend(COMPARED);
      if (!own.has(hashKey(goValueOf(element as Value)))) return false;
    }
    return true;
  }

  override plus(other: Value): Value {
    if (!Array.isArray(other)) return noSuchOverload(other);
    const known = new Set(this.elements.map(hashKey));
    const added: GoValue[] = [];
    for (const element of other) {
      const value = goValueOf(element as Value);
      const key = hashKey(value);
      if (!known.has(key)) added.push(value);
      known.add(key);
    }
    return this.rebuilt([...this.elements, ...added]);
  }

  protected override rebuilt(elements: readonly GoValue[]): TypedList {
    return new TypedSet(elements, this.items, this.typed);
  }
}

/** Identifies elements by their keys. Addition replaces elements with the same key in place. */
export class TypedListMap extends TypedList {
  readonly #keys: readonly string[];

  constructor(elements: readonly GoValue[], items: Schema, keys: readonly string[], typed: ValueTyper) {
    super(elements, items, typed);
    this.#keys = keys;
  }

  override equals(other: Value, meter?: Meter): boolean | ErrorValue {
    if (!Array.isArray(other)) return noSuchOverload(other);
    if (other.length !== this.length) return false;
    const own = new Map(this.elements.map((element, index) => [this.#identityOf(element), this[index] as Value]));
    for (const element of other) {
      meter?.spend(COMPARED);
      const mine = own.get(this.#identityOf(goValueOf(element as Value)));
      const same = mine === undefined ? false : sameMember(mine, element as Value, meter);
      if (same !== true) return same;
    }
    return true;
  }

  override plus(other: Value): Value {
    if (!Array.isArray(other)) return noSuchOverload(other);
    const elements = [...this.elements];
    const places = new Map(elements.map((element, index) => [this.#identityOf(element), index]));
    for (const element of other) {
      const value = goValueOf(element as Value);
      const place = places.get(this.#identityOf(value));
      if (place === undefined) elements.push(value);
      else elements[place] = value;
    }
    return this.rebuilt(elements);
  }

  protected override rebuilt(elements: readonly GoValue[]): TypedList {
    return new TypedListMap(elements, this.items, this.#keys, this.typed);
  }

  /** Upstream looks up keys by their escaped names, so a key whose name needs escaping is always absent. */
  #identityOf(element: GoValue): unknown {
    if (element instanceof ForeignValue || !isJsonObject(element)) return new ForeignValue('*types.Err');
    const parts = this.#keys.map((key) => keyText(hashKey(element.get(escapeFieldName(key) ?? key))));
    return parts.join('\0');
  }
}

function keyText(part: unknown): string {
  return typeof part === 'bigint' ? `i${part}` : String(part);
}

// Visits the structs of an object, outer ones first, and skips parts without a visitor.
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldType, Struct } from './struct.ts';
import { itemBefore, type MutableObject } from './typed-field.ts';

export type Visit = (object: MutableObject) => void;

/** Returns the function for a struct or a map of a named type; undefined if there is none. */
export interface Visitor {
  visitStruct(struct: Struct): Visit | undefined;
  visitMap(goName: string): Visit | undefined;
}

interface Plan {
  readonly visit: Visit | undefined;
  readonly children: readonly { readonly name: string; readonly type: FieldType }[];
}

export class StructWalk {
  readonly #visitor: Visitor;
  readonly #plans = new Map<Struct, Plan>();
  readonly #leadsToVisit = new Map<Struct, boolean>();

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  /** Skips parts that the object shares with `visited` at the same path. */
  walk(object: MutableObject, struct: Struct, visited?: JsonValue): void {
    const { visit, children } = this.#planFor(struct);
    visit?.(object);
    const known = isJsonObject(visited) ? visited : undefined;
    for (const { name, type } of children) {
      const value = object.get(name);
      if (value !== undefined && value !== null) this.#walkValue(value, type, known?.get(name));
    }
  }

  #walkValue(value: JsonValue, type: FieldType, visited: JsonValue | undefined): void {
    if (value === visited) return;
    if (isJsonArray(value)) {
      if (type.form !== 'list') return;
      const known = isJsonArray(visited) ? visited : undefined;
      for (let index = 0; index < value.length; index++) {
        this.#walkValue(value[index] as JsonValue, type.element, itemBefore(value, index, known));
      }
    } else if (isJsonObject(value)) {
      if (type.form === 'struct') this.walk(value as MutableObject, type.struct, visited);
      else if (type.form === 'map') this.#walkMap(value as MutableObject, type, visited);
    }
  }

  #walkMap(map: MutableObject, type: Extract<FieldType, { form: 'map' }>, visited: JsonValue | undefined): void {
    this.#visitor.visitMap(type.goName)?.(map);
    if (!this.#leads(type.value)) return;
    const known = isJsonObject(visited) ? visited : undefined;
    for (const [key, item] of map) this.#walkValue(item, type.value, known?.get(key));
  }

  #planFor(struct: Struct): Plan {
    const known = this.#plans.get(struct);
    if (known !== undefined) return known;
    const children = [...struct.fields.values()].filter((field) => this.#leads(field.type));
    const plan = { visit: this.#visitor.visitStruct(struct), children };
    this.#plans.set(struct, plan);
    return plan;
  }

  #leads(type: FieldType): boolean {
    if (type.form === 'list') return this.#leads(type.element);
    if (type.form === 'map') return this.#visitor.visitMap(type.goName) !== undefined || this.#leads(type.value);
    if (type.form !== 'struct') return false;
    let leads = this.#leadsToVisit.get(type.struct);
    if (leads === undefined) {
      leads = this.#findsVisit(type.struct);
      this.#leadsToVisit.set(type.struct, leads);
    }
    return leads;
  }

  /** Structs may be recursive, so this checks each reachable struct once. */
  #findsVisit(root: Struct): boolean {
    const reached = new Set([root]);
    for (const struct of reached) {
      if (this.#visitor.visitStruct(struct) !== undefined) return true;
      for (const { type } of struct.fields.values()) {
        if (this.#reach(type, reached)) return true;
      }
    }
    return false;
  }

  /** True for a map with a visitor. Adds structs to `reached`. */
  #reach(type: FieldType, reached: Set<Struct>): boolean {
    if (type.form === 'list') return this.#reach(type.element, reached);
    if (type.form === 'map')
      return this.#visitor.visitMap(type.goName) !== undefined || this.#reach(type.value, reached);
    if (type.form === 'struct') reached.add(type.struct);
    return false;
  }
}

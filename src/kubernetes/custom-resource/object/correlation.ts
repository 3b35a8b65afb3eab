// Pairs a value with its previous version in an update (apiserver `pkg/cel/common/equality.go: CorrelatedObject`).
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { isSameJson } from './json-equality.ts';
import { ListMap } from './list-map.ts';

export class Correlation {
  readonly value: JsonValue;
  readonly before: JsonValue;
  readonly #schema: Schema;
  readonly #children = new Map<string | number, Correlation>();
  #listMap: ListMap | undefined;
  #isUnchanged: boolean | undefined;

  constructor(value: JsonValue, before: JsonValue, schema: Schema) {
    this.value = value;
    this.before = before;
    this.#schema = schema;
  }

  /** Undefined if the old value or the schema lacks the field. */
  field(name: string): Correlation | undefined {
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    if (!isJsonObject(this.value) || !isJsonObject(this.before)) return undefined;
    const value = this.value.get(name);
    const before = this.before.get(name);
    const schema = this.#schema.properties?.get(name) ?? additionalSchema(this.#schema);
    if (value === undefined || before === undefined || schema === undefined) return undefined;
    return this.#remember(name, new Correlation(value, before, schema));
  }

  /** Elements can be matched only in lists of type map. */
  index(index: number): Correlation | undefined {
    const known = this.#children.get(index);
    if (known !== undefined) return known;
    if (!isJsonArray(this.value) || !isJsonArray(this.before)) return undefined;
    const value = this.value[index];
    const { items } = this.#schema;
    if (value === undefined || items === undefined || this.#schema.listType !== 'map') return undefined;
    this.#listMap ??= ListMap.of(this.#schema, this.before);
    const before = this.#listMap?.get(value);
    return before && this.#remember(index, new Correlation(value, before, items));
  }

  /** Ignores the order of lists of type map. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compare();
    return this.#isUnchanged;
  }

  #compare(): boolean {
    const { value, before } = this;
    if (isJsonArray(value) && isJsonArray(before)) {
      if (value.length !== before.length) return false;
      if (this.#schema.listType !== 'map') return isSameJson(value, before);
      return value.every((_, index) => this.index(index)?.isUnchanged === true);
    }
    if (isJsonObject(value) && isJsonObject(before)) {
      if (value.size !== before.size) return false;
      return [...value.keys()].every((name) => this.field(name)?.isUnchanged === true);
    }
    return isSameJson(value, before);
  }

  #remember(step: string | number, child: Correlation): Correlation {
    this.#children.set(step, child);
    return child;
  }
}

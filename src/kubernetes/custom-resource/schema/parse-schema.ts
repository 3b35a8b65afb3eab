// Parses the schema of a custom resource, like the server's decoding and `NewStructural`.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { Schema, ValidationRule, ValueValidation } from './schema.ts';

/** A reason why the server refuses the definition. */
export interface SchemaProblem {
  /** From the schema's root. */
  readonly path: FieldPath;
  readonly message: string;
}

export interface ParsedSchema {
  readonly schema: Schema;
  /** Empty for a schema that decodes. Invalid parts are treated as absent. */
  readonly problems: readonly SchemaProblem[];
  /** The server's error if it cannot build a structural schema. */
  readonly conversionError: string | undefined;
}

export function parseSchema(value: JsonObject): ParsedSchema {
  const reader = new SchemaReader();
  return { schema: reader.schema(value), problems: reader.problems, conversionError: reader.conversionError };
}

/**
 * JSON Schema keywords that are forbidden in custom resources, with the server's names for them
 * (`validateUnsupportedFields` of schema/convert.go).
 */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
]);

const MIN_INT64 = -0x8000_0000_0000_0000n;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Reports values of the wrong type and treats them as absent. */
class SchemaReader {
  readonly problems: SchemaProblem[] = [];
  conversionError: string | undefined;
  readonly #path: (string | number)[] = [];

  schema(value: JsonObject): Schema {
    for (const [keyword, name] of UNSUPPORTED) {
      if (isSet(value.get(keyword))) this.conversionError ??= `OpenAPIV3Schema '${name}' is not supported`;
    }
    return {
      type: this.#text(value, 'type'),
      hasTitle: this.#text(value, 'title') !== '',
      hasDescription: this.#text(value, 'description') !== '',
      nullable: this.#flag(value, 'nullable'),
      default: value.get('default') ?? undefined,
      properties: this.#properties(value),
      additionalProperties: this.#additionalProperties(value),
      items: this.#items(value),
      preserveUnknownFields: this.#preserveUnknownFields(value),
      embeddedResource: this.#flag(value, 'x-kubernetes-embedded-resource'),
      intOrString: this.#flag(value, 'x-kubernetes-int-or-string'),
      listType: this.#text(value, 'x-kubernetes-list-type'),
      mapType: this.#text(value, 'x-kubernetes-map-type'),
      listMapKeys: this.#texts(value, 'x-kubernetes-list-map-keys'),
      rules: this.#list(value, 'x-kubernetes-validations', (rule) => this.#rule(rule)),
      values: this.#values(value),
    };
  }

  #values(value: JsonObject): ValueValidation {
    const not = value.get('not');
    return {
      format: this.#text(value, 'format'),
      maximum: this.#number(value, 'maximum'),
      exclusiveMaximum: this.#flag(value, 'exclusiveMaximum'),
      minimum: this.#number(value, 'minimum'),
      exclusiveMinimum: this.#flag(value, 'exclusiveMinimum'),
      multipleOf: this.#number(value, 'multipleOf'),
      maxLength: this.#integer(value, 'maxLength'),
      minLength: this.#integer(value, 'minLength'),
      pattern: this.#text(value, 'pattern'),
      maxItems: this.#integer(value, 'maxItems'),
      minItems: this.#integer(value, 'minItems'),
      uniqueItems: this.#flag(value, 'uniqueItems'),
      maxProperties: this.#integer(value, 'maxProperties'),
      minProperties: this.#integer(value, 'minProperties'),
      enum: this.#array(value, 'enum') ?? [],
      required: this.#texts(value, 'required'),
      allOf: this.#list(value, 'allOf', (schema) => this.schema(schema)),
      anyOf: this.#list(value, 'anyOf', (schema) => this.schema(schema)),
      oneOf: this.#list(value, 'oneOf', (schema) => this.schema(schema)),
      not: not === undefined || not === null ? undefined : this.#at('not', () => this.#schemaOf(not)),
    };
  }

  #rule(value: JsonObject): ValidationRule {
    return {
      place: [...this.#path],
      rule: this.#text(value, 'rule'),
      message: this.#text(value, 'message'),
      messageExpression: this.#text(value, 'messageExpression'),
      reason: this.#text(value, 'reason'),
      fieldPath: this.#text(value, 'fieldPath'),
      optionalOldSelf:
        (value.get('optionalOldSelf') ?? null) === null ? undefined : this.#flag(value, 'optionalOldSelf'),
    };
  }

  #properties(value: JsonObject): ReadonlyMap<string, Schema> | undefined {
    const properties = this.#object(value, 'properties');
    if (properties === undefined || properties.size === 0) return undefined;
    return this.#at('properties', () => {
      const schemas = new Map<string, Schema>();
      for (const [name, property] of properties)
        schemas.set(
          name,
          this.#at(name, () => this.#schemaOf(property)),
        );
      return schemas;
    });
  }

  #additionalProperties(value: JsonObject): Schema | boolean | undefined {
    const additional = value.get('additionalProperties') ?? undefined;
    if (additional === undefined || typeof additional === 'boolean') return additional;
    return this.#at('additionalProperties', () => this.#schemaOf(additional, 'a schema, true or false'));
  }

  #items(value: JsonObject): Schema | undefined {
    const items = value.get('items') ?? undefined;
    if (items === undefined) return undefined;
    if (isJsonArray(items)) {
      if (items.length > 0) this.conversionError ??= "OpenAPIV3Schema 'items' must be a schema, but is an array";
      return undefined;
    }
    return isJsonObject(items) ? this.#at('items', () => this.schema(items)) : undefined;
  }

  #preserveUnknownFields(value: JsonObject): boolean {
    const keyword = 'x-kubernetes-preserve-unknown-fields';
    const preserve = this.#flag(value, keyword);
    if (value.get(keyword) === false) this.conversionError ??= `internal error: '${keyword}' must be true or undefined`;
    return preserve;
  }

  #schemaOf(value: JsonValue, expected = 'a schema'): Schema {
    // Null decodes to a schema without fields.
    if (!isJsonObject(value) && value !== null) this.#wrongType(undefined, expected);
    return this.schema(isJsonObject(value) ? value : new Map());
  }

  #text(value: JsonObject, keyword: string): string {
    const text = value.get(keyword) ?? '';
    if (typeof text === 'string') return text;
    this.#wrongType(keyword, 'a string');
    return '';
  }

  #flag(value: JsonObject, keyword: string): boolean {
    const flag = value.get(keyword) ?? false;
    if (typeof flag === 'boolean') return flag;
    this.#wrongType(keyword, 'true or false');
    return false;
  }

  #number(value: JsonObject, keyword: string): number | undefined {
    const number = value.get(keyword) ?? undefined;
    if (number === undefined || typeof number === 'number') return number;
    if (typeof number === 'bigint') return Number(number);
    this.#wrongType(keyword, 'a number');
    return undefined;
  }

  #integer(value: JsonObject, keyword: string): bigint | undefined {
    const integer = value.get(keyword) ?? undefined;
    if (integer === undefined) return undefined;
    if (typeof integer === 'bigint' && integer >= MIN_INT64 && integer <= MAX_INT64) return integer;
    this.#wrongType(keyword, 'an integer');
    return undefined;
  }

  #texts(value: JsonObject, keyword: string): readonly string[] {
    const items = this.#array(value, keyword) ?? [];
    // Null decodes to an empty text.
    const texts = items.map((item) => item ?? '');
    if (texts.some((item) => typeof item !== 'string')) this.#wrongType(keyword, 'a list of strings');
    return texts.filter((item) => typeof item === 'string');
  }

  #list<T>(value: JsonObject, keyword: string, read: (item: JsonObject) => T): readonly T[] {
    const items = this.#array(value, keyword);
    if (items === undefined) return [];
    return this.#at(keyword, () =>
      items.map((item, index) =>
        this.#at(index, () => {
          if (!isJsonObject(item) && item !== null) this.#wrongType(undefined, 'an object');
          return read(isJsonObject(item) ? item : new Map());
        }),
      ),
    );
  }

  #array(value: JsonObject, keyword: string): readonly JsonValue[] | undefined {
    const array = value.get(keyword) ?? undefined;
    if (array === undefined || isJsonArray(array)) return array;
    this.#wrongType(keyword, 'a list');
    return undefined;
  }

  #object(value: JsonObject, keyword: string): JsonObject | undefined {
    const object = value.get(keyword) ?? undefined;
    if (object === undefined || isJsonObject(object)) return object;
    this.#wrongType(keyword, 'an object');
    return undefined;
  }

  #at<T>(step: string | number, read: () => T): T {
    this.#path.push(step);
    const result = read();
    this.#path.pop();
    return result;
  }

  #wrongType(keyword: string | undefined, expected: string): void {
    this.#problem(keyword, `must be ${expected}`);
  }

  #problem(keyword: string | undefined, message: string): void {
    this.problems.push({ path: keyword === undefined ? [...this.#path] : [...this.#path, keyword], message });
  }
}

/** True if Go's decoding yields a non-empty value. */
function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (isJsonArray(value)) return value.length > 0;
  return !isJsonObject(value) || value.size > 0;
}

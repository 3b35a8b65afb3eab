// Prunes the defaults of a schema by the schema itself (apiextensions `schema/defaulting/prune.go`).
import { copyJson } from '../../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { coerceMetadata, type ObjectMetaDecoder } from '../object/object-meta.ts';
import { prune } from '../object/prune.ts';
import type { ServerErrors } from '../server-error.ts';
import { additionalSchema, type Schema } from './schema.ts';

/** A key of an object, or null for an item of a list. */
type Steps = readonly (string | null)[];

/** Represents every key of a map. */
const ANY_KEY = '*';

/** The same schema, with undeclared fields removed from its defaults. */
export function withPrunedDefaults(root: Schema, decoder: ObjectMetaDecoder, errors: ServerErrors): Schema {
  const prunedDefault = (value: JsonValue, steps: Steps): JsonValue | undefined => {
    const object = copyJson(surround(value, steps));
    if (!isJsonObject(object)) return value;
    coerceMetadata(object, root, true, 'drop', decoder, errors);
    prune(object, root, true);
    return follow(object, steps) ?? undefined;
  };
  const visit = (schema: Schema, steps: Steps): Schema => {
    const additional = additionalSchema(schema);
    return {
      ...schema,
      default: schema.default === undefined ? undefined : prunedDefault(schema.default, steps),
      additionalProperties:
        additional === undefined ? schema.additionalProperties : visit(additional, [...steps, ANY_KEY]),
      items: schema.items && visit(schema.items, [...steps, null]),
      properties:
        schema.properties &&
        new Map([...schema.properties].map(([name, property]) => [name, visit(property, [...steps, name])])),
    };
  };
  return visit(root, []);
}

/** An object with only this value, at the end of the steps. */
function surround(value: JsonValue, steps: Steps): JsonValue {
  return steps.reduceRight<JsonValue>((inner, step) => (step === null ? [inner] : new Map([[step, inner]])), value);
}

function follow(root: JsonValue, steps: Steps): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (step === null) value = isJsonArray(value) ? value[0] : undefined;
    else value = isJsonObject(value) ? value.get(step) : undefined;
  }
  return value;
}

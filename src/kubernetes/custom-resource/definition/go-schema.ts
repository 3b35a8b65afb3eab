// Converts a schema to the fields of its Go struct, which the server shows in errors (apiextensions `types_jsonschema.go`).
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';

type Writer = (value: JsonValue) => JsonValue;

const asIs: Writer = (value) => value;
const double: Writer = (value) => (typeof value === 'bigint' ? Number(value) : value);
const schemas: Writer = (value) => (isJsonArray(value) && value.length > 0 ? value.map(schemaOf) : null);
const schemaMap: Writer = (value) =>
  isJsonObject(value) ? new Map(sorted(value).map(([key, item]) => [key, schemaOf(item)])) : null;
const schemaOrBool: Writer = (value) =>
  struct({ Allows: value !== false, Schema: typeof value === 'boolean' ? null : schemaOf(value) });
const schemaOrArray: Writer = (value) =>
  isJsonArray(value)
    ? struct({ Schema: null, JSONSchemas: schemas(value) })
    : struct({ Schema: schemaOf(value), JSONSchemas: null });
const json: Writer = (value) => {
  if (isJsonArray(value)) return value.map(json);
  return isJsonObject(value) ? new Map(sorted(value).map(([key, item]) => [key, json(item)])) : value;
};
const dependencies: Writer = (value) => {
  const written: Writer = (item) =>
    isJsonArray(item) ? struct({ Schema: null, Property: item }) : struct({ Schema: schemaOf(item), Property: null });
  return isJsonObject(value) ? new Map(sorted(value).map(([key, item]) => [key, written(item)])) : null;
};
const list: Writer = (value) => (isJsonArray(value) && value.length > 0 ? json(value) : null);

/** Go field, keyword, Go's value if the keyword is absent, and the conversion of the value. */
const FIELDS: readonly (readonly [field: string, keyword: string, absent: JsonValue, write: Writer])[] = [
  ['ID', 'id', '', asIs],
  ['Schema', '$schema', '', asIs],
  ['Ref', '$ref', null, asIs],
  ['Description', 'description', '', asIs],
  ['Type', 'type', '', asIs],
  ['Nullable', 'nullable', false, asIs],
  ['Format', 'format', '', asIs],
  ['Title', 'title', '', asIs],
  ['Default', 'default', null, json],
  ['Maximum', 'maximum', null, double],
  ['ExclusiveMaximum', 'exclusiveMaximum', false, asIs],
  ['Minimum', 'minimum', null, double],
  ['ExclusiveMinimum', 'exclusiveMinimum', false, asIs],
  ['MaxLength', 'maxLength', null, asIs],
  ['MinLength', 'minLength', null, asIs],
  ['Pattern', 'pattern', '', asIs],
  ['MaxItems', 'maxItems', null, asIs],
  ['MinItems', 'minItems', null, asIs],
  ['UniqueItems', 'uniqueItems', false, asIs],
  ['MultipleOf', 'multipleOf', null, double],
  ['Enum', 'enum', null, list],
  ['MaxProperties', 'maxProperties', null, asIs],
  ['MinProperties', 'minProperties', null, asIs],
  ['Required', 'required', null, list],
  ['Items', 'items', null, schemaOrArray],
  ['AllOf', 'allOf', null, schemas],
  ['OneOf', 'oneOf', null, schemas],
  ['AnyOf', 'anyOf', null, schemas],
  ['Not', 'not', null, schemaOf],
  ['Properties', 'properties', null, schemaMap],
  ['AdditionalProperties', 'additionalProperties', null, schemaOrBool],
  ['PatternProperties', 'patternProperties', null, schemaMap],
  ['Dependencies', 'dependencies', null, dependencies],
  ['AdditionalItems', 'additionalItems', null, schemaOrBool],
  ['Definitions', 'definitions', null, schemaMap],
  ['ExternalDocs', 'externalDocs', null, (value) => fieldsOf(value, DOCUMENTATION)],
  ['Example', 'example', null, json],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null, asIs],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false, asIs],
  ['XIntOrString', 'x-kubernetes-int-or-string', false, asIs],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null, list],
  ['XListType', 'x-kubernetes-list-type', null, asIs],
  ['XMapType', 'x-kubernetes-map-type', null, asIs],
  ['XValidations', 'x-kubernetes-validations', null, (value) => rulesOf(value)],
];

const DOCUMENTATION: typeof FIELDS = [
  ['Description', 'description', '', asIs],
  ['URL', 'url', '', asIs],
];

const RULE: typeof FIELDS = [
  ['Rule', 'rule', '', asIs],
  ['Message', 'message', '', asIs],
  ['MessageExpression', 'messageExpression', '', asIs],
  ['Reason', 'reason', null, asIs],
  ['FieldPath', 'fieldPath', '', asIs],
  ['OptionalOldSelf', 'optionalOldSelf', null, asIs],
];

/** For `items`, which is one schema or a list of schemas. */
export function goItems(items: JsonValue): JsonValue {
  return schemaOrArray(items);
}

export function goSchema(schema: JsonObject): JsonObject {
  return fieldsOf(schema, FIELDS);
}

/** Go names of the fields that differ from Go's zero value. */
export function setFields(schema: JsonObject): readonly string[] {
  return FIELDS.filter(([field, , absent]) => schema.get(field) !== absent).map(([field]) => field);
}

function schemaOf(value: JsonValue): JsonValue {
  return fieldsOf(value, FIELDS);
}

function rulesOf(value: JsonValue): JsonValue {
  return isJsonArray(value) && value.length > 0 ? value.map((rule) => fieldsOf(rule, RULE)) : null;
}

function fieldsOf(value: JsonValue, fields: typeof FIELDS): JsonObject {
  const given: JsonObject = isJsonObject(value) ? value : new Map();
  return new Map(
    fields.map(([field, keyword, absent, write]) => {
      const written = given.get(keyword) ?? null;
      return [field, written === null ? absent : write(written)];
    }),
  );
}

function struct(fields: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(fields));
}

/** Go writes maps sorted by key. */
function sorted(object: JsonObject): readonly (readonly [string, JsonValue])[] {
  return [...object].sort(([a], [b]) => compareUtf8(a, b));
}

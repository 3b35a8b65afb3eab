// Errors about keywords and values that no custom resource schema may have (apiextensions `specStandardValidatorV3`).
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import type { DefinitionProblem } from './definition-problem.ts';
import type { SchemaContext, WrittenSchema } from './written-schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Unsupported keywords, with a check whether Go's decoding sets the field. */
const UNSUPPORTED: readonly (readonly [keyword: string, isSet: (value: JsonValue) => boolean])[] = [
  ['id', (value) => value !== ''],
  ['additionalItems', () => true],
  ['patternProperties', isFilled],
  ['definitions', isFilled],
  ['dependencies', () => true],
  ['$ref', () => true],
];

/** In the server's order. */
export function keywordErrors(
  { json, schema }: WrittenSchema,
  path: ServerPath,
  { defaultsForbidden, isMeta }: SchemaContext,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  const { type, embeddedResource, properties, additionalProperties } = schema;
  const found: DefinitionProblem[] = [];
  const forbid = (keyword: string, detail: string): void => {
    found.push(errors.forbidden(path.child(keyword), detail));
  };
  if (type !== '' && !TYPES.includes(type)) found.push(errors.notSupported(path.child('type'), type, TYPES));
  if (schema.default !== undefined && defaultsForbidden !== undefined) {
    forbid('default', `must not be set ${defaultsForbidden}`);
  }
  for (const [keyword, isSet] of UNSUPPORTED) {
    const value = json.get(keyword) ?? null;
    if (value !== null && isSet(value)) forbid(keyword, `${keyword} is not supported`);
  }
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  const items = json.get('items');
  if (isJsonArray(items) && items.length > 0) forbid('items', 'items must be a schema object and not an array');
  if (isMeta && embeddedResource) {
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  if (schema.values.uniqueItems) {
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  const hasAdditional = additionalProperties !== undefined && additionalProperties !== true;
  if (hasAdditional && properties !== undefined) {
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
  return found;
}

function isFilled(value: JsonValue): boolean {
  return isJsonObject(value) && value.size > 0;
}

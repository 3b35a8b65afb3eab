// Finds the schema of a field in a definition.
import { append } from '../../go/slices/append.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { CustomResourceVersion } from './custom-resource-version.ts';

/** Path from the definition's root to the schema of the field, or of the nearest enclosing field with a schema. */
export function schemaPlace({ schema, schemaPath }: CustomResourceVersion, field: FieldPath): FieldPath {
  const place = [...schemaPath];
  let node = schema;
  for (const step of field) {
    const next = node && below(node, step);
    if (next === undefined) break;
    append(place, next.steps);
    node = next.schema;
  }
  return place;
}

function below(
  node: JsonObject,
  step: string | number,
): { readonly steps: FieldPath; readonly schema: JsonObject } | undefined {
  const property = objectField(node, 'properties')?.get(String(step));
  if (isJsonObject(property)) return { steps: ['properties', step], schema: property };
  const keyword = typeof step === 'number' ? 'items' : 'additionalProperties';
  const schema = objectField(node, keyword);
  return schema && { steps: [keyword], schema };
}

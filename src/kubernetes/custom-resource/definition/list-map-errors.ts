// The server's validation of list and map types in a schema (apiextensions `validation/validation.go`).
import { append } from '../../../go/slices/append.ts';
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectField, optionalTextField } from '../../../source/json/json-field.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import type { DefinitionProblem } from './definition-problem.ts';
import { goItems } from './go-schema.ts';
import type { WrittenSchema } from './written-schema.ts';

/** Errors of lists and maps, and of `x-kubernetes-preserve-unknown-fields`. */
export function structureErrors(
  json: JsonObject,
  schema: Schema,
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  const found: DefinitionProblem[] = [];
  if (json.get('x-kubernetes-preserve-unknown-fields') === false) {
    found.push(errors.invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  const mapType = optionalTextField(json, 'x-kubernetes-map-type');
  const listType = optionalTextField(json, 'x-kubernetes-list-type');
  if (mapType !== undefined) {
    append(found, typeErrors(schema, 'object', 'x-kubernetes-map-type', path, errors));
    append(found, memberErrors(mapType, ['atomic', 'granular'], path.child('x-kubernetes-map-type'), errors));
  }
  if (listType !== undefined) {
    const wrongType = typeErrors(schema, 'array', 'x-kubernetes-list-type', path, errors);
    append(found, wrongType);
    if (wrongType.length === 0 && listType === 'set') append(found, setErrors(json, schema, path, errors));
    append(found, memberErrors(listType, ['atomic', 'set', 'map'], path.child('x-kubernetes-list-type'), errors));
  }
  append(found, listMapErrors(listType, { json, schema }, path, errors));
  if (listType === 'set' || listType === 'map') append(found, nullabilityErrors(listType, schema, path, errors));
  return found;
}

function typeErrors(
  { type }: Schema,
  wanted: string,
  keyword: string,
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  if (type === wanted) return [];
  const detail = `must be ${wanted} if ${keyword} is specified`;
  return [type === '' ? errors.required(path.child('type'), detail) : errors.invalid(path.child('type'), type, detail)];
}

function memberErrors(
  value: string,
  members: readonly string[],
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  return members.includes(value) ? [] : [errors.notSupported(path, value, members)];
}

/** The server compares elements of sets as a whole. */
function setErrors(
  json: JsonObject,
  { items }: Schema,
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  const written = objectField(json, 'items');
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = written && optionalTextField(written, 'x-kubernetes-list-type');
  const place = (keyword: string) => path.child('items').child(keyword);
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [errors.invalid(place('x-kubernetes-list-type'), listType, detail)];
  }
  if (items?.type !== 'object' || items.mapType === 'atomic') return [];
  // The server shows the list type here.
  return [errors.invalid(place('x-kubernetes-map-type'), listType ?? null, detail)];
}

function listMapErrors(
  listType: string | undefined,
  { json, schema: { items, listMapKeys } }: WrittenSchema,
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  const found: DefinitionProblem[] = [];
  if (listMapKeys.length > 0 && listType !== 'map') {
    const place = path.child('x-kubernetes-list-type');
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    found.push(listType === undefined ? errors.required(place, detail) : errors.invalid(place, listType, detail));
  }
  if (listType !== 'map') return found;
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (listMapKeys.length === 0) {
    found.push(errors.required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  }
  const itemsPath = path.child('items');
  if (items === undefined) {
    const written = json.get('items') ?? null;
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    if (isJsonArray(written)) found.push(errors.invalidStruct(itemsPath, goItems(written), detail));
    else found.push(errors.required(itemsPath, 'must have a schema if x-kubernetes-list-type is map'));
    return found;
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    found.push(errors.invalid(itemsPath.child('type'), items.type, detail));
    return found;
  }
  const seen = new Set<string>();
  for (const key of listMapKeys) {
    const type = items.properties?.get(key)?.type;
    if (type === undefined) {
      found.push(errors.invalid(keysPath, listMapKeys, 'entries must all be names of item properties'));
    } else if (type === 'array' || type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      found.push(errors.invalid(itemsPath.child('properties').key(key).child('type'), items.type, detail));
    }
    if (seen.has(key)) found.push(errors.invalid(keysPath, listMapKeys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return found;
}

/** `validateMapListKeysMapSet`: elements and their keys must be required or have a default. */
function nullabilityErrors(
  listType: string,
  { items, listMapKeys }: Schema,
  path: ServerPath,
  errors: ServerErrors,
): readonly DefinitionProblem[] {
  if (items === undefined) return [];
  const itemsPath = path.child('items');
  const found: DefinitionProblem[] = [];
  if (items.nullable) {
    found.push(
      errors.forbidden(itemsPath.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  }
  if (listType !== 'map') return found;
  const subject = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) continue;
    const place = itemsPath.child('properties').key(key);
    if (!items.values.required.includes(key) && property.default === undefined) {
      found.push(errors.required(place.child('default'), `${subject} must have a default or be a required property`));
    }
    if (property.nullable) found.push(errors.forbidden(place.child('nullable'), `${subject} cannot be nullable`));
  }
  return found;
}

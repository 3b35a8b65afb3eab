// The API server's validation of object metadata (apimachinery `pkg/api/validation/objectmeta.go`).

import { compareUtf8, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from './field-error.ts';
import { dns1123Label, labelKey, labelValue, maskTrailingDash, pathSegmentName } from './name-format.ts';

const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Returns the errors of a name, or of a generateName prefix. */
export type NameFormat = (name: string, isPrefix: boolean) => readonly string[];

/** For any kind. A suffix makes the prefixes `.` and `..` valid. */
export const pathSegmentFormat: NameFormat = (name, isPrefix) => pathSegmentName(isPrefix ? `${name}-` : name);

/** For policies and bindings, on creation. Before validation the server drops the namespace and sets the generation (`rest/create.go`). */
export function validateClusterScopedMeta(
  object: JsonObject,
  nameFormat: (name: string) => readonly string[],
): readonly FieldError[] {
  const format: NameFormat = (name, isPrefix) => nameFormat(isPrefix ? maskTrailingDash(name) : name);
  const metadata = new Map(objectOrEmpty(object.get('metadata')));
  for (const field of ['namespace', 'generation']) metadata.delete(field);
  return validateObjectMeta(metadata, false, format, ['metadata']);
}

/**
 * On creation. Errors about map entries are sorted by key, because Go's map order is random. With only `generateName`,
 * the prefix is checked instead of a name.
 */
export function validateObjectMeta(
  metadata: JsonObject,
  namespaced: boolean,
  nameFormat: NameFormat,
  path: FieldPath,
): readonly FieldError[] {
  const name = textField(metadata, 'name');
  const generateName = textField(metadata, 'generateName');
  const generation = metadata.get('generation');
  const problems = (field: string, value: string, isPrefix: boolean): readonly FieldError[] =>
    nameFormat(value, isPrefix).map((message) => invalid([...path, field], value, message));
  return [
    ...(generateName === '' ? [] : problems('generateName', generateName, true)),
    ...(name === '' && generateName === '' ? [required([...path, 'name'], 'name or generateName is required')] : []),
    ...(name === '' ? [] : problems('name', name, false)),
    ...validateNamespace(textField(metadata, 'namespace'), namespaced, [...path, 'namespace']),
    ...(typeof generation === 'bigint' && generation < 0n
      ? [invalid([...path, 'generation'], generation, 'must be greater than or equal to 0')]
      : []),
    ...validateLabels(objectField(metadata, 'labels'), [...path, 'labels']),
    ...validateAnnotations(objectOrEmpty(metadata.get('annotations')), [...path, 'annotations']),
    ...validateOwnerReferences(metadata.get('ownerReferences'), [...path, 'ownerReferences']),
    ...validateFinalizers(textItems(metadata.get('finalizers')), [...path, 'finalizers']),
  ];
}

function validateNamespace(namespace: string, namespaced: boolean, path: FieldPath): readonly FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [required(path)];
  return dns1123Label(namespace).map((message) => invalid(path, namespace, message));
}

/** `meta/v1/validation.ValidateLabels`. Ignores non-string values, because decoding already reports them. */
export function validateLabels(labels: JsonObject | undefined, path: FieldPath): readonly FieldError[] {
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...labelKey(key).map((message) => invalid(path, key, message)),
    ...(typeof value === 'string' ? labelValue(value).map((message) => invalid(path, value, message)) : []),
  ]);
}

function validateAnnotations(annotations: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = sortedEntries(annotations).flatMap(([key]) =>
    labelKey(key.toLowerCase()).map((message) => invalid(path, key, message)),
  );
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [key, value] of annotations) {
    bytes += encoder.encode(key).length + (typeof value === 'string' ? encoder.encode(value).length : 0);
  }
  return bytes > MAX_ANNOTATION_BYTES ? [...errors, tooLong(path, MAX_ANNOTATION_BYTES)] : errors;
}

/** Errors have the path of the list, not of the entry. */
function validateOwnerReferences(value: JsonValue | undefined, path: FieldPath): readonly FieldError[] {
  const references = objectItems(value);
  const controllers = references.filter((reference) => reference.get('controller') === true);
  const first = controllers[0];
  return references.flatMap((reference) => {
    const errors = ownerReferenceErrors(reference, path);
    if (first === undefined || reference === first || !controllers.includes(reference)) return errors;
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${ownerName(first)} and ${ownerName(reference)}`;
    return [...errors, invalid(path, references.map(ownerReference), detail)];
  });
}

function ownerReferenceErrors(reference: JsonObject, path: FieldPath): readonly FieldError[] {
  const apiVersion = textField(reference, 'apiVersion');
  const groupVersion = apiVersion === '' || apiVersion === '/' ? undefined : parseApiVersion(apiVersion);
  const version = groupVersion?.version ?? '';
  const empty = ['kind', 'name', 'uid'].filter((field) => textField(reference, field) === '');
  const isEvent = groupVersion?.group === '' && version === 'v1' && textField(reference, 'kind') === 'Event';
  return [
    ...(version === '' ? [invalid([...path, 'apiVersion'], apiVersion, 'version must not be empty')] : []),
    ...empty.map((field) => invalid([...path, field], '', 'must not be empty')),
    ...(isEvent ? [invalid(path, ownerReference(reference), '/v1, Kind=Event is disallowed from being an owner')] : []),
  ];
}

/** The fields in the order of the Go struct. */
function ownerReference(reference: JsonObject): JsonObject {
  const fields = ['apiVersion', 'kind', 'name', 'uid'].map((field): [string, JsonValue] => [
    field,
    textField(reference, field),
  ]);
  const flags = ['controller', 'blockOwnerDeletion'].map((field) => [field, reference.get(field)] as const);
  const isSet = (entry: readonly [string, JsonValue | undefined]): entry is [string, boolean] =>
    typeof entry[1] === 'boolean';
  return new Map<string, JsonValue>([...fields, ...flags.filter(isSet)]);
}

function ownerName(reference: JsonObject): string {
  return `${textField(reference, 'kind')}/${textField(reference, 'name')}`;
}

function validateFinalizers(finalizers: readonly string[], path: FieldPath): readonly FieldError[] {
  const errors = finalizers.flatMap((name) => labelKey(name).map((message) => invalid(path, name, message)));
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors;
  return [...errors, invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')];
}

function sortedEntries(object: JsonObject | undefined): readonly (readonly [string, JsonValue])[] {
  return [...(object ?? [])].sort(([a], [b]) => compareUtf8(a, b));
}

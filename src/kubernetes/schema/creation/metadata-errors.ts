// The API server's metadata errors about new objects of built-in kinds, between mutating and validating admission.

import { compareUtf8, type JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type FieldError, forbidden, invalid, required } from '../../validation/field-error.ts';
import {
  dns1123Label,
  labelKey,
  labelValue,
  labelValueInCharacters,
  qualifiedName,
} from '../../validation/name-format.ts';
import type { BuiltinResource } from '../resources.ts';
import { checksPrefix, nameFormatOf, specialNameErrors } from './name-formats.ts';

const NAME: FieldPath = ['metadata', 'name'];
const GENERATE_NAME: FieldPath = ['metadata', 'generateName'];
const NAMESPACE: FieldPath = ['metadata', 'namespace'];
const LABELS: FieldPath = ['metadata', 'labels'];
const ANNOTATIONS: FieldPath = ['metadata', 'annotations'];

export interface MetadataError extends FieldError {
  /** Location in the manifest, if it is more specific than the server's path. */
  readonly place?: { readonly path: FieldPath; readonly part: 'key' | 'value' };
}

export interface CreatedObject {
  readonly resource: BuiltinResource;
  readonly hasGeneratedName: boolean;
  readonly minor: number;
}

/**
 * Checks names, labels and annotation keys of an object to be stored. Errors about map entries are sorted by key,
 * because Go's map order is random.
 */
export function metadataErrors(object: JsonObject, created: CreatedObject): readonly MetadataError[] {
  const metadata = objectOrEmpty(object.get('metadata'));
  return [
    ...nameErrors(object, metadata, created),
    ...namespaceErrors(textField(metadata, 'namespace'), created.resource),
    ...labelErrors(metadata, created.minor),
  ];
}

/** The checks that apply to updates. Immutable fields were already checked on creation. */
export function updatedMetadataErrors(object: JsonObject, minor: number): readonly MetadataError[] {
  return labelErrors(objectOrEmpty(object.get('metadata')), minor);
}

/** Errors of a generateName prefix are not repeated for the generated name. */
function nameErrors(
  object: JsonObject,
  metadata: JsonObject,
  { resource: { group, kind }, hasGeneratedName, minor }: CreatedObject,
): readonly FieldError[] {
  const groupKind = group === '' ? kind : `${group}/${kind}`;
  const format = nameFormatOf(groupKind, object, minor);
  const name = textField(metadata, 'name');
  const prefix = textField(metadata, 'generateName');
  if (name === '') return prefix === '' ? [required(NAME, 'name or generateName is required')] : [];
  const ofPrefix =
    prefix === '' || !checksPrefix(groupKind, minor)
      ? []
      : format(prefix, true).map((message) => invalid(GENERATE_NAME, prefix, message));
  const ofName = format(name, false).map((message) => invalid(NAME, name, message));
  if (ofPrefix.length > 0 && hasGeneratedName) return ofPrefix;
  return [...ofPrefix, ...ofName, ...specialNameErrors(groupKind, name)];
}

function namespaceErrors(namespace: string, { namespaced }: BuiltinResource): readonly FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden(NAMESPACE, 'not allowed on this type')];
  if (namespace === '') return [required(NAMESPACE)];
  return dns1123Label(namespace).map((message) => invalid(NAMESPACE, namespace, message));
}

/** Since 1.35, labels have their own error messages. */
function labelErrors(metadata: JsonObject, minor: number): readonly MetadataError[] {
  const [keyProblems, valueProblems] = minor >= 35 ? [labelKey, labelValue] : [qualifiedName, labelValueInCharacters];
  const ofLabels = entryErrors(metadata, 'labels', (key, value) => [
    ...keyProblems(key).map((message) => entryError(LABELS, key, 'key', key, message)),
    ...valueProblems(value).map((message) => entryError(LABELS, key, 'value', value, message)),
  ]);
  const ofAnnotations = entryErrors(metadata, 'annotations', (key) =>
    keyProblems(key.toLowerCase()).map((message) => entryError(ANNOTATIONS, key, 'key', key, message)),
  );
  return [...ofLabels, ...ofAnnotations];
}

function entryError(
  path: FieldPath,
  key: string,
  part: 'key' | 'value',
  value: string,
  message: string,
): MetadataError {
  return { ...invalid(path, value, message), place: { path: [...path, key], part } };
}

function entryErrors(
  metadata: JsonObject,
  field: string,
  check: (key: string, value: string) => readonly MetadataError[],
): readonly MetadataError[] {
  const wrong: (readonly [string, readonly MetadataError[]])[] = [];
  for (const [key, value] of objectOrEmpty(metadata.get(field))) {
    const errors = check(key, String(value));
    if (errors.length > 0) wrong.push([key, errors]);
  }
  return wrong.sort(([one], [other]) => compareUtf8(one, other)).flatMap(([, errors]) => errors);
}

// Fields of an object whose values the repository does not contain: variables, encrypted and generated values.

import { isSecretKind } from '../kubernetes/api/group-version.ts';
import { Resource } from '../kubernetes/api/resource.ts';
import type { OpenReason } from '../kubernetes/request/admission-request.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { objectOrEmpty, valueAt } from '../source/json/json-field.ts';
import { withValue } from '../source/json/with-value.ts';
import { type FieldPath, isSamePath } from '../source/node/field-path.ts';
import { defaultText, plainScalar } from '../source/placeholder/default-value.ts';
import { placeholderIn } from '../source/placeholder/placeholder-text.ts';
import { isCiphertext, isEncrypted } from '../source/placeholder/sops.ts';
import { isSubstitutionDisabled, variablePaths } from '../source/placeholder/substitution.ts';

/** An object with a possible value in each open field. */
export interface OpenObject {
  readonly resource: Resource;
  /** Paths in the manifest's object. */
  readonly open: readonly FieldPath[];
}

/** One way to fill the open fields. */
export interface Filling {
  /** Undefined: the text stays. */
  readonly text: string | undefined;
  /** For fields that admit no text. */
  readonly others: readonly JsonValue[];
}

export const FIRST_FILLING: Filling = {
  text: undefined,
  others: [1n, true, '2000-01-01T00:00:00Z', 'MTIz', new Map(), []],
};

/** Fillings that show which other fields depend on the open ones. The texts are an image without and with a tag. */
export const OTHER_FILLINGS: readonly Filling[] = [
  { text: 'x', others: [2n, false, '2001-01-01T00:00:00Z', 'NDU2', new Map(), []] },
  { text: 'x:1', others: [3n, false, '2002-01-01T00:00:00Z', 'Nzg5', new Map(), []] },
];

/** Limits for one object. */
const MOST_STAND_INS = 100;
const MOST_OPEN = 300;

/** The object as it is applied, and the fields that are open regardless of their type. */
export function openObject(resource: Resource): OpenObject {
  const { value } = resource;
  const isSops = value.has('sops') && isEncrypted(value);
  const open = limited(manifestFields(resource));
  if (!isSops) return { resource, open };
  const decrypted = new Map([...value].filter(([field]) => field !== 'sops'));
  return { resource: changed(resource, decrypted), open: limited([...open, ...ciphertextPaths(decrypted)]) };
}

/** Replaces the open texts. The identity stays. */
export function filled({ resource, open }: OpenObject, { text }: Filling): Resource {
  let { value } = resource;
  for (const path of open) {
    const written = valueAt(value, path);
    if (typeof written !== 'string' || isIdentity(path)) continue;
    const other = text ?? defaultText(written);
    if (other !== undefined) value = withValue(value, path, other) as JsonObject;
  }
  return value === resource.value ? resource : changed(resource, value);
}

/**
 * Puts a value of the field's type where a placeholder is, one field after the other, until `errorOf` finds no error.
 * Undefined if another error remains. `errorAt`: the first error's path.
 */
export function withStandIns(
  object: OpenObject,
  filling: Filling,
  errorAt: FieldPath,
  errorOf: (tried: Resource) => FieldPath | undefined,
): OpenObject | undefined {
  const written = object.resource.value;
  if (isSubstitutionDisabled(objectOrEmpty(written.get('metadata')))) return undefined;
  let current = filled(object, filling);
  const found: FieldPath[] = [];
  let path: FieldPath | undefined = errorAt;
  while (path !== undefined) {
    const text = valueAt(written, path);
    if (typeof text !== 'string' || placeholderIn(text) === undefined || found.length === MOST_STAND_INS)
      return undefined;
    const tried: Tried | undefined = firstFitting(current, path, possibleValues(text, filling), errorOf);
    if (tried === undefined) return undefined;
    found.push(path);
    current = tried.resource;
    path = tried.errorAt;
  }
  return { resource: current, open: limited([...object.open, ...found, ...otherVariables(object)]) };
}

/** A variable where no text is allowed shows that the file is substituted, so that its other variables are open too. */
function otherVariables({ resource }: OpenObject): readonly FieldPath[] {
  return resource.manifest.root === undefined ? variablePaths(resource.value) : [];
}

interface Tried {
  readonly resource: Resource;
  readonly errorAt: FieldPath | undefined;
}

function firstFitting(
  resource: Resource,
  path: FieldPath,
  values: readonly JsonValue[],
  errorOf: (tried: Resource) => FieldPath | undefined,
): Tried | undefined {
  for (const value of values) {
    const tried = changed(resource, withValue(resource.value, path, value) as JsonObject);
    const errorAt = errorOf(tried);
    if (errorAt === undefined || !isSamePath(errorAt, path)) return { resource: tried, errorAt };
  }
  return undefined;
}

function possibleValues(text: string, { text: other, others }: Filling): readonly JsonValue[] {
  const byDefault = other === undefined ? defaultText(text) : undefined;
  return byDefault === undefined ? others : [plainScalar(byDefault), ...others];
}

/** Paths relative to the object: a document may hold several objects. */
function manifestFields({ manifest, rootPath }: Resource): readonly FieldPath[] {
  const fields = manifest.openFields?.() ?? [];
  return fields.flatMap((path): FieldPath[] => {
    if (isPathStart(rootPath, path)) return [path.slice(rootPath.length)];
    return isPathStart(path, rootPath) ? [[]] : [];
  });
}

/** In the stored object, `stringData` of a Secret is `data`. */
export function storedPaths({ gvk }: Resource, paths: readonly FieldPath[]): readonly FieldPath[] {
  if (!isSecretKind(gvk)) return paths;
  return paths.map((path) => (path[0] === 'stringData' ? ['data', ...path.slice(1)] : path));
}

/**
 * Why a field of the stored object has no known value. For a field that only depends on open ones: the reason of the
 * nearest. Undefined if rendering generates the value.
 */
export function reasonsOf(written: Resource, open: readonly FieldPath[]): (path: FieldPath) => OpenReason | undefined {
  return (path) => {
    const shared = storedPaths(written, open).map((each) => sharedSteps(each, path));
    const nearest = shared.reduce((best, steps, index) => (steps > (shared[best] ?? 0) ? index : best), 0);
    const found = open[nearest];
    const text = found && valueAt(written.value, found);
    const placeholder = typeof text === 'string' ? placeholderIn(text) : undefined;
    if (found === undefined || typeof text !== 'string' || placeholder === undefined) {
      const depends = found && written.manifest.openThrough?.([...written.rootPath, ...found]);
      return depends === undefined ? undefined : { depends, byDefault: undefined };
    }
    const { file, range } = written.locate(found, 'value');
    const place = `${file.path}:${file.positionAt(range.start).line}`;
    const what = isCiphertext(text)
      ? `an encrypted value at ${place}`
      : `${placeholder} at ${place}, which has no value in the repository`;
    return { depends: what, byDefault: defaultText(text) };
  };
}

function ciphertextPaths(root: JsonValue): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (isCiphertext(value)) found.push(path);
    else if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of value) visit(item, [...path, key]);
  };
  visit(root, []);
  return found;
}

function isIdentity([first, second]: FieldPath): boolean {
  return (
    first === 'apiVersion' ||
    first === 'kind' ||
    (first === 'metadata' && (second === 'name' || second === 'namespace' || second === 'generateName'))
  );
}

function sharedSteps(one: FieldPath, other: FieldPath): number {
  const different = one.findIndex((step, index) => step !== other[index]);
  return different < 0 ? one.length : different;
}

export function isPathStart(start: FieldPath, path: FieldPath): boolean {
  return start.length <= path.length && isSamePath(start, path.slice(0, start.length));
}

/** Many open fields are replaced by the values around them, because each costs a copy of the containers on its path. */
export function limited(paths: readonly FieldPath[]): readonly FieldPath[] {
  let kept = distinct(paths);
  while (kept.length > MOST_OPEN) {
    const longest = kept.reduce((most, { length }) => Math.max(most, length), 0);
    kept = distinct(kept.map((path) => (path.length === longest ? path.slice(0, -1) : path)));
  }
  return kept;
}

export function distinct(paths: readonly FieldPath[]): readonly FieldPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

function changed({ manifest, rootPath, gvk }: Resource, value: JsonObject): Resource {
  return new Resource(manifest, rootPath, gvk, value);
}

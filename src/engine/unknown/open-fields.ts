// Fields of an object whose values the repository does not contain: variables, encrypted and generated values.

import { append } from '../../go/slices/append.ts';
import { isSecretKind } from '../../kubernetes/api/group-version.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import type { OpenReason } from '../../kubernetes/request/open-reason.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, valueAt } from '../../source/json/json-field.ts';
import { withValues } from '../../source/json/with-values.ts';
import { type FieldPath, formatFieldPath, isSamePath } from '../../source/node/field-path.ts';
import { defaultText, plainScalar } from '../../source/placeholder/default-value.ts';
import { placeholderIn } from '../../source/placeholder/placeholder-text.ts';
import { ciphertextPaths, isCiphertext, isEncrypted, withoutEncryption } from '../../source/placeholder/sops.ts';
import {
  firstVariable,
  isSubstitutionDisabled,
  openMappings,
  variableIn,
  variableName,
  variablePaths,
} from '../../source/placeholder/substitution.ts';

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
  others: [1n, true, '2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000000Z', 'MTIz', new Map(), []],
};

/** Fillings that show which other fields depend on the open ones. The texts are an image without and with a tag. */
export const OTHER_FILLINGS: readonly Filling[] = [
  { text: 'x', others: [2n, false, '2001-01-01T00:00:00Z', '2001-01-01T00:00:00.000000Z', 'NDU2', new Map(), []] },
  { text: 'x:1', others: [3n, false, '2002-01-01T00:00:00Z', '2002-01-01T00:00:00.000000Z', 'Nzg5', new Map(), []] },
];

/** Limits for one object. Fields of list items with the same path count once. */
const MOST_KINDS_OF_FIELDS = 100;
const MOST_OPEN = 300;

/** The object as it is applied, and the fields that are open regardless of their type. */
export function openObject(resource: Resource): OpenObject {
  const { value } = resource;
  const mappings = isLiteral(resource) ? [] : openMappings(value);
  const variables = mappings.length > 0 || isSubstituted(resource) ? variablesOf(resource) : [];
  const isSops = value.has('sops') && isEncrypted(value);
  const applied = isSops ? changed(resource, withoutEncryption(value)) : resource;
  const encrypted = isSops ? ciphertextPaths(applied.value) : [];
  return { resource: applied, open: limited([...manifestFields(resource), ...mappings, ...variables, ...encrypted]) };
}

function isLiteral({ value }: Resource): boolean {
  return isSubstitutionDisabled(objectOrEmpty(value.get('metadata')));
}

/** Variables of a file that some tool substitutes. Rendered objects know their own variables. */
function variablesOf(resource: Resource): readonly FieldPath[] {
  return resource.manifest.root !== undefined || isLiteral(resource) ? [] : variablePaths(resource.value);
}

/** True if a label contains a variable, which is no valid label, so that some tool replaces the variables of this file. */
function isSubstituted({ value }: Resource): boolean {
  const labels = objectOrEmpty(objectOrEmpty(value.get('metadata')).get('labels'));
  return [...labels.values()].some((text) => typeof text === 'string' && variableIn(text) !== undefined);
}

/** Replaces the open texts. The identity stays. */
export function filled({ resource, open }: OpenObject, { text }: Filling): Resource {
  const replacements = open.flatMap((path) => {
    const written = valueAt(resource.value, path);
    if (typeof written !== 'string' || isIdentity(path)) return [];
    const other = text ?? defaultText(written);
    return other === undefined ? [] : [{ path, leaf: other }];
  });
  if (replacements.length === 0) return resource;
  return changed(resource, withValues(resource.value, replacements) as JsonObject);
}

/** A field with a text that its type does not allow. */
export interface Misfit {
  readonly path: FieldPath;
  /** True if the server cannot decode the object; false if it validates it later. */
  readonly isFatal: boolean;
}

/**
 * Puts a value of the field's type where a placeholder is, one kind of field after the other, until `misfitIn` finds
 * none. Fields that it ignores are passed as `isSettled`. Undefined if it finds none at once, or if the server cannot
 * decode the object with any value.
 */
export function withStandIns(
  object: OpenObject,
  filling: Filling,
  misfitIn: (tried: Resource, isSettled: (path: FieldPath) => boolean) => Misfit | undefined,
): OpenObject | undefined {
  const written = object.resource;
  if (isLiteral(written)) return undefined;
  const alike = placeholdersByKind(written.value);
  const settled = new Set<string>();
  const isSettled = (path: FieldPath): boolean => settled.has(kindOf(path)) || !alike.has(kindOf(path));
  const found: FieldPath[] = [];
  let current = filled(object, filling);
  for (let misfit = misfitIn(current, isSettled); misfit !== undefined; misfit = misfitIn(current, isSettled)) {
    const kind = kindOf(misfit.path);
    const fields = alike.get(kind);
    if (fields === undefined || settled.has(kind) || settled.size === MOST_KINDS_OF_FIELDS) return undefined;
    const fitting = firstFitting(current, possibleValues(written, fields, filling), (tried) => {
      const left = misfitIn(tried, isSettled);
      return left === undefined || kindOf(left.path) !== kind;
    });
    if (fitting === undefined && misfit.isFatal) return undefined;
    settled.add(kind);
    append(found, fields);
    current = fitting ?? current;
  }
  // A variable where no text is allowed shows that a tool replaces the variables of this file.
  if (found.length === 0) return undefined;
  return { resource: current, open: limited([...object.open, ...found, ...variablesOf(written)]) };
}

function firstFitting(
  resource: Resource,
  attempts: readonly Replacements[],
  fits: (tried: Resource) => boolean,
): Resource | undefined {
  for (const replacements of attempts) {
    const tried = changed(resource, withValues(resource.value, replacements) as JsonObject);
    if (fits(tried)) return tried;
  }
  return undefined;
}

type Replacements = Parameters<typeof withValues>[1];

/** First with the defaults of the variables, then without. */
function possibleValues(
  { value }: Resource,
  fields: readonly FieldPath[],
  { text: other, others }: Filling,
): readonly Replacements[] {
  const defaults = fields.map((path) =>
    other === undefined ? defaultText(valueAt(value, path) as string) : undefined,
  );
  const plain = others.map((leaf) => fields.map((path) => ({ path, leaf })));
  if (defaults.every((text) => text === undefined)) return plain;
  const withDefaults = others.map((leaf) =>
    fields.map((path, index) => ({ path, leaf: defaults[index] === undefined ? leaf : plainScalar(defaults[index]) })),
  );
  return [...withDefaults, ...plain];
}

/** Fields of the items of one list have the same type. */
function kindOf(path: FieldPath): string {
  return JSON.stringify(path.map((step) => (typeof step === 'number' ? 0 : step)));
}

function placeholdersByKind(root: JsonValue): ReadonlyMap<string, FieldPath[]> {
  const found = new Map<string, FieldPath[]>();
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of value) visit(item, [...path, key]);
    else if (typeof value === 'string' && placeholderIn(value) !== undefined) {
      const kind = kindOf(path);
      const alike = found.get(kind);
      if (alike === undefined) found.set(kind, [path]);
      else alike.push(path);
    }
  };
  visit(root, []);
  return found;
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
    if (found === undefined) return undefined;
    const why = written.manifest.whyOpen?.([...written.rootPath, ...found]);
    if (why === undefined) return reasonAt(written, found);
    return { depends: `${formatFieldPath(path)}, which varies with ${why}`, byDefault: undefined };
  };
}

function reasonAt(written: Resource, found: FieldPath): OpenReason | undefined {
  const content = valueAt(written.value, found);
  // A mapping is open because of a key, or because it contains many open fields.
  const variableInside = content === undefined || typeof content === 'string' ? undefined : firstVariable(content);
  const { path, part, text } = variableInside ?? { path: [], part: 'value' as const, text: content };
  const placeholder = typeof text === 'string' ? placeholderIn(text) : undefined;
  if (typeof text !== 'string' || placeholder === undefined) return undefined;
  const { file, range } = written.locate([...found, ...path], part);
  const place = `${file.path}:${file.positionAt(range.start).line}`;
  if (isCiphertext(text)) return { depends: `an encrypted value at ${place}`, byDefault: undefined };
  const variable = variableName(placeholder);
  const source = variable === undefined ? undefined : written.manifest.variableSource?.(variable);
  return {
    depends: `${placeholder} at ${place}, ${source ?? 'which has no value in the repository'}`,
    byDefault: part === 'key' ? undefined : defaultText(text),
  };
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

/** True for a field that a tool names later: `${KEY}: value`. */
export function isOpenKey(resource: Resource, path: FieldPath): boolean {
  const isVariable = variableIn(String(path.at(-1))) !== undefined;
  return isVariable && !isLiteral(resource);
}

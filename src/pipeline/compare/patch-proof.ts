// Checks that a document which a root reads as a patch is only a patch: policies evaluate its content as part of another object.

import type { Resource } from '../../kubernetes/api/resource.ts';
import { lacksRequiredFields } from '../../kubernetes/validation/required-fields.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';

/**
 * A complete object must be contained in an object that a root applies, field by field. Then a policy that evaluates the applied object
 * also sees this one. If required fields are missing, the field names must match but not the values, because a root may change the values.
 * A patch that only removes fields contains nothing to evaluate.
 */
export function isOnlyPatch(resource: Resource, roots: readonly RenderedRoot[]): boolean {
  const { gvk, value } = resource;
  if (value.has('$patch')) return isDirective(value);
  const comparison = new Comparison(lacksRequiredFields(gvk, value));
  return roots.some(({ manifests }) =>
    manifests.some(({ value: object }) => isSameKind(object, value) && comparison.isPart(value, object)),
  );
}

/** Not compared, because a patch with a target may have any name. */
const IDENTITY: ReadonlySet<string> = new Set(['name', 'namespace']);
const DIRECTIVE_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', '$patch']);

/** Comparisons for one document. Lists are compared in any order, so a hostile list takes the square of its length. */
const MAXIMUM_STEPS = 1_000_000;

function isSameKind(object: JsonValue, patch: JsonObject): object is JsonObject {
  if (!isJsonObject(object) || textField(object, 'kind') !== textField(patch, 'kind')) return false;
  return groupOf(object) === groupOf(patch);
}

function groupOf(object: JsonObject): string {
  const apiVersion = textField(object, 'apiVersion');
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
}

/** True for `$patch: delete` without other content. */
function isDirective(value: JsonObject): boolean {
  const metadata = value.get('metadata');
  return (
    value.get('$patch') === 'delete' &&
    [...value.keys()].every((key) => DIRECTIVE_FIELDS.has(key)) &&
    isJsonObject(metadata) &&
    [...metadata.keys()].every((key) => IDENTITY.has(key))
  );
}

class Comparison {
  readonly #onlyFields: boolean;
  #steps = 0;

  constructor(onlyFields: boolean) {
    this.#onlyFields = onlyFields;
  }

  isPart(patch: JsonObject, object: JsonObject): boolean {
    return [...patch].every(([key, value]) => {
      if (key === 'apiVersion' || key === 'kind') return true;
      if (key !== 'metadata' || !isJsonObject(value)) return this.#isIn(value, object.get(key));
      const metadata = new Map([...value].filter(([name]) => !IDENTITY.has(name)));
      return metadata.size === 0 || this.#isIn(metadata, object.get(key));
    });
  }

  #isIn(part: JsonValue, whole: JsonValue | undefined): boolean {
    this.#steps++;
    if (this.#steps > MAXIMUM_STEPS) return false;
    // A merge with null removes the field, and so does a delete directive. A key may select the item.
    if (isRemoval(part)) return true;
    if (part === null) return whole === undefined || whole === null;
    if (whole === undefined) return false;
    if (isJsonObject(part)) return isJsonObject(whole) && this.#isObjectIn(part, whole);
    if (isJsonArray(part)) return isJsonArray(whole) && this.#isListIn(part, whole);
    return this.#onlyFields ? !isJsonObject(whole) && !isJsonArray(whole) : part === whole;
  }

  #isObjectIn(part: JsonObject, whole: JsonObject): boolean {
    return [...part].every(([key, value]) => key.startsWith('$') || this.#isIn(value, whole.get(key)));
  }

  /** Lists may be merged by their keys, so the order does not matter. */
  #isListIn(part: JsonArray, whole: JsonArray): boolean {
    const scalars = new Set(whole);
    return part.every((item) => {
      if (!isJsonObject(item) && !isJsonArray(item) && scalars.has(item)) return true;
      return isRemoval(item) || whole.some((other) => this.#isIn(item, other));
    });
  }
}

function isRemoval(part: JsonValue): boolean {
  return isJsonObject(part) && part.get('$patch') === 'delete' && part.size <= 2;
}

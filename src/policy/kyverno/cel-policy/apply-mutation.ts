// Applies one mutation of a MutatingPolicy to the object (Kyverno `pkg/cel/policies/mpol/compiler/{applyconfig,json}.go`).
import { ErrorValue, type ListValue, StructValue, type Value } from '../../../cel/value/value.ts';
import type { JsonPatchValue } from '../../../kubernetes/cel/mutation-types.ts';
import { configurationOf, type IsHost, typeNameMismatch } from '../../../kubernetes/patch/applied-configuration.ts';
import { HostContainers } from '../../../kubernetes/patch/host-containers.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../../../kubernetes/patch/json-patch.ts';
import { mergeConfiguration } from '../../../kubernetes/patch/merge-configuration.ts';
import type { MergeType } from '../../../kubernetes/patch/merge-type.ts';
import { isPatchArray, isPatchObject, type PatchObject } from '../../../kubernetes/patch/patch-value.ts';
import { doubleJson, patchedJson } from '../../../kubernetes/patch/patched-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { KyvernoPanic } from '../rule/rule-response.ts';

export interface MutationTarget {
  /** Undefined if the kind has no schema. Its objects then cannot be merged. */
  readonly mergeType: MergeType | undefined;
  /** `spec.evaluation.useServerSideApply`: allows changes of lists and maps that can only be replaced as a whole. */
  readonly mayReplace: boolean;
}

type Mutated = { readonly object: JsonObject } | { readonly error: string };

/** `host`: the values of the request. Throws `KyvernoPanic`. */
export function applyMutation(
  value: Value,
  object: JsonObject,
  target: MutationTarget,
  host: readonly Value[],
): Mutated {
  if (value instanceof ErrorValue) return { error: value.message };
  const isHost = new HostContainers().among(() => host);
  return value instanceof StructValue
    ? applyConfiguration(value, object, target, isHost)
    : applyPatch(value as ListValue, object, isHost);
}

function applyConfiguration(value: StructValue, object: JsonObject, target: MutationTarget, isHost: IsHost): Mutated {
  const mismatch = typeNameMismatch(value);
  if (mismatch !== undefined) return { error: mismatch };
  const written = configurationOf(value, isHost);
  if ('error' in written) return { error: String(written.error) };
  const configuration: PatchObject = new Map([
    ...written.fields,
    ['apiVersion', object.get('apiVersion') ?? ''],
    ['kind', object.get('kind') ?? ''],
  ]);
  const merged = mergeConfiguration(configuration, object, { ...target, fits: false });
  if ('error' in merged) return { error: `error applying patch: ${merged.error}` };
  return { object: withoutEmptyLists(merged.object, configuration) };
}

/** In Go, an empty list from an expression is nil, which is written as null. */
function withoutEmptyLists(merged: JsonObject, written: PatchObject): JsonObject {
  let changed: Map<string, JsonValue> | undefined;
  for (const [key, value] of written) {
    const now = merged.get(key);
    if (now === undefined) continue;
    let next: JsonValue = now;
    if (isPatchArray(value) && value.length === 0 && isJsonArray(now) && now.length === 0) next = null;
    else if (isPatchObject(value) && isJsonObject(now)) next = withoutEmptyLists(now, value);
    if (next === now) continue;
    changed ??= new Map(merged);
    changed.set(key, next);
  }
  return changed ?? merged;
}

function applyPatch(items: ListValue, object: JsonObject, isHost: IsHost): Mutated {
  const operations: JsonPatchOperation[] = [];
  for (const item of items) {
    const { op, path, from, value } = item as JsonPatchValue;
    const mismatch = value instanceof StructValue ? typeNameMismatch(value) : undefined;
    if (mismatch !== undefined) return { error: mismatch };
    const json = value === undefined ? undefined : patchedJson(value, isHost);
    if (json !== undefined && 'panic' in json) throw new KyvernoPanic(json.panic);
    if (json !== undefined && 'error' in json) {
      return { error: `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.error}` };
    }
    operations.push({ op, path, from, value: json?.json });
  }
  const result = applyJsonPatch(object, operations);
  if ('panic' in result) throw new KyvernoPanic(String(result.panic));
  if ('error' in result) return { error: `JSON Patch: ${result.error}` };
  // A failed test is not an error: the object stays unchanged.
  if ('testFailed' in result) return { object };
  if (!isJsonObject(result.document) || typeof result.document.get('kind') !== 'string') {
    return { error: "Internal error occurred: Object 'Kind' is missing in the patched object" };
  }
  return { object: readAgain(result.document) as JsonObject };
}

/** Kyverno encodes the object as JSON, which writes a double without a fraction as an integer. */
function readAgain(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(readAgain);
  if (isJsonObject(value)) return new Map([...value].map(([key, item]): [string, JsonValue] => [key, readAgain(item)]));
  return typeof value === 'number' ? doubleJson(value) : value;
}

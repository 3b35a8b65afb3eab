// The fast path of merging gives the same result as merging and converting step by step.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { struct as structType } from '../../src/cel/check/type.ts';
import { StructValue, type Value } from '../../src/cel/value/value.ts';
import { configurationOf } from '../../src/kubernetes/patch/applied-configuration.ts';
import { mergeConfiguration } from '../../src/kubernetes/patch/merge-configuration.ts';
import type { PatchTarget } from '../../src/kubernetes/patch/patch-target.ts';
import { PatchTargets } from '../../src/kubernetes/patch/patch-targets.ts';
import type { PatchValue } from '../../src/kubernetes/patch/patch-value.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import type { FieldType, Struct } from '../../src/kubernetes/schema/struct.ts';
import { copyJson } from '../../src/source/json/copy-json.ts';
import { countValues } from '../../src/source/json/count-values.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/source/json/json.ts';
import { configurationsOf, MUTATED_KINDS } from '../support/mutated-objects.ts';
import { tries } from '../support/tries.ts';
import { typedManifests } from '../support/typed-arbitraries.ts';
import { manifest } from '../support/typed-object.ts';

const RELEASES = [30, 34, 36, 37].map((minor) => {
  const objects = new AdmissionObjects({ major: 1, minor });
  return { objects, targets: new PatchTargets(objects), catalog: new SchemaCatalog(minor) };
});

/** As an expression with `Object{…}` creates it. */
function written(struct: Struct, name: string, object: JsonObject): StructValue {
  const fields = new Map<string, Value>();
  for (const [key, item] of object) {
    if (name === 'Object' && (key === 'apiVersion' || key === 'kind')) continue;
    const type = struct.fields.get(key)?.type;
    fields.set(key, type === undefined ? (item as Value) : writtenValue(type, `${name}.${key}`, item));
  }
  return new StructValue(structType(name), fields);
}

function writtenValue(type: FieldType, name: string, item: JsonValue): Value {
  if (type.form === 'struct' && isJsonObject(item)) return written(type.struct, name, item);
  if (type.form === 'list' && isJsonArray(item)) return item.map((each) => writtenValue(type.element, name, each));
  return item as Value;
}

/** Fields that neither the old object nor the patch contains. A list with a changed length is one value. */
function addedFields(before: JsonValue | undefined, patched: JsonValue | undefined, after: JsonValue): boolean {
  if (after === before) return false;
  if (isJsonObject(after)) {
    const [old, own] = [isJsonObject(before) ? before : undefined, isJsonObject(patched) ? patched : undefined];
    for (const [key, item] of after) {
      if (old?.get(key) === undefined && own?.get(key) === undefined) return true;
      if (addedFields(old?.get(key), own?.get(key), item)) return true;
    }
    return false;
  }
  if (!isJsonArray(after) || !isJsonArray(patched) || after.length !== patched.length) return false;
  const old = isJsonArray(before) && before.length === after.length ? before : [];
  return after.some((item, index) => addedFields(old[index], patched[index], item));
}

const text = (value: JsonValue): string => stringifyJson(value, { sortKeys: false, escapeHtml: false });

let [tried, taken, wholly] = [0, 0, 0];

function mergesAlike(target: PatchTarget, before: JsonObject, value: StructValue): JsonObject {
  const known = copyJson(before);
  const plain = target.mergePlain?.(value, before);
  expect(text(before)).toBe(text(known));
  tried += 1;
  if (plain === undefined) return before;
  taken += 1;
  const applied = configurationOf(value, () => false);
  if ('error' in applied) throw new Error(String(applied.error));
  const configuration = new Map<string, PatchValue>(applied.fields as ReadonlyMap<string, PatchValue>)
    .set('apiVersion', before.get('apiVersion') ?? '')
    .set('kind', before.get('kind') ?? '');
  const merged = mergeConfiguration(configuration, before, {
    mergeType: target.mergeType,
    fits: true,
    mayReplace: false,
  });
  if ('error' in merged) throw new Error(merged.error);
  const wanted = target.fromMerged(merged.object, before, configuration);
  if ('error' in wanted) throw new Error(wanted.error);
  expect(text(plain.object)).toBe(text(wanted.object));
  if (plain.brought === countValues(plain.object) - countValues(before)) {
    wholly += 1;
    expect(addedFields(before, merged.object, wanted.object)).toBe(false);
  }
  return plain.object;
}

interface Patched {
  readonly object: JsonObject;
  readonly configurations: readonly JsonObject[];
}

function holds({ object, configurations }: Patched, picks: readonly number[], release: number): void {
  const { objects, targets, catalog } = RELEASES[release % RELEASES.length] as (typeof RELEASES)[number];
  const [apiVersion = '', kind = ''] = ['apiVersion', 'kind'].map((key) => String(object.get(key)));
  const slash = apiVersion.indexOf('/');
  const gvk = { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind };
  const [target, struct] = [targets.ofBuiltin(gvk), catalog.structForKind(gvk)];
  const converted = objects.convert(object, gvk, 'shop');
  if (target === undefined || struct === undefined || converted === undefined || 'error' in converted) return;
  const complete = target.fromMerged(copyJson(converted.mutating().object));
  if ('error' in complete) throw new Error(complete.error);
  let before = complete.object;
  for (const pick of picks) {
    const configuration = configurations[pick % configurations.length] as JsonObject;
    before = mergesAlike(target, before, written(struct, 'Object', configuration));
  }
}

/** The most common mutations. */
const COMMON = [
  'metadata: {labels: {team: a}}',
  'metadata: {labels: {team: b, app: ""}, annotations: {a: "", deprecated.deployment.rollback.rollbackTo: ""}}',
  'spec: {template: {spec: {containers: [{name: a, env: [{name: A, value: x}]}, {name: b, env: [{name: E, value: ""}]}]}}}',
  'spec: {template: {spec: {containers: [{name: new, image: "x:latest", ports: [{containerPort: 80}]}]}}}',
  'spec: {template: {spec: {containers: [{name: b, imagePullPolicy: ""}, {name: a, resources: {limits: {cpu: 1500u}}}]}}}',
  'spec: {template: {spec: {hostNetwork: true, terminationGracePeriodSeconds: -4, serviceAccountName: other}}}',
  'spec: {template: {spec: {hostNetwork: false, initContainers: [{name: s, image: s, restartPolicy: Always}], volumes: [{name: n}]}}}',
  'spec: {containers: [{name: a, resources: {limits: {memory: 2Gi}}}], volumes: [{name: q, emptyDir: {}}]}',
  'spec: {replicas: 0, minReadySeconds: 5, paused: false}',
  'spec: {type: NodePort, sessionAffinity: ClientIP, ports: [{port: 80, name: x}, {port: 443, protocol: UDP}]}',
  'stringData: {a: b}',
  'data: {a: YQ==}',
].map(manifest);

describe('the fast path of merging', () => {
  const picks = fc.array(fc.nat({ max: 9973 }), { minLength: 1, maxLength: 6 });
  const release = fc.nat({ max: RELEASES.length - 1 });

  test('equals the step-by-step merge', () => {
    [tried, taken, wholly] = [0, 0, 0];
    const kinds = MUTATED_KINDS.map((kind) => ({
      object: kind.object,
      configurations: [...configurationsOf(kind), ...COMMON],
    }));
    fc.assert(fc.property(fc.constantFrom(...kinds), picks, release, holds), tries(600, 47, 200));
    expect(taken).toBeGreaterThan(tried / 5);
    expect(wholly).toBeGreaterThan(taken / 4);
  });

  test('equals it for objects of every kind', () => {
    const random = fc.record({ one: typedManifests(36), other: typedManifests(36) }).map(({ one, other }) => ({
      object: one.manifest,
      configurations: [one.manifest, other.manifest, ...COMMON],
    }));
    fc.assert(fc.property(random, picks, release, holds), tries(400, 53, 100));
  });
});

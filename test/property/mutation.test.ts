// Properties of every patch: applying a configuration twice equals applying it once, and JSON patches never throw.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameJson } from '../../src/kubernetes/custom-resource/object/json-equality.ts';
import { BuiltinMergeTypes } from '../../src/kubernetes/patch/builtin-merge-type.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../../src/kubernetes/patch/json-patch.ts';
import { type MergeType, UNTYPED_DEDUCED } from '../../src/kubernetes/patch/merge-type.ts';
import { structuredMerge } from '../../src/kubernetes/patch/structured-merge.ts';
import { atomicPaths, typeMismatch } from '../../src/kubernetes/patch/typed-value.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import type { JsonObject, JsonValue } from '../../src/source/json/json.ts';

const catalog = new SchemaCatalog(36);
const mergeTypes = new BuiltinMergeTypes();

const key = fc.constantFrom('a', 'b', 'c', '-', '0', '1', '-1', '01', '', '~', '/', 'ä', '__proto__', '\u0007');
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.bigInt({ min: -10n, max: 10n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 4 }),
);
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map((entries): JsonValue => new Map(entries)),
  ),
}));
const document = fc.array(fc.tuple(key, json), { maxLength: 5 }).map((entries): JsonObject => new Map(entries));
const path = fc.oneof(
  fc.array(key, { maxLength: 4 }).map((steps) => steps.map((step) => `/${step}`).join('')),
  fc.string({ maxLength: 6 }),
);
const operation: fc.Arbitrary<JsonPatchOperation> = fc.record({
  op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), fc.string({ maxLength: 3 })),
  path,
  from: path,
  value: fc.oneof(fc.constant(undefined), json),
});

describe('JSON patches', () => {
  it('never throw, and never change the original document', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 8 }), (before, operations) => {
        const copy = structuredClone(before);
        const result = applyJsonPatch(before, operations);
        expect(Object.keys(result)).toHaveLength(1);
        expect(isSameJson(before, copy)).toBe(true);
      }),
    );
  });

  it('do nothing without operations', () => {
    fc.assert(
      fc.property(document, (before) => {
        const result = applyJsonPatch(before, []);
        expect('document' in result && isSameJson(result.document, before)).toBe(true);
      }),
    );
  });
});

/** A value that matches a type without atomic parts; undefined if there is none. */
function applied(type: MergeType, depth: number): fc.Arbitrary<JsonValue> | undefined {
  if (type.map?.isAtomic === true || type.list?.isAtomic === true) return undefined;
  if (type.map !== undefined) return appliedMap(type, depth);
  if (type.list !== undefined) return appliedList(type, depth);
  if (type.scalar === 'boolean') return fc.boolean();
  if (type.scalar === 'numeric') return fc.bigInt({ min: 0n, max: 5n });
  return fc.constantFrom('x', 'y', 'z');
}

const FIELDS: readonly string[] = [
  ...['metadata', 'labels', 'annotations', 'finalizers', 'spec', 'containers', 'initContainers', 'volumes', 'name'],
  ...['image', 'env', 'value', 'ports', 'containerPort', 'protocol', 'hostPort', 'resources', 'limits', 'hostNetwork'],
  ...['securityContext', 'privileged', 'runAsUser', 'volumeMounts', 'mountPath', 'priority'],
];

function appliedMap({ map }: MergeType, depth: number): fc.Arbitrary<JsonValue> | undefined {
  if (map === undefined || depth === 0) return undefined;
  const fields = FIELDS.flatMap((name): [string, fc.Arbitrary<JsonValue>][] => {
    const field = map.field(name);
    const value = field && applied(field.type, depth - 1);
    return value === undefined ? [] : [[name, value]];
  });
  const element = map.element && applied(map.element, depth - 1);
  if (fields.length === 0 && element !== undefined) {
    return fc
      .uniqueArray(fc.tuple(fc.constantFrom('k', 'l', 'm'), element), { maxLength: 3, selector: ([k]) => k })
      .map((entries): JsonValue => new Map(entries));
  }
  const options = fields.map(([name, value]) =>
    fc.option(
      value.map((item): [string, JsonValue] => [name, item]),
      { nil: undefined },
    ),
  );
  return fc.tuple(...options).map((entries): JsonValue => new Map(entries.filter((entry) => entry !== undefined)));
}

function appliedList({ list }: MergeType, depth: number): fc.Arbitrary<JsonValue> | undefined {
  const element = list && applied(list.element, depth - 1);
  return element && fc.array(element, { maxLength: 3 });
}

describe('applied configurations', () => {
  const struct = catalog.struct('core/v1.Pod');
  if (struct === undefined) throw new Error('no Pod');
  const type = mergeTypes.of(struct);
  const configuration = applied(type, 7) as fc.Arbitrary<JsonObject>;
  const fits = (value: JsonObject): boolean =>
    typeMismatch(type, value, false) === undefined && atomicPaths(type, value).length === 0;

  it('are idempotent', () => {
    let merged = 0;
    fc.assert(
      fc.property(configuration.filter(fits), configuration.filter(fits), (live, patch) => {
        const once = structuredMerge(type, live, patch) as JsonObject;
        const twice = structuredMerge(type, once, patch) as JsonObject;
        expect(isSameJson(twice, once)).toBe(true);
        expect(typeMismatch(type, once, true)).toBeUndefined();
        merged += 1;
      }),
    );
    expect(merged).toBeGreaterThan(0);
  });

  it('do not change existing values', () => {
    fc.assert(
      fc.property(configuration.filter(fits), (live) => {
        expect(isSameJson(structuredMerge(type, live, live) as JsonObject, live)).toBe(true);
      }),
    );
  });

  it('are idempotent for unknown kinds', () => {
    fc.assert(
      fc.property(document, document, (live, patch) => {
        const once = structuredMerge(UNTYPED_DEDUCED, live, patch) ?? new Map();
        const twice = structuredMerge(UNTYPED_DEDUCED, once, patch) ?? new Map();
        expect(isSameJson(twice, once)).toBe(true);
      }),
    );
  });
});

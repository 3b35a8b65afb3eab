// Edits and field owners are the same whether the whole object is compared or only the locations known to differ.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resourcesOf } from '../../src/kubernetes/api/resource.ts';
import type { MergeType } from '../../src/kubernetes/patch/merge-type.ts';
import { structuredMerge } from '../../src/kubernetes/patch/structured-merge.ts';
import type { ObjectChangeByPolicy } from '../../src/policy/language/policy-language.ts';
import { policyWrites } from '../../src/policy/mutation/policy-writes.ts';
import { editsAt, editsBetween } from '../../src/source/edit/json-edit.ts';
import { changedPaths, MAX_CHANGED_PATHS } from '../../src/source/json/changed-paths.ts';
import { copyJson } from '../../src/source/json/copy-json.ts';
import type { JsonObject, JsonValue } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { tries } from '../support/tries.ts';

const KEY = fc.constantFrom('a', 'b', 'c', 'name');
const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonValue>('x', 'y', 1n, null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(KEY, tie('tree')), { maxLength: 4 }).map((fields): JsonValue => new Map(fields)),
  ),
}));
const OBJECT = fc.array(fc.tuple(KEY, tree), { maxLength: 4 }).map((fields): JsonObject => new Map(fields));

/** Takes and shares values of the first object where `choose` returns true, else values of the second. */
function mixed(one: JsonValue, other: JsonValue, choose: () => boolean): JsonValue {
  if (choose()) return one;
  if (one instanceof Map && other instanceof Map) {
    const keys = [...new Set([...one.keys(), ...other.keys()])];
    return new Map(
      keys.flatMap((key): [string, JsonValue][] => {
        const [left, right] = [one.get(key), other.get(key)];
        if (left !== undefined && right !== undefined) return [[key, mixed(left, right, choose)]];
        return choose() ? [] : [[key, (left === undefined ? right : left) as JsonValue]];
      }),
    );
  }
  return other;
}

const CHOICES = fc.infiniteStream(fc.boolean());

it('edits at the changed locations equal all edits', () => {
  let edited = 0;
  fc.assert(
    fc.property(OBJECT, OBJECT, CHOICES, (before, other, choices) => {
      const after = mixed(before, other, () => choices.next().value as boolean) as JsonObject;
      const edits = editsBetween(before, after);
      if (edits.length > 1) edited += 1;
      expect(editsAt(before, after, changedPaths(before, after))).toEqual(edits);
    }),
    tries(2_000, 71),
  );
  expect(edited).toBeGreaterThan(20);
});

const [DOCUMENT] = readManifests(
  new SourceFile('a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\na: x\n'),
).manifests;
const [FOUND] = DOCUMENT === undefined ? [] : resourcesOf(DOCUMENT);

it("writes of a policy exclude the server's additions, with and without a list of changed locations", () => {
  if (FOUND === undefined || !('resource' in FOUND)) throw new Error('no resource');
  const { resource } = FOUND;
  let told = 0;
  fc.assert(
    fc.property(OBJECT, OBJECT, OBJECT, CHOICES, (before, configuration, defaults, choices) => {
      const choose = () => choices.next().value as boolean;
      const patched = mixed(before, configuration, choose) as JsonObject;
      const after = mixed(copyJson(patched), defaults, choose) as JsonObject;
      const objects = { before, patched, after };
      const paths = changedPaths(before, after);
      const writesOf = (known: typeof paths) => {
        const change = { paths: known, objects } as unknown as ObjectChangeByPolicy;
        return policyWrites(resource, [change])?.writes.map(({ edit, before: old, after: now }) => ({
          edit,
          old,
          now,
        }));
      };
      const everywhere = Array.from({ length: MAX_CHANGED_PATHS }, () => []);
      if (paths.length > 0) told += 1;
      expect(writesOf(paths)).toEqual(writesOf(everywhere));
    }),
    tries(2_000, 71),
  );
  expect(told).toBeGreaterThan(100);
});

const SCALAR: MergeType = { scalar: 'untyped' };
const ITEM: MergeType = {
  map: { isAtomic: false, field: () => ({ type: SCALAR, default: undefined }), element: undefined },
};
const LIST: MergeType = { list: { isAtomic: false, keys: ['name'], element: ITEM } };
const NAMES = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 5 });

it('lists are merged the same with and without an index', () => {
  const itemOf = (name: string, value: JsonValue): JsonValue =>
    new Map([
      ['name', name],
      ['value', value],
    ]);
  const isPadding = (item: JsonValue): boolean => item instanceof Map && String(item.get('name')).startsWith('pad');
  const padding = Array.from({ length: 1_001 }, (_, index) => itemOf(`pad${index}`, 0n));
  let merged = 0;
  fc.assert(
    fc.property(NAMES, NAMES, (live, applied) => {
      const left = live.map((name) => itemOf(name, 'live'));
      const right = applied.map((name) => itemOf(name, 'applied'));
      const short = structuredMerge(LIST, left, right) as readonly JsonValue[] | undefined;
      const long = structuredMerge(LIST, [...left, ...padding], right) as readonly JsonValue[];
      if (applied.length > 1) merged += 1;
      expect(short ?? []).toEqual(long.filter((item) => !isPadding(item)));
    }),
    tries(2_000, 71),
  );
  expect(merged).toBeGreaterThan(50);
});

// Values that were released and decoded again equal the first ones, with the same locations; the number of held values
// is bounded.
import { describe, expect, test } from 'vitest';
import { type Resource, resourcesOf } from '../../../../src/kubernetes/api/resource.ts';
import { HeldValues } from '../../../../src/source/manifest/held-values.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

const TEXT = `# The first of three.
apiVersion: v1
kind: ConfigMap
metadata: &name {name: a, namespace: shop}
data: {key: "x\\ty", other: 12_000}
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"n": 9007199254740993, "f": 1.5}}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Secret, metadata: {name: c}}
  - {apiVersion: v1, kind: Secret, metadata: {name: d, generateName: d-}}
`;

describe('values that are decoded again', () => {
  test('equal the first ones, with the same locations', () => {
    const { manifests } = readManifests(new SourceFile('all.yaml', TEXT), new HeldValues(0));
    const found = manifests.flatMap(resourcesOf).flatMap((result) => ('resource' in result ? [result.resource] : []));
    const nameOf = (resource: Resource) => resource.locate(['metadata', 'name'], 'value').range;
    const first = found.map((resource) => ({ value: resource.value, name: nameOf(resource) }));
    // Backwards, so that every value was released before it is read.
    for (const [index, resource] of [...found.entries()].reverse()) {
      expect({ value: resource.value, name: nameOf(resource) }).toEqual(first[index]);
    }
    expect(found[0]?.value).not.toBe(first[0]?.value);
    expect(found.map(({ name, namespace, generateName }) => [name, namespace, generateName])).toEqual([
      ['a', 'shop', ''],
      ['b', '', ''],
      ['c', '', ''],
      ['d', '', 'd-'],
    ]);
    expect(first[1]?.value.get('data')).toEqual(
      new Map<string, unknown>([
        ['n', 9007199254740993n],
        ['f', 1.5],
      ]),
    );
  });

  test('are the oldest ones, above a limit', () => {
    const held = new Set<number>();
    const read = (maximum: number, lengths: readonly number[], few = maximum) => {
      held.clear();
      const values = new HeldValues(maximum, few);
      const file: Parameters<typeof values.hold>[0] = {
        release: (index) => held.delete(index),
        get ref() {
          return ref;
        },
      };
      const ref = new WeakRef(file);
      for (const [index, characters] of lengths.entries()) {
        held.add(index);
        values.hold(file, { index, characters });
      }
      return [...held];
    };
    expect(read(0, [1, 1, 1])).toEqual([2]);
    expect(read(10, [5, 5, 5, 5, 5])).toEqual([3, 4]);
    expect(read(10, [5, 50])).toEqual([1]);
    expect(read(10, [50, 4, 4, 4])).toEqual([2, 3]);
    expect(read(1000, [5, 5, 5])).toEqual([0, 1, 2]);
    // After the maximum is exceeded, the lower limit applies.
    expect(read(20, [5, 5, 5, 5], 10)).toEqual([0, 1, 2, 3]);
    expect(read(20, [5, 5, 5, 5, 5], 10)).toEqual([3, 4]);
    expect(read(20, [5, 5, 5, 5, 5, 1, 1, 1], 10)).toEqual([4, 5, 6, 7]);
  });

  test('are released one by one in a file with many documents', () => {
    const text = Array.from({ length: 9 }, (_, index) => (index % 3 === 0 ? '# nothing\n' : `a: ${index}\n`)).join(
      '---\n',
    );
    const { manifests } = readManifests(new SourceFile('many.yaml', text), new HeldValues(0));
    const values = manifests.map(({ value }) => value);
    expect(values).toEqual([1, 2, 4, 5, 7, 8].map((number) => new Map([['a', BigInt(number)]])));
    // The last value is held, and is released when the first one is read after it.
    const isHeld = [...manifests.entries()].reverse().map(([index, manifest]) => manifest.value === values[index]);
    expect(isHeld).toEqual([true, false, false, false, false, false]);
  });

  test('keep their identity as long as they are held', () => {
    const [manifest] = readManifests(new SourceFile('one.yaml', 'a: {b: 1}\n')).manifests;
    expect(manifest?.value).toBe(manifest?.value);
  });
});

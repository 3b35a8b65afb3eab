// What of a large repository is read again: it is what it was, at the same places, and what is held is bounded.
import { describe, expect, test } from 'vitest';
import { resourcesOf } from '../../../src/kubernetes/resource.ts';
import { HeldValues } from '../../../src/source/held-values.ts';
import { readManifests } from '../../../src/source/read-manifests.ts';
import { SourceFile } from '../../../src/source/source-file.ts';

const TEXT = `# The first of three.
apiVersion: v1
kind: ConfigMap
metadata: &name {name: a, namespace: shop}
data: {key: "x\\ty", other: 12_000}
---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"n": 9007199254740993, "f": 1.0}}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Secret, metadata: {name: c}}
  - {apiVersion: v1, kind: Secret, metadata: {name: d, generateName: d-}}
`;

const resources = (held?: HeldValues) =>
  readManifests(new SourceFile('all.yaml', TEXT), held)
    .manifests.flatMap(resourcesOf)
    .flatMap((result) => ('resource' in result ? [result.resource] : []));

describe('values that are read again', () => {
  test('are those of the first reading, with the places', () => {
    const whole = resources();
    const again = resources(new HeldValues(0));
    // Backwards, so that nobody is asked while it is held.
    for (const [index, resource] of [...again.entries()].reverse()) {
      const other = whole[index];
      expect(resource.value).toEqual(other?.value);
      expect(resource.locate(['metadata', 'name'], 'value').range).toEqual(
        other?.locate(['metadata', 'name'], 'value').range,
      );
      expect([resource.name, resource.namespace, resource.generateName]).toEqual([
        other?.name,
        other?.namespace,
        other?.generateName,
      ]);
    }
  });

  test('are the last in memory, up to the limit, and always one', () => {
    const held = new Set<number>();
    const read = (values: HeldValues, characters: readonly number[]) => {
      held.clear();
      for (const [index, length] of characters.entries()) {
        held.add(index);
        values.hold({ characters: length, release: () => held.delete(index) });
      }
      return [...held];
    };
    expect(read(new HeldValues(0), [1, 1, 1])).toEqual([2]);
    expect(read(new HeldValues(10), [5, 5, 5, 5, 5])).toEqual([3, 4]);
    expect(read(new HeldValues(10), [5, 50])).toEqual([1]);
    expect(read(new HeldValues(10), [50, 4, 4, 4])).toEqual([2, 3]);
    expect(read(new HeldValues(), [5, 5, 5])).toEqual([0, 1, 2]);
  });

  test('stay the same object while they are held', () => {
    const [resource] = resources(new HeldValues());
    expect(resource?.value).toBe(resource?.value);
  });
});

// Conversion of any manifest: nothing throws, and an accepted object does not change when converted again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { tries } from '../support/tries.ts';
import { typedManifests } from '../support/typed-arbitraries.ts';
import { sortedJson } from '../support/typed-object.ts';

const RUNS = tries(300, 7, 300);
const VERSION = { major: 1, minor: 36 };

const manifests = typedManifests(VERSION.minor);

describe('conversion', () => {
  test('never throws, and does not change its own result', () => {
    const objects = new AdmissionObjects(VERSION);
    fc.assert(
      fc.property(manifests, ({ kind, manifest }) => {
        const result = objects.convert(manifest, kind, kind.namespaced ? 'shop' : '');
        if (result === undefined || 'error' in result) return;
        const first = result.mutating().object;
        const again = objects.convert(first, kind, kind.namespaced ? 'shop' : '');
        expect(again !== undefined && 'validating' in again).toBe(true);
        if (again === undefined || 'error' in again) return;
        expect(again.strictErrors).toEqual([]);
        expect(sortedJson(again.mutating().object)).toBe(sortedJson(first));
        expect(sortedJson(again.validating.object)).toBe(sortedJson(result.validating.object));
      }),
      RUNS,
    );
  });

  test('never changes the manifest', () => {
    const objects = new AdmissionObjects(VERSION);
    fc.assert(
      fc.property(manifests, ({ kind, manifest }) => {
        const before = sortedJson(manifest);
        objects.convert(manifest, kind, 'shop');
        expect(sortedJson(manifest)).toBe(before);
      }),
      RUNS,
    );
  });
});

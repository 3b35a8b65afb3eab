// Skipping the conversion of unchanged parts gives the same result as converting everything, and leaves earlier objects unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GroupVersionKind } from '../../src/kubernetes/api/group-version.ts';
import { resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { CustomResourceKinds } from '../../src/kubernetes/custom-resource/custom-resource-kinds.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../../src/kubernetes/patch/json-patch.ts';
import { mergeConfiguration } from '../../src/kubernetes/patch/merge-configuration.ts';
import type { PatchedObject, PatchTarget } from '../../src/kubernetes/patch/patch-target.ts';
import { PatchTargets } from '../../src/kubernetes/patch/patch-targets.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { decodeTyped } from '../../src/kubernetes/schema/decode.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { copyJson } from '../../src/source/json/copy-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import {
  CUSTOM_DEFINITION,
  configurationsOf,
  editOf,
  MUTATED_KINDS,
  type MutatedKind,
  pointersOf,
} from '../support/mutated-objects.ts';
import { tries } from '../support/tries.ts';
import { typedManifests } from '../support/typed-arbitraries.ts';
import { sortedJson } from '../support/typed-object.ts';

const RELEASES = [30, 33, 34, 36, 37];

/** Makes any later change to the value throw; writing an existing value is not a change. */
function freeze(value: JsonValue): void {
  if (isJsonArray(value)) {
    if (!Object.isFrozen(value)) for (const item of Object.freeze(value)) freeze(item);
  } else if (isJsonObject(value) && !Object.hasOwn(value, 'set')) {
    const fail = (key: string): never => {
      throw new Error(`${key} of what was there before is changed`);
    };
    Object.assign(value, {
      set: (key: string, item: JsonValue) => (value.has(key) && value.get(key) === item ? value : fail(key)),
      delete: (key: string) => value.has(key) && fail(key),
      clear: () => value.size > 0 && fail('everything'),
    });
    for (const item of value.values()) freeze(item);
  }
}

interface Release {
  readonly targets: PatchTargets;
  readonly objects: AdmissionObjects;
  readonly catalog: SchemaCatalog;
  readonly custom: PatchTarget;
}

const releases = new Map(RELEASES.map((minor) => [minor, releaseOf(minor)]));

function releaseOf(minor: number): Release {
  const version = { major: 1, minor };
  const objects = new AdmissionObjects(version);
  const targets = new PatchTargets(objects);
  const text = stringifyJson(CUSTOM_DEFINITION, { sortKeys: false, escapeHtml: false });
  const [definition] = readManifests(new SourceFile('definition.yaml', text)).manifests.flatMap(resourcesOf);
  if (definition === undefined || !('resource' in definition)) throw new Error('no definition');
  const custom = new CustomResourceKinds(version).kind(definition.resource, 'v1');
  if (!('kind' in custom)) throw new Error('no custom kind');
  return { targets, objects, catalog: new SchemaCatalog(minor), custom: targets.ofCustom(custom.kind) };
}

type Patch = readonly JsonPatchOperation[] | { readonly apply: JsonObject };

/** Numbers select one of the existing values, which depend on earlier steps. */
interface Step {
  readonly does: 'edit' | 'apply' | 'remove' | 'copy' | 'move' | 'swap';
  readonly at: number;
  readonly to: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('edit', 'edit', 'edit', 'apply', 'apply', 'remove', 'copy', 'move', 'swap'),
  at: fc.nat({ max: 99_991 }),
  to: fc.nat({ max: 99_991 }),
});

type Choices = Pick<MutatedKind, 'edits' | 'pod'> & { readonly configurations: readonly JsonObject[] };

function patchOf({ does, at, to }: Step, object: JsonObject, { edits, pod, configurations }: Choices): Patch {
  if (does === 'edit' && edits.length > 0) {
    const { path, value } = editOf(edits[at % edits.length] as string, pod);
    return [{ op: value === undefined ? 'remove' : to % 3 === 0 ? 'replace' : 'add', path, from: '', value }];
  }
  if (does === 'apply' && configurations.length > 0) {
    return { apply: configurations[at % configurations.length] as JsonObject };
  }
  const pointers = pointersOf(object);
  const from = pointers[at % pointers.length];
  if (from === undefined || does === 'remove' || does === 'apply' || does === 'edit') {
    return [{ op: 'remove', path: from?.pointer ?? '', from: '', value: undefined }];
  }
  // Mostly to another field of the same type.
  const alike = pointers.filter(
    ({ form }) => form === from.form || form.split('/').at(-1) === from.form.split('/').at(-1),
  );
  const target = alike[to % alike.length]?.pointer ?? '';
  if (does !== 'swap') return [{ op: does, path: target, from: from.pointer, value: undefined }];
  const aside = '/aside';
  return [
    { op: 'copy', path: aside, from: from.pointer, value: undefined },
    { op: 'copy', path: from.pointer, from: target, value: undefined },
    { op: 'move', path: target, from: aside, value: undefined },
  ];
}

/** Undefined if the patch does not apply, so that nothing is converted. */
function patched(object: JsonObject, patch: Patch, target: PatchTarget): JsonObject | undefined {
  if ('apply' in patch) {
    const merged = mergeConfiguration(patch.apply, object, {
      mergeType: target.mergeType,
      fits: target.isTyped,
      mayReplace: true,
    });
    return 'object' in merged ? merged.object : undefined;
  }
  const result = applyJsonPatch(object, patch);
  return 'document' in result && isJsonObject(result.document) ? result.document : undefined;
}

let converted = 0;
let taken = 0;

interface Mutated {
  readonly kind: GroupVersionKind;
  readonly object: JsonObject;
  readonly choices: Choices;
}

function takesBackAlike({ kind, object, choices }: Mutated, steps: readonly Step[], minor: number): void {
  const { targets, objects, catalog, custom } = releases.get(minor) as Release;
  const target = kind.group === 'shop.example' ? custom : targets.ofBuiltin(kind);
  const struct = catalog.structForKind(kind);
  if (target === undefined) return;
  const admitted = objects.convert(object, kind, 'shop');
  if (admitted !== undefined && 'error' in admitted) return;
  let before = admitted?.mutating().object ?? object;
  freeze(before);
  for (const each of steps) {
    const patch = patchOf(each, before, choices);
    const made = patched(before, patch, target);
    if (made === undefined) continue;
    const way = 'apply' in patch ? 'fromMerged' : 'fromPatched';
    const wanted: PatchedObject = target[way](copyJson(made));
    const shared: PatchedObject = target[way](made, before);
    converted += 1;
    if ('error' in wanted || 'error' in shared) {
      expect(shared).toEqual(wanted);
      continue;
    }
    expect(sortedJson(shared.object)).toBe(sortedJson(wanted.object));
    // Justifies copying a complete object (`#copyOf`): decoding it again gives the same.
    const again = struct && decodeTyped(shared.object, struct);
    if (again !== undefined) {
      if ('error' in again) throw new Error(again.error.message);
      expect(again.strictErrors).toEqual([]);
      expect(sortedJson(again.object)).toBe(sortedJson(shared.object));
    }
    taken += 1;
    before = shared.object;
    freeze(before);
  }
}

const WRITTEN = new Map(
  MUTATED_KINDS.map((mutated) => {
    const [apiVersion = '', name = ''] = ['apiVersion', 'kind'].map((key) => String(mutated.object.get(key)));
    const slash = apiVersion.indexOf('/');
    const kind = { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind: name };
    const choices = { edits: mutated.edits, pod: mutated.pod, configurations: configurationsOf(mutated) };
    return [`${apiVersion} ${name}`, { kind, object: mutated.object, choices }];
  }),
);
const random = fc.record({ one: typedManifests(36), other: typedManifests(36) }).map(({ one, other }) => ({
  kind: one.kind,
  object: one.manifest,
  choices: { edits: [], pod: undefined, configurations: [other.manifest, one.manifest] },
}));

describe('parts that a mutation does not change', () => {
  test('equal the result of converting them again', () => {
    [converted, taken] = [0, 0];
    fc.assert(
      fc.property(
        fc.constantFrom(...WRITTEN.keys()),
        fc.array(step, { minLength: 2, maxLength: 8 }),
        fc.constantFrom(...RELEASES),
        (name, steps, minor) => takesBackAlike(WRITTEN.get(name) as Mutated, steps, minor),
      ),
      tries(400, 41, 150),
    );
    expect(taken).toBeGreaterThan(converted / 2);
  });

  test('equal it for objects of every kind', () => {
    fc.assert(
      fc.property(random, fc.array(step, { minLength: 2, maxLength: 6 }), fc.constantFrom(...RELEASES), takesBackAlike),
      tries(300, 43, 75),
    );
  });
});

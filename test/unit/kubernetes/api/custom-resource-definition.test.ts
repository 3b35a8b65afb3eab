// What the one reader of CustomResourceDefinitions makes of v1 and v1beta1.

import { describe, expect, test } from 'vitest';
import { readDefinition } from '../../../../src/kubernetes/api/custom-resource-definition.ts';
import { recurringKind } from '../../../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../../../src/kubernetes/api/resource.ts';
import { readCustomResources } from '../../../../src/kubernetes/cluster/custom-resources.ts';
import { versionOf } from '../../../../src/kubernetes/custom-resource/custom-resource-version.ts';
import { isJsonObject } from '../../../../src/source/json/json.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

function definition(version: 'v1' | 'v1beta1', spec: string): Resource {
  const text = `spec:\n  group: example.com\n  names: {kind: Widget, plural: widgets}\n${spec}`;
  const [manifest] = readManifests(new SourceFile('definition.yaml', text)).manifests;
  if (manifest === undefined || !isJsonObject(manifest.value)) throw new Error('no definition');
  const gvk = recurringKind('apiextensions.k8s.io', version, 'CustomResourceDefinition');
  return new Resource(manifest, [], gvk, manifest.value);
}

const SCHEMA = '{openAPIV3Schema: {type: object}}';

describe('versions', () => {
  test.each([
    ['v1', '  versions: [{name: v1, served: true}, {name: v2}]\n', ['v1'], ['v1', 'v2']],
    ['v1beta1', '  version: v1\n', ['v1'], ['v1']],
    ['v1beta1', '  version: v1\n  versions: []\n', ['v1'], ['v1']],
    ['v1beta1', '  version: v1\n  versions: [{name: v2, served: true}]\n', ['v2'], ['v2']],
    // `spec.version` does not exist in v1.
    ['v1', '  version: v1\n', [], []],
  ] as const)('%s %j', (version, spec, served, all) => {
    const resource = definition(version, spec);
    expect(readDefinition(resource).versions.map((each) => each.version)).toEqual(all);
    expect(readCustomResources(resource).map((each) => each.version)).toEqual(served);
  });

  test('a definition without names defines no kind, but its versions can be validated', () => {
    const { manifest, gvk } = definition('v1', '');
    const spec = new Map([
      [
        'versions',
        [
          new Map<string, string | boolean>([
            ['name', 'v1'],
            ['served', true],
          ]),
        ],
      ],
    ]);
    const nameless = new Resource(manifest, [], gvk, new Map([['spec', spec]]));
    expect(readCustomResources(nameless)).toEqual([]);
    expect(readDefinition(nameless).versions).toHaveLength(1);
  });
});

describe('schema', () => {
  const SHARED = ['spec', 'validation', 'openAPIV3Schema'];
  const OWN = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
  test.each([
    ['v1', `  versions: [{name: v1, schema: ${SCHEMA}}]\n`, OWN, true],
    ['v1', '  versions: [{name: v1}]\n', OWN, false],
    ['v1', `  validation: ${SCHEMA}\n  versions: [{name: v1}]\n`, OWN, false],
    ['v1beta1', `  validation: ${SCHEMA}\n  versions: [{name: v1}]\n`, SHARED, true],
    ['v1beta1', `  validation: ${SCHEMA}\n  version: v1\n`, SHARED, true],
    ['v1beta1', `  validation: {}\n  versions: [{name: v1, schema: ${SCHEMA}}]\n`, OWN, true],
  ] as const)('of %s %j', (version, spec, path, isThere) => {
    const resource = definition(version, spec);
    const read = versionOf(readDefinition(resource), 'v1');
    expect(read?.schemaPath).toEqual(path);
    expect(read?.schema !== undefined).toBe(isThere);
  });

  test('has one name if all versions share it', () => {
    const nameOf = (versions: string): string | undefined =>
      versionOf(readDefinition(definition('v1', `  versions: [${versions}]\n`)), 'v2')?.schemaName;
    const first = `{name: v1, schema: ${SCHEMA}}`;
    expect(nameOf(`${first}, {name: v2, schema: ${SCHEMA}}`)).toBe('spec.validation.openAPIV3Schema');
    expect(nameOf(`${first}, {name: v2, schema: {}}`)).toBe('spec.versions[1].schema.openAPIV3Schema');
    expect(nameOf(`${first}, {name: v2}`)).toBe('spec.versions[1].schema.openAPIV3Schema');
  });
});

test('v1beta1 versions without subresources inherit those of the definition', () => {
  const spec =
    '  subresources: {status: {}}\n  versions: [{name: v1}, {name: v2, subresources: {scale: {specReplicasPath: .spec.size}}}]\n';
  const told = (version: 'v1' | 'v1beta1'): unknown =>
    readDefinition(definition(version, spec)).versions.map(({ hasStatus, scale }) => [hasStatus, scale?.specReplicas]);
  expect(told('v1beta1')).toEqual([
    [true, undefined],
    [false, '.spec.size'],
  ]);
  expect(told('v1')).toEqual([
    [false, undefined],
    [false, '.spec.size'],
  ]);
});

describe('the warning about a deprecated version', () => {
  const warning = (versions: string): string | undefined =>
    versionOf(readDefinition(definition('v1', `  versions: [${versions}]\n`)), 'v1beta1')?.deprecationWarning;

  test.each([
    ['none', '{name: v1beta1, served: true}', undefined],
    ['its own text', '{name: v1beta1, deprecated: true, deprecationWarning: use Gadget}', 'use Gadget'],
    ['no newer version', '{name: v1beta1, deprecated: true}', 'example.com/v1beta1 Widget is deprecated'],
    [
      'the newest version',
      '{name: v1beta1, deprecated: true}, {name: v1, served: true}, {name: v2beta1, served: true}, {name: v1alpha1, served: true}',
      'example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget',
    ],
    [
      'a version that is not deprecated',
      '{name: v1beta1, deprecated: true}, {name: v2, served: true, deprecated: true}, {name: v1beta2, served: true}',
      'example.com/v1beta1 Widget is deprecated; use example.com/v1beta2 Widget',
    ],
    [
      'no version that is not served',
      '{name: v1beta1, deprecated: true}, {name: v2, served: false}, {name: next, served: true}',
      'example.com/v1beta1 Widget is deprecated',
    ],
  ])('names %s', (_, versions, expected) => expect(warning(versions)).toBe(expected));
});

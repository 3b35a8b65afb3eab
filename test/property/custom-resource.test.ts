// Meaningless definitions and objects in the whole pipeline: nothing throws, and every object is in the report.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkState } from '../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(60, 11, 60);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const DEFINITION: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'databases.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Namespaced',
    names: { plural: 'databases', singular: 'database', kind: 'Database', listKind: 'DatabaseList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.n' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['engine'],
                properties: {
                  engine: { type: 'string', maxLength: 9, pattern: '^[a-z]+$', default: 'postgres' },
                  replicas: { type: 'integer', minimum: 1 },
                  port: { 'x-kubernetes-int-or-string': true },
                  users: {
                    type: 'array',
                    maxItems: 3,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
                  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
                'x-kubernetes-validations': [
                  { rule: 'self.replicas > 1', message: 'more than one', fieldPath: '.replicas' },
                  { rule: 'self.engine == oldSelf.engine', optionalOldSelf: false },
                ],
              },
            },
          },
        },
      },
    ],
  },
};
const OBJECT: Json = {
  apiVersion: 'shop.example/v1',
  kind: 'Database',
  metadata: { name: 'orders', namespace: 'shop', labels: { team: 'shop' } },
  spec: { engine: 'mysql', replicas: 2, port: 'http', users: [{ name: 'a' }, { name: 'b' }], labels: { a: 'b' } },
};
/** A policy on every kind, so that every accepted object is evaluated. */
const POLICY: Json = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'any' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    },
    validations: [{ expression: 'object.spec.replicas <= 5' }],
  },
};
const BINDING: Json = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'any' },
  spec: { policyName: 'any', validationActions: ['Deny'] },
};

const oddity: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    '',
    'object',
    'array',
    'string',
    '(',
    '{{ x }}',
    'a'.repeat(300),
  ),
  fc.constantFrom<Json>([], {}, [null], [[]], { a: null }, [{}], { type: 'object' }, { type: 'array' }, [
    'name',
    'name',
  ]),
);

/** The value with `odd` in one position; `steps` lead to it from the root. */
function damaged(value: Json, steps: readonly number[], odd: Json): Json {
  const [step, ...rest] = steps;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const key = step === undefined ? undefined : keys[step % keys.length];
  if (key === undefined) return odd;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? damaged(item, rest, odd) : item));
  const fields = value as { readonly [key: string]: Json };
  return { ...fields, [key]: damaged(fields[key] as Json, rest, odd) };
}

const damage = fc.record({ steps: fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }), odd: oddity });

function check(...manifests: readonly Json[]) {
  const files = manifests.map((manifest, index) => new SourceFile(`${index}.json`, JSON.stringify(manifest)));
  const configuration = defaultConfiguration();
  return checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map(({ path }) => path)),
    notRead: [],
    configuration,
  });
}

describe('custom resources', () => {
  test('are evaluated without errors', () => {
    const { coverage, diagnostics } = check(DEFINITION, OBJECT, POLICY, BINDING);
    expect(coverage.evaluated).toBe(2);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ['definitions', 0],
    ['objects', 1],
  ])('%s can hold anything', (_, target) => {
    fc.assert(
      fc.property(damage, damage, (one, other) => {
        const manifests: Json[] = [DEFINITION, OBJECT];
        for (const { steps, odd } of [one, other]) {
          manifests[target] = damaged(manifests[target] as Json, steps, odd);
        }
        const { coverage } = check(...manifests, POLICY, BINDING);
        expect(coverage.found).toBe(
          coverage.evaluated + coverage.notEvaluated.reduce((sum, { count }) => sum + count, 0),
        );
        expect(coverage.found).toBeGreaterThanOrEqual(4);
      }),
      RUNS,
    );
  });
});

// Rules that require signed objects, for unsigned objects.
import { expect, it } from 'vitest';
import { Undecided } from '../../../../src/policy/kyverno/rule/rule-response.ts';
import { validateManifests } from '../../../../src/policy/kyverno/validate/validate-manifests.ts';
import { objectOrEmpty } from '../../../../src/source/json/json-field.ts';
import { jsonOf } from './json-of.ts';

const KEY = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----';
const UNSIGNED = 'YAML manifest not found for this resource: message not found';

function ask(manifests: object, annotations: object = {}): ReturnType<typeof validateManifests> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } };
  return validateManifests(
    objectOrEmpty(jsonOf(JSON.stringify(manifests))),
    objectOrEmpty(jsonOf(JSON.stringify(object))),
  );
}

it.each<[string, object, string, string]>([
  ['no attestors', {}, 'pass', 'verified manifest signatures; '],
  [
    'one key',
    { attestors: [{ entries: [{ keys: { publicKeys: KEY } }] }] },
    'fail',
    `manifest verification failed; verifiedCount 0; requiredCount 1; message .attestors[0].entries[0].keys: ${UNSIGNED}`,
  ],
  [
    'two keys in one text, one of them required',
    { attestors: [{ count: 1, entries: [{ keys: { publicKeys: `${KEY}\n${KEY}` } }] }] },
    'fail',
    `manifest verification failed; verifiedCount 0; requiredCount 1; message .attestors[0].entries[0].keys: ${UNSIGNED},.attestors[0].entries[1].keys: ${UNSIGNED}`,
  ],
  [
    'attestors inside attestors',
    { attestors: [{ entries: [{ attestor: { entries: [{ keyless: { issuer: 'us' } }] } }] }] },
    'fail',
    `manifest verification failed; verifiedCount 0; requiredCount 1; message manifest verification failed; verifiedCount 0; requiredCount 1; message .attestors[0].entries[0].attestor.entries[0].keyless: ${UNSIGNED}`,
  ],
  [
    'a required annotation',
    { attestors: [{ entries: [{ annotations: { team: 'a' }, keys: { publicKeys: KEY } }] }] },
    'error',
    'error occurred during manifest verification: annotations mismatch:  does not match expected value a for key team',
  ],
])('%s', (_, manifests, status, message) => {
  expect(ask(manifests)).toMatchObject({ status, message });
});

it.each<[string, object, object]>([
  ['a message', { attestors: [{ entries: [{ keys: { publicKeys: KEY } }] }] }, { 'cosign.sigstore.dev/message': 'x' }],
  ['a message of its own domain', { annotationDomain: 'sig.example.com' }, { 'sig.example.com/message': 'x' }],
  ['a bundle', { attestors: [] }, { 'cosign.sigstore.dev/resourceBundleRef': 'registry.example.com/a' }],
  ['a repository', { repository: 'registry.example.com/a' }, {}],
])('is unknown with %s', (_, manifests, annotations) => {
  expect(() => ask(manifests, annotations)).toThrow(expect.toSatisfy((thrown) => thrown instanceof Undecided));
});

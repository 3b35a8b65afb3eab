// Tests the server's metadata errors of built-in kinds. `scripts/schema/compare-names.ts` compares every name format with upstream.
import { describe, expect, it } from 'vitest';
import { parseApiVersion } from '../../../../src/kubernetes/api/group-version.ts';
import { AdmissionObjects } from '../../../../src/kubernetes/schema/admission-object.ts';
import { formatFieldError } from '../../../../src/kubernetes/validation/field-error.ts';
import { generatedName } from '../../../../src/kubernetes/validation/generated-name.ts';
import type { JsonObject } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

type Manifest = Readonly<Record<string, unknown>>;

function errorsOf(manifest: Manifest, minor = 36, operation: 'CREATE' | 'UPDATE' = 'CREATE'): readonly string[] {
  const parsed = parseJson(JSON.stringify(manifest));
  if (!('value' in parsed)) throw new Error('no JSON');
  const gvk = {
    group: '',
    version: '',
    ...parseApiVersion(String(manifest['apiVersion'])),
    kind: String(manifest['kind']),
  };
  const result = new AdmissionObjects({ major: 1, minor }).convert(parsed.value as JsonObject, gvk, 'shop');
  if (result === undefined || 'error' in result) throw new Error('does not decode');
  // The tests of name formats cover the rest of the message.
  return result.metadataErrors(operation).map((error) => formatFieldError(error).replace(/ consist of .*$/, ' …'));
}

function named(apiVersion: string, kind: string, name: string): Manifest {
  return { apiVersion, kind, metadata: { name } };
}

const SUBDOMAIN = 'a lowercase RFC 1123 subdomain must …';

describe('names', () => {
  it.each<[Manifest, readonly string[]]>([
    [named('v1', 'Pod', 'web.example'), []],
    [named('v1', 'Pod', 'Web'), [`metadata.name: Invalid value: "Web": ${SUBDOMAIN}`]],
    [named('v1', 'Namespace', 'a.b'), ['metadata.name: Invalid value: "a.b": must not contain dots']],
    [named('apps/v1', 'StatefulSet', 'a.b'), ['metadata.name: Invalid value: "a.b": must not contain dots']],
    [named('rbac.authorization.k8s.io/v1', 'Role', 'system:A b'), []],
    [
      named('rbac.authorization.k8s.io/v1', 'Role', 'a/b'),
      ['metadata.name: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      named('batch/v1', 'CronJob', 'a'.repeat(53)),
      [`metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`],
    ],
    [
      named('scheduling.k8s.io/v1', 'PriorityClass', 'system-high'),
      [
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-high is not a known system priority class",
      ],
    ],
    [
      {
        ...named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets'),
        spec: { group: 'shop.example', names: { plural: 'widgets' } },
      },
      ['metadata.name: Invalid value: "widgets": must be spec.names.plural+"."+spec.group'],
    ],
    [
      { ...named('apiregistration.k8s.io/v1', 'APIService', 'v1'), spec: { group: 'shop.example', version: 'v1' } },
      ['metadata.name: Invalid value: "v1": must be `spec.version+"."+spec.group`: "v1.shop.example"'],
    ],
  ])('%j', (manifest, expected) => {
    expect(errorsOf(manifest)).toEqual(expected);
  });

  it.each([
    [35, ['metadata.name: Invalid value: "1a": a DNS-1035 label must …']],
    [36, []],
  ])('names of Services in 1.%d', (minor, expected) => {
    expect(errorsOf(named('v1', 'Service', '1a'), minor)).toEqual(expected);
  });

  it('generated names are checked by their prefix', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'Web-' } };
    expect(errorsOf(pod)).toEqual([`metadata.generateName: Invalid value: "Web-": ${SUBDOMAIN}`]);
  });
});

describe('labels', () => {
  const labelled = { ...named('v1', 'Pod', 'Web'), metadata: { name: 'Web', labels: { a: 'b'.repeat(64) } } };

  it.each([
    [34, 'characters'],
    [35, 'bytes'],
  ])('label lengths use the unit of 1.%d', (minor, unit) => {
    expect(errorsOf(labelled, minor).at(-1)).toBe(
      `metadata.labels: Invalid value: "${'b'.repeat(64)}": must be no more than 63 ${unit}`,
    );
  });

  it('only label errors apply to updates', () => {
    expect(errorsOf(labelled, 36, 'UPDATE')).toHaveLength(1);
  });
});

describe('a generated name', () => {
  it.each([
    ['web-', 'web-xxxxx'],
    ['a'.repeat(60), `${'a'.repeat(58)}xxxxx`],
    ['ä'.repeat(30), `${'ä'.repeat(29)}xxxxx`],
  ])('of %s', (prefix, expected) => {
    expect(generatedName(prefix, 'xxxxx')).toBe(expected);
  });
});

// `schemas` in the configuration: definitions for custom kinds that the repository uses and does not define.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRepository } from '../src/door/run/check-repository.ts';
import type { Report } from '../src/report/report.ts';
import { expandLocation, schemaLocationProblem } from '../src/settings/schema-location.ts';
import type { Transport } from '../src/workspace/network/transport.ts';
import { fetchSchemas } from '../src/workspace/schemas/fetch-schemas.ts';
import { createWorkspace, sizePolicy } from './support/workspace.ts';

const CERTIFICATE = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web, namespace: shop}
spec: {secretName: web, dnsNames: [web.example.com], renewBefore: 5}
`;
const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['secretName'],
      additionalProperties: false,
      properties: {
        secretName: { type: 'string' },
        dnsNames: { type: ['array', 'null'], items: { type: 'string' } },
        renewBefore: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        secretTemplate: { type: 'object' },
        revisionHistoryLimit: { type: 'integer', minimum: 1, default: 2 },
      },
    },
  },
};
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.cert-manager.io' },
  spec: {
    group: 'cert-manager.io',
    scope: 'Namespaced',
    names: { kind: 'Certificate', listKind: 'CertificateList', plural: 'certificates', singular: 'certificate' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { secretName: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};
const ADDRESS = 'https://schemas.example.com/{{.Group}}/{{ .ResourceKind }}_{{.ResourceAPIVersion}}.json';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

async function check(
  schemas: readonly string[],
  files: Readonly<Record<string, string>> = {},
  transport?: Transport,
  cache?: string,
): Promise<Report> {
  const workspace = createWorkspace({
    '.preadmit.yaml': JSON.stringify({ schemas, exclude: ['schemas/**'] }),
    'policy.yaml': sizePolicy(),
    'certificate.yaml': CERTIFICATE,
    ...files,
  });
  undo.push(workspace.remove);
  const { report } = await checkRepository({
    directory: workspace.folder,
    paths: [],
    overrides: {},
    ...(transport && {
      schemas: { transport, privateHosts: new Set(), now: () => 0, ...(cache !== undefined && { cache }) },
    }),
  });
  return report;
}

const said = ({ diagnostics }: Report): readonly string[] => diagnostics.map(({ message }) => message);
const unknown = ({ targets }: Report): readonly string[] =>
  targets.flatMap(({ unknownKinds }) => unknownKinds.map(({ kind }) => kind));

describe('schemas', () => {
  it('are reported once if missing, with how to add them', async () => {
    const report = await check([]);
    expect(unknown(report)).toEqual(['Certificate']);
    expect(report.policySources).toBeUndefined();
  });

  it("are read from a folder, by a template like kubeconform's", async () => {
    const typo = CERTIFICATE.replace('dnsNames', 'dnsName').replace('secretName: web, ', '');
    const report = await check(['schemas/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'], {
      'schemas/certificate_v1.json': JSON.stringify(SCHEMA),
      'typo.yaml': typo.replace('name: web,', 'name: typo,'),
    });
    expect(unknown(report)).toEqual([]);
    expect(said(report)).toEqual([
      expect.stringContaining('spec.secretName: Required value'),
      expect.stringContaining('unknown field "spec.dnsName"'),
    ]);
    expect(report.policySources).toEqual([
      { name: 'schemas', version: '1 kind; for kinds from catalogues, the scope follows the convention' },
    ]);
  });

  it('are read from bundles of definitions; definitions of the repository take precedence', async () => {
    const bundle = { 'schemas/crds.yaml': `---\n${JSON.stringify(DEFINITION)}\n` };
    expect(said(await check(['schemas'], bundle))).toEqual([
      expect.stringContaining('unknown field "spec.dnsNames"'),
      expect.stringContaining('unknown field "spec.renewBefore"'),
    ]);
    const own = {
      ...bundle,
      'crd.yaml': JSON.stringify(DEFINITION).replace(
        '"secretName":',
        '"dnsNames":{"type":"array","items":{"type":"string"}},"renewBefore":{"x-kubernetes-int-or-string":true},"secretName":',
      ),
    };
    const report = await check(['schemas'], own);
    expect([said(report), report.policySources]).toEqual([[], undefined]);
  });

  it('are fetched from URLs only if enabled, and cached by digest', async () => {
    const asked: string[] = [];
    const transport: Transport = async ({ url }) => {
      asked.push(url);
      const body = Buffer.from(url.endsWith('certificate_v1.json') ? JSON.stringify(SCHEMA) : '');
      return { status: body.length > 0 ? 200 : 404, headers: {}, body };
    };
    expect(unknown(await check([ADDRESS]))).toEqual(['Certificate']);
    const cache = mkdtempSync(join(tmpdir(), 'preadmit-schemas-'));
    undo.push(() => rmSync(cache, { recursive: true }));
    const other = { 'other.yaml': CERTIFICATE.replace('kind: Certificate', 'kind: Other') };
    expect(unknown(await check([ADDRESS], other, transport, cache))).toEqual(['Other']);
    expect(asked.sort()).toEqual([
      'https://schemas.example.com/cert-manager.io/certificate_v1.json',
      'https://schemas.example.com/cert-manager.io/other_v1.json',
    ]);
    expect(unknown(await check([ADDRESS], {}, transport, cache))).toEqual([]);
    expect(asked).toHaveLength(2);
    for (const name of readdirSync(cache)) if (name.endsWith('.schema')) writeFileSync(join(cache, name), '{}');
    expect(unknown(await check([ADDRESS], {}, transport, cache))).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  it('that are unavailable end the run', async () => {
    const transport: Transport = async () => ({ status: 500, headers: {}, body: Buffer.from('') });
    await expect(
      fetchSchemas(['https://schemas.example.com/a.json'], {
        transport,
        root: tmpdir(),
        privateHosts: new Set(),
        now: () => 0,
      }),
    ).rejects.toThrow(
      'the schema `https://schemas.example.com/a.json` cannot be fetched: schemas.example.com responded with status 500',
    );
  });
});

describe('locations of schemas', () => {
  it.each([
    ['schemas', undefined],
    [ADDRESS, undefined],
    ['{{.ResourceKind}}{{.KindSuffix}}.json', undefined],
    ['{{.Kind}}.json', 'contains the unknown variable `{{.Kind}}`: expected one of `{{.Group}}`'],
    ['{{.Group', 'contains braces that do not form `{{.Name}}`'],
    ['http://example.com/{{.Group}}.json', 'is not an address such as'],
    ['https://{{.Group}}/a.json', 'is not an address such as'],
    ['https://user@example.com/a.json', 'is not an address such as'],
    ['../schemas', 'is not a path relative to the root of the repository'],
    ['/etc', 'is not a path relative to the root of the repository'],
  ])('%s', (location, problem) => {
    const found = schemaLocationProblem(location);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('names of kinds cannot lead to other paths', () => {
    const kind = { group: 'a.example.com', version: 'v1', kind: 'Thing', kubernetesVersion: '1.36' };
    expect(expandLocation('x/{{.Group}}/{{.ResourceKind}}{{.KindSuffix}}.json', kind)).toBe(
      'x/a.example.com/thing-a-v1.json',
    );
    for (const name of ['../a', 'a/b', 'a?b', 'a#b', 'a b', '..', '']) {
      expect(expandLocation('x/{{.ResourceKind}}', { ...kind, kind: name })).toBeUndefined();
    }
  });
});

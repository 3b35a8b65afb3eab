// Mutations are written once: a second run has nothing to change, and other YAML readers agree on the result.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { rewriteState } from '../../src/pipeline/mutate/mutate-state.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const MUTATIONS: readonly (readonly [patchType: string, expression: string])[] = [
  [
    'ApplyConfiguration',
    'Object{metadata: Object.metadata{labels: {"team": "shop", "yes": "no: # 1", "on": "0755", "0o17": "1_000", "1:30": "."}}}',
  ],
  ['ApplyConfiguration', 'Object{metadata: Object.metadata{annotations: {"at": string(size(object.metadata.name))}}}'],
  ['JSONPatch', '[JSONPatch{op: "add", path: "/data", value: {"a": "1", "lines": "one\\ntwo\\n"}}]'],
  ['JSONPatch', '[JSONPatch{op: "test", path: "/data/b", value: "2"}, JSONPatch{op: "remove", path: "/data/b"}]'],
  [
    'JSONPatch',
    '[JSONPatch{op: "test", path: "/data/a", value: "x"}, JSONPatch{op: "replace", path: "/data/a", value: "y"}]',
  ],
  ['ApplyConfiguration', 'Object{metadata: Object.metadata{finalizers: ["example.com/kept"]}}'],
  // Never reaches a fixed point.
  [
    'JSONPatch',
    '[JSONPatch{op: "add", path: "/metadata/finalizers", value: [string(size(object.metadata.?finalizers.orValue([])))]}]',
  ],
];

function policy([patchType, expression]: (typeof MUTATIONS)[number], index: number): string {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const kind = 'MutatingAdmissionPolicy';
  const metadata = { name: `policy-${index}` };
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const mutation = { patchType, [patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration']: { expression } };
  const spec = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', mutations: [mutation] };
  return [
    { apiVersion, kind, metadata, spec },
    { apiVersion, kind: `${kind}Binding`, metadata, spec: { policyName: metadata.name } },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}

const LABELS = fc.constantFrom(
  '',
  '\n  labels: {app: web} # old',
  '\n  labels:\n    team: "other"',
  '\n  labels: &l\n    a: b',
  '\n  labels:',
);
const DATA = fc.constantFrom(
  '',
  '\ndata: {}',
  '\ndata: {a: x, b: "2"}',
  '\ndata:\n  a: \'x\' # was w\n  b: "2"\n  c: |\n    # no comment\n',
  '\ndata:\n    a: x',
);
const END = fc.constantFrom('', '\n', '\n\n# the end\n', '\n...\n');

const MANIFEST = fc.tuple(LABELS, DATA, END).map(([labels, data, end]) => {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one${labels}${data}${end}`;
});

function state(texts: Readonly<Record<string, string>>) {
  const files = Object.entries(texts).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true }));
  return { files, paths: new Set(Object.keys(texts)), notRead: [], configuration: defaultConfiguration() };
}

function plain(value: JsonValue): unknown {
  if (isJsonArray(value)) return value.map(plain);
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return typeof value === 'bigint' ? Number(value) : value;
}

it('a second mutate after writing changes nothing', () => {
  let written = 0;
  const chosen = fc.subarray(
    MUTATIONS.map((mutation, index) => policy(mutation, index)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(MANIFEST, chosen, (manifest, policies) => {
      const rules = `${policies.join('\n---\n')}\n`;
      const first = rewriteState(state({ 'a.yaml': manifest, 'policies.yaml': rules }));
      const text = first.files[0]?.text ?? manifest;
      if (text !== manifest) written += 1;
      const second = rewriteState(state({ 'a.yaml': text, 'policies.yaml': rules }));
      expect(second.files).toEqual([]);
      expect(text.match(/# (?:old|was w|the end)$/gm)).toEqual(manifest.match(/# (?:old|was w|the end)$/gm));
      const [ours] = readManifests(new SourceFile('a.yaml', text)).manifests;
      for (const version of ['1.1', '1.2'] as const) {
        const [theirs] = parseAllDocuments(text, { version, merge: true });
        expect(theirs?.toJS()).toEqual(plain(ours?.value ?? null));
      }
    }),
    { numRuns: 60 },
  );
  expect(written).toBeGreaterThan(10);
});

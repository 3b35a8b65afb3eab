// Hiding a manifest never allows a change that would be denied if the manifest were visible.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareStates } from '../../src/pipeline/compare-states.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { engine } from '../support/render.ts';
import { type Contents, statesInGit } from '../support/states-in-git.ts';
import { tries } from '../support/tries.ts';

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: size}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  validations: [{expression: 'int(object.data.size) <= 3'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: size}
spec: {policyName: size, validationActions: [Deny]}
`;

const object = (size: number, name = 'ok'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\ndata:\n  size: "${size}"\n`;
const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const CHART = 'apiVersion: v2\nname: a\nversion: 1.0.0\n';
const chainsaw = (file: string): string =>
  `apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: a}\nspec: {steps: [{try: [{assert: {file: ${file}}}]}]}\n`;
const inline = (text: string): string => text.trim().replaceAll('\n', '\n  ');

type Way = (path: string, text: string) => Contents;

const by =
  (change: (text: string) => string | Buffer): Way =>
  (path, text) =>
    new Map([[path, change(text)]]);
const beside =
  (file: string, content: (path: string) => string, more: Readonly<Record<string, string>> = {}): Way =>
  (path, text) =>
    new Map([[path, text], [file, content(path)], ...Object.entries(more)]);
const decoy = { 'decoy.yaml': object(1, 'decoy') };
const twin = { 'twin.yaml': object(1) };

const WAYS: Readonly<Record<string, Way>> = {
  patch: beside('kustomization.yaml', (path) => `${KUSTOMIZATION}patches: [{path: ${path}}]\n`),
  patchOfTarget: beside(
    'kustomization.yaml',
    (path) => `${KUSTOMIZATION}resources: [decoy.yaml]\npatches: [{path: ${path}, target: {kind: Secret}}]\n`,
    decoy,
  ),
  patchOfTwin: beside(
    'kustomization.yaml',
    (path) => `${KUSTOMIZATION}resources: [twin.yaml]\npatches: [{path: ${path}, target: {kind: Secret}}]\n`,
    twin,
  ),
  patchOfChanged: beside(
    'kustomization.yaml',
    (path) => `${KUSTOMIZATION}resources: [twin.yaml]\npatches: [{path: ${path}}, {path: undo.yaml}]\n`,
    { ...twin, 'undo.yaml': object(1) },
  ),
  deletion: (path, text) =>
    new Map([
      [path, `${text}$patch: delete\n`],
      ['twin.yaml', object(1)],
      ['kustomization.yaml', `${KUSTOMIZATION}resources: [twin.yaml]\npatches: [{path: ${path}}]\n`],
    ]),
  legacyPatch: beside(
    'kustomization.yaml',
    (path) =>
      `${KUSTOMIZATION}resources: [decoy.yaml]\npatches: [{path: ${path}, target: {kind: ConfigMap, name: none}}]\n`,
    decoy,
  ),
  secretContent: beside(
    'kustomization.yaml',
    (path) => `${KUSTOMIZATION}secretGenerator: [{name: a, files: ['key=${path}']}]\n`,
  ),
  ignoredTemplate: (_path, text) =>
    new Map([
      ['apps/Chart.yaml', CHART],
      ['apps/.helmignore', 'templates/ok.yaml\n'],
      ['apps/templates/ok.yaml', `# {{ . }}\n${text}`],
    ]),
  testHook: (_path, text) =>
    new Map([
      ['apps/Chart.yaml', CHART],
      ['apps/templates/ok.yaml', text.replace('metadata:\n', 'metadata:\n  annotations: {helm.sh/hook: test}\n')],
    ]),
  chartFile: (_path, text) => new Map([['apps/Chart.yaml', `${text}name: a\nversion: 1.0.0\n`]]),
  generated: beside(
    'kustomization.yaml',
    (path) => `${KUSTOMIZATION}configMapGenerator: [{name: a, literals: [size=1], files: [${path}]}]\n`,
  ),
  remote: beside('kustomization.yaml', (path) => `${KUSTOMIZATION}resources: [${path}, 'https://example.com/a']\n`),
  attributes: beside('.gitattributes', () => '* working-tree-encoding=UTF-16LE\n'),
  assertion: beside('chainsaw-test.yaml', (path) => chainsaw(path)),
  fixture: (_path, text) =>
    new Map([
      ['apps/tests/ok.yaml', text],
      ['apps/tests/chainsaw-test.yaml', chainsaw('ok.yaml').replace('assert', 'apply')],
    ]),
  fixtureOfKyverno: (_path, text) =>
    new Map([
      ['apps/tests/ok.yaml', text],
      ['apps/tests/kyverno-test.yaml', 'apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nresources: [ok.yaml]\n'],
    ]),
  chart: beside('Chart.yaml', () => CHART),
  chartBelow: beside('apps/Chart.yaml', () => CHART),
  failingChart: beside('apps/Chart.yaml', () => CHART, { 'apps/templates/a.yaml': '{{ fail "no" }}\n' }),
  templates: (_path, text) =>
    new Map([
      ['apps/Chart.yaml', CHART],
      ['apps/templates/ok.yaml', `{{ fail "no" }}\n${text}`],
    ]),
  documents: by((text) => `${'---\n'.repeat(10_001)}${text}`),
  comment: by((text) => `# ${'x'.repeat(5 * 1024 * 1024)}\n${text}`),
  lfs: by((text) => `version https://git-lfs.github.com/spec/v1\n---\n${text}`),
  sops: by((text) => `${text}sops: {mac: a, lastmodified: b}\n`),
  directive: by((text) => `${text}$patch: replace\n`),
  name: by((text) => text.replace(/name: ok.*/, `name: ${'$'}{X:-evil}`)),
  template: by((text) => text.replace(/name: ok.*/, 'name: "{{ x }}"')),
  broken: by((text) => `{{ if true }}\n${text}`),
  unnamed: by((text) => text.replace(/ {2}name: ok.*\n/, '')),
  list: by((text) => `apiVersion: v1\nkind: List\nmetadata: {name: "${'$'}{X}"}\nitems:\n- ${inline(text)}\n`),
  utf16: by((text) => Buffer.from(text, 'utf16le')),
  utf16Swapped: by((text) => Buffer.from(text, 'utf16le').swap16()),
  latin1: by((text) => Buffer.from(`# \u00e9\n${text}`, 'latin1')),
  capitals: (path, text) => new Map([[path.replace('.yaml', '.YAML'), text]]),
  noEnding: (path, text) =>
    new Map([
      [path.replace('.yaml', ''), text],
      ['kustomization.yaml', `${KUSTOMIZATION}resources: [${path.replace('.yaml', '')}]\n`],
    ]),
  link: (path, text) =>
    new Map<string, string | { readonly link: string }>([
      [path, { link: 'hidden' }],
      ['apps/hidden', text],
    ]),
};

const repository = fc.record({
  others: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  before: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
  after: fc.nat({ max: 9 }),
  path: fc.constantFrom('apps/ok.yaml', 'apps/deep/ok.yaml', 'ok.yaml'),
  way: fc.constantFrom(...Object.keys(WAYS)),
});

type Example = { others: number[]; before: number | undefined; after: number; path: string; way: string };

const EVERY_WAY = Object.keys(WAYS).flatMap((way) =>
  [undefined, 1].map((before): [Example] => [{ others: [1], before, after: 9, path: 'apps/ok.yaml', way }]),
);

function conclusionOf(base: Contents, head: Contents): string {
  const { verdict } = compareStates({
    ...statesInGit(base, head),
    engine,
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
  });
  return verdict.conclusion;
}

test('hiding a manifest never turns a failing run into a passing one', () => {
  fc.assert(
    fc.property(repository, ({ others, before, after, path, way }) => {
      const common: [string, string][] = [
        ['policies/size.yaml', POLICY],
        ...others.map((size, index): [string, string] => [`apps/other-${index}.yaml`, object(size, `other-${index}`)]),
      ];
      const base = new Map([...common, ...(before === undefined ? [] : [[path, object(before)] as const])]);
      const openly = new Map([...common, [path, object(after)] as const]);
      const secretly = new Map([...common, ...(WAYS[way] as Way)(path, object(after))]);
      if (conclusionOf(base, openly) !== 'denied') return;
      expect(conclusionOf(base, secretly)).not.toBe('allowed');
    }),
    { ...tries(200, 11, 60), examples: EVERY_WAY },
  );
}, 120_000);

// For each skip reason, a repository in which a ConfigMap that a policy denies is hidden behind the reason.
import type { SkipReason } from '../../src/inventory/skip-reason.ts';
import type { Contents } from './states-in-git.ts';
import { configMap, sizePolicy } from './workspace.ts';

export interface SkipPlant {
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Files that only a work tree or the limits of a run leave out. */
  readonly notRead?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly submodules?: readonly string[];
  /** Text of `.preadmit.yaml`. */
  readonly configuration?: string;
  readonly workLimit?: number;
}

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const CHART = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const CHAINSAW = (step: string): string =>
  `apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata:\n  name: t\nspec:\n  steps:\n  - try:\n    - ${step}:\n        file: object.yaml\n`;
const SOPS = 'sops:\n  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n  lastmodified: "2026-01-01T00:00:00Z"\n';
const ENCRYPTED = 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]';

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: planted
  namespace: argocd
spec:
  project: default
  source: {repoURL: "https://git.shop.example/platform.git", path: planted, directory: {recurse: true}}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
`;

/** `size`: above 3 is denied. */
type Planting = (size: number) => SkipPlant;

const inManifest =
  (edit: (text: string) => string): Planting =>
  (size) => ({ files: { 'planted/object.yaml': edit(configMap('planted', size)) } });
const notRead: Planting = () => ({ files: {}, notRead: ['planted/object.yaml'] });
const inFile =
  (path: string, edit = (text: string): string => text): Planting =>
  (size) => ({ files: { [path]: edit(configMap('planted', size)) } });

export const SKIP_PLANTS: Readonly<Record<SkipReason, Planting>> = {
  excluded: inFile('node_modules/planted/object.yaml'),
  'symbolic-link': (size) => ({
    files: {
      'planted/notes.txt': `${size}
`,
    },
    links: { 'planted/object.yaml': 'notes.txt' },
  }),
  'unread-link': (size) => ({
    files: { 'planted/object.txt': configMap('planted', size) },
    links: { 'planted/object.yaml': 'object.txt' },
  }),
  unreached: (size) => ({
    files: {
      'application.yaml': APPLICATION.replace('path: planted', 'path: apps'),
      'planted/object.yaml': configMap('planted', size),
    },
  }),
  submodule: () => ({ files: {}, submodules: ['planted'] }),
  'applied-submodule': () => ({
    files: { 'application.yaml': APPLICATION, 'planted/good.yaml': configMap('other', 1) },
    submodules: ['planted/more'],
  }),
  'special-file': notRead,
  untracked: notRead,
  'missing-file': notRead,
  'unreadable-file': notRead,
  'outside-root': notRead,
  'name-not-utf8': notRead,
  'not-utf8': (size) => ({
    files: { 'planted/object.yaml': Buffer.from([...Buffer.from(configMap('planted', size)), 0x23, 0xff, 0x0a]) },
  }),
  'git-lfs-pointer': (size) => ({
    files: {
      'planted/object.yaml': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(63)}${size}\nsize 90\n`,
    },
  }),
  'file-too-large': inManifest((text) => `${text}  text: ${'x'.repeat(5 * 1024 * 1024)}\n`),
  'too-many-documents': inManifest((text) => `${text}${'---\na: 1\n'.repeat(10_001)}`),
  'too-many-files': notRead,
  'total-size-exceeded': notRead,
  'folder-too-deep': notRead,
  'does-not-parse': inManifest((text) => `${text}  more: [\n`),
  'too-deep': inManifest((text) => `${text}  more: ${'['.repeat(1100)}${']'.repeat(1100)}\n`),
  rendered: (size) => ({
    files: {
      'planted/kustomization.yaml': `${KUSTOMIZATION}resources: [object.yaml]\n`,
      'planted/object.yaml': configMap('planted', size),
    },
  }),
  'not-rendered': (size) => ({
    files: {
      'planted/kustomization.yaml': `${KUSTOMIZATION}resources: [object.yaml, missing.yaml]\n`,
      'planted/object.yaml': configMap('planted', size),
    },
  }),
  'never-applied': (size) => ({
    files: {
      'application.yaml': APPLICATION,
      'planted/object.yaml': configMap('planted', size).replace(
        /name: .*/,
        (name) => `${name}\n  annotations: {argocd.argoproj.io/hook: Skip}`,
      ),
    },
  }),
  'empty-document': (size) => ({ files: { 'planted/object.yaml': `# ${size}\n` } }),
  'not-a-resource': inManifest((text) => text.replace(/^.*\n.*\n/, '')),
  'incomplete-resource': inManifest((text) => text.replace(/^.*\n/, '')),
  'unnamed-resource': inManifest((text) => text.replace(/ {2}name: .*\n/, '')),
  'no-target': (size) => ({
    files: { 'planted/object.yaml': configMap('planted', size) },
    configuration: 'targets:\n  shop:\n    manifests: {include: [apps]}\n    policies: [policies]\n',
  }),
  'exempt-kind': (size) => ({
    files: {
      'planted/object.yaml': `apiVersion: authentication.k8s.io/v1\nkind: SelfSubjectReview\nmetadata:\n  name: a\n  labels: {size: "${size}"}\n`,
    },
  }),
  'refused-object': inManifest((text) =>
    text.replace(/size: .*/, (size) => `size: {}\n  ${size.replace('size', 'more')}`),
  ),
  'too-much-work': (size) => ({ files: { 'planted/object.yaml': configMap('planted', size) }, workLimit: 10 }),
  'test-assertion': (size) => ({
    files: { 'planted/chainsaw-test.yaml': CHAINSAW('assert'), 'planted/object.yaml': configMap('planted', size) },
  }),
  'test-fixture': (size) => ({
    files: {
      'tests/planted/chainsaw-test.yaml': CHAINSAW('apply'),
      'tests/planted/object.yaml': configMap('planted', size),
    },
  }),
  'client-configuration': (size) => ({
    files: { 'planted/kind.yaml': `apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nname: a${size}\n` },
  }),
  'ci-file': (size) => ({ files: { '.github/workflows/planted.yaml': `on: push\njobs: {a: {size: ${size}}}\n` } }),
  'helm-template': (size) => ({
    files: {
      'planted/Chart.yaml': CHART,
      'planted/templates/object.yaml': configMap('planted', size),
      'planted/templates/other.yaml': '{{ fail "no" }}\n',
    },
  }),
  'helm-chart-file': (size) => ({
    files: {
      'planted/Chart.yaml': `${CHART}appVersion: "${size}"\n`,
      'planted/templates/other.yaml': '{{ fail "no" }}\n',
    },
  }),
  'helm-values': (size) => ({
    files: {
      'planted/Chart.yaml': CHART,
      'planted/templates/object.yaml': configMap('planted', 1),
      'planted/values-production.yaml': `size: ${size}\n`,
    },
  }),
  kustomization: (size) => ({
    files: {
      'planted/kustomization.yaml': `${KUSTOMIZATION}resources: [missing.yaml]\nconfigMapGenerator:\n- name: planted\n  literals: [size=${size}]\n`,
    },
  }),
  'kustomize-patch': (size) => ({
    files: {
      'planted/kustomization.yaml': `${KUSTOMIZATION}resources: [base.yaml, missing.yaml]\npatches:\n- path: object.yaml\n`,
      'planted/base.yaml': configMap('planted', 1),
      'planted/object.yaml': configMap('planted', size),
    },
  }),
  'kustomize-input': (size) => ({
    files: {
      'planted/kustomization.yaml': `${KUSTOMIZATION}resources: [missing.yaml]\nconfigMapGenerator:\n- name: other\n  files: [object.yaml]\n`,
      'planted/object.yaml': configMap('planted', size),
    },
  }),
  template: inManifest((text) => text.replace(/name: .*/, 'name: "{{ name }}"')),
  placeholder: inManifest((text) => text.replace(/name: .*/, `name: ${'${'}NAME}`)),
  'sops-encrypted': inManifest((text) => `${text.replace(/name: .*/, `name: ${ENCRYPTED}`)}${SOPS}`),
  'configured-skip': (size) => ({
    files: { 'planted/object.yaml': configMap('planted', size) },
    configuration: 'skip:\n  - files: [planted/**]\n    reason: no cluster applies it\n',
  }),
};

/** A check of one state, a change that creates the content, and a change of content that base has. */
export type Way = 'check' | 'created' | 'touched';

interface Harmless {
  /** Ways in which the content may lead to `allowed`. */
  readonly ways: readonly Way[];
  readonly why: string;
}

const EVERY_WAY: readonly Way[] = ['check', 'created', 'touched'];
const IF_KNOWN: readonly Way[] = ['check', 'touched'];

/** The only reasons that may lead to `allowed`. */
export const HARMLESS: Readonly<Partial<Record<SkipReason, Harmless>>> = {
  excluded: { ways: ['check'], why: 'the configuration decides which files are checked' },
  'symbolic-link': {
    ways: ['check'],
    why: 'a target that is a manifest is read under its own name, or is an unread-link',
  },
  unreached: { ways: IF_KNOWN, why: 'the controllers of the repository do not apply it' },
  'never-applied': { ways: EVERY_WAY, why: 'no sync applies the object' },
  submodule: { ways: EVERY_WAY, why: 'no controller applies its folder; otherwise it is an applied-submodule' },
  'special-file': { ways: IF_KNOWN, why: 'a commit cannot contain a pipe, a device or a socket' },
  untracked: { ways: EVERY_WAY, why: 'the file is not part of the commit' },
  'empty-document': { ways: EVERY_WAY, why: 'the document applies nothing' },
  'not-a-resource': { ways: EVERY_WAY, why: 'no API server accepts a document without apiVersion and kind' },
  'incomplete-resource': { ways: EVERY_WAY, why: 'no API server accepts an object without apiVersion or kind' },
  'unnamed-resource': { ways: IF_KNOWN, why: 'the API server rejects the object before any policy' },
  'no-target': { ways: EVERY_WAY, why: 'the configuration decides which files a cluster applies' },
  'exempt-kind': { ways: EVERY_WAY, why: 'no policy applies to these kinds' },
  'test-assertion': { ways: IF_KNOWN, why: 'a test compares the file with the cluster and never applies it' },
  'test-fixture': { ways: EVERY_WAY, why: 'only a test cluster gets the object' },
  'client-configuration': { ways: EVERY_WAY, why: 'no API server serves the kind' },
  'ci-file': { ways: EVERY_WAY, why: 'no API server reads a CI workflow' },
  'helm-values': { ways: ['check'], why: 'nothing renders the chart with these values' },
  template: { ways: IF_KNOWN, why: 'the API server rejects a name with braces, and no controller fills it in' },
  'configured-skip': { ways: EVERY_WAY, why: 'the configuration says that no cluster applies the file' },
};

/** The plant beside a policy and an object that it allows. */
export function contentsOf(reason: SkipReason, plant: SkipPlant): Contents {
  const { files, notRead = [], links = {}, submodules = [] } = plant;
  const clean = { 'policies/size.yaml': sizePolicy(), 'apps/good.yaml': configMap('good', 1) };
  const contents: [string, Contents extends ReadonlyMap<string, infer Content> ? Content : never][] = [
    ...Object.entries({ ...clean, ...files }),
  ];
  for (const path of notRead) contents.push([path, { notRead: reason }]);
  for (const [path, link] of Object.entries(links)) contents.push([path, { link }]);
  for (const path of submodules) contents.push([path, { submodule: '1' }]);
  return new Map(contents);
}

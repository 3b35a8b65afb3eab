// Compares applied objects of two states, including changes that only affect rendering.
import { expect, test } from 'vitest';
import { compareStates } from '../../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../../src/pipeline/scope/reading-scope.ts';
import type { RenderEngine } from '../../../src/render/engine/render-engine.ts';
import type { Report } from '../../../src/report/report.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';
import { treeOf } from '../../../src/source/tree/file-tree.ts';
import { lazyEngine } from '../../../src/workspace/render/load-engine.ts';

const engine = lazyEngine();

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]}
  validations: [{expression: object == null || object.spec.replicas <= 5, message: at most five}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: few
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {tier: live}}}
`;
const FILES = {
  'policy.yaml': POLICY,
  'namespaces.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: live, labels: {tier: live}}\n',
  'base/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1}]}
`,
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'live/kustomization.yaml':
    'namespace: live\nresources: [../base]\nreplicas:\n  - name: web\n    count: 3\npatches:\n  - path: patch.yaml\n',
  'live/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {team: shop}\n',
};
type Files = Readonly<Record<string, string>>;

function compare(change: Files, files: Files = FILES, loaded: () => RenderEngine = engine): Report {
  const known = new Map<string, SourceFile>();
  const state = (texts: Files): RepositoryState => ({
    files: Object.entries(texts).map(([path, text]) => {
      const key = `${path}\0${text}`;
      const file = known.get(key) ?? new SourceFile(path, text);
      known.set(key, file);
      return { file, selected: true };
    }),
    paths: new Set(Object.keys(texts)),
    notRead: [],
    tree: treeOf({ files: new Map(Object.entries(texts)) }),
  });
  return compareStates({
    base: state(files),
    head: state({ ...files, ...change }),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
    today: '2026-11-22',
    engine: loaded,
  });
}

const told = ({ findings }: Report): readonly string[] =>
  findings.map(
    ({ resource, primary }) => `${resource.namespace}/${resource.name} ${primary.path}:${primary.startLine}`,
  );

test('evaluates a change in an overlay in its namespace, on the changed line', () => {
  const report = compare({
    'live/kustomization.yaml': FILES['live/kustomization.yaml'].replace('count: 3', 'count: 9'),
  });
  expect(report.comparison?.objects).toEqual({ created: 0, updated: 1, deleted: 0, unchanged: 0 });
  expect(told(report)).toEqual(['live/web live/kustomization.yaml:5']);
  expect(report.verdict.conclusion).toBe('denied');
});

test('evaluates a change in a patch', () => {
  const patch = `${FILES['live/patch.yaml']}spec:\n  replicas: 8\n`;
  const overlay = FILES['live/kustomization.yaml'].replace(/replicas:\n.*\n.*\n/, '');
  const report = compare({ 'live/patch.yaml': patch, 'live/kustomization.yaml': overlay });
  expect(told(report)).toEqual(['live/web live/patch.yaml:7']);
});

test('evaluates a change in a base in every overlay', () => {
  const report = compare({
    'base/web.yaml': FILES['base/web.yaml'].replace('replicas: 2', 'replicas: 7'),
    'live/kustomization.yaml': FILES['live/kustomization.yaml'].replace(/replicas:\n.*\n.*\n/, ''),
  });
  expect(told(report)).toEqual(['live/web base/web.yaml:5']);
});

test('reports an overlay that no longer builds, and its removed objects', () => {
  const report = compare({
    'live/kustomization.yaml': `${FILES['live/kustomization.yaml']}components: [missing]\n`,
  });
  expect(new Set(report.diagnostics.map(({ code, status }) => `${status} ${code}`))).toEqual(
    new Set(['new no-longer-evaluated', 'new not-rendered']),
  );
  expect(report.verdict.conclusion).toBe('denied');
});

test('treats timeouts of a slow machine as unknown, without findings', () => {
  const slow: RenderEngine = {
    render: (request, tree, chance) => {
      const overlay = new TextDecoder().decode(tree.read('live/kustomization.yaml'));
      if (!overlay.includes('count: 4')) return engine().render(request, tree, chance);
      return { failure: 'busy', message: 'the machine has too much else to do', warnings: [] };
    },
  };
  const overlay = FILES['live/kustomization.yaml'].replace('count: 3', 'count: 4');
  const report = compare({ 'live/kustomization.yaml': overlay }, FILES, () => slow);
  expect(report.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['warning not-rendered']);
});

test('does not report parts of an Application as removed that were never known', () => {
  const application = (name: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: live}
  sources:
    - {repoURL: https://example.com/this.git, path: live}
    - {repoURL: https://example.com/other.git, path: elsewhere}
`;
  const files = { ...FILES, 'apps/live.yaml': application('live'), 'apps/more.yaml': application('more') };
  const report = compare({ 'base/web.yaml': FILES['base/web.yaml'].replace('web:1', 'web:2') }, files);
  expect(report.diagnostics.filter(({ code }) => code === 'no-longer-evaluated')).toEqual([]);
});

test('renders an untouched Namespace if it decides, and skips irrelevant roots', () => {
  const rendered: string[] = [];
  const watching: RenderEngine = {
    render: (request, tree, chance) => {
      rendered.push('root' in request ? request.root : request.engine);
      return engine().render(request, tree, chance);
    },
  };
  const { 'namespaces.yaml': namespaces, ...others } = FILES;
  const files = {
    ...others,
    'spaces/live.yaml': namespaces,
    'spaces/kustomization.yaml': 'resources: [live.yaml]\n',
    'far/space.yaml': namespaces.replaceAll('live', 'far'),
    'far/kustomization.yaml': 'resources: [space.yaml]\n',
  };
  const overlay = others['live/kustomization.yaml'].replace('count: 3', 'count: 9');
  const report = compare({ 'live/kustomization.yaml': overlay }, files, () => watching);
  expect(told(report)).toEqual(['live/web live/kustomization.yaml:5']);
  expect(rendered).toContain('spaces');
  expect(rendered).not.toContain('far');
});

const SECRETS = {
  ...FILES,
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/templates/b.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {key: {{ randAlphaNum 9 }}, size: "1"}\n',
};

test('ignores changed generated values', () => {
  const before = 'chart/templates/a.yaml';
  const more = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {key: {{ randAlphaNum 9 }}}\n';
  expect(compare({ [before]: more }, SECRETS).comparison?.objects).toEqual({
    ...{ created: 1, updated: 0, deleted: 0, unchanged: 1 },
  });
  const changed = SECRETS['chart/templates/b.yaml'].replace('"1"', '"2"');
  expect(compare({ 'chart/templates/b.yaml': changed }, SECRETS).comparison?.objects.updated).toBe(1);
});

test('does not report an object with a generated name as deleted or updated', () => {
  const job = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-{{ randAlphaNum 5 | lower }}}\ndata: {a: "1"}\n';
  const files = { ...SECRETS, 'chart/templates/b.yaml': job };
  const report = compare({ 'chart/templates/b.yaml': job.replace('"1"', '"2"') }, files);
  expect(report.comparison?.objects).toEqual({ created: 1, updated: 0, deleted: 0, unchanged: 0 });
});

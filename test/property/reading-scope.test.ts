// A change has the same result whether Preadmit parses all files or only the relevant ones, for any file contents and any cache contents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { compareStates } from '../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import type { Report } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { KnownTexts } from '../../src/workspace/cache/known-texts.ts';
import { judgement } from '../support/judgement.ts';
import { tries } from '../support/tries.ts';

interface Rule {
  readonly name: string;
  readonly resources: string;
  readonly expression: string;
  readonly spec?: string;
  readonly binding?: string;
}

function policy({ name, resources, expression, spec = '', binding = '' }: Rule): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: [${resources}]}]
${spec}  validations: [{expression: '${expression}'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec:
  policyName: ${name}
  validationActions: [Deny]
${binding}`;
}

const replicas = (most: number): string =>
  policy({
    name: 'replicas',
    resources: 'deployments',
    expression: `object == null || object.spec.replicas <= ${most}`,
    binding: '  matchResources: {namespaceSelector: {matchLabels: {env: production}}}\n',
  });
const size = (paramRef: string): string =>
  policy({
    name: 'size',
    resources: 'widgets',
    expression: 'object == null || object.spec.size <= int(params.data.size)',
    spec: '  paramKind: {apiVersion: v1, kind: ConfigMap}\n',
    binding: `  paramRef: {${paramRef}, parameterNotFoundAction: Deny}\n`,
  });
const immutable = policy({
  name: 'immutable',
  resources: 'widgets, deployments',
  expression: 'oldObject == null || (object != null && object.spec == oldObject.spec)',
});
const asking = policy({
  name: 'asking',
  resources: 'widgets',
  expression: 'authorizer.group("shop").resource("widgets").namespace("shop").check("escalate").allowed()',
});

const deployment = (count: number, name = 'web', namespace = 'shop'): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  replicas: ${count}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
const widget = (wanted: number, name = 'w'): string => `apiVersion: shop.example/v1
kind: Widget
metadata: {name: ${name}, namespace: shop}
spec: {size: ${wanted}}
`;
const namespace = (env: string, kind = 'Namespace', name = 'shop'): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, labels: {env: ${env}}}\n`;
/** Labels that turn a Namespace into a policy. */
const secured = (labels: string, name = 'shop'): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {env: production, ${labels}}}\n`;
const pod = (image: string): string => `apiVersion: v1
kind: Pod
metadata: {name: agent, namespace: shop}
spec: {hostNetwork: true, containers: [{name: agent, image: ${image}}]}
`;
const limits = (most: number, kind = 'ConfigMap', name = 'limits'): string => `apiVersion: v1
kind: ${kind}
metadata: {name: ${name}, namespace: shop, labels: {role: limits}}
data: {size: "${most}"}
`;
const definition = (scope: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example}
spec:
  group: shop.example
  scope: ${scope}
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 9}}}}}}
`;
const role = (verb: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: widgets}
rules: [{apiGroups: [shop], resources: [widgets], verbs: [${verb}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: widgets}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: widgets}
subjects: [{kind: ServiceAccount, name: kustomize-controller, namespace: flux-system}]
`;
const kustomization = (fields: string): string =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${fields}`;
const chainsaw = (file: string): string =>
  `apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec: {steps: [{try: [{assert: {file: ${file}}}]}]}\n`;

/** Possible contents of each file; the first entry, no file, is the most likely. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'policies/replicas.yaml': [
    replicas(3),
    replicas(5),
    `apiVersion: v1\nkind: List\nitems:\n- ${replicas(3).split('---')[0]?.trim().replaceAll('\n', '\n  ')}\n`,
  ],
  'policies/size.yaml': [
    size('name: limits, namespace: shop'),
    size('selector: {matchLabels: {role: limits}}, namespace: shop'),
  ],
  'policies/immutable.yaml': [
    immutable,
    immutable.replace('ValidatingAdmissionPolicyBinding', '"Validating\\u0041dmissionPolicyBinding"'),
  ],
  'policies/asking.yaml': [asking],
  'namespaces.yaml': [
    namespace('production'),
    namespace('staging'),
    namespace('production', '"Name\\x73pace"'),
    `%TAG ! tag:yaml.org,2002:\n---\n${namespace('production', '!binary TmFtZXNwYWNl')}`,
    namespace('production', 'Namespace', '"sh\\\n    op"'),
    `apiVersion: v1\nkind: NamespaceList\nitems: [{metadata: {name: shop, labels: {env: production}}}]\n`,
    `apiVersion: v1\nkind: List\nitems:\n- ${namespace('production').trim().replaceAll('\n', '\n  ')}\n`,
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { env: 'production' } } }),
    `${namespace('production')}---\n${namespace('production', 'Namespace', 'default')}`,
    secured('pod-security.kubernetes.io/enforce: baseline'),
    secured('pod-security.kubernetes.io/warn: restricted'),
    secured('"pod-security.kubernetes.io/\\x65nforce": strict'),
    `${namespace('production')}---\n${secured('pod-security.kubernetes.io/audit: baseline', 'elsewhere')}`,
  ],
  'limits.yaml': [
    limits(3),
    limits(5),
    limits(3, 'ConfigMap', '"l\\151mits"'),
    limits(3, '"Confi\\u0067Map"'),
    limits(1, 'ConfigMap', 'other'),
  ],
  'crd.yaml': [
    definition('Namespaced'),
    definition('Cluster'),
    definition('Namespaced').replace('shop.example\n', '"shop\\x2eexample"\n'),
  ],
  'rbac.yaml': [role('escalate'), role('get')],
  'apps/base/web.yaml': [
    deployment(2),
    deployment(4),
    deployment(9),
    deployment(4, 'web', 'other'),
    deployment(4, 'web', '""'),
    `${deployment(4)}---\n${deployment(4)}`,
  ],
  'apps/base/widget.yaml': [widget(2), widget(4), `${widget(2)}---\n${widget(8, 'v')}`],
  'apps/other/pod.yaml': [pod('agent:1'), pod('agent:2')],
  'apps/other/web.yaml': [deployment(2), deployment(9), deployment(4, 'second')],
  'apps/base/kustomization.yaml': [
    kustomization('resources: [web.yaml, widget.yaml]\n'),
    kustomization('resources: [./widget.yaml]\npatches: [{path: web.yaml}]\n'),
    kustomization('patches: [{path: "w\\x65b.yaml"}]\n'),
    kustomization('patches: [{path: ./../base//web.yaml}]\nnamePrefix: a-\n'),
    kustomization('configMapGenerator: [{name: a, files: [key=widget.yaml]}]\n'),
  ],
  'apps/overlay/kustomization.yaml': [
    kustomization('resources: [../base]\nnamePrefix: b-\n'),
    kustomization('resources: [../../apps/base/]\nnamePrefix: b-\n'),
    kustomization('resources: ["../b\\u0061se"]\nnamePrefix: b-\n'),
    kustomization('resources: [../other/web.yaml]\n'),
    kustomization('resources: [.., ../base]\nnamePrefix: b-\n'),
    kustomization('patchesStrategicMerge: [../other/web.yaml, ../../apps/base/widget.yaml]\n'),
  ],
  'apps/top/kustomization.yaml': [
    kustomization('resources: [../overlay]\nnameSuffix: -c\n'),
    'resources: [../base]\nnameSuffix: -c\n',
  ],
  'apps/kustomization.yaml': [kustomization('resources: [base, other/web.yaml]\nnamePrefix: d-\n')],
  'tests/chainsaw-test.yaml': [
    chainsaw('../apps/other/web.yaml'),
    chainsaw('../apps/base/web.yaml'),
    chainsaw('"../apps/base/widg\\x65t.yaml"'),
  ],
  'apps/Chart.yaml': ['name: a\n'],
  'apps/templates/web.yaml': [deployment(8, 'chart')],
};
const PATHS = Object.keys(FILES);

type Texts = ReadonlyMap<string, string>;

const textsOf = (choices: readonly number[]): Texts =>
  new Map(
    PATHS.flatMap((path, index) => {
      const text = FILES[path]?.[(choices[index] ?? 0) - 1];
      return text === undefined ? [] : [[path, text] as const];
    }),
  );

const choice = (path: string): fc.Arbitrary<number> => fc.nat({ max: FILES[path]?.length ?? 0 });
const history = fc
  .record({
    base: fc.tuple(
      ...PATHS.map((path) =>
        fc.oneof({ weight: 2, arbitrary: choice(path) }, { weight: 1, arbitrary: fc.constant(1) }),
      ),
    ),
    edits: fc.array(
      fc
        .nat({ max: PATHS.length - 1 })
        .chain((index) => choice(PATHS[index] ?? '').map((variant) => [index, variant] as const)),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ base, edits }) => {
    const head = [...base];
    for (const [index, variant] of edits) head[index] = variant;
    return { base: textsOf(base), head: textsOf(head) };
  });

/** Both states share unchanged files, as when Git reads them. */
function statesOf(base: Texts, head: Texts): { readonly base: RepositoryState; readonly head: RepositoryState } {
  const known = new Map([...base].map(([path, text]) => [path, new SourceFile(path, text)]));
  const stateOf = (texts: Texts): RepositoryState => ({
    files: [...texts].map(([path, text]) => {
      const same = known.get(path);
      return { file: same?.text === text ? same : new SourceFile(path, text), selected: true };
    }),
    paths: new Set(texts.keys()),
    notRead: [],
  });
  return { base: stateOf(base), head: stateOf(head) };
}

/** The cache of earlier rounds. */
const cache = mkdtempSync(join(tmpdir(), 'preadmit-reading-scope-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

function compare(
  { base, head }: { readonly base: Texts; readonly head: Texts },
  only: 'new' | 'all',
  texts?: KnownTexts,
): Report {
  return compareStates({
    ...statesOf(base, head),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only,
    ...(texts && { texts }),
  });
}

const RUNS = tries(100, 7);

test('parsing fewer files does not change the report', () => {
  let parsedLess = 0;
  fc.assert(
    fc.property(history, (states) => {
      const report = compare(states, 'new');
      if (report.comparison?.scope === 'changes') parsedLess += 1;
      expect(judgement(report)).toEqual(judgement(compare(states, 'all')));
      const texts = new KnownTexts({ folder: cache, root: import.meta.dirname, version: '1.0.0', of: 'change' });
      expect(compare(states, 'new', texts)).toEqual(report);
      texts.keep();
    }),
    RUNS,
  );
  expect(parsedLess).toBeGreaterThan(RUNS.numRuns * 0.3);
});

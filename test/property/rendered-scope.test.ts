// A change has the same result whether Preadmit renders everything or only the relevant roots, and with any cache contents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/door/run/exit-code.ts';
import { compareStates } from '../../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../../src/pipeline/scope/reading-scope.ts';
import { RootBuilder } from '../../src/render/sources/root/root-builder.ts';
import type { Report } from '../../src/report/report.ts';
import { defaultConfiguration } from '../../src/settings/configuration.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { treeOf } from '../../src/source/tree/file-tree.ts';
import { KnownTexts } from '../../src/workspace/cache/known-texts.ts';
import { lazyEngine } from '../../src/workspace/render/load-engine.ts';
import { judgement } from '../support/judgement.ts';
import { ARGO_WORLD, FLUX_WORLD, KYVERNO_WORLD, type RenderedWorld, RULES_WORLD } from '../support/rendered-worlds.ts';
import { tries } from '../support/tries.ts';

const engine = lazyEngine();
/** Shared by all rounds, but no round reuses another's renderings. */
const builder = new RootBuilder();

const policy = (most: number, param = ''): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
${param === '' ? '' : '  paramKind: {apiVersion: v1, kind: ConfigMap}\n'}  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]}
  validations: [{expression: ${param === '' ? `object.spec.replicas <= ${most}` : "'object.spec.replicas <= int(params.data.most)'"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: few
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {tier: live}}}
${param}`;
const PARAM = '  paramRef: {name: limits, namespace: shop, parameterNotFoundAction: Deny}\n';
const named = (kind: string, name: string, rest: string): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}${kind === 'Namespace' ? rest : ''}}\n${kind === 'Namespace' ? '' : rest}`;
const tier = (label: string, name = 'shop'): string => named('Namespace', name, `, labels: {tier: ${label}}`);
const limits = (most: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: shop}\ndata: {most: "${most}"}\n`;
const deployment = (replicas: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
const flux = (path: string, rest = ''): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${path.replace('/', '-')}, namespace: flux-system}
spec:
  path: ${path}
  sourceRef: {kind: GitRepository, name: flux-system}
${rest}`;
const argo = (path: string, namespace: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${path.replace('/', '-')}, namespace: argocd}
spec:
  source: {repoURL: https://example.com/this.git, path: ${path}}
  destination: {server: https://kubernetes.default.svc, namespace: ${namespace}}
`;

/** Possible contents of each file; the first entry, no file, is as likely as the others. */
const FILES: RenderedWorld = {
  'policies/few.yaml': [policy(3), policy(5), policy(3, PARAM)],
  'policies/kustomization.yaml': ['resources: [few.yaml]\n', 'resources: [few.yaml]\nnamePrefix: our-\n'],
  'spaces/shop.yaml': [tier('live'), tier('test'), tier('live', 'placeholder'), tier('live', `"\${SPACE}"`)],
  'spaces/kustomization.yaml': [
    'resources: [shop.yaml]\n',
    'resources: [shop.yaml]\nnamespace: shop\n',
    'resources: [shop.yaml]\npatches: [{target: {kind: Namespace}, patch: "[{op: replace, path: /metadata/labels/tier, value: live}]"}]\n',
  ],
  'limits/limits.yaml': [limits(4), limits(2)],
  'limits/kustomization.yaml': [
    'resources: [limits.yaml]\n',
    'namespace: shop\ngeneratorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: limits, literals: [most=1]}]\n',
  ],
  'web/web.yaml': [deployment('2'), deployment('4'), deployment('9'), deployment(`\${REPLICAS}`)],
  'web/kustomization.yaml': ['resources: [web.yaml]\n', 'resources: [web.yaml]\nnamespace: shop\n'],
  'live/kustomization.yaml': [
    'resources: [../web]\nnamespace: shop\nreplicas: [{name: web, count: 7}]\n',
    'resources: [../web, ../spaces]\nnamespace: shop\n',
  ],
  'chart/Chart.yaml': ['apiVersion: v2\nname: chart\nversion: 1.0.0\n'],
  'chart/values.yaml': ['space: shop\n', 'space: other\n'],
  'chart/templates/space.yaml': [
    'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {{ .Values.space }}\n  labels: {tier: live}\n',
    'apiVersion: v1\nkind: {{ "Name" }}space\nmetadata: {name: sh{{ "op" }}}\n',
  ],
  'clusters/a/web.yaml': [
    flux('web', '  targetNamespace: shop\n'),
    flux('web', '  postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}\n  targetNamespace: shop\n'),
    argo('web', 'shop'),
  ],
  'clusters/a/spaces.yaml': [flux('spaces'), argo('spaces', 'shop')],
  'clusters/b/web.yaml': [flux('live'), argo('live', 'shop')],
  'clusters/a/settings.yaml': [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {REPLICAS: "3", SPACE: shop}\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {REPLICAS: "8", SPACE: else}\n',
  ],
};

type Texts = ReadonlyMap<string, string>;
interface History {
  readonly base: Texts;
  readonly head: Texts;
}

function histories(files: RenderedWorld): fc.Arbitrary<History> {
  const paths = Object.keys(files);
  const textsOf = (choices: readonly number[]): Texts =>
    new Map(
      paths.flatMap((path, index) => {
        const text = files[path]?.[(choices[index] ?? 0) - 1];
        return text === undefined ? [] : [[path, text] as const];
      }),
    );
  const choice = (path: string): fc.Arbitrary<number> => fc.nat({ max: files[path]?.length ?? 0 });
  return fc
    .record({
      base: fc.tuple(
        ...paths.map((path) =>
          fc.oneof({ weight: 1, arbitrary: choice(path) }, { weight: 3, arbitrary: fc.constant(1) }),
        ),
      ),
      edits: fc.array(
        fc
          .nat({ max: paths.length - 1 })
          .chain((index) => choice(paths[index] ?? '').map((variant) => [index, variant] as const)),
        { minLength: 1, maxLength: 2 },
      ),
    })
    .map(({ base, edits }) => {
      const head = [...base];
      for (const [index, variant] of edits) head[index] = variant;
      return { base: textsOf(base), head: textsOf(head) };
    });
}

/** Equal texts with the same path share one file, across rounds. */
const sources = new Map<string, SourceFile>();

function stateOf(texts: Texts): RepositoryState {
  return {
    files: [...texts].map(([path, text]) => {
      const key = `${path}\0${text}`;
      const file = sources.get(key) ?? new SourceFile(path, text);
      sources.set(key, file);
      return { file, selected: true };
    }),
    paths: new Set(texts.keys()),
    notRead: [],
    tree: treeOf({ files: new Map(texts) }),
  };
}

/** The cache of earlier rounds, as if the pull requests followed each other. */
const cache = mkdtempSync(join(tmpdir(), 'preadmit-rendered-scope-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

function knownTexts(): KnownTexts {
  return new KnownTexts({ folder: cache, root: import.meta.dirname, version: '1.0.0', of: 'change' });
}

function compare(
  { base, head }: History,
  { extent, texts }: { readonly extent?: 'repository'; readonly texts?: KnownTexts } = {},
): Report {
  const configuration = defaultConfiguration();
  return compareStates({
    base: stateOf(base),
    head: stateOf(head),
    names: { base: 'base', head: 'head' },
    configuration: {
      ...configuration,
      rendering: { ...configuration.rendering, argo: { repositoryUrls: ['https://example.com/this.git'] } },
    },
    policiesFrom: 'base',
    only: 'new',
    ...(extent && { extent }),
    engine,
    builder,
    ...(texts && { texts }),
  });
}

function concluded(report: Report): unknown {
  const { targets, verdict } = report;
  return { ...judgement(report), targets: targets.map(({ name }) => name), verdict, exitCode: exitCodeOf(report) };
}

const WORLDS: readonly (readonly [string, RenderedWorld, number])[] = [
  ['overlays, charts, Flux and Argo CD', FILES, 11],
  ['Flux', FLUX_WORLD, 12],
  ['Argo CD', ARGO_WORLD, 13],
  ['rules that charts make', RULES_WORLD, 14],
  ['Kyverno', KYVERNO_WORLD, 15],
];

test.each(WORLDS)(
  'rendering fewer roots does not change the report: %s',
  (_, files, seed) => {
    const runs = tries(60, seed);
    let renderedLess = 0;
    fc.assert(
      fc.property(histories(files), (history) => {
        const report = compare(history);
        if (report.comparison?.scope === 'changes') renderedLess += 1;
        expect(concluded(report)).toEqual(concluded(compare(history, { extent: 'repository' })));
        const texts = knownTexts();
        expect(concluded(compare(history, { texts }))).toEqual(concluded(report));
        texts.keep();
      }),
      runs,
    );
    expect(renderedLess).toBeGreaterThan(runs.numRuns * 0.3);
  },
  400_000,
);

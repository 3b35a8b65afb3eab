// Rendering around parts of kustomizations that the repository does not contain.
import { describe, expect, test } from 'vitest';
import { argoApplication } from '../../../src/render/argo/application.ts';
import { survey } from '../../../src/render/holes/survey.ts';
import type { RenderedRoot } from '../../../src/render/sources/root/rendered-root.ts';
import { formatFieldPath } from '../../../src/source/node/field-path.ts';
import { kustomize, textsOf, tree } from '../../support/render.ts';
import { renderRepository, rootNamed } from '../../support/render-repository.ts';
import { renderedRepository } from '../../support/rendered-repository.ts';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      serviceAccountName: operator
      containers:
        - name: web
          image: web:1
          envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: database}}]
`;
const REMOTE = 'https://example.com/operator/deploy.yaml';
const BASE = 'https://github.com/acme/operator//deploy?ref=v1';
const ENCRYPTED = 'ENC[AES256_GCM,data:Zm9v,iv:YmFy,tag:YmF6,type:str]';
const SOPS = `sops:\n  lastmodified: "2026-01-01T00:00:00Z"\n  mac: ${ENCRYPTED}\n`;

type Files = Readonly<Record<string, string>>;

function rendered(files: Files): RenderedRoot {
  return rootNamed(renderedRepository(files, []), 'kustomization app');
}

function texts({ manifests, failure }: RenderedRoot): readonly string[] {
  if (failure !== undefined) throw new Error(failure.message);
  return manifests.map(({ text }) => text);
}

/** `kind/name: fields` of each object with open fields. */
function open({ manifests }: RenderedRoot): readonly string[] {
  return manifests.flatMap((manifest) => {
    const fields = manifest.openFields().map(formatFieldPath);
    const kind = /^kind: (.*)$/m.exec(manifest.text)?.[1];
    return fields.length === 0 ? [] : [`${kind}: ${fields.sort().join(' ')}`];
  });
}

function parts({ holes = [] }: RenderedRoot): readonly string[] {
  return holes.map(({ lacks, what }) => `${lacks} ${what}`);
}

describe('the rest of a kustomization', () => {
  test.each<readonly [name: string, files: Files, edited: Files]>([
    [
      'a remote file and a remote base, with patches',
      {
        'app/kustomization.yaml': `namespace: shop\nresources: [web.yaml, "${REMOTE}"]\npatches: [{path: patch.yaml}]\nimages: [{name: web, newTag: "2"}]\n`,
        'app/web.yaml': WEB,
        'app/patch.yaml': `${'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n'}---\n${'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator}\nspec: {replicas: 3}\n'}`,
      },
      {
        'app/kustomization.yaml':
          'namespace: shop\nresources: [web.yaml]\npatches: [{path: patch.yaml}]\nimages: [{name: web, newTag: "2"}]\n',
        'app/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n',
      },
    ],
    [
      'entries that only the remote base needs',
      {
        'app/kustomization.yaml': `resources: [web.yaml, ../base]
replicas: [{name: operator, count: 2}]
configMapGenerator: [{name: operator, behavior: merge, literals: [a=b]}, {name: own, literals: [a=b]}]
patchesStrategicMerge: [patch.yaml]
components: [../component]
`,
        'app/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator}\nspec: {replicas: 3}\n',
        'app/web.yaml': WEB,
        'base/kustomization.yaml': `resources: ["${BASE}"]\n`,
        'component/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: patch.yaml}]\n',
        'component/patch.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: operator}\nspec: {type: NodePort}\n',
      },
      {
        'app/kustomization.yaml': 'resources: [web.yaml]\nconfigMapGenerator: [{name: own, literals: [a=b]}]\n',
      },
    ],
    [
      'a folder with a remote component',
      {
        'app/kustomization.yaml': 'resources: [web.yaml, ../base]\n',
        'app/web.yaml': WEB,
        'base/kustomization.yaml': `resources: [more.yaml]\ncomponents: ["${BASE}"]\n`,
        'base/more.yaml': WEB.replace('name: web', 'name: more'),
      },
      { 'app/kustomization.yaml': 'resources: [web.yaml]\n' },
    ],
    [
      'a plugin and a chart',
      {
        'app/kustomization.yaml': `resources: [web.yaml]
generators: [generators.yaml]
helmCharts: [{name: shop, repo: "https://example.com/charts", version: 1.0.0}]
`,
        'app/web.yaml': WEB,
        'app/generators.yaml':
          'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: own}\nliterals: [a=b]\n---\napiVersion: example.com/v1\nkind: Databases\nmetadata: {name: all}\n',
      },
      {
        'app/kustomization.yaml': 'resources: [web.yaml]\ngenerators: [own.yaml]\n',
        'app/own.yaml': 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: own}\nliterals: [a=b]\n',
      },
    ],
  ])('is byte for byte what kustomize builds without %s', (_, files, edited) => {
    const whole = kustomize(files, { root: 'app', enableHelm: true });
    expect(whole).toHaveProperty('failure');
    expect(texts(rendered(files))).toEqual(
      textsOf(kustomize({ ...files, ...edited }, { root: 'app', enableHelm: true })),
    );
  });

  test('has open references to objects that may be unknown', () => {
    const root = rendered({
      'app/kustomization.yaml': `resources: [web.yaml, "${BASE}", roles.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n`,
      'app/web.yaml': WEB,
      'app/roles.yaml':
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: web}\nroleRef: {kind: Role, name: web}\nsubjects: [{kind: ServiceAccount, name: operator}, {kind: User, name: eve}]\n',
    });
    expect(parts(root)).toEqual([`objects ${BASE}`]);
    expect(open(root)).toEqual([
      'RoleBinding: subjects[0]',
      'Deployment: spec.template.spec.containers[0].envFrom[1].secretRef.name spec.template.spec.serviceAccountName',
    ]);
  });

  test('has no open references if a remote file is applied as it is', () => {
    const files = { 'app/kustomization.yaml': `resources: [web.yaml, "${REMOTE}"]\n`, 'app/web.yaml': WEB };
    expect(open(rendered(files))).toEqual([]);
    const prefixed = { ...files, 'app/kustomization.yaml': `namePrefix: a-\nresources: [web.yaml, "${REMOTE}"]\n` };
    expect(open(rendered(prefixed))).toHaveLength(1);
  });

  test('is open where a value comes from an unknown object', () => {
    const replacement = `resources: [web.yaml, "${REMOTE}"]
replacements:
- source: {kind: ConfigMap, name: unknown, fieldPath: data.image}
  targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.containers.0.image]}]
`;
    const root = rendered({ 'app/kustomization.yaml': replacement, 'app/web.yaml': WEB });
    expect(root.holes?.[0]?.also).toHaveLength(1);
    expect(root.manifests[0]?.openFields()).toEqual([[]]);
  });
});

describe('values', () => {
  test('of a remote file are open, and the name that is made from them', () => {
    const root = rendered({
      'app/kustomization.yaml': `resources: [web.yaml]\nconfigMapGenerator: [{name: settings, files: ["${REMOTE}"], literals: [a=b]}]\n`,
      'app/web.yaml': WEB,
    });
    expect(parts(root)).toEqual([`values ${REMOTE}`]);
    expect(open(root)).toEqual([
      'ConfigMap: data["deploy.yaml"] metadata.name',
      'Deployment: spec.template.spec.containers[0].envFrom[0].configMapRef.name',
    ]);
    expect(root.manifests[0]?.whyOpen(['data', 'deploy.yaml'])).toBe(`${REMOTE} (not in the repository)`);
  });

  test('of KSOPS are open, and its objects are located in the encrypted files', () => {
    const root = rendered({
      'app/kustomization.yaml': 'namePrefix: a-\nresources: [web.yaml]\ngenerators: [ksops.yaml]\n',
      'app/web.yaml': WEB,
      'app/ksops.yaml': `apiVersion: viaduct.ai/v1
kind: ksops
metadata: {name: ksops}
files: [../secrets/database.yaml]
secretFrom:
- metadata: {name: made, annotations: {kustomize.config.k8s.io/needs-hash: "true"}}
  type: example.com/made
  envs: [made.env]
  files: [key=made.txt, made.txt]
`,
      'app/made.env': `# comment\nUSER=${ENCRYPTED}\nsops_mac=${ENCRYPTED}\n`,
      'app/made.txt': '{}',
      'secrets/database.yaml': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: database\nstringData:\n  password: ${ENCRYPTED}\n${SOPS}`,
    });
    expect(texts(root).map((text) => /name: (.*)/.exec(text)?.[1])).toEqual([
      'a-database',
      expect.stringMatching(/^a-made-[a-z0-9]{10}$/),
      'a-web',
    ]);
    expect(texts(root)[2]).toContain('name: a-database');
    expect(open(root)).toEqual([
      'Secret: stringData.password',
      'Secret: metadata.name stringData.USER stringData.key stringData["made.txt"]',
    ]);
    expect(root.manifests[0]?.place(['stringData', 'password'], 'value').file.path).toBe('secrets/database.yaml');
    expect([...root.inputs]).toEqual(
      expect.arrayContaining(['secrets/database.yaml', 'app/ksops.yaml', 'app/made.env']),
    );
    expect([...root.reach.files]).toContain('secrets/database.yaml');
  });

  test('of KSOPS make objects unknown if their names are encrypted', () => {
    const root = rendered({
      'app/kustomization.yaml': 'resources: [web.yaml]\ngenerators: [ksops.yaml]\n',
      'app/web.yaml': WEB,
      'app/ksops.yaml': 'apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: ksops}\nfiles: [database.yaml]\n',
      'app/database.yaml': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${ENCRYPTED}\n${SOPS}`,
    });
    expect(parts(root)).toEqual(['objects the plugin viaduct.ai/v1 ksops of app/ksops.yaml']);
  });
});

test('kustomizations that are included again and again are searched once', () => {
  const levels = Array.from({ length: 60 }, (_, level) => [
    `level${level}/kustomization.yaml`,
    `resources: [../level${level + 1}, ../level${level + 1}]\n`,
  ]);
  const files = {
    'app/kustomization.yaml': `resources: ["${REMOTE}", ../level0]\n`,
    ...Object.fromEntries(levels),
    'level60/kustomization.yaml': `resources: ["${BASE}"]\n`,
  };
  const found = survey({ tree: tree(files), root: 'app', runsPlugins: true, missingCharts: new Map() });
  expect(found).toMatchObject({ holes: [{ what: REMOTE }, { what: BASE }] });
});

describe('a root is not rendered', () => {
  test.each([
    ['a remote component', `resources: [web.yaml]\ncomponents: ["${BASE}"]\n`, BASE],
    ['a remote patch', `resources: [web.yaml]\npatches: [{path: "${REMOTE}"}]\n`, REMOTE],
    ['an only remote base', `namePrefix: a-\nresources: ["${BASE}"]\n`, BASE],
    [
      'a transformer that is a program',
      'resources: [web.yaml]\ntransformers: [plugin.yaml]\n',
      'the plugin example.com/v1 Changer of app/plugin.yaml',
    ],
  ])('with %s, and the message names it', (_, kustomization, what) => {
    const { failure, manifests } = rendered({
      'app/kustomization.yaml': kustomization,
      'app/web.yaml': WEB,
      'app/plugin.yaml': 'apiVersion: example.com/v1\nkind: Changer\nmetadata: {name: changer}\n',
    });
    expect(failure?.message).toContain(what);
    expect(manifests).toEqual([]);
  });

  test('with a plugin in Flux, which runs none', () => {
    const sources = renderRepository({
      'apps/web.yaml': WEB,
      'apps/kustomization.yaml': 'resources: [web.yaml]\ngenerators: [plugin.yaml]\n',
      'apps/plugin.yaml': 'apiVersion: example.com/v1\nkind: Databases\nmetadata: {name: all}\n',
      'cluster/apps.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}\n',
    });
    expect(rootNamed(sources, 'Flux Kustomization flux-system/apps').failure?.reason).toBe('plugin');
  });
});

test('an Application with one source elsewhere keeps the other ones', () => {
  const { roots } = renderedRepository(
    {
      'app/web.yaml': WEB,
      'apps.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: shop}
  sources:
  - {repoURL: "https://example.com/here", path: app}
  - {repoURL: "https://example.com/charts", chart: operator, targetRevision: 1.0.0}
`,
    },
    [argoApplication({ repositoryUrls: ['https://example.com/here'] })],
  );
  const ofApplication = roots.filter(({ name }) => name === 'Application argocd/web');
  expect(ofApplication.map(({ failure, manifests }) => [failure?.reason, manifests.length])).toEqual(
    expect.arrayContaining([
      [undefined, 1],
      ['unknown-source', 0],
    ]),
  );
});

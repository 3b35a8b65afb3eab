// No output contains a secret value, in whichever field, file or spelling it is written.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/format/format-names.ts';
import { Folder, GitFolder } from '../support/git-fixture.ts';
import { runTogether } from '../support/printed.ts';
import { tries } from '../support/tries.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Files with secrets, each made by `marker`. Every one also has something to report beside the secret. */
type Files = Readonly<Record<string, string>>;
type Plant = (marker: () => string) => Files;

const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n';
const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const secret = (rest: string): Files => ({ 'secret.yaml': `${SECRET}${rest}` });
const chart = (values: string, template: string): Files => ({
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'shop/values.yaml': values,
  'shop/templates/secret.yaml': template,
});

/** Kyverno policies whose messages quote a Secret that they look up. */
const LOOKUPS = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: looks-up}
spec:
  validationFailureAction: Enforce
  rules:
  - name: r
    match: {any: [{resources: {kinds: [ConfigMap], names: [looking]}}]}
    context:
    - name: found
      apiCall: {urlPath: "/api/v1/namespaces/default/secrets/looked-up", jmesPath: data}
    validate:
      message: 'found {{ found.password }} and {{ found.coded }} and {{ base64_decode(found.coded) }}'
      deny: {conditions: {all: [{key: "{{ found.password }}", operator: NotEquals, value: "x"}]}}
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: gets}
spec:
  validationActions: [Deny]
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]}
  matchConditions: [{name: one, expression: object.metadata.name == "looking"}]
  variables: [{name: found, expression: 'resource.Get("v1", "secrets", "default", "looked-up")'}]
  validations:
  - expression: has(object.metadata.labels)
    messageExpression: '"found " + string(variables.found.data["coded"]) + string(base64.decode(string(variables.found.data["coded"])))'
`;

const PLANTS: Readonly<Record<string, Plant>> = {
  data: (m) => secret(`data:\n  password: ${encoded(m())}\n  other: ${m()}\n`),
  stringData: (m) => secret(`stringData:\n  password: ${m()}\n  config: |\n    user: x\n    pass: ${m()}\n`),
  misspelt: (m) => secret(`stringdata:\n  password: ${m()}\n`),
  'misspelt data': (m) => secret(`Data:\n  password: ${m()}\ndat: {password: ${m()}}\n`),
  'unknown field': (m) => secret(`values:\n  - ${m()}\npassword: ${m()}\nspec: {a: "${m()}"}\n`),
  'ill-typed': (m) => secret(`stringData:\n  - ${m()}\n  - {a: ${m()}}\ntype: [${m()}]\n`.replace(/type.*\n/, '')),
  'ill-typed value': (m) => secret(`data:\n  password: "${m()}!"\nimmutable: x\n`),
  annotation: (m) => ({
    'secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {"stringdata":{"a":"${m()}"}}\n    note: ${m()}\nstringData: {}\n`,
  }),
  JSON: (m) => ({
    'secret.json': JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      stringdata: { a: m() },
    }),
  }),
  'pretty JSON': (m) => ({
    'secret.json': JSON.stringify(
      { stringdata: { a: m() }, apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, more: m() },
      null,
      2,
    ),
  }),
  List: (m) => ({
    'list.yaml': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  stringdata:\n    a: ${m()}\n- {apiVersion: v1, kind: Secret, metadata: {name: b}, stringdat: {a: ${m()}}}\n`,
  }),
  broken: (m) => secret(`stringdata:\n  password: ${m()}\n  other: ${m()}: [\n`),
  duplicate: (m) => secret(`stringData:\n  a: ${m()}\n  a: ${m()}\n`),
  beside: (m) => ({
    'all.yaml': `${SECRET}stringdata:\n  a: ${m()}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, labels: {x: 1}}\n`,
  }),
  generator: (m) => ({
    'kustomization.yaml': `${KUSTOMIZATION}namespaces: x\nsecretGenerator:\n- name: a\n  literals:\n  - password=${m()}\n  - "b=${m()}"\n  envs: [a.env]\n  files: [b=key.yaml]\n`,
    'a.env': `A=${m()}\n`,
    'key.yaml': `apiVersion: v1\nkind: ConfigMap\nx: ${m()}\n`,
  }),
  'generator that fails': (m) => ({
    'kustomization.yaml': `${KUSTOMIZATION}secretGenerator:\n- name: a\n  literals:\n  - ${m()}\n`,
  }),
  patch: (m) => ({
    'kustomization.yaml': `${KUSTOMIZATION}resources: [base.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    - op: add\n      path: /stringData/b\n      value: ${m()}\n- patch: |-\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    stringdata:\n      c: ${m()}\n`,
    'base.yaml': `${SECRET}stringData:\n  a: ${m()}\n`,
  }),
  chart: (m) =>
    chart(
      `size: 1\nauth:\n  dbPassword: ${m()}\n  plain: ${m()}\n`,
      `${SECRET}stringdata: {}\nstringData:\n  password: {{ .Values.auth.dbPassword }}\n  b: {{ .Values.auth.plain }}\n`,
    ),
  'chart that fails': (m) =>
    chart(`password: ${m()}\n`, `${SECRET}stringData:\n  a: {{ fail (print "bad " .Values.password) }}\n`),
  // No Secret: only the encryption of the other value says that these values are secret.
  SOPS: (m) => ({
    'values.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: 1}}\ndata:\n  a: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n  plain: ${m()}\n  password: ${m()}\n  size: 1\nsops:\n  mac: ENC[x]\n  lastmodified: "2026-01-01T00:00:00Z"\n`,
    'beside.yaml': `${SECRET.replace('name: a', 'name: beside-sops')}stringData:\n  a: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n  b: ${m()}\nsops:\n  mac: ENC[x]\n  lastmodified: "2026-01-01T00:00:00Z"\n`,
  }),
  substitution: (m) => ({
    'flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  interval: 5m\n  path: ./substitution/apps\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild:\n    substituteFrom:\n    - {kind: Secret, name: substituted}\n`,
    'git.yaml':
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {interval: 5m, url: "https://git.shop.example/platform.git"}\n',
    'values.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: substituted, namespace: flux-system}\nstringData:\n  PLAIN: ${m()}\n  NUMBER: ${m()}\ndata:\n  CODED: ${encoded(m())}\n`,
    'apps/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: substituted, labels: {l: "\${PLAIN}"}}\ndata:\n  url: "host=\${CODED}"\n  plain: \${PLAIN}\nimmutable: \${NUMBER}\n`,
    'apps/good.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: substituted-well, annotations: {note: "\${PLAIN}"}}\ndata:\n  url: "host=\${CODED}"\n  plain: \${PLAIN}\n`,
  }),
  lookup: (m) => ({
    'secret.yaml': `${SECRET.replace('name: a', 'name: looked-up\n  namespace: default')}stringData:\n  password: ${m()}\ndata:\n  coded: ${encoded(m())}\n`,
    'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: looking, namespace: default}\ndata: {a: b}\n',
    'policy.yaml': LOOKUPS,
  }),
  URL: (m) => ({
    'config.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  size: 1\n  url: https://user:${m()}@example.com/\n`,
  }),
};

const rule = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['secrets', 'configmaps'],
};
const admission = (kind: string, spec: object): string =>
  [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'p' },
      spec: { ...spec, matchConstraints: { resourceRules: [rule] } },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}Binding`,
      metadata: { name: 'p' },
      spec: { policyName: 'p', ...(kind.startsWith('V') && { validationActions: ['Warn', 'Audit'] }) },
    },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');

const POLICIES: Files = {
  'policies/validate.yaml': admission('ValidatingAdmissionPolicy', {
    variables: [{ name: 'values', expression: 'has(object.data) ? object.data.map(k, string(object.data[k])) : []' }],
    validations: [
      {
        expression: 'variables.values.all(v, v.startsWith("no")) && has(object.metadata.labels)',
        messageExpression: '"values are " + variables.values.join(", ")',
      },
      { expression: 'object.metadata.?annotations["note"].orValue("") == "none"' },
    ],
  }),
  'policies/mutate.yaml': admission('MutatingAdmissionPolicy', {
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: {
          expression:
            'Object{metadata: Object.metadata{labels: {"team": "shop", "copy": has(object.data) && object.data.exists(k, true) ? string(object.data[object.data.map(k, k)[0]]) : "none"}, annotations: {"note": "changed"}}}',
        },
      },
    ],
  }),
  'policies/kyverno.yaml': JSON.stringify({
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'k' },
    spec: {
      validationFailureAction: 'Enforce',
      rules: [
        {
          name: 'r',
          match: { any: [{ resources: { kinds: ['Secret', 'ConfigMap'] } }] },
          validate: { message: 'data is {{ request.object.data }}', pattern: { metadata: { labels: { x: 'y' } } } },
        },
      ],
    },
  }),
};

async function run(directory: string, ...args: readonly string[]): Promise<string> {
  return (await runTogether(directory, args)).out;
}

const REPORTS: readonly (readonly string[])[] = [
  ['check', '--format', 'json'],
  ['diff', 'HEAD~1', 'HEAD', '--format', 'json'],
];
const COMMANDS: readonly (readonly string[])[] = [
  ['why', 'Secret/a', '--format', 'json'],
  ['why', 'ConfigMap/looking', '--format', 'json'],
  ['why', 'ConfigMap/substituted-well', '--format', 'json'],
  ['render', 'substitution'],
  ['render', '--format', 'yaml'],
  ['render', '--format', 'diff', 'HEAD~1', 'HEAD'],
  ['render', 'generator'],
  ['render', 'chart-that-fails/shop'],
  ...['yaml', 'json', 'json-patch', 'diff'].map((format) => ['mutate', '--format', format]),
];

function committed(folder: GitFolder, message: string): void {
  execFileSync('git', ['add', '-A'], { cwd: folder.path });
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', message, '--allow-empty'], {
    cwd: folder.path,
  });
}

/** Plants everything in one repository, a folder for each. */
function plantAll(folder: GitFolder, random: readonly string[], markers: Map<string, string>): void {
  for (const [name, plant] of Object.entries(PLANTS)) {
    const marker = (): string => {
      const text = `zq${random[markers.size % random.length]}${markers.size}`;
      markers.set(text, name);
      return text;
    };
    for (const [path, text] of Object.entries(plant(marker)))
      folder.write(`${name.replaceAll(' ', '-')}/${path}`, text);
  }
}

const hexadecimal = fc.stringMatching(/^[0-9a-f]{12}$/);

test('no command and no format shows a secret', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hexadecimal, { minLength: 8, maxLength: 8 }), async (random) => {
      const folder = new GitFolder();
      onTestFinished(() => folder.remove());
      const markers = new Map<string, string>();
      for (const [path, text] of Object.entries(POLICIES)) folder.write(path, text);
      plantAll(folder, random, markers);
      committed(folder, 'base');
      plantAll(folder, random, markers);
      committed(folder, 'head');
      const shown: string[] = [];
      const search = (command: string, printed: string): void => {
        expect(printed, command).not.toContain('internal error');
        expect(printed.length, command).toBeGreaterThan(50);
        for (const [text, plant] of markers) {
          for (const spelling of [text, encoded(text)]) {
            const at = printed.indexOf(spelling);
            if (at >= 0) shown.push(`${plant}: ${command}: ${printed.slice(Math.max(0, at - 150), at + 40)}`);
          }
        }
      };
      for (const command of COMMANDS) search(command.join(' '), await run(folder.path, ...command));
      const reports = new Folder();
      onTestFinished(() => reports.remove());
      for (const command of REPORTS) {
        const report = await run(folder.path, ...command);
        search(command.join(' '), report);
        reports.write('report.json', report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1));
        for (const format of FORMAT_NAMES) {
          const merged = await run(reports.path, 'merge', 'report.json', '--format', format);
          search(`${command[0]} as ${format}`, merged);
        }
      }
      expect(shown).toEqual([]);
    }),
    { ...tries(4, 42, 1), endOnFailure: true },
  );
}, 600_000);

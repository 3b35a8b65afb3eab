// Every command that README and docs show is run, in a repository that has what they name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/door/run/exit-code.ts';
import { Folder, GitFolder } from '../support/git-fixture.ts';
import { runPrinted } from '../support/printed.ts';
import { reviewOf } from '../support/review.ts';

const ROOT = join(import.meta.dirname, '../..');

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];

/** Commands that wait for input. Tests of their own run them. */
const INTERACTIVE = /^(?:init|lsp)\b|--repl|--watch/;

const SHOWN = new Set(
  PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *(?:\$ )?preadmit ([a-z]+(?: .*)?)$/gm)].map(
      ([, words = '']) => words.replace(/(?: {2,}| #).*$/, '').trim(),
    ),
  ).filter((words) => !/\[options\]| <\w+[ |>]|bash \| zsh/.test(words) && !INTERACTIVE.test(words)),
);

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web}
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers: [{name: web, image: registry.example.com/web:1.4.2}]
`;

function limit(name: string, kind: 'Validating' | 'Mutating' = 'Validating'): string {
  const isMutating = kind === 'Mutating';
  const rules = isMutating
    ? `  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': 'shop'}}}"}`
    : '  validations: [{expression: object.spec.replicas <= 5, message: at most five replicas}]';
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}AdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
${rules}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}AdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}${isMutating ? '' : ', validationActions: [Deny]'}}
`;
}

/** Apart: reading the engine takes as long as all the rest. */
const RENDERED: Readonly<Record<string, string>> = {
  'overlays/production/kustomization.yaml': 'resources: [settings.yaml]\n',
  'overlays/production/settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n',
  'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'charts/shop/templates/size.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: size}\ndata: {size: "{{ .Values.size }}"}\n',
  'production.yaml': 'size: 3\n',
};

const FILES: Readonly<Record<string, string>> = {
  'apps/web.yaml': DEPLOYMENT,
  'deployment.yaml': DEPLOYMENT.replace('name: web', 'name: other'),
  'limit.yaml': limit('limit'),
  'policies.yaml': limit('central'),
  'cluster.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
  'policies/replica-limit.yaml': limit('replica-limit'),
  'policies/team.yaml': limit('team', 'Mutating'),
  'policies/replica-limit.preadmit-test.yaml': `policies: [replica-limit.yaml]
tests:
  - name: replica limit, above
    object: {file: ../apps/web.yaml, merge: {spec: {replicas: 6}}}
    expect: {denied: at most five replicas}
`,
  'policies/labels.yaml': `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: require-labels}
spec:
  background: false
  rules:
    - name: app
      match: {any: [{resources: {kinds: [Deployment]}}]}
      validate: {failureAction: Enforce, message: the label app is required, pattern: {metadata: {labels: {app: "?*"}}}}
`,
};

let repository: GitFolder;
let rendered: GitFolder;
let elsewhere: Folder;

beforeAll(async () => {
  repository = new GitFolder();
  rendered = new GitFolder();
  elsewhere = new Folder();
  for (const text of ['size: 3\n', 'size: 4\n']) {
    for (const [path, content] of Object.entries(RENDERED)) rendered.write(path, content);
    rendered.write('charts/shop/values.yaml', text);
    rendered.commit();
    if (text === 'size: 3\n') rendered.git('checkout', '-q', '-b', 'work');
  }
  elsewhere.write('platform-policies/limit.yaml', limit('platform'));
  for (const [path, text] of Object.entries(FILES)) repository.write(path, text);
  for (const state of ['base', 'head']) repository.write(`out/${state}/web.yaml`, DEPLOYMENT);
  repository.commit('base');
  repository.git('checkout', '-q', '-b', 'work');
  repository.write('apps/web.yaml', DEPLOYMENT.replace('replicas: 3', 'replicas: 4'));
  repository.commit('work');
  for (const args of [
    ['baseline', '--update', '--owner', 'team-shop', '--reason', 'before the policy', '--expires', '2027-03-31'],
    ['audit', '--format', 'json=audit.json'],
    ['check', '--format', 'json=whole.json'],
    ...['1', '2'].map((part) => ['check', '--shard', `${part}/2`, '--format', `json=shard-${part}.json`]),
  ]) {
    const { status, err } = await run(args, '', repository);
    expect([EXIT.allowed, EXIT.nothingChecked], err).toContain(status);
  }
  const whole = JSON.parse(readFileSync(join(repository.path, 'whole.json'), 'utf8'));
  for (const name of ['shop', 'payments']) {
    repository.write(`reports/${name}.json`, JSON.stringify({ ...whole, repository: `acme/${name}` }));
  }
  repository.git('add', '-A');
  repository.git('commit', '-q', '--amend', '--no-edit');
});

afterAll(() => {
  repository.remove();
  rendered.remove();
  elsewhere.remove();
});

function run(args: readonly string[], input: string, { path }: Folder) {
  return runPrinted(path, args, { input, bytes: () => Readable.from([Buffer.from(input)]) });
}

/** As a shell would split them, with what it would put in place of its own signs. */
function argumentsOf(words: string): readonly string[] {
  const given = words
    .replace(/ [<>] .*$/, '')
    .replace('$(git merge-base main HEAD)', 'main')
    .replaceAll(
      /\.\.\/(?:platform-policies|policies\/next)|https:\/\/github\.com\/acme\/policies\.git#v2\.0\.0/g,
      join(elsewhere.path, 'platform-policies'),
    )
    .replace('/var/lib/node_exporter/', `${elsewhere.path}/`)
    .replaceAll('~/', `${elsewhere.path}/`)
    .replace('shard-*.json', 'shard-1.json shard-2.json');
  return (given.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));
}

describe('every command that is shown does its work', () => {
  it('and there are some', () => {
    expect(SHOWN.size).toBeGreaterThan(45);
  });

  it.each([...SHOWN])('preadmit %s', async (words) => {
    const input = words.startsWith('cel')
      ? '{"expr": "1 + 1"}'
      : JSON.stringify(reviewOf('apps/v1 Deployment deployments'));
    const folder = words.startsWith('render') ? rendered : repository;
    const { status, err } = await run(argumentsOf(words), input, folder);
    folder.git('reset', '-q', '--hard');
    folder.git('clean', '-qfd');
    expect([EXIT.allowed, EXIT.denied, EXIT.nothingChecked], err).toContain(status);
  });
});

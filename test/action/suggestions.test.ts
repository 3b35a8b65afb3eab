// The bundled action's suggestions on a pull request, in real repositories, against a fake GitHub that validates every request and accepts
// comments only on changed lines.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { type ActionRun, runAction, startActionHosts } from '../support/action-run.ts';
import { expectGolden } from '../support/bless.ts';
import { ACTIONS_LOGIN, type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { GitFolder } from '../support/git-fixture.ts';

const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
const TOKEN = 'ghs_test0123456789';
const CASE = join(import.meta.dirname, '../cases/mutation/what-it-means-for-a-change');

type Test = Pick<TestContext, 'onTestFinished'>;
type Files = Readonly<Record<string, string>>;

const hosts = startActionHosts();
afterAll(() => hosts.close());

function policy(name: string, resources: string, expression: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: ["", apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [${resources}]}
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: '${expression}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}}
`;
}

const label = (value: string): string => `Object{metadata: Object.metadata{labels: {"team": "${value}"}}}`;
const TEAM = policy('team', 'configmaps', label('shop'));

function configMap(name: string, labels = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: shop\n${labels}data:\n  currency: EUR\n`;
}

/** A pull request with several commits. */
class PullRequest {
  readonly server: FakeGitHub;
  readonly origin: GitFolder;
  readonly base: string;
  head = '';
  readonly #test: Test;

  constructor(context: Test, server: FakeGitHub, files: Files) {
    this.#test = context;
    this.server = server;
    this.origin = new GitFolder();
    context.onTestFinished(() => this.origin.remove());
    this.origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    for (const [path, text] of Object.entries(files)) this.origin.write(path, text);
    this.base = this.origin.commit('base');
    this.origin.git('checkout', '-q', '-b', 'work');
  }

  push(files: Files): this {
    this.origin.git('checkout', '-q', 'work');
    for (const [path, text] of Object.entries(files)) this.origin.write(path, text);
    this.head = this.origin.commit('change');
    const names = this.origin.git('diff', '--name-only', this.base, this.head).split('\n');
    const patches = names.map((name): [string, string] => {
      const patch = this.origin.git('diff', this.base, this.head, '--', name);
      return [name, patch.slice(patch.search(/^@@/m))];
    });
    this.server.pull.push(this.head, new Map(patches));
    return this;
  }

  /** Checks out the merge commit that GitHub creates, like actions/checkout. */
  async run(inputs: Files = {}, token = TOKEN): Promise<ActionRun> {
    const { origin } = this;
    origin.git('checkout', '-q', '--detach', 'main');
    origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
    const merge = origin.git('rev-parse', 'HEAD');
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-checkout-')));
    this.#test.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd: folder, stdio: 'pipe' });
    };
    git('init', '-q');
    git('remote', 'add', 'origin', `file://${origin.path}`);
    git('fetch', '-q', '--no-tags', '--depth=1', 'origin', merge);
    git('checkout', '-q', '--detach', merge);
    const repo = { full_name: 'shop/manifests' };
    return runAction({
      entry: ENTRY,
      host: hosts.run,
      workspace: folder,
      sha: merge,
      apiUrl: this.server.url,
      eventName: 'pull_request',
      payload: { pull_request: { number: 7, head: { sha: this.head, repo }, base: { sha: this.base, repo } } },
      token,
      inputs: { 'check-run': 'never', summary: 'false', suggest: 'true', ...inputs },
    });
  }
}

async function pullRequest(context: Test, files: Files): Promise<PullRequest> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  context.onTestFinished(server.close);
  return new PullRequest(context, server, files);
}

const writes = ({ server }: PullRequest): string[] =>
  server.requests.map(({ operation }) => operation).filter((name) => !/(?:list|get)/.test(name));

const blocks = ({ server }: PullRequest): string[] =>
  server.pull.comments.map(({ path, startLine, line, body }) => {
    const [, fence = '', text = ''] = /^(`{3,})suggestion\n([\s\S]*)^\1$/m.exec(body) ?? [];
    return `${path}:${startLine ?? line}-${line} ${fence.length}\n${text}`;
  });

const told = (run: ActionRun): string[] => run.step.output.filter((line) => line.includes('suggestion'));

describe('suggestions', () => {
  test.concurrent('are not created by default', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    await pull.push({ 'web.yaml': configMap('web') }).run({ suggest: 'false' });
    expect(pull.server.requests).toEqual([]);
  });

  test.concurrent('are one review, kept by the next run, and resolved when they are done', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    await pull.push({ 'web.yaml': configMap('web'), 'cart.yaml': configMap('cart') }).run();
    expect(writes(pull)).toEqual(['pulls/create-review']);
    expect(pull.server.pull.reviews).toMatchObject([{ state: 'COMMENTED', commit: pull.head }]);
    expect(blocks(pull)).toEqual([
      'cart.yaml:5-5 3\n  namespace: shop\n  labels:\n    team: shop\n',
      'web.yaml:5-5 3\n  namespace: shop\n  labels:\n    team: shop\n',
    ]);
    expect(pull.server.pull.comments[0]?.body).toContain(
      'MutatingAdmissionPolicy `team` changes `metadata.labels.team` of `ConfigMap shop/cart`.',
    );
    await pull.run();
    expect(writes(pull)).toEqual(['pulls/create-review']);

    // One suggestion is accepted, and a new line above shifts the other one.
    const accepted = configMap('cart', '  labels:\n    team: shop\n');
    await pull.push({ 'cart.yaml': accepted, 'web.yaml': `# front\n${configMap('web')}` }).run();
    expect(writes(pull).slice(1)).toEqual(['pulls/delete-review-comment']);
    expect(blocks(pull)).toEqual(['web.yaml:6-6 3\n  namespace: shop\n  labels:\n    team: shop\n']);
    expect(pull.server.pull.reviews[0]?.body).toContain('Mutating policies change');

    const [open] = pull.server.pull.comments;
    if (open === undefined) throw new Error('no comment');
    pull.server.pull.comments.push({ ...open, id: 99, login: 'ann', body: 'why?', repliesTo: open.id });
    await pull.push({ 'web.yaml': configMap('web', '  labels:\n    team: shop\n') }).run();
    expect(writes(pull).slice(2)).toEqual(['pulls/update-review-comment', 'pulls/update-review']);
    expect(pull.server.pull.comments.map(({ body }) => body.split('\n').at(-1))).toEqual([
      'This suggestion no longer applies: policies do not change this object any more, or the lines have changed.',
      'why?',
    ]);
    expect(pull.server.pull.reviews.map(({ body }) => body.split('\n').at(-1))).toEqual([
      'These suggestions no longer apply.',
    ]);
    await pull.run();
    expect(writes(pull)).toHaveLength(4);
    expect(pull.server.problems).toEqual([]);
  });

  test.concurrent('do not touch comments of others with the same marker', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    await pull.push({ 'web.yaml': configMap('web') }).run();
    const [own] = pull.server.pull.comments;
    if (own === undefined) throw new Error('no comment');
    const planted = { ...own, id: 50, login: 'mallory' };
    pull.server.pull.comments = [planted];
    await pull.run();
    expect(pull.server.pull.comments).toMatchObject([planted, { login: ACTIONS_LOGIN, line: 5 }]);
  });

  test.concurrent('stay on lines in the diff of the pull request', async (context) => {
    const filler = Array.from({ length: 30 }, (_, index) => `  key-${index}: value\n`).join('');
    const before = configMap('web') + filler;
    const pull = await pullRequest(context, { 'policy.yaml': TEAM, 'web.yaml': before });
    const run = await pull.push({ 'web.yaml': before.replace('key-29: value', 'key-29: other') }).run();
    expect(pull.server.pull.comments).toEqual([]);
    expect(told(run)).toEqual(['1 suggestion not made: outside the changed lines, or not suitable for a comment']);
    expect(pull.server.problems).toEqual([]);
  });

  test.concurrent('are at most ten', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    const all = Array.from({ length: 12 }, (_, index) => [`app-${10 + index}.yaml`, configMap(`app-${index}`)]);
    const run = await pull.push(Object.fromEntries(all)).run();
    expect(pull.server.pull.comments).toHaveLength(10);
    expect(told(run)).toEqual(['2 suggestions not made: the limit of 10 open suggestions is reached']);
    // One is done: its place is free.
    const done = configMap('app-0', '  labels:\n    team: shop\n');
    await pull.push({ 'app-10.yaml': done }).run();
    expect(pull.server.pull.comments).toHaveLength(10);
    expect(writes(pull)).toEqual(['pulls/create-review', 'pulls/delete-review-comment', 'pulls/create-review']);
    expect(pull.server.problems).toEqual([]);
  });

  test.concurrent('show no values of Secrets and no invisible text', async (context) => {
    const pins = 'object.metadata.name == "pins" ? Object{stringData: {"pin": "1234"}} : ';
    const secrets = policy('secrets', 'secrets', pins + label('shop'));
    const pull = await pullRequest(context, { 'policy.yaml': `${TEAM}---\n${secrets}` });
    const secret = (name: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: shop\nstringData:\n  pin: "0000"\n`;
    await pull
      .push({
        'plain.yaml': configMap('plain'),
        'secret.yaml': secret('key'),
        'pins.yaml': secret('pins'),
        'empty.yaml': 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: pins\n  namespace: other\n',
        'hidden.yaml': configMap('hidden').replace('  namespace: shop', '  namespace: shop # \u202eoot'),
      })
      .run();
    const said = JSON.stringify(pull.server.pull.comments);
    // A policy may write values into a Secret that it read from it.
    expect(said).not.toMatch(/1234|0000|\u202e/);
    expect(blocks(pull).map((block) => block.split(':')[0])).toEqual(['plain.yaml']);
    expect(pull.server.problems).toEqual([]);
  });

  test.concurrent('cannot break out of their code block', async (context) => {
    const hostile = policy('note', 'configmaps', 'Object{data: {"note": "````"}}');
    const pull = await pullRequest(context, { 'policy.yaml': hostile });
    await pull.push({ 'web.yaml': configMap('web') }).run();
    expect(blocks(pull)).toEqual(['web.yaml:7-7 5\n  currency: EUR\n  note: "````"\n']);
  });

  test.concurrent('fall back to a log line without write permission, and keep the rest of the report', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    const run = await pull.push({ 'web.yaml': configMap('web') }).run({ format: 'json=report.json' }, 'ghs_readonly');
    expect(run.exitCode).toBe(0);
    expect(told(run)).toEqual([
      'no suggestions: the token has no permission to write reviews; give the job `permissions: pull-requests: write`',
    ]);
    expect(run.outputs.get('conclusion')).toBe('allowed');
  });

  test.concurrent('are skipped if the pull request has a newer head', async (context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    pull.push({ 'web.yaml': configMap('web') });
    pull.server.pull.push('f'.repeat(40), new Map());
    const run = await pull.run();
    expect(writes(pull)).toEqual([]);
    expect(told(run)).toEqual(['no suggestions: the pull request has a newer head commit']);
  });

  test.concurrent.for([
    ['502 after it was done', { with: { status: 502, message: 'Bad Gateway' }, done: true }],
    ['a connection cut', { with: 'reset' }],
  ] as const)('survive %s and are made once', async ([_title, failure], context) => {
    const pull = await pullRequest(context, { 'policy.yaml': TEAM });
    pull.server.failNext({ operation: 'pulls/create-review', ...failure });
    await pull.push({ 'web.yaml': configMap('web') }).run();
    expect(pull.server.pull.comments).toHaveLength(1);
    pull.server.failNext({ operation: 'pulls/delete-review-comment', ...failure });
    await pull.push({ 'web.yaml': configMap('web', '  labels:\n    team: shop\n') }).run();
    expect(pull.server.pull.comments).toEqual([]);
    expect(pull.server.problems).toEqual([]);
  });
});

test('the check-run of a change shows all effects of mutations', async (context) => {
  const texts = (state: string): Files => {
    const top = join(CASE, state);
    const paths = readdirSync(top, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
    const files = paths.filter((path) => statSync(join(top, path)).isFile());
    return Object.fromEntries(files.map((path) => [path, readFileSync(join(top, path), 'utf8')]));
  };
  const pull = await pullRequest(context, texts('base'));
  await pull.push(texts('head')).run({ 'check-run': 'auto', 'explain-mutations': 'true' });
  expect(pull.server.problems).toEqual([]);
  const [run] = pull.server.checkRuns;
  const named = (text: string): string =>
    text.replaceAll(pull.head, 'HEAD').replaceAll(pull.base, 'BASE').replaceAll(pull.base.slice(0, 10), 'BASE');
  const annotations = run?.annotations.map(
    ({ path, start_line, annotation_level, title, message }) =>
      `${annotation_level} ${path}:${start_line} ${title}: ${message}`,
  );
  const page = [`${run?.conclusion}: ${run?.title}`, '', run?.summary, '---', ...(annotations ?? []), ''].join('\n');
  expectGolden(join(CASE, 'expected.check-run.md'), named(page));
  expect(blocks(pull)).toHaveLength(2);
});

// The bundled action's issues for each owner, against a fake GitHub: opened, updated in place, closed when the part is allowed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, type TestContext, test } from 'vitest';
import { runAction, startActionHosts } from '../support/action-run.ts';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { configMap, createWorkspace, sizePolicy } from '../support/workspace.ts';

const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
/** Checked out by a step before. */
const UNTRACKED = 'candidates/size.yaml';
const TOKEN = 'ghs_test0123456789';
const OWNERS = '/apps/shop/ @acme/shop\n/apps/mail/ @acme/mail ops@example.com\n';

const hosts = startActionHosts();
afterAll(() => hosts.close());

async function github({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<FakeGitHub> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  onTestFinished(server.close);
  return server;
}

/** Sizes above 3 are denied. */
async function audit(
  server: FakeGitHub,
  context: Pick<TestContext, 'onTestFinished'>,
  sizes: Readonly<Record<string, number>>,
  inputs: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  attempt = '1',
): Promise<number> {
  const objects = Object.entries(sizes).map(([path, size]): [string, string] => [
    `${path}.yaml`,
    configMap(path.replaceAll('/', '-'), size),
  ]);
  const { [UNTRACKED]: untracked, ...tracked } = files;
  const made = createWorkspace({
    '.github/CODEOWNERS': OWNERS,
    'policies/size.yaml': sizePolicy(),
    ...Object.fromEntries(objects),
    ...tracked,
  });
  if (untracked !== undefined) {
    mkdirSync(join(made.folder, 'candidates'));
    writeFileSync(join(made.folder, UNTRACKED), untracked);
  }
  context.onTestFinished(made.remove);
  const { exitCode } = await runAction({
    entry: ENTRY,
    host: hosts.run,
    workspace: made.folder,
    sha: made.sha,
    apiUrl: server.url,
    eventName: 'schedule',
    payload: {},
    token: TOKEN,
    inputs: { 'check-run': 'never', summary: 'false', 'audit-issue': 'per-owner', ...inputs },
    environment: { GITHUB_RUN_ID: '1', GITHUB_RUN_ATTEMPT: attempt, GITHUB_REF: 'refs/heads/main' },
  });
  return exitCode;
}

function issues(server: FakeGitHub): readonly string[] {
  return server.issues.map(({ number, state, title }) => `${number} ${state} ${title}`);
}

test.concurrent('are opened, updated in place, closed one by one, and reopened', async (context) => {
  const server = await github(context);
  await audit(server, context, { 'apps/shop/a': 9, 'apps/shop/b': 9, 'apps/mail/a': 9, 'other/a': 9 });
  expect(issues(server)).toEqual([
    '1 open Preadmit · @acme/mail: 1 of 4 objects would be denied',
    '2 open Preadmit · @acme/shop: 2 of 4 objects would be denied',
    '3 open Preadmit · ops@example.com: 1 of 4 objects would be denied',
    '4 open Preadmit · none: 1 of 4 objects would be denied',
  ]);
  const body = server.issues[1]?.body ?? '';
  expect(body).toContain('apps-shop-b');
  expect(body).not.toContain('apps-mail-a');
  // No body mentions an owner.
  expect(server.issues.map((issue) => issue.body).join('\n')).not.toMatch(/(^|[^\w`])@(?=\w)/m);
  await audit(server, context, { 'apps/shop/a': 9, 'apps/mail/a': 1, 'other/a': 1 });
  expect(issues(server)).toEqual([
    '1 closed Preadmit · @acme/mail: all 3 objects would be admitted',
    '2 open Preadmit · @acme/shop: 1 of 3 objects would be denied',
    '3 closed Preadmit · ops@example.com: all 3 objects would be admitted',
    '4 closed Preadmit · none: all 3 objects would be admitted',
  ]);
  await audit(server, context, { 'apps/mail/a': 9 });
  expect(server.issues.map(({ state }) => state)).toEqual(['open', 'closed', 'open', 'closed']);
  expect(server.problems).toEqual([]);
});

test.concurrent('stay open while something that was not judged may hide the findings', async (context) => {
  const server = await github(context);
  await audit(server, context, { 'apps/shop/a': 9 });
  const broken = { 'apps/mail/kustomization.yaml': 'resources: [missing.yaml]\n' };
  expect(await audit(server, context, { 'apps/shop/a': 1 }, {}, broken)).not.toBe(0);
  expect(server.issues.find(({ title }) => title.includes('@acme/shop'))?.state).toBe('open');
  await audit(server, context, { 'apps/shop/a': 1 });
  expect(server.issues.map(({ state }) => state)).not.toContain('open');
  expect(server.problems).toEqual([]);
});

test.concurrent('mention the owner on request, but no text that is not a name', async (context) => {
  const server = await github(context);
  const hostile = configMap('hostile', 9).replace(
    'namespace: default',
    'namespace: default\n  annotations: {owner: "@acme/ops](https://evil.example.com),@everyone!"}',
  );
  const files = { '.preadmit.yaml': 'owner: {annotation: owner}\n', 'apps/hostile.yaml': hostile };
  await audit(server, context, { 'apps/shop/a': 9 }, { 'audit-mentions': 'true' }, files);
  const bodies = server.issues.map(({ body }) => body.split('\n').find((line) => line.startsWith('Owner: ')));
  expect(bodies).toContain('Owner: @acme/shop');
  expect(bodies.filter((line) => /Owner: @\w/.test(line ?? ''))).toEqual(['Owner: @acme/shop']);
  expect(server.problems).toEqual([]);
});

test.concurrent('take the place of the single issue, and give it back', async (context) => {
  const server = await github(context);
  const sizes = { 'apps/shop/a': 9, 'other/a': 9 };
  await audit(server, context, sizes, { 'audit-issue': 'true' });
  // The job of another name keeps its issue.
  await audit(server, context, sizes, { 'audit-issue': 'true', 'check-name': 'Preadmit · staging' });
  await audit(server, context, sizes);
  expect(issues(server)).toEqual([
    '1 closed Preadmit: 2 objects would be denied',
    '2 open Preadmit · staging: 2 objects would be denied',
    '3 open Preadmit · @acme/shop: 1 of 2 objects would be denied',
    '4 open Preadmit · none: 1 of 2 objects would be denied',
  ]);
  const words = server.comments.map(({ issue, body }) => [issue, body.split('\n')[1]?.split(' [')[0]]);
  expect(words).toEqual([[1, 'The findings are now in one issue for each owner: #3, #4.']]);
  await audit(server, context, sizes, { 'audit-issue': 'true' }, {}, '2');
  expect(server.issues.map(({ state }) => state)).toEqual(['open', 'open', 'closed', 'closed']);
  expect(server.comments.slice(1).map(({ issue, body }) => [issue, body.split('\n')[1]?.split(' [')[0]])).toEqual([
    [1, 'There are findings.'],
    [3, 'The findings of all owners are now in one issue: #1.'],
    [4, 'The findings of all owners are now in one issue: #1.'],
  ]);
  expect(server.problems).toEqual([]);
});

test.concurrent('of the next releases and of candidate policies change no verdict and keep no issue open', async (context) => {
  const server = await github(context);
  const schema = {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta3',
    kind: 'FlowSchema',
    metadata: { name: 'shop' },
    spec: { priorityLevelConfiguration: { name: 'exempt' } },
  };
  const files = {
    [UNTRACKED]: sizePolicy({ name: 'size-next' }).replace('<= 3', '<= 1'),
    'other/flow.yaml': JSON.stringify(schema),
    '.preadmit.yaml': "kubernetesVersion: '1.31'\n",
  };
  const inputs = { 'kubernetes-version': 'current, next', 'candidate-policy-sources': 'new=candidates' };
  expect(await audit(server, context, { 'apps/shop/a': 9 }, { ...inputs, 'audit-issue': 'true' }, files)).toBe(1);
  const body = server.issues[0]?.body ?? '';
  expect(body).toContain('### With the candidate policies: 1 gets further findings');
  expect(body).toContain('| Kubernetes 1.32 | **not served**: no matches for kind "FlowSchema"');
  expect(await audit(server, context, { 'apps/shop/a': 2 }, { ...inputs, 'audit-issue': 'true' }, files)).toBe(0);
  expect(server.issues.map(({ state }) => state)).toEqual(['closed']);
  expect(server.problems).toEqual([]);
});

// The bundled action's history of audits in a branch, against the fake GitHub: first run, later runs, re-run, races, missing permission.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, type TestContext, test } from 'vitest';
import { type ActionRun, runAction, startActionHosts } from '../support/action-run.ts';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { createWorkspace, repository, type Workspace } from '../support/workspace.ts';

const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
const TOKEN = 'ghs_test0123456789';
const FILE = 'history.jsonl';

const hosts = startActionHosts();
const workspaces = new Map<number, Workspace>();
afterAll(async () => {
  for (const { remove } of workspaces.values()) remove();
  await hosts.close();
});

async function github({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<FakeGitHub> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  onTestFinished(server.close);
  return server;
}

interface Given {
  readonly event?: string;
  readonly payload?: unknown;
  readonly attempt?: string;
  readonly token?: string;
  readonly inputs?: Record<string, string>;
}

/** An audit of a repository with so many denied objects. */
function audit(server: FakeGitHub, denied: number, runId: number, given: Given = {}): Promise<ActionRun> {
  const made = workspaces.get(denied) ?? createWorkspace(repository(denied));
  workspaces.set(denied, made);
  return runAction({
    entry: ENTRY,
    host: hosts.run,
    workspace: made.folder,
    sha: made.sha,
    apiUrl: server.url,
    eventName: given.event ?? 'schedule',
    payload: given.payload ?? {},
    token: given.token ?? TOKEN,
    inputs: {
      'check-run': 'never',
      history: 'branch:preadmit-audit',
      only: 'all',
      'audit-issue': 'true',
      ...given.inputs,
    },
    environment: {
      GITHUB_RUN_ID: String(runId),
      GITHUB_RUN_ATTEMPT: given.attempt ?? '1',
      GITHUB_REF: 'refs/heads/main',
    },
  });
}

interface Line {
  readonly audit: string;
  readonly found: readonly { readonly subject: string }[];
  readonly gone: readonly string[];
}

function lines(server: FakeGitHub): readonly Line[] {
  const text = server.git.text('preadmit-audit', FILE) ?? '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

test.concurrent('starts with the first run; a re-run and a run by hand add what changed, once even if an answer is lost', async (context) => {
  const server = await github(context);
  await audit(server, 2, 1);
  const first = server.git.text('preadmit-audit', FILE) ?? '';
  server.git.push('preadmit-audit', FILE, first.replace(/"at":"[^T]+T/, '"at":"2026-10-14T'));
  await audit(server, 2, 1, { attempt: '2' });
  server.failNext({ operation: 'git/update-ref', with: { status: 502, message: 'Bad Gateway' }, done: true });
  const payload = { repository: { default_branch: 'main' } };
  await audit(server, 1, 2, { event: 'workflow_dispatch', payload });
  expect(lines(server).map(({ audit: name, found, gone }) => [name, found.length, gone.length])).toEqual([
    ['1-1', 2, 0],
    ['1-2', 0, 0],
    ['2-1', 0, 1],
  ]);
  const body = server.issues[0]?.body ?? '';
  expect(body).toContain('audit=2-1 -->');
  expect(body).toMatch(/Since 14 Oct(?: 2026)?: 0 new, 1 fixed\. The history has 3 audits since 14 Oct/);
  expect(body).toMatch(
    /`ConfigMap default\/large-0` `size-limit\/validations\[0\]`: since 14 Oct(?: 2026)?, .* or more/,
  );
  expect(body).toContain('<details><summary>Fixed (1)</summary>');
  expect(server.problems).toEqual([]);
});

test.concurrent('a re-run of an older commit changes neither history, issue nor page', async (context) => {
  const server = await github(context);
  await audit(server, 2, 1);
  const [before, issue] = [server.git.text('preadmit-audit', FILE), server.issues[0]?.body];
  server.git.push('main', 'web.yaml', 'newer');
  const { step } = await audit(server, 1, 1, { attempt: '2', inputs: { site: '_stale' } });
  expect([server.git.text('preadmit-audit', FILE), server.issues[0]?.body]).toEqual([before, issue]);
  expect(step.annotations.map(({ message }) => message).join()).toMatch(
    /this re-run checks [0-9a-f]{10}, but `main` has a newer commit: it changes neither the history/,
  );
  expect(existsSync(join((workspaces.get(1) as Workspace).folder, '_stale'))).toBe(false);
  expect(server.problems).toEqual([]);
});

test.concurrent('loses no line to audits at once or to a forced push meanwhile, and says what one before removed', async (context) => {
  const server = await github(context);
  await Promise.all([audit(server, 1, 1), audit(server, 1, 2)]);
  const names = (): readonly string[] =>
    lines(server)
      .map(({ audit: name }) => name)
      .sort();
  expect(names()).toEqual(['1-1', '2-1']);
  const [first] = (server.git.text('preadmit-audit', FILE) ?? '').split('\n');
  let isFirst = true;
  server.git.beforeMove = () => {
    if (isFirst) server.git.push('preadmit-audit', FILE, `${first}\n`, true);
    isFirst = false;
  };
  await audit(server, 1, 3);
  expect(names()).toEqual(['1-1', '2-1', '3-1']);
  server.git.push('preadmit-audit', FILE, `${first}\n`, true);
  await audit(server, 1, 4);
  expect(server.issues[0]?.body).toContain('The history no longer contains the audit `3-1`');
  expect(server.problems).toEqual([]);
});

test.concurrent('explains a missing permission, and still shows what it read', async (context) => {
  const server = await github(context);
  server.git.push('preadmit-audit', FILE, '');
  const { exitCode, step } = await audit(server, 1, 2, { token: 'ghs_readonly' });
  expect(exitCode).toBe(1);
  expect(step.annotations.map(({ message }) => message)).toContain(
    'this audit is not in the history: the token has no permission to write contents; give the job `permissions: contents: write`',
  );
  expect(server.git.text('preadmit-audit', FILE)).toBe('');
  expect(step.output.join('\n')).toContain('This audit is not in the history');
});

test.concurrent('says that a rule protects the branch, and keeps the issue up to date', async (context) => {
  const server = await github(context);
  server.git.push('preadmit-audit', FILE, '');
  const refused = { status: 422, message: 'Repository rule violations found' };
  server.failNext(...Array.from({ length: 6 }, () => ({ operation: 'git/update-ref' as const, with: refused })));
  const { step } = await audit(server, 1, 2);
  expect(step.annotations.map(({ message }) => message).join('\n')).toMatch(
    /this audit is not in the history: a rule of the repository protects the branch \(Repository rule violations found.*\); exclude the branch from the rule, or use another branch/,
  );
  expect(server.issues[0]?.body).toContain('This audit is not in the history');
  expect(server.git.text('preadmit-audit', FILE)).toBe('');
});

test.concurrent('is neither read nor written in a pull request, and for no other branch', async (context) => {
  const server = await github(context);
  const head = { sha: 'a'.repeat(40), repo: { full_name: 'shop/manifests' } };
  await audit(server, 1, 1, { event: 'pull_request', payload: { pull_request: { number: 7, head, base: head } } });
  await audit(server, 1, 2, { event: 'workflow_dispatch', payload: { repository: { default_branch: 'trunk' } } });
  expect(server.requests.filter(({ operation }) => operation.startsWith('git/'))).toEqual([]);
});

test.concurrent('makes the page and links it, and has a file of its own for each check name', async (context) => {
  const server = await github(context);
  const inputs = { site: '_site', 'site-url': 'https://shop.github.io/manifests/', 'check-name': 'Preadmit (staging)' };
  server.git.push('preadmit-audit', 'README.md', 'Written by audits.\n');
  await audit(server, 3, 1, { inputs });
  const { folder } = workspaces.get(3) as Workspace;
  expect(readFileSync(join(folder, '_site/index.html'), 'utf8')).toContain('The history has 1 audit since');
  expect(existsSync(join(folder, '_site/.nojekyll'))).toBe(true);
  rmSync(join(folder, '_site'), { recursive: true });
  expect(server.issues[0]?.body).toContain('[page with trends](https://shop.github.io/manifests/)');
  expect(server.git.text('preadmit-audit', 'history-Preadmit%20(staging).jsonl')?.split('\n')).toHaveLength(2);
  expect(server.git.text('preadmit-audit', 'README.md')).toBe('Written by audits.\n');
});

test.concurrent('refuses a place that is none', async (context) => {
  const server = await github(context);
  const { exitCode, step } = await audit(server, 1, 1, { inputs: { history: 'branch:../main' } });
  expect(exitCode).toBe(2);
  expect(step.annotations.map(({ message }) => message)).toEqual([
    '`branch:../main` is not a valid value of the input `history`: expected `branch:<name>` or `file:<path>.jsonl`',
  ]);
});

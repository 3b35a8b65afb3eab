// The bundled action's pull request comment and audit issue, against a fake GitHub that validates every request. Steps share processes;
// bundle.test.ts and events.test.ts use separate ones.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { type ActionRun, runAction, startActionHosts } from '../support/action-run.ts';
import { ACTIONS_LOGIN, type Failure, type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { configMap, createWorkspace, repository, type Workspace } from '../support/workspace.ts';

const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
const TOKEN = 'ghs_test0123456789';
const PULL_REQUEST = {
  pull_request: {
    number: 7,
    head: { sha: 'a'.repeat(40), repo: { full_name: 'shop/manifests' } },
    base: { sha: 'b'.repeat(40), repo: { full_name: 'shop/manifests' } },
  },
};
const COMMENT_MARK = '<!-- preadmit:comment:Preadmit -->';

interface Given {
  readonly denied: number;
  readonly inputs: Record<string, string>;
  readonly token?: string;
  /** Replaces the repository with `denied` objects. */
  readonly folder?: Workspace;
}

/** SOPS encrypted the value that decides. */
const ENCRYPTED = `${configMap('encrypted', 1).replace('"1"', 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]')}sops:
  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
  lastmodified: "2026-01-01T00:00:00Z"
`;

async function github(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  withoutIssues = false,
): Promise<FakeGitHub> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN], withoutIssues });
  onTestFinished(server.close);
  return server;
}

const hosts = startActionHosts();
/** By number of denied objects. The action only reads them. */
const workspaces = new Map<number, Workspace>();
afterAll(async () => {
  for (const { remove } of workspaces.values()) remove();
  await hosts.close();
});

function workspaceWith(denied: number): Workspace {
  const made = workspaces.get(denied) ?? createWorkspace(repository(denied));
  workspaces.set(denied, made);
  return made;
}

async function run(server: FakeGitHub, eventName: string, given: Given): Promise<ActionRun> {
  const { folder, sha } = given.folder ?? workspaceWith(given.denied);
  return runAction({
    entry: ENTRY,
    host: hosts.run,
    workspace: folder,
    sha,
    apiUrl: server.url,
    eventName,
    payload: eventName === 'pull_request' ? PULL_REQUEST : {},
    token: given.token ?? TOKEN,
    // The base of the event exists in no repository here.
    inputs: { 'check-run': 'never', only: 'all', ...given.inputs },
  });
}

const writes = (server: FakeGitHub): string[] =>
  server.requests.map(({ operation }) => operation).filter((operation) => !operation.startsWith('issues/list'));

const FAILURES: readonly (readonly [string, Omit<Failure, 'operation'>])[] = [
  ['502 with nothing done', { with: { status: 502, message: 'Bad Gateway' } }],
  ['502 after it was done', { with: { status: 502, message: 'Bad Gateway' }, done: true }],
  ['a connection cut', { with: 'reset' }],
  ['a connection cut after it was done', { with: 'reset', done: true }],
  ['a slow server', { with: 'slow' }],
  ['429', { with: { status: 429, message: 'Too Many Requests', headers: { 'retry-after': '1' } } }],
  [
    'a secondary limit',
    { with: { status: 403, message: 'You have exceeded a secondary rate limit', headers: { 'retry-after': '1' } } },
  ],
];

describe('the comment', () => {
  const comment = (server: FakeGitHub, denied: number, mode = 'on-failure') =>
    run(server, 'pull_request', { denied, inputs: { comment: mode } });

  test.concurrent('is not created by default', async (context) => {
    const server = await github(context);
    await run(server, 'pull_request', { denied: 1, inputs: {} });
    expect(server.requests).toEqual([]);
  });

  test.concurrent('is created, kept, updated and removed', async (context) => {
    const server = await github(context);
    await comment(server, 1);
    await comment(server, 1);
    expect(writes(server)).toEqual(['issues/create-comment']);
    expect(server.comments).toMatchObject([
      { issue: 7, body: expect.stringContaining('1 of 2 objects would be denied') },
    ]);
    await comment(server, 2);
    expect(server.comments).toMatchObject([{ id: 1, body: expect.stringContaining('2 of 3 objects would be denied') }]);
    await comment(server, 0);
    expect(server.comments).toEqual([]);
    await comment(server, 0);
    expect(writes(server)).toEqual(['issues/create-comment', 'issues/update-comment', 'issues/delete-comment']);
    expect(server.problems).toEqual([]);
  });

  test.concurrent('is one line without findings, if it is always enabled', async (context) => {
    const server = await github(context);
    await comment(server, 0, 'always');
    expect(server.comments[0]?.body.trimEnd().split('\n')).toEqual([
      COMMENT_MARK,
      '✅ Admission policies: the object would be admitted. [Workflow run](https://github.com/shop/manifests/actions/runs/4711)',
    ]);
  });

  test.concurrent('does not touch comments of others, even with the marker', async (context) => {
    const server = await github(context);
    const planted = { id: 50, issue: 7, login: 'mallory', body: `${COMMENT_MARK}\nmine` };
    const quoted = { id: 51, issue: 7, login: ACTIONS_LOGIN, body: `> ${COMMENT_MARK}` };
    server.comments.push(planted, quoted);
    await comment(server, 1);
    await comment(server, 0);
    expect(server.comments).toEqual([planted, quoted]);
  });

  test.concurrent('is merged if two concurrent runs created two, and is found on the second page', async (context) => {
    const server = await github(context);
    for (let id = 1; id <= 120; id++) server.comments.push({ id, issue: 7, login: 'octocat', body: 'hello' });
    for (const id of [121, 122])
      server.comments.push({ id, issue: 7, login: ACTIONS_LOGIN, body: `${COMMENT_MARK}\nold` });
    await comment(server, 1);
    const ours = server.comments.filter(({ login }) => login === ACTIONS_LOGIN);
    expect(ours).toMatchObject([{ id: 121, body: expect.stringContaining('would be denied') }]);
  });

  test.concurrent('is shortened, with a count of omitted entries', async (context) => {
    const server = await github(context);
    await comment(server, 600);
    const { body = '' } = server.comments[0] ?? {};
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(body).toMatch(/\d+ more findings/);
    expect(body).toContain('Preadmit updates this comment.');
  });

  test.concurrent('falls back to a log line without write permission', async (context) => {
    const server = await github(context);
    const given = { denied: 1, inputs: { comment: 'always' }, token: 'ghs_readonly' };
    const { exitCode, step } = await run(server, 'pull_request', given);
    expect(exitCode).toBe(1);
    expect(step.output.filter((line) => line.includes('no comment:'))).toEqual([
      'no comment: the token has no permission to write comments; give the job `permissions: pull-requests: write`',
    ]);
  });

  test.concurrent.for(FAILURES)('retries after %s and is written once', async ([_title, failure], context) => {
    const server = await github(context);
    const operations = ['issues/create-comment', 'issues/update-comment', 'issues/delete-comment'] as const;
    server.failNext(...operations.map((operation) => ({ operation, ...failure })));
    await comment(server, 1);
    expect(server.comments).toHaveLength(1);
    await comment(server, 2);
    expect(server.comments).toMatchObject([{ body: expect.stringContaining('2 of 3 objects') }]);
    await comment(server, 0);
    expect(server.comments).toEqual([]);
    expect(server.problems).toEqual([]);
  });
});

describe('the audit issue', () => {
  const audit = (server: FakeGitHub, denied: number, eventName = 'schedule', token = TOKEN) =>
    run(server, eventName, { denied, inputs: { 'audit-issue': 'true' }, token });

  /** Moves the latest run to another day. */
  const age = (server: FakeGitHub, day: string): void => {
    for (const [index, issue] of server.issues.entries()) {
      server.issues[index] = { ...issue, body: issue.body.replace(/^(.*"day":)"[\d-]+"/, `$1"${day}"`) };
    }
  };

  test.concurrent('is opened, updated with the trend, closed and reopened', async (context) => {
    const server = await github(context);
    await audit(server, 3);
    const title = 'Preadmit: 3 of 4 objects would be denied';
    expect(server.issues).toMatchObject([{ number: 1, state: 'open', labels: ['preadmit'], title }]);
    expect(server.issues[0]?.body).toContain('3 of 4 objects would be denied');
    age(server, '2026-01-02');
    await audit(server, 1);
    expect(server.issues[0]?.title).toBe('Preadmit: 1 of 2 objects would be denied');
    expect(server.issues[0]?.body).toContain('| denied | 1 | −2 | █▄ |');
    expect(server.comments).toEqual([]);
    await audit(server, 0);
    expect(server.issues).toMatchObject([{ state: 'closed' }]);
    await audit(server, 0);
    await audit(server, 2);
    expect(server.issues).toMatchObject([{ number: 1, state: 'open' }]);
    expect(server.comments.map(({ body }) => body.split('\n')[1]?.replace(/ \[.*/, ''))).toEqual([
      'No findings are left.',
      'There are findings.',
    ]);
    expect(server.problems).toEqual([]);
  });

  test.concurrent('is opened, updated and kept by an undecided audit, and closed by an allowed one', async (context) => {
    const server = await github(context);
    const folder = createWorkspace({ ...repository(0), 'apps/encrypted.yaml': ENCRYPTED });
    context.onTestFinished(folder.remove);
    const undecided = async (mode: 'fail' | 'warn'): Promise<number> => {
      const inputs = { 'audit-issue': 'true', 'on-undecided': mode };
      const { exitCode } = await run(server, 'schedule', { denied: 0, inputs, folder });
      return exitCode;
    };
    expect(await undecided('fail')).toBe(5);
    const title = 'Preadmit: undecided: 1 object';
    expect(server.issues).toMatchObject([{ state: 'open', title }]);
    age(server, '2026-01-01');
    await audit(server, 2);
    expect(server.issues).toMatchObject([{ state: 'open', title: 'Preadmit: 2 of 3 objects would be denied' }]);
    age(server, '2026-01-02');
    // An audit that does not fail for it does not call it judged either.
    expect(await undecided('warn')).toBe(0);
    expect(server.issues).toMatchObject([{ state: 'open', title }]);
    expect(server.issues[0]?.body).toContain('| denied | 0 | −2 |');
    expect(server.issues[0]?.body).toContain('| undecided | 1 | +1 |');
    expect(server.comments).toEqual([]);
    await audit(server, 0);
    expect(server.issues).toMatchObject([{ state: 'closed' }]);
    expect(await undecided('fail')).toBe(5);
    expect(server.issues).toMatchObject([{ number: 1, state: 'open', title }]);
    expect(server.comments.map(({ body }) => body.split('\n')[1]?.replace(/ \[.*/, ''))).toEqual([
      'No findings are left.',
      'There are findings.',
    ]);
    expect(server.problems).toEqual([]);
  });

  test.concurrent('is not created without findings, in pull requests, or for other branches', async (context) => {
    const server = await github(context);
    await audit(server, 0);
    await audit(server, 1, 'pull_request');
    await audit(server, 1, 'workflow_dispatch');
    expect(writes(server)).toEqual([]);
  });

  test.concurrent('does not touch issues of others', async (context) => {
    const server = await github(context);
    const planted = {
      number: 1,
      login: 'mallory',
      title: 'audit',
      body: '<!-- preadmit:audit:Preadmit [] -->',
      state: 'open',
      labels: ['preadmit'],
    };
    server.issues.push(planted);
    await audit(server, 1);
    expect(server.issues).toMatchObject([planted, { login: ACTIONS_LOGIN }]);
  });

  test.concurrent('restarts its trend if its first line was edited', async (context) => {
    const server = await github(context);
    await audit(server, 1);
    const [issue] = server.issues;
    if (issue === undefined) throw new Error('no issue');
    const open = { day: '2026-01-01', denied: 1, warned: 0, audited: 0, errors: 0, undecided: '-->', evaluated: 1 };
    const points = `[{"day":"<b>","denied":1},7,${JSON.stringify(open)}]`;
    server.issues[0] = { ...issue, body: issue.body.replace(/\[.*?\]/, points) };
    await audit(server, 2);
    expect(server.issues).toHaveLength(1);
    expect(server.issues[0]?.body).toMatch(
      /^<!-- preadmit:audit:Preadmit \[\{"day":"[\d-]+","denied":2,[^[\]]+\] -->\n/,
    );
  });

  test.concurrent('is missed with one warning if issues are disabled or the token may not write them', async (context) => {
    const disabled = await audit(await github(context, true), 1);
    const forbidden = await audit(await github(context), 1, 'schedule', 'ghs_readonly');
    const warnings = [disabled, forbidden].map(({ exitCode, step }) => [
      exitCode,
      ...step.annotations.map(({ message }) => message).filter((message) => message.startsWith('no audit issue')),
    ]);
    expect(warnings).toEqual([
      [1, 'no audit issue: issues are disabled in this repository'],
      [1, 'no audit issue: the token has no permission to write issues; give the job `permissions: issues: write`'],
    ]);
  });

  test.concurrent.for(FAILURES)('retries after %s and is written once', async ([_title, failure], context) => {
    const server = await github(context);
    const operations = ['issues/create', 'issues/update', 'issues/create-comment'] as const;
    server.failNext(...operations.map((operation) => ({ operation, ...failure })));
    await audit(server, 1);
    expect(server.issues).toHaveLength(1);
    await audit(server, 0);
    expect(server.issues).toMatchObject([{ state: 'closed' }]);
    expect(server.comments).toHaveLength(1);
    expect(server.problems).toEqual([]);
  });
});

test.concurrent('shards publish nothing, and merging them publishes once', async (context) => {
  const server = await github(context);
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-shards-'));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const base = {
    entry: ENTRY,
    host: hosts.run,
    apiUrl: server.url,
    eventName: 'pull_request',
    payload: PULL_REQUEST,
    token: TOKEN,
  };
  const { folder: workspace, sha, remove } = createWorkspace(repository(5));
  context.onTestFinished(remove);
  for (const index of [1, 2, 3]) {
    const shard = { shard: `${index}/3`, format: 'json=report.json' };
    const part = await runAction({ ...base, workspace, sha, inputs: shard });
    expect([part.exitCode, part.summary]).toEqual([0, '']);
    mkdirSync(join(folder, `preadmit-${index}`));
    copyFileSync(join(workspace, 'report.json'), join(folder, `preadmit-${index}/report.json`));
  }
  expect(server.requests).toEqual([]);
  const whole = await runAction({ ...base, workspace: folder, sha, inputs: { merge: '.' } });
  expect(whole.exitCode).toBe(1);
  expect(server.checkRuns).toMatchObject([{ title: '5 of 6 objects would be denied', conclusion: 'failure' }]);
  rmSync(join(folder, 'preadmit-2'), { recursive: true });
  const gap = await runAction({ ...base, workspace: folder, sha, inputs: { merge: '.' } });
  expect(gap.exitCode).toBe(2);
  expect(gap.step.annotations.map(({ message }) => message)).toEqual(['1 of 3 shards are missing, the first is 2/3']);
});

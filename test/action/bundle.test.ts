// The bundled action as GitHub runs it: check-runs, fallbacks, retries, outputs, against a GitHub that validates everything.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type ActionRun, NODE_VERSION, runAction } from '../support/action-run.ts';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { MAX_SUMMARY_BYTES } from '../support/runner.ts';
import { createWorkspace, repository, type Workspace } from '../support/workspace.ts';

const BUNDLE = join(import.meta.dirname, '../../dist/action.js');
const ENTRY = process.env['PREADMIT_ACTION_ENTRY']?.split(' ') ?? [BUNDLE];
const TOKEN = 'ghs_test0123456789';
const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const PULL_REQUEST = {
  pull_request: {
    number: 7,
    head: { sha: HEAD, repo: { full_name: 'shop/manifests' } },
    base: { sha: BASE, repo: { full_name: 'shop/manifests' } },
  },
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function github(): Promise<FakeGitHub> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  opened.push(server.close);
  return server;
}

function workspace(files: Record<string, string>): Workspace {
  const created = createWorkspace(files);
  opened.push(created.remove);
  return created;
}

interface Given {
  readonly files: Record<string, string>;
  readonly eventName?: string;
  readonly payload?: unknown;
  readonly token?: string;
  readonly inputs?: Record<string, string>;
  readonly environment?: Record<string, string>;
}

async function run(server: FakeGitHub, given: Given): Promise<ActionRun & { readonly sha: string }> {
  const { folder, sha } = workspace(given.files);
  const result = await runAction({
    entry: ENTRY,
    workspace: folder,
    sha,
    apiUrl: server.url,
    eventName: given.eventName ?? 'pull_request',
    payload: given.payload ?? PULL_REQUEST,
    token: given.token ?? TOKEN,
    ...(given.inputs && { inputs: given.inputs }),
    ...(given.environment && { environment: given.environment }),
  });
  return { ...result, sha };
}

const operations = (server: FakeGitHub): string[] => server.requests.map(({ operation }) => operation);

describe.runIf(existsSync(ENTRY.at(-1) as string))(`on Node ${NODE_VERSION}`, () => {
  test('publishes a check-run on the head commit, and the step fails', async () => {
    const server = await github();
    const { exitCode, outputs, step, summary } = await run(server, { files: repository(2) });
    expect(server.problems).toEqual([]);
    expect(operations(server)).toEqual(['checks/create']);
    expect(server.checkRuns).toMatchObject([
      {
        name: 'Preadmit',
        head_sha: HEAD,
        external_id: '4711-1-Preadmit',
        status: 'completed',
        conclusion: 'failure',
        annotations: [
          {
            path: 'apps/large-000.yaml',
            start_line: 7,
            end_line: 7,
            annotation_level: 'failure',
            message: expect.stringContaining('size is at most 3'),
          },
          { path: 'apps/large-001.yaml' },
        ],
      },
    ]);
    expect(server.checkRuns[0]?.title).toBe('Denied: 2 denied, of 3 resources');
    expect(exitCode).toBe(1);
    expect(Object.fromEntries(outputs)).toEqual({
      conclusion: 'denied',
      denied: '2',
      warned: '0',
      evaluated: '3',
      'report-path': expect.stringMatching(/\.json$/),
    });
    expect(summary).toContain('size is at most 3');
    expect(step.masks).toEqual([TOKEN]);
    expect(step.annotations).toEqual([]);
  });

  test('appends annotations fifty at a time and completes last', async () => {
    const server = await github();
    await run(server, { files: repository(120) });
    expect(server.problems).toEqual([]);
    expect(operations(server)).toEqual(['checks/create', 'checks/update', 'checks/update']);
    expect(server.requests.map(({ body }) => body['status'])).toEqual(['in_progress', undefined, 'completed']);
    expect(server.checkRuns).toHaveLength(1);
    expect(server.checkRuns[0]?.conclusion).toBe('failure');
    const paths = server.checkRuns[0]?.annotations.map(({ path }) => path);
    expect(new Set(paths).size).toBe(120);
  });

  test('annotates no more than asked for, the rest is in the summary', async () => {
    const server = await github();
    await run(server, { files: repository(5), inputs: { 'max-annotations': '2' } });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns[0]?.annotations).toHaveLength(2);
    expect(server.checkRuns[0]?.summary).toContain('3 findings without annotation');
    expect(server.checkRuns[0]?.summary).toContain('apps/large-004.yaml');
  });

  test('is green when nothing is denied', async () => {
    const server = await github();
    const { exitCode, outputs } = await run(server, { files: repository(0) });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns).toMatchObject([{ conclusion: 'success', annotations: [] }]);
    expect([exitCode, outputs.get('conclusion')]).toEqual([0, 'allowed']);
  });

  test.each([
    ['push', { before: '0'.repeat(40) }],
    ['schedule', {}],
    ['workflow_dispatch', {}],
  ])('%s reports on the pushed commit', async (eventName, payload) => {
    const server = await github();
    const { sha } = await run(server, { files: repository(1), eventName, payload });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns).toMatchObject([{ head_sha: sha }]);
  });

  test('merge_group reports on the head of the group', async () => {
    const server = await github();
    const payload = { merge_group: { head_sha: HEAD, base_sha: BASE } };
    await run(server, { files: repository(1), eventName: 'merge_group', payload });
    expect(server.checkRuns).toMatchObject([{ head_sha: HEAD }]);
  });

  test('pull_request_target is refused with the reason', async () => {
    const server = await github();
    const { exitCode, step } = await run(server, { files: repository(1), eventName: 'pull_request_target' });
    expect([exitCode, server.requests]).toEqual([2, []]);
    expect(step.annotations.map(({ message }) => message).join()).toContain('pull_request_target');
  });

  test('a read-only token falls back to the log and the summary, and says so once', async () => {
    const server = await github();
    const payload = structuredClone(PULL_REQUEST);
    payload.pull_request.head.repo.full_name = 'octocat/manifests';
    const { exitCode, step, summary } = await run(server, { files: repository(12), payload, token: 'ghs_readonly' });
    expect(operations(server)).toEqual(['checks/create']);
    expect(exitCode).toBe(1);
    expect(step.commands.filter(({ name }) => name === 'error')).toHaveLength(12);
    expect(step.annotations[0]?.properties.get('file')).toBe('apps/large-000.yaml');
    expect(step.annotations[0]?.properties.get('col')).toBe('9');
    expect(step.output.filter((line) => line.includes('read-only'))).toHaveLength(1);
    expect(summary).toContain('apps/large-011.yaml');
  });

  test('check-run always fails the step where there can be none', async () => {
    const server = await github();
    const given = { files: repository(0), token: 'ghs_readonly', inputs: { 'check-run': 'always' } };
    expect((await run(server, given)).exitCode).toBe(2);
  });

  test('check-run never asks GitHub for nothing', async () => {
    const server = await github();
    const { step } = await run(server, { files: repository(1), inputs: { 'check-run': 'never' } });
    expect(server.requests).toEqual([]);
    expect(step.annotations).toHaveLength(1);
  });

  test.each([
    ['502 with nothing done', { with: { status: 502, message: 'Bad Gateway' } } as const],
    ['502 after it was done', { with: { status: 502, message: 'Bad Gateway' }, done: true } as const],
    ['a connection cut', { with: 'reset' } as const],
    ['a connection cut after it was done', { with: 'reset', done: true } as const],
  ])('survives %s and publishes once', async (_title, failure) => {
    const server = await github();
    server.failNext({ operation: 'checks/create', ...failure }, { operation: 'checks/update', ...failure });
    const { exitCode } = await run(server, { files: repository(60) });
    expect(server.problems).toEqual([]);
    expect(exitCode).toBe(1);
    expect(server.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(server.checkRuns[0]?.annotations).toHaveLength(60);
  });

  test.each([
    ['a secondary limit', 403, 'You have exceeded a secondary rate limit', { 'retry-after': '1' }],
    ['the primary limit', 403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }],
    ['too many requests', 429, 'Too Many Requests', { 'retry-after': '1' }],
  ])('waits for %s', async (_title, status, message, headers) => {
    const server = await github();
    server.failNext({ operation: 'checks/create', with: { status, message, headers } });
    await run(server, { files: repository(1) });
    expect(server.problems).toEqual([]);
    expect(server.requests.map((request) => request.status)).toEqual([status, 201]);
    expect(server.checkRuns).toHaveLength(1);
  });

  test('a large report fits: check-run and summary are cut with a count', async () => {
    const server = await github();
    const { summary } = await run(server, { files: repository(600), inputs: { 'max-annotations': '0' } });
    expect(server.problems).toEqual([]);
    expect(Buffer.byteLength(server.checkRuns[0]?.summary ?? '')).toBeLessThanOrEqual(65_535);
    expect(server.checkRuns[0]?.summary).toMatch(/\d+ more findings/);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
    expect(summary).toContain('apps/large-599.yaml');
  });

  test('a wrong input is told with the one that was probably meant', async () => {
    const server = await github();
    const { exitCode, step } = await run(server, {
      files: repository(0),
      inputs: { 'fail-on': 'denny', 'check-nam': 'x' },
    });
    expect([exitCode, server.requests]).toEqual([2, []]);
    const words = step.annotations.map(({ message }) => message).join('\n');
    expect(words).toContain('did you mean `deny`?');
    expect(words).toContain('did you mean `check-name`?');
  });

  test('nothing checked is not green', async () => {
    const server = await github();
    const { exitCode, outputs } = await run(server, { files: { 'README.md': 'nothing here\n' } });
    expect([exitCode, outputs.get('conclusion')]).toEqual([3, 'nothing-checked']);
    expect(server.checkRuns).toMatchObject([{ conclusion: 'failure' }]);
  });

  test('the token is nowhere in what is printed or published', async () => {
    const server = await github();
    const { stdout, stderr, summary } = await run(server, { files: repository(1), inputs: { debug: 'true' } });
    expect(`${stderr}${summary}${JSON.stringify(server.requests.map(({ body }) => body))}`).not.toContain(TOKEN);
    expect(stdout.split(TOKEN)).toHaveLength(2);
  });
});

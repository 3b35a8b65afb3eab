// The bundled action in GitHub's environment: check-runs, fallbacks, retries, outputs, against a fake GitHub that validates every request.
// Uses Node 24 like GitHub if PREADMIT_NODE24 names one or scripts/node24.ts fetched one; else the Node that runs the tests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, type TestContext, test } from 'vitest';
import { type ActionRun, NODE_VERSION, runAction } from '../support/action-run.ts';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.ts';
import { hostileFileName, hostileText } from '../support/hostile-text.ts';
import { MAX_SUMMARY_BYTES } from '../support/runner.ts';
import { configMap, createWorkspace, repository, sizePolicy } from '../support/workspace.ts';

const BUNDLE = join(import.meta.dirname, '../../dist/action.js');
/** Path of another build of the action, e.g. an uncommitted one. */
const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? BUNDLE];
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

type Test = Pick<TestContext, 'onTestFinished'>;

async function github({ onTestFinished }: Test): Promise<FakeGitHub> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  onTestFinished(server.close);
  return server;
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
  const { folder, sha, remove } = createWorkspace(given.files);
  const result = await runAction({
    entry: ENTRY,
    workspace: folder,
    sha,
    apiUrl: server.url,
    eventName: given.eventName ?? 'pull_request',
    payload: given.payload ?? PULL_REQUEST,
    token: given.token ?? TOKEN,
    // The base of the event exists in no repository here.
    inputs: { only: 'all', ...given.inputs },
    ...(given.environment && { environment: given.environment }),
  }).finally(remove);
  return { ...result, sha };
}

const operations = (server: FakeGitHub): string[] => server.requests.map(({ operation }) => operation);

describe(`on Node ${NODE_VERSION}`, () => {
  test('the bundle exists', () => {
    expect(existsSync(ENTRY.at(-1) as string), 'run `npm run dist`').toBe(true);
  });

  test.concurrent('publishes a check-run on the head commit, and the step fails', async (context) => {
    const server = await github(context);
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
    expect(server.checkRuns[0]?.title).toBe('2 of 3 objects would be denied');
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

  test.concurrent('appends annotations fifty at a time and completes last', async (context) => {
    const server = await github(context);
    await run(server, { files: repository(120) });
    expect(server.problems).toEqual([]);
    expect(operations(server)).toEqual(['checks/create', 'checks/update', 'checks/update']);
    expect(server.requests.map(({ body }) => body['status'])).toEqual(['in_progress', undefined, 'completed']);
    expect(server.checkRuns).toHaveLength(1);
    expect(server.checkRuns[0]?.conclusion).toBe('failure');
    const paths = server.checkRuns[0]?.annotations.map(({ path }) => path);
    expect(new Set(paths).size).toBe(120);
  });

  test.concurrent('limits annotations, and puts the rest into the summary', async (context) => {
    const server = await github(context);
    await run(server, { files: repository(5), inputs: { 'max-annotations': '2' } });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns[0]?.annotations).toHaveLength(2);
    expect(server.checkRuns[0]?.summary).toContain('3 findings without annotation');
    expect(server.checkRuns[0]?.summary).toContain('apps/large-004.yaml');
  });

  test.concurrent('succeeds if nothing is denied', async (context) => {
    const server = await github(context);
    const { exitCode, outputs } = await run(server, { files: repository(0) });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns).toMatchObject([{ conclusion: 'success', annotations: [] }]);
    expect([exitCode, outputs.get('conclusion')]).toEqual([0, 'allowed']);
  });

  test.concurrent.for([
    ['push', { before: '0'.repeat(40) }],
    ['schedule', {}],
    ['workflow_dispatch', {}],
  ] as const)('%s reports on the pushed commit', async ([eventName, payload], context) => {
    const server = await github(context);
    const { sha } = await run(server, { files: repository(1), eventName, payload });
    expect(server.problems).toEqual([]);
    expect(server.checkRuns).toMatchObject([{ head_sha: sha }]);
  });

  test.concurrent('merge_group reports on the head of the group', async (context) => {
    const server = await github(context);
    const payload = { merge_group: { head_sha: HEAD, base_sha: BASE } };
    await run(server, { files: repository(1), eventName: 'merge_group', payload });
    expect(server.checkRuns).toMatchObject([{ head_sha: HEAD }]);
  });

  test.concurrent('pull_request_target is rejected with the reason', async (context) => {
    const server = await github(context);
    const { exitCode, step } = await run(server, { files: repository(1), eventName: 'pull_request_target' });
    expect([exitCode, server.requests]).toEqual([2, []]);
    expect(step.annotations.map(({ message }) => message).join()).toContain('pull_request_target');
  });

  test.concurrent('a read-only token falls back to the log and the summary, with one notice', async (context) => {
    const server = await github(context);
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

  test.concurrent.for([
    [401, 'GitHub rejected the token'],
    [404, 'the token has no permission to write checks'],
    [422, 'GitHub responded with status 422'],
  ] as const)('an answer of %i falls back to the log', async ([status, words], context) => {
    const server = await github(context);
    server.failNext({ operation: 'checks/create', with: { status, message: 'No' } });
    const { exitCode, step } = await run(server, { files: repository(1) });
    expect(operations(server)).toEqual(['checks/create']);
    expect([exitCode, step.annotations.length]).toEqual([1, 1]);
    expect(step.output.filter((line) => line.includes(words))).toHaveLength(1);
  });

  test.concurrent('gives up on a GitHub that stays down', async (context) => {
    const server = await github(context);
    const failure = { operation: 'checks/create', with: { status: 503, message: 'Unavailable' } } as const;
    server.failNext(failure, failure, failure, failure);
    const { exitCode, step } = await run(server, { files: repository(1) });
    expect(server.checkRuns).toEqual([]);
    expect([exitCode, step.annotations.length]).toEqual([1, 1]);
  });

  test.concurrent('completes a created check-run even if annotations are rejected', async (context) => {
    const server = await github(context);
    server.failNext({ operation: 'checks/update', with: { status: 422, message: 'No' } });
    const { exitCode, step } = await run(server, { files: repository(60) });
    expect(server.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(server.checkRuns[0]?.annotations).toHaveLength(50);
    expect(step.commands.filter(({ name }) => name === 'error')).toHaveLength(60);
    expect(exitCode).toBe(1);
  });

  test.concurrent('`check-run: always` fails the step if check-runs are impossible', async (context) => {
    const server = await github(context);
    const given = { files: repository(0), token: 'ghs_readonly', inputs: { 'check-run': 'always' } };
    expect((await run(server, given)).exitCode).toBe(2);
  });

  test.concurrent('`check-run: never` sends no requests to GitHub', async (context) => {
    const server = await github(context);
    const { step } = await run(server, { files: repository(1), inputs: { 'check-run': 'never' } });
    expect(server.requests).toEqual([]);
    expect(step.annotations).toHaveLength(1);
  });

  test.concurrent.for([
    ['502 with nothing done', { with: { status: 502, message: 'Bad Gateway' } } as const],
    ['502 after it was done', { with: { status: 502, message: 'Bad Gateway' }, done: true } as const],
    ['a connection cut', { with: 'reset' } as const],
    ['a connection cut after it was done', { with: 'reset', done: true } as const],
    ['a slow server', { with: 'slow' } as const],
  ] as const)('survives %s and publishes once', async ([_title, failure], context) => {
    const server = await github(context);
    server.failNext({ operation: 'checks/create', ...failure }, { operation: 'checks/update', ...failure });
    const { exitCode } = await run(server, { files: repository(60) });
    expect(server.problems).toEqual([]);
    expect(exitCode).toBe(1);
    expect(server.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(server.checkRuns[0]?.annotations).toHaveLength(60);
  });

  test.concurrent.for([
    ['a secondary limit', 403, 'You have exceeded a secondary rate limit', { 'retry-after': '1' }],
    ['the primary limit', 403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }],
    ['too many requests', 429, 'Too Many Requests', { 'retry-after': '1' }],
  ] as const)('waits for %s', async ([_title, status, message, headers], context) => {
    const server = await github(context);
    server.failNext({ operation: 'checks/create', with: { status, message, headers } });
    await run(server, { files: repository(1) });
    expect(server.problems).toEqual([]);
    expect(server.requests.map((request) => request.status)).toEqual([status, 201]);
    expect(server.checkRuns).toHaveLength(1);
  });

  test.concurrent('shortens check-run and summary of a large report, with a count', async (context) => {
    const server = await github(context);
    const { summary } = await run(server, { files: repository(600), inputs: { 'max-annotations': '0' } });
    expect(server.problems).toEqual([]);
    expect(Buffer.byteLength(server.checkRuns[0]?.summary ?? '')).toBeLessThanOrEqual(65_535);
    expect(server.checkRuns[0]?.summary).toMatch(/\d+ more findings/);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
    expect(summary).toContain('apps/large-599.yaml');
  });

  test.concurrent('suggests the correct name for an unknown input', async (context) => {
    const server = await github(context);
    const { exitCode, step } = await run(server, {
      files: repository(0),
      inputs: { 'fail-on': 'denny', 'check-nam': 'x' },
    });
    expect([exitCode, server.requests]).toEqual([2, []]);
    const words = step.annotations.map(({ message }) => message).join('\n');
    expect(words).toContain('did you mean `deny`?');
    expect(words).toContain('did you mean `check-name`?');
  });

  test.concurrent('fails if nothing is checked', async (context) => {
    const server = await github(context);
    const { exitCode, outputs } = await run(server, { files: { 'README.md': 'nothing here\n' } });
    expect([exitCode, outputs.get('conclusion')]).toEqual([3, 'nothing-checked']);
    expect(server.checkRuns).toMatchObject([{ conclusion: 'failure' }]);
  });

  test.concurrent('texts of the repository cannot become workflow commands', async (context) => {
    const server = await github(context);
    const sample = fc.sample(fc.tuple(hostileFileName, hostileText, hostileText), { seed: 20261121, numRuns: 60 });
    const policies = sample.map(([, name, message], index) => sizePolicy({ name: `${index}${name}`, message }));
    const files: Record<string, string> = {
      'policies/good.yaml': sizePolicy(),
      'policies/hostile.yaml': policies.join('---\n'),
    };
    sample.forEach(([fileName, name], index) => {
      files[`apps/${index}/${fileName}.yaml`] = `${configMap(name, 9)}---\n${configMap(`good-${index}`, 9)}`;
      files[`apps/${index}/broken-${fileName}.yaml`] = `a: [${name}`;
    });
    const inputs = { 'show-skipped': 'true', debug: 'true', annotations: 'log' };
    const { exitCode, step, outputs } = await run(server, { files, inputs });
    expect(exitCode).toBe(1);
    expect(server.problems).toEqual([]);
    const names = step.commands.map(({ name }) => name);
    expect(names.filter((name) => !['add-mask', 'error', 'warning', 'notice'].includes(name))).toEqual([]);
    expect(names.filter((name) => name === 'error').length).toBeGreaterThan(60);
    expect(Number(outputs.get('denied'))).toBeGreaterThan(30);
    expect(step.masks).toEqual([TOKEN]);
    expect([...outputs.keys()]).toEqual(['conclusion', 'denied', 'warned', 'evaluated', 'report-path']);
  });

  test.concurrent('the token appears in no output', async (context) => {
    const server = await github(context);
    const { stdout, stderr, summary } = await run(server, { files: repository(1), inputs: { debug: 'true' } });
    expect(`${stderr}${summary}${JSON.stringify(server.requests.map(({ body }) => body))}`).not.toContain(TOKEN);
    expect(stdout.split(TOKEN)).toHaveLength(2);
  });
});

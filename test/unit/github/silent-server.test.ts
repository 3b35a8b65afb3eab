// A GitHub server that does not respond: everything is published at most once, within a limit of time.
import { afterAll, expect, test } from 'vitest';
import type { CheckRunContent } from '../../../src/github/check-run.ts';
import type { EventContext } from '../../../src/github/event.ts';
import type { Log } from '../../../src/github/log.ts';
import { richReport } from '../../report/rich-report.ts';
import { startFakeGitHub } from '../../support/fake-github.ts';

const TOKEN = 'ghs_test';
const CONTEXT: EventContext = {
  eventName: 'pull_request',
  repository: { owner: 'shop', name: 'manifests' },
  headSha: 'a'.repeat(40),
  isFork: false,
  pullRequest: 7,
  isDefaultBranch: false,
  runKey: '4711-1',
  runUrl: 'https://github.com/shop/manifests/actions/runs/4711',
};

function content(annotations: number): CheckRunContent {
  const annotation = { end_line: 1, annotation_level: 'failure', title: 't', message: 'm', raw_details: 'd' } as const;
  return {
    name: 'Preadmit',
    conclusion: 'failure',
    title: 'Denied',
    summary: 'Denied',
    annotations: Array.from({ length: annotations }, (_, index) => ({
      ...annotation,
      path: `${index}.yaml`,
      start_line: 1,
    })),
  };
}

// The client reads the address once, when it is loaded. No other test file in this process may load it.
const server = await startFakeGitHub({ writeTokens: [TOKEN] });
process.env['GITHUB_API_URL'] = server.url;
const { createClient } = await import('../../../src/github/client.ts');
const { publish } = await import('../../../src/github/publish.ts');
const { publishCheckRun } = await import('../../../src/github/check-run.ts');
const { explainRefusal } = await import('../../../src/github/explain-refusal.ts');
delete process.env['GITHUB_API_URL'];
afterAll(server.close);

const LOG: Log = { info: () => {}, error: () => {}, warning: () => {}, commands: () => {} };

test('a check-run is created once and completed, whether or not the server did the work', async () => {
  const client = createClient(TOKEN, LOG, { request: 500, all: 60_000 });
  expect(client.request.endpoint.DEFAULTS.baseUrl).toBe(server.url);
  for (const done of [true, false]) {
    const silent = { with: 'silent', done } as const;
    server.failNext({ operation: 'checks/create', ...silent }, { operation: 'checks/update', ...silent });
    await publishCheckRun(client, { ...CONTEXT, runKey: `4711-${done}` }, content(60));
  }
  expect(server.problems).toEqual([]);
  const completed = { status: 'completed', conclusion: 'failure' };
  expect(server.checkRuns).toMatchObject([completed, completed]);
  expect(server.checkRuns.map(({ annotations }) => annotations.length)).toEqual([60, 60]);
});

test('all requests of a publication share one limit of time', async () => {
  server.fallSilent();
  const said: string[] = [];
  const published = await publish(richReport, CONTEXT, {
    token: TOKEN,
    checkRun: 'auto',
    checkName: 'Preadmit',
    annotations: 'check',
    maxAnnotations: 50,
    summary: false,
    comment: 'always',
    suggest: true,
    auditIssue: false,
    auditMentions: false,
    environment: {},
    log: { ...LOG, info: (text) => said.push(text) },
    today: '2026-11-21',
    timeLimits: { request: 400, all: 500 },
  });
  // The second request asks whether the first took effect. The comment and the suggestions send none.
  const checks = '/repos/shop/manifests';
  expect(server.unanswered).toEqual([
    `POST ${checks}/check-runs`,
    `GET ${checks}/commits/${CONTEXT.headSha}/check-runs`,
  ]);
  const reason = 'the 0.5 s for all requests to GitHub are used up';
  expect(published).toMatchObject({ checkRunFailure: reason, failed: false });
  expect(said).toEqual([`check-run failed: ${reason}`, `no comment: ${reason}`, `no suggestions: ${reason}`]);
});

test.each([
  ['a primary limit', 403, { 'x-ratelimit-remaining': '0' }, 'API rate limit exceeded for installation', 'rate limit'],
  ['a secondary limit', 403, {}, 'You have exceeded a secondary rate limit', 'rate limit'],
  ['too many requests', 429, {}, 'No', 'rate limit'],
  ['a missing permission', 403, { 'x-ratelimit-remaining': '9' }, 'Resource not accessible', 'checks: write'],
])('advice for %s', (_, status, headers, message, words) => {
  const error = Object.assign(new Error(message), { status, response: { headers, data: { message } } });
  const wanted = { what: 'checks', permission: 'checks: write' };
  expect(explainRefusal(error, CONTEXT, wanted)).toContain(words);
});

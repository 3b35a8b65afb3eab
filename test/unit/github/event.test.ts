// The commit of each event, and the events that are rejected.
import { expect, test } from 'vitest';
import { readEvent, type StepEnvironment } from '../../../src/github/event.ts';

const HEAD = '1'.repeat(40);
const BASE = '2'.repeat(40);
const MERGE = '3'.repeat(40);
const REFUSE = { allowPullRequestTarget: false };

function environment(eventName: string, more: StepEnvironment = {}): StepEnvironment {
  return {
    GITHUB_EVENT_NAME: eventName,
    GITHUB_REPOSITORY: 'shop/manifests',
    GITHUB_SHA: MERGE,
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_ATTEMPT: '2',
    ...more,
  };
}

function pullRequest(headRepository: string | null): unknown {
  return {
    pull_request: {
      number: 7,
      head: { sha: HEAD, repo: headRepository === null ? null : { full_name: headRepository } },
      base: { sha: BASE, repo: { full_name: 'shop/manifests' } },
    },
  };
}

test.each([
  ['pull_request', pullRequest('shop/manifests'), { headSha: HEAD, baseSha: BASE, isFork: false, pullRequest: 7 }],
  ['pull_request', pullRequest('octocat/manifests'), { headSha: HEAD, baseSha: BASE, isFork: true, pullRequest: 7 }],
  ['pull_request', pullRequest(null), { headSha: HEAD, baseSha: BASE, isFork: true, pullRequest: 7 }],
  ['merge_group', { merge_group: { head_sha: HEAD, base_sha: BASE } }, { headSha: HEAD, baseSha: BASE, isFork: false }],
  ['push', { before: BASE }, { headSha: MERGE, baseSha: BASE, isFork: false }],
  ['push', { before: '0'.repeat(40) }, { headSha: MERGE, isFork: false }],
  ['schedule', {}, { headSha: MERGE, isFork: false }],
  ['workflow_dispatch', null, { headSha: MERGE, isFork: false }],
  ['pull_request', { pull_request: { head: { sha: '--upload-pack=x' } } }, { headSha: MERGE, isFork: true }],
])('%s %#', (eventName, payload, expected) => {
  expect(readEvent(environment(eventName), payload, REFUSE)).toEqual({
    context: {
      eventName,
      repository: { owner: 'shop', name: 'manifests' },
      runKey: '4711-2',
      runUrl: 'https://github.com/shop/manifests/actions/runs/4711',
      isDefaultBranch: eventName === 'schedule',
      ...expected,
    },
  });
});

test('a pull request of Dependabot is treated like one from a fork', () => {
  const { context } = readEvent(
    environment('pull_request', { GITHUB_ACTOR: 'dependabot[bot]' }),
    pullRequest('shop/manifests'),
    REFUSE,
  );
  expect(context?.isFork).toBe(true);
});

test.each([
  ['push', 'refs/heads/main', true],
  ['workflow_dispatch', 'refs/heads/main', true],
  ['push', 'refs/heads/other', false],
  ['push', 'refs/tags/main', false],
  ['pull_request', 'refs/heads/main', false],
  ['merge_group', 'refs/heads/main', false],
])('%s of %s is about the default branch: %s', (eventName, ref, expected) => {
  const payload = { repository: { default_branch: 'main' } };
  const { context } = readEvent(environment(eventName, { GITHUB_REF: ref }), payload, REFUSE);
  expect(context?.isDefaultBranch).toBe(expected);
});

test('a commit of a sha256 repository is accepted', () => {
  const sha = 'c'.repeat(64);
  expect(readEvent(environment('push', { GITHUB_SHA: sha }), {}, REFUSE).context?.headSha).toBe(sha);
});

test('pull_request_target is rejected unless it is allowed explicitly', () => {
  const reading = readEvent(environment('pull_request_target'), pullRequest('octocat/manifests'), REFUSE);
  expect(reading.refusal).toContain('write token and secrets');
  const allowed = readEvent(environment('pull_request_target'), pullRequest('octocat/manifests'), {
    allowPullRequestTarget: true,
  });
  expect(allowed.context?.headSha).toBe(HEAD);
});

test.each([
  ['no event', {}, 'not a workflow run: GITHUB_EVENT_NAME is not set'],
  ['a bad repository', environment('push', { GITHUB_REPOSITORY: 'a/b/c' }), 'GITHUB_REPOSITORY is not `owner/name`'],
  ['no commit', environment('push', { GITHUB_SHA: undefined }), 'no commit to report on: the event `push` has none'],
])('%s is rejected', (_title, given, refusal) => {
  expect(readEvent(given, {}, REFUSE)).toEqual({ refusal });
});

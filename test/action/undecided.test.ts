// What the bundled action does with a change and an audit that it cannot judge completely, for every event, against a fake GitHub.
import { afterAll, expect, test } from 'vitest';
import { act, checkout, type History, history, type Outcome, pullRequest } from '../support/action-history.ts';
import { startActionHosts } from '../support/action-run.ts';
import type { GitFolder } from '../support/git-fixture.ts';
import { configMap } from '../support/workspace.ts';

/** A release whose chart is not in the repository; its size is on line 11. */
const release = (size: number): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: shop
spec:
  chart:
    spec:
      chart: shop
      sourceRef: {kind: HelmRepository, name: elsewhere}
  values: {size: ${size}}
`;
const BASE = { 'apps/good.yaml': configMap('good', 1), 'apps/release.yaml': release(1) };
/** SOPS encrypted the size on line 7. */
const open = `${configMap('open', 1).replace('"1"', 'ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]')}sops:
  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
  lastmodified: "2026-01-01T00:00:00Z"
`;
const change = (folder: GitFolder): void => {
  folder.write('apps/release.yaml', release(9));
  folder.write('apps/open.yaml', open);
};

interface Event {
  readonly title: string;
  readonly name: string;
  readonly payload: (made: History) => unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The token of a fork cannot write. */
  readonly isFork?: true;
  /** Checks the repository instead of the change. */
  readonly isWhole?: true;
  readonly attempt?: string;
}

const EVENTS: readonly Event[] = [
  { title: 'pull_request', name: 'pull_request', payload: (made) => pullRequest(made) },
  {
    title: 'pull_request_target',
    name: 'pull_request_target',
    payload: (made) => pullRequest(made),
    inputs: { 'allow-pull-request-target': 'true' },
    isWhole: true,
  },
  {
    title: 'a pull request of a fork',
    name: 'pull_request',
    payload: (made) => pullRequest(made, 'octocat/manifests'),
    isFork: true,
  },
  {
    title: 'merge_group',
    name: 'merge_group',
    payload: (made) => ({ merge_group: { head_sha: made.merge, base_sha: made.base } }),
  },
  { title: 'push', name: 'push', payload: (made) => ({ before: made.base }) },
  { title: 'schedule', name: 'schedule', payload: () => ({}), isWhole: true },
  { title: 'workflow_dispatch', name: 'workflow_dispatch', payload: () => ({}), isWhole: true },
  { title: 'a repeated run', name: 'pull_request', payload: (made) => pullRequest(made), attempt: '2' },
];
const hosts = startActionHosts();
afterAll(hosts.close);

const MODES = ['fail', 'warn'] as const;
const ROWS = EVENTS.flatMap((event) => MODES.map((mode) => ({ ...event, mode })));

test.concurrent.for(ROWS)('$title, on-undecided: $mode', async (row, context) => {
  const { mode, name, payload, inputs, isFork, isWhole, attempt } = row;
  const made = history(context, { base: BASE, change, laterSize: 1 });
  const folder = checkout(context, made, made.merge, 1);
  const step = {
    host: hosts.run,
    inputs: { 'on-undecided': mode, comment: 'on-failure', ...inputs },
    ...(isFork && { token: 'ghs_readonly' }),
    ...(attempt && { environment: { GITHUB_RUN_ATTEMPT: attempt } }),
  };
  const outcome = await act(folder, name, made.merge, payload(made), step);
  const isFailing = mode === 'fail';
  const of = isWhole ? '' : ' of this change';
  const title = `ndecided: 1 object${of}, 1 root could not be rendered`;
  expect(outcome.report.verdict).toMatchObject({ conclusion: 'undecided', onUndecided: mode });
  expect(outcome.exitCode).toBe(isFailing ? 5 : 0);
  expect(outcome.summary).toContain(`Admission policies: u${title}`);
  expect(checkRunsOf(outcome)).toEqual(
    isFork ? [] : [[isFailing ? 'failure' : 'neutral', `U${title}`, placesAt(isFailing ? 'failure' : 'warning')]],
  );
  const level = isFailing ? 'error' : 'warning';
  const headline = `Undecided: 1 undecided, 1 root not rendered, of ${isWhole ? 4 : 2} resources`;
  const inLog = outcome.step.annotations.map(({ level: told, message, properties }) =>
    properties.has('file') ? [`${properties.get('file')}:${properties.get('line')}`, told] : [message, told],
  );
  expect(inLog).toEqual([[headline, level], ...(isFork ? placesAt(level) : [])]);
  const comments = outcome.comments.map(({ body }) => body.includes(`Admission policies: u${title}`));
  expect(comments).toEqual(name.startsWith('pull_request') && !isFork ? [true] : []);
});

/** The location of the release, and of the field that the rule depends on. */
const placesAt = (level: string): readonly unknown[] => [
  ['apps/release.yaml:2', level],
  ['apps/open.yaml:7', level],
];

const checkRunsOf = ({ checkRuns }: Outcome): readonly unknown[] =>
  checkRuns.map(({ conclusion, title, annotations }) => [
    conclusion,
    title,
    annotations.map(({ path, start_line, annotation_level }) => [`${path}:${start_line}`, annotation_level]),
  ]);

test.concurrent('a change beside what could not be judged before passes', async (context) => {
  const made = history(context, {
    base: { ...BASE, 'apps/open.yaml': open },
    change: (folder) => void folder.write('apps/good.yaml', configMap('good', 2)),
    laterSize: 1,
  });
  const folder = checkout(context, made, made.merge, 1);
  const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made), { host: hosts.run });
  expect([outcome.exitCode, outcome.report.verdict.conclusion]).toEqual([0, 'allowed']);
  expect(checkRunsOf(outcome)).toEqual([['success', 'The object of this change would be admitted', []]]);
  expect(outcome.step.annotations).toEqual([]);
});

test.concurrent('a change of the values of a release is reported at the release', async (context) => {
  const values = (size: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: values\n  namespace: shop\ndata:\n  size: "1"\n  values.yaml: "size: ${size}"\n`;
  const made = history(context, {
    base: {
      'apps/release.yaml': release(1).replace(/values: .*/, 'valuesFrom: [{kind: ConfigMap, name: values}]'),
      'apps/values.yaml': values(1),
    },
    change: (folder) => void folder.write('apps/values.yaml', values(9)),
    laterSize: 1,
  });
  const folder = checkout(context, made, made.merge, 1);
  const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made), { host: hosts.run });
  expect([outcome.exitCode, outcome.report.verdict.conclusion]).toEqual([5, 'undecided']);
  expect(checkRunsOf(outcome)).toEqual([
    ['failure', 'Undecided: 1 root could not be rendered', [['apps/release.yaml:2', 'failure']]],
  ]);
});

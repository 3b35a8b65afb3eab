// What the action compares at each event, on real repositories as actions/checkout leaves them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { runAction } from '../../src/door/run-action.ts';
import type { Report } from '../../src/report/report.ts';
import { GitFolder } from '../support/git-fixture.ts';
import { configMap, sizePolicy } from '../support/workspace.ts';

interface History {
  readonly origin: GitFolder;
  readonly base: string;
  readonly head: string;
  /** The commit GitHub makes to merge the pull request. */
  readonly merge: string;
}

type Test = Pick<TestContext, 'onTestFinished'>;

interface HistoryOptions {
  readonly sha256?: boolean;
  /** Base's files besides the policy; two ConfigMaps if absent. */
  readonly base?: Readonly<Record<string, string>>;
  /** The pull request's work on a checkout of base. */
  readonly change: (folder: GitFolder) => void;
}

/** The base branch moves on after the pull request has left it. */
function history({ onTestFinished }: Test, { sha256 = false, base, change }: HistoryOptions): History {
  const origin = new GitFolder({ sha256 });
  onTestFinished(() => origin.remove());
  origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  origin.write('policies/size.yaml', sizePolicy());
  const files = base ?? { 'apps/good.yaml': configMap('good', 1), 'apps/large.yaml': configMap('large', 9) };
  for (const [path, text] of Object.entries(files)) origin.write(path, text);
  origin.commit('base');
  origin.git('checkout', '-q', '-b', 'work');
  change(origin);
  const head = origin.commit('change');
  origin.git('checkout', '-q', 'main');
  origin.write('apps/later.yaml', configMap('later', 8));
  const moved = origin.commit('later');
  origin.git('checkout', '-q', '--detach', 'main');
  origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
  const merge = origin.git('rev-parse', 'HEAD');
  origin.git('checkout', '-q', 'main');
  return { origin, base: moved, head, merge };
}

/** As actions/checkout does it: one commit fetched to a depth, detached. */
function checkout({ onTestFinished }: Test, { origin }: History, commit: string, depth: number): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-checkout-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd: folder, stdio: 'pipe' });
  };
  git('init', '-q', `--object-format=${commit.length === 64 ? 'sha256' : 'sha1'}`);
  git('remote', 'add', 'origin', `file://${origin.path}`);
  git('fetch', '-q', '--no-tags', ...(depth === 0 ? [] : [`--depth=${depth}`]), 'origin', commit);
  git('checkout', '-q', '--detach', commit);
  return folder;
}

interface Outcome {
  readonly exitCode: number;
  readonly report: Report;
  readonly log: string;
  readonly summary: string;
}

type Inputs = Readonly<Record<string, string>>;

async function act(folder: string, event: string, sha: string, payload: unknown, inputs?: Inputs): Promise<Outcome> {
  const temporary = mkdtempSync(join(tmpdir(), 'preadmit-step-'));
  const eventPath = join(temporary, 'event.json');
  const summaryPath = join(temporary, 'summary.md');
  writeFileSync(eventPath, JSON.stringify(payload));
  let log = '';
  const exitCode = await runAction({
    environment: {
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: eventPath,
      GITHUB_REPOSITORY: 'shop/manifests',
      GITHUB_SHA: sha,
      GITHUB_STEP_SUMMARY: summaryPath,
      GITHUB_WORKSPACE: folder,
      RUNNER_TEMP: temporary,
      'INPUT_CHECK-RUN': 'never',
      INPUT_FORMAT: 'json=report.json',
      ...inputs,
    },
    out: (text) => {
      log += text;
    },
    now: () => 0,
    today: '2026-11-21',
  });
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  const summary = readFileSync(summaryPath, 'utf8');
  rmSync(temporary, { recursive: true });
  return { exitCode, report, log, summary };
}

function pullRequest({ head, base }: History): unknown {
  const repo = { full_name: 'shop/manifests' };
  return { pull_request: { number: 7, head: { sha: head, repo }, base: { sha: base, repo } } };
}

const names = ({ findings }: Report): string[] => findings.map(({ status, resource }) => `${status} ${resource.name}`);
const addLarge = (folder: GitFolder): void => void folder.write('apps/new.yaml', configMap('new', 7));

describe('pull_request', () => {
  test.for([1, 0])('compares the merge commit with its first parent, at depth %i', async (depth, context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, depth);
    const { exitCode, report, log } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(exitCode).toBe(1);
    expect(report.comparison).toMatchObject({
      base: made.base,
      head: made.merge,
      changedFiles: ['apps/new.yaml'],
      objects: { created: 1, updated: 0, deleted: 0, unchanged: 0 },
    });
    expect(names(report)).toEqual(['new new']);
    expect(log).toContain('::error file=apps/new.yaml');
  });

  test('takes the common ancestor where the head is checked out', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.head, 0);
    execFileSync('git', ['fetch', '-q', 'origin', 'main'], { cwd: folder });
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(report.comparison?.objects).toEqual({ created: 1, updated: 0, deleted: 0, unchanged: 0 });
  });

  test('says so and checks everything where there is no common ancestor', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.head, 1);
    const { exitCode, report, log } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(exitCode).toBe(1);
    expect(report.comparison).toBeUndefined();
    expect(report.notCompared).toContain('no common ancestor');
    expect(log).toContain('The whole repository was checked, not the change');
    expect(names(report)).toEqual(['undefined large', 'undefined new']);
  });

  test('says so where the base cannot be fetched', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    execFileSync('git', ['remote', 'remove', 'origin'], { cwd: folder });
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(report.notCompared).toContain('no remote `origin`');
  });

  test('follows renames, deletions and names with a line break', async (context) => {
    const made = history(context, {
      base: {
        'apps/a.yaml': configMap('a', 9),
        'apps/b.yaml': configMap('b', 9),
        'apps/line\nbreak.yaml': configMap('c', 2),
      },
      change: (folder) => {
        folder.git('mv', 'apps/a.yaml', 'apps/renamed.yaml');
        folder.git('rm', '-q', 'apps/b.yaml');
        folder.write('apps/line\nbreak.yaml', configMap('c', 8));
      },
    });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(report.comparison).toMatchObject({
      changedFiles: ['apps/a.yaml', 'apps/b.yaml', 'apps/line\nbreak.yaml', 'apps/renamed.yaml'],
      objects: { created: 0, updated: 1, deleted: 1, unchanged: 1 },
      fixed: [{ status: 'fixed', resource: { name: 'b' } }],
    });
    expect(names(report)).toEqual(['new c', 'existing a']);
  });

  test('reads repositories with SHA-256', async (context) => {
    const made = history(context, { sha256: true, change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(report.comparison?.base).toBe(made.base);
    expect(names(report)).toEqual(['new new']);
  });

  test('is held to the policies and the configuration of base', async (context) => {
    const made = history(context, {
      change: (folder) => {
        addLarge(folder);
        folder.write('policies/size.yaml', sizePolicy().replace('<= 3', '<= 30'));
        folder.write('.preadmit.yaml', 'failOn: never\n');
      },
    });
    const folder = checkout(context, made, made.merge, 1);
    const { exitCode, report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(exitCode).toBe(1);
    expect(report.verdict).toMatchObject({ conclusion: 'denied', failOn: 'deny', denied: 1 });
    expect(report.blastRadius).toMatchObject({ allowed: 3, denied: 0 });
    expect(report.comparison?.notices).toEqual([
      '.preadmit.yaml is new: it counts from the next change on, this verdict follows the defaults',
    ]);
  });

  test('follows what base says of the policies that decide and of what counts, and inputs over that', async (context) => {
    const made = history(context, {
      base: { '.preadmit.yaml': 'policiesFrom: head\nonly: all\n', 'apps/large.yaml': configMap('large', 9) },
      change: (folder) => {
        folder.write('.preadmit.yaml', 'policiesFrom: base\nonly: new\n');
        folder.write('policies/size.yaml', sizePolicy().replace('<= 3', '<= 8'));
        addLarge(folder);
      },
    });
    const run = async (inputs?: Inputs): Promise<unknown> => {
      const folder = checkout(context, made, made.merge, 1);
      const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made), inputs);
      return [report.verdict.only, report.comparison?.policiesFrom, names(report)];
    };
    expect(await run()).toEqual(['all', 'head', ['existing large']]);
    expect(await run({ 'INPUT_POLICIES-FROM': 'base', INPUT_ONLY: 'new' })).toEqual([
      'new',
      'base',
      ['existing large', 'existing later', 'new new'],
    ]);
  });

  describe('where the base branch changed the same file', () => {
    /** The merge commit has a file that neither side has. */
    function merged(context: Test, edits: { base: string; head: string; later: string }, policy = sizePolicy()) {
      const made = history(context, {
        base: { 'apps/all.yaml': edits.base },
        change: (folder) => void folder.write('apps/all.yaml', edits.head),
      });
      made.origin.write('apps/all.yaml', edits.later).write('policies/size.yaml', policy);
      const base = made.origin.commit('later');
      made.origin.git('checkout', '-q', '--detach', 'main');
      made.origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
      return { ...made, base, merge: made.origin.git('rev-parse', 'HEAD') };
    }

    test('annotates the lines of the head', async (context) => {
      const one = configMap('one', 1);
      const made = merged(context, {
        base: `${one}---\n${configMap('two', 1)}`,
        head: `${one}---\n${configMap('two', 9)}`,
        later: `# later\n${one}---\n${configMap('two', 1)}`,
      });
      const folder = checkout(context, made, made.merge, 1);
      const { report, log, summary } = await act(folder, 'pull_request', made.merge, pullRequest(made));
      expect(report.findings).toMatchObject([{ status: 'new', primary: { startLine: 16 } }]);
      expect(log).toContain('::error file=apps/all.yaml,line=15,endLine=15,');
      expect(summary).toContain(`[line 15](https://github.com/shop/manifests/blob/${made.head}/apps/all.yaml#L15)`);
    });

    test('says so of lines that only the merge has', async (context) => {
      const labelled = (text: string): string =>
        text.replace('\ndata:', `\n  labels: {large: allowed}\n${'  # \n'.repeat(3)}data:`);
      const made = merged(
        context,
        {
          base: labelled(configMap('two', 1)),
          head: labelled(configMap('two', 1)).replace('large: allowed', 'a: b'),
          later: labelled(configMap('two', 9)),
        },
        sizePolicy().replace('expression: ', 'expression: has(object.metadata.labels.large) || '),
      );
      const folder = checkout(context, made, made.merge, 1);
      const { report, log, summary } = await act(folder, 'pull_request', made.merge, pullRequest(made));
      expect(report.findings).toMatchObject([{ status: 'new', fieldPath: 'data.size' }]);
      expect(log).not.toContain('::error');
      expect(summary).toContain(`at line ${report.findings[0]?.primary.startLine} of the merge commit`);
    });
  });
});

test('merge_group compares with the base of the group', async (context) => {
  const made = history(context, { change: addLarge });
  const folder = checkout(context, made, made.merge, 1);
  const payload = { merge_group: { head_sha: made.merge, base_sha: made.base } };
  const { report } = await act(folder, 'merge_group', made.merge, payload);
  expect(report.comparison).toMatchObject({ base: made.base, head: made.merge });
  expect(names(report)).toEqual(['new new']);
});

describe('push', () => {
  test('compares with what the branch was before', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'push', made.merge, { before: made.base });
    expect(names(report)).toEqual(['new new']);
  });

  test('checks everything on a new branch', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'push', made.merge, { before: '0'.repeat(40) });
    expect(report.notCompared).toContain('a new branch');
  });
});

test.for(['schedule', 'workflow_dispatch'])('%s checks everything', async (event, context) => {
  const made = history(context, { change: addLarge });
  const folder = checkout(context, made, made.merge, 1);
  const { report } = await act(folder, event, made.merge, {});
  expect(report.comparison).toBeUndefined();
  expect(report.notCompared).toBeUndefined();
  expect(names(report)).toEqual(['undefined large', 'undefined later', 'undefined new']);
});

// What the bundled action compares for each event, in real repositories like those of actions/checkout, and its requests to GitHub.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import {
  act,
  checkout,
  ENTRY,
  type History,
  history,
  type Outcome,
  pullRequest,
  type Test,
  TOKEN,
} from '../support/action-history.ts';
import { runAction } from '../support/action-run.ts';
import { startFakeGitHub } from '../support/fake-github.ts';
import { GitFolder } from '../support/git-fixture.ts';
import { configMap, sizePolicy } from '../support/workspace.ts';

function gitIn(folder: string, ...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd: folder, stdio: 'pipe' });
}

const names = ({ findings }: Report): string[] => findings.map(({ status, resource }) => `${status} ${resource.name}`);
const addLarge = (folder: GitFolder): void => void folder.write('apps/new.yaml', configMap('new', 7));

/** Path and line of each annotation of the single check-run. */
const annotated = ({ checkRuns }: Outcome): unknown =>
  checkRuns.map(({ annotations }) => annotations.map(({ path, start_line }) => `${path}:${start_line}`));

/** No server listens there. */
const server = { GITHUB_SERVER_URL: 'http://127.0.0.1:9' };

describe('pull_request', () => {
  test.concurrent.for([1, 0])(
    'compares the merge commit with its first parent, at depth %i',
    async (depth, context) => {
      const made = history(context, { change: addLarge });
      const folder = checkout(context, made, made.merge, depth);
      const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made));
      const { exitCode, report, checkRuns } = outcome;
      expect(exitCode).toBe(1);
      expect(report.comparison).toMatchObject({
        base: made.base,
        head: made.merge,
        changedFiles: ['apps/new.yaml'],
        objects: { created: 1, updated: 0, deleted: 0, unchanged: 0 },
      });
      expect(names(report)).toEqual(['new new']);
      expect(checkRuns).toMatchObject([{ head_sha: made.head, conclusion: 'failure' }]);
      expect(annotated(outcome)).toEqual([['apps/new.yaml:7']]);
    },
  );

  test.concurrent('uses the common ancestor if the head is checked out', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.head, 0);
    execFileSync('git', ['fetch', '-q', 'origin', 'main'], { cwd: folder });
    const { report, checkRuns } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(report.comparison?.objects).toEqual({ created: 1, updated: 0, deleted: 0, unchanged: 0 });
    expect(checkRuns).toMatchObject([{ head_sha: made.head }]);
  });

  test.concurrent('fetches history until the checked-out head and its base meet', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.head, 1);
    const { exitCode, report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(exitCode).toBe(1);
    expect(report.comparison?.objects).toEqual({ created: 1, updated: 0, deleted: 0, unchanged: 0 });
    expect(names(report)).toEqual(['new new']);
  });

  test.concurrent('fetches over ssh with the key of the checkout', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const programs = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-ssh-')));
    context.onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
    // Replaces ssh: lets the holder of the key run git-upload-pack on the origin.
    const script = `#!/bin/sh\ncase "$*" in *"-i ${programs}/key"*) exec git-upload-pack ${made.origin.path};; esac\nexit 255\n`;
    writeFileSync(join(programs, 'ssh'), script, { mode: 0o755 });
    gitIn(folder, 'remote', 'set-url', 'origin', 'git@git.example.com:shop/manifests.git');
    gitIn(folder, 'config', 'core.sshCommand', `"ssh" -i "${programs}/key" -o StrictHostKeyChecking=yes`);
    const environment = { ...server, PATH: `${programs}:${process.env['PATH']}` };
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made), { environment });
    expect(names(report)).toEqual(['new new']);
  });

  /** Each makes base unavailable in the checkout. The pull request raises the limit that it violates. */
  const unreadable: readonly (readonly [string, (folder: string) => void, string])[] = [
    ['without a remote', (folder) => gitIn(folder, 'remote', 'remove', 'origin'), 'no remote `origin`'],
    ['without Git', (folder) => rmSync(join(folder, '.git'), { recursive: true }), 'not in a Git checkout'],
    [
      'with a remote over plain HTTP',
      (folder) => gitIn(folder, 'remote', 'set-url', 'origin', 'http://127.0.0.1:9/shop/manifests'),
      'remote with protocol `http`',
    ],
    [
      'with a missing remote',
      (folder) => gitIn(folder, 'remote', 'set-url', 'origin', 'file:///nowhere/manifests.git'),
      '`git fetch` failed',
    ],
  ];
  test.concurrent.for(unreadable)('fails %s instead of using the policies of the change', async (row, context) => {
    const [, spoil, words] = row;
    const made = history(context, {
      change: (folder) => {
        folder.write('policies/size.yaml', sizePolicy().replace('3', '1000'));
        addLarge(folder);
      },
    });
    const folder = checkout(context, made, made.merge, 1);
    spoil(folder);
    const step = { environment: server, inputs: { 'policies-from': 'base' } };
    const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made), step);
    expect([outcome.exitCode, outcome.report.findings]).toEqual([2, []]);
    expect(outcome.report.diagnostics.map(({ code }) => code)).toEqual(['not-compared']);
    expect(outcome.checkRuns).toMatchObject([{ head_sha: made.head, conclusion: 'failure' }]);
    for (const text of [outcome.summary, outcome.checkRuns[0]?.summary]) expect(text).toContain(words);
  });

  test.concurrent('checks the whole repository instead if configured', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    gitIn(folder, 'remote', 'remove', 'origin');
    const step = { environment: server, inputs: { only: 'all' } };
    const { exitCode, report, summary } = await act(folder, 'pull_request', made.merge, pullRequest(made), step);
    expect([exitCode, names(report)]).toEqual([1, ['undefined large', 'undefined later', 'undefined new']]);
    expect(summary).toContain('The whole repository was checked, not the change');
  });

  test.concurrent('handles renames, deletions and names with a line break', async (context) => {
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
    const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(outcome.report.comparison).toMatchObject({
      changedFiles: ['apps/a.yaml', 'apps/b.yaml', 'apps/line\nbreak.yaml', 'apps/renamed.yaml'],
      objects: { created: 0, updated: 1, deleted: 1, unchanged: 1 },
      fixed: [{ status: 'fixed', resource: { name: 'b' } }],
    });
    expect(names(outcome.report)).toEqual(['new c', 'existing a']);
    expect(annotated(outcome)).toEqual([['apps/line\nbreak.yaml:7']]);
  });

  test.concurrent('ignores changes of submodules', async (context) => {
    const made = history(context, {
      change: (folder) => {
        const commit = folder.git('rev-parse', 'HEAD');
        folder.write('.gitmodules', '[submodule "lib"]\n\tpath = lib.yaml\n\turl = https://example.com/lib\n');
        folder.git('update-index', '--add', '--cacheinfo', `160000,${commit},lib.yaml`);
        // Replaces an existing file.
        folder.git('rm', '-q', 'apps/large.yaml');
        folder.git('update-index', '--add', '--cacheinfo', `160000,${commit},apps/large.yaml`);
        addLarge(folder);
        folder.git('add', 'apps/new.yaml', '.gitmodules');
        folder.git('commit', '-q', '-m', 'submodules');
        for (const name of ['lib.yaml', 'apps/large.yaml']) folder.createFolder(name);
      },
    });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(names(report)).toEqual(['new new']);
    expect(report.comparison).toMatchObject({
      objects: { created: 1, deleted: 1 },
      fixed: [{ resource: { name: 'large' } }],
    });
    expect(report.coverage.skipped).toEqual([
      { path: 'apps/large.yaml', reason: 'submodule' },
      { path: 'lib.yaml', reason: 'submodule' },
    ]);
  });

  test.concurrent('reads repositories with SHA-256', async (context) => {
    const made = history(context, { sha256: true, change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made));
    expect(outcome.report.comparison?.base).toBe(made.base);
    expect(names(outcome.report)).toEqual(['new new']);
    expect(annotated(outcome)).toEqual([['apps/new.yaml:7']]);
  });

  test.concurrent.for([
    ['a fork', 'octocat/manifests', 'octocat'],
    ['Dependabot', 'shop/manifests', 'dependabot[bot]'],
  ] as const)('annotates in the log where the token of %s may not write', async ([_title, head, actor], context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const payload = pullRequest(made, head);
    const step = { token: 'ghs_readonly', environment: { GITHUB_ACTOR: actor } };
    const outcome = await act(folder, 'pull_request', made.merge, payload, step);
    expect([outcome.exitCode, outcome.checkRuns]).toEqual([1, []]);
    const places = outcome.step.annotations.map(({ properties }) => [properties.get('file'), properties.get('line')]);
    expect(places).toEqual([['apps/new.yaml', '7']]);
    expect(outcome.step.output.filter((line) => line.includes('read-only'))).toHaveLength(1);
    expect(outcome.summary).toContain('size is at most 3');
  });

  test.concurrent('uses the policies and the configuration of base', async (context) => {
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
      '.preadmit.yaml is new: it takes effect with the next change; this verdict uses the defaults',
    ]);
  });

  test.concurrent('reports future denials of a lower limit in title, conclusion, annotation and comment', async (context) => {
    const made = history(context, {
      base: { 'apps/good.yaml': configMap('good', 1), 'apps/fair.yaml': configMap('fair', 3) },
      change: (folder) => folder.write('policies/size.yaml', sizePolicy().replace('<= 3', '<= 2')),
    });
    const folder = checkout(context, made, made.merge, 1);
    const step = { inputs: { comment: 'on-failure' } };
    const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made), step);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.checkRuns).toMatchObject([{ conclusion: 'neutral' }]);
    expect(outcome.checkRuns[0]?.title).toBe('1 object becomes denied once this is merged');
    expect(outcome.summary).toContain('## ⚠️ Admission policies: 1 object becomes denied once this is merged');
    expect(outcome.checkRuns[0]?.annotations).toMatchObject([
      { path: 'policies/size.yaml', annotation_level: 'warning', title: 'stricter-rule' },
    ]);
    expect(outcome.comments).toHaveLength(1);
    expect(outcome.comments[0]?.body).toContain('1 becomes denied');
  });

  test.concurrent('gives each matrix job its own check-run and comment', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const github = await startFakeGitHub({ writeTokens: [TOKEN] });
    context.onTestFinished(github.close);
    const job = (matrix: string, name: string) =>
      runAction({
        entry: ENTRY,
        workspace: folder,
        eventName: 'pull_request',
        payload: pullRequest(made),
        sha: made.merge,
        apiUrl: github.url,
        token: TOKEN,
        inputs: { comment: 'always', matrix },
        environment: { GITHUB_WORKFLOW: 'policies', GITHUB_JOB: name },
      });
    await job('{"cluster":"staging"}', 'check');
    await job('{"cluster":"prod"}', 'check');
    await job('null', 'check');
    await job('null', 'other');
    await job('null', 'other');
    expect(github.problems).toEqual([]);
    expect(github.checkRuns.map(({ name }) => name)).toEqual([
      'Preadmit (staging)',
      'Preadmit (prod)',
      'Preadmit',
      'Preadmit',
      'Preadmit',
    ]);
    const ids = github.requests
      .filter(({ operation }) => operation === 'checks/create')
      .map(({ body }) => (body as { readonly external_id: string }).external_id);
    expect(new Set(ids).size).toBe(4);
    expect(github.comments).toHaveLength(4);
  });

  test.concurrent('loses only the summary if that cannot be written', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const step = { environment: { GITHUB_STEP_SUMMARY: '/nowhere/summary' } };
    const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made), step);
    expect([outcome.exitCode, annotated(outcome)]).toEqual([1, [['apps/new.yaml:7']]]);
    expect(outcome.step.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining('the job summary cannot be written'),
    ]);
  });

  test.concurrent('annotates the lines of the head without a comparison', async (context) => {
    const lines = (size: number): string => configMap('large', size);
    const made = history(context, {
      base: { 'apps/large.yaml': `${lines(2)}# end\n#\n#\n#\n` },
      change: (folder) => folder.write('apps/large.yaml', `${lines(9)}# end\n#\n#\n#\n`),
    });
    // The base branch adds lines above; the merge commit has them and the head does not.
    made.origin.git('checkout', '-q', 'main');
    made.origin.write('apps/large.yaml', `# one\n# two\n${lines(2)}# end\n#\n#\n#\n`);
    made.origin.commit('above');
    made.origin.git('checkout', '-q', '--detach', 'main');
    made.origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
    const merge = made.origin.git('rev-parse', 'HEAD');
    const folder = checkout(context, made, merge, 1);
    const step = { inputs: { 'allow-pull-request-target': 'true' } };
    const outcome = await act(folder, 'pull_request_target', merge, pullRequest(made), step);
    expect(outcome.report.comparison).toBeUndefined();
    expect(annotated(outcome)).toEqual([expect.arrayContaining(['apps/large.yaml:7'])]);
  });

  test.concurrent('rejects an invalid report path before evaluation', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const github = await startFakeGitHub({ writeTokens: [TOKEN] });
    context.onTestFinished(github.close);
    symlinkSync(tmpdir(), join(folder, 'pages'));
    mkdirSync(join(folder, 'site'));
    symlinkSync(join(folder, 'outside.html'), join(folder, 'site/index.html'));
    const wrong: readonly (readonly [inputs: Record<string, string>, words: string])[] = [
      [{ format: 'sarif=../out.sarif' }, 'not inside the workspace'],
      [{ format: 'sarif=apps' }, 'it is not a regular file'],
      [{ site: '../_site' }, 'not inside the workspace'],
      [{ site: 'pages' }, 'not inside the workspace'],
      [{ site: 'site' }, 'it is not a regular file'],
    ];
    for (const [inputs, words] of wrong) {
      const { exitCode, stdout } = await runAction({
        entry: ENTRY,
        workspace: folder,
        eventName: 'pull_request',
        payload: pullRequest(made),
        sha: made.merge,
        apiUrl: github.url,
        token: TOKEN,
        inputs,
      });
      expect(exitCode).toBe(2);
      expect(stdout).toContain(words);
      expect(stdout).not.toContain('evaluated');
    }
    expect(github.requests).toEqual([]);
  });

  test.concurrent('reads policy and gate settings from base, overridden by inputs', async (context) => {
    const made = history(context, {
      base: { '.preadmit.yaml': 'policiesFrom: head\nonly: all\n', 'apps/large.yaml': configMap('large', 9) },
      change: (folder) => {
        folder.write('.preadmit.yaml', 'policiesFrom: base\nonly: new\n');
        folder.write('policies/size.yaml', sizePolicy().replace('<= 3', '<= 8'));
        addLarge(folder);
      },
    });
    const run = async (inputs: Readonly<Record<string, string>>): Promise<unknown> => {
      const folder = checkout(context, made, made.merge, 1);
      const { report } = await act(folder, 'pull_request', made.merge, pullRequest(made), { inputs });
      return [report.verdict.only, report.comparison?.policiesFrom, names(report)];
    };
    expect(await run({})).toEqual(['all', 'head', ['existing large']]);
    const all = ['existing large', 'existing later', 'new new'];
    expect(await run({ 'policies-from': 'base', only: 'new' })).toEqual(['new', 'base', all]);
    expect(await run({ 'policies-from': 'both', only: 'new' })).toEqual(['new', 'both', all]);
  });

  describe('where the base branch changed the same file', () => {
    /** The merge commit has a version of the file that is in neither branch. */
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

    test.concurrent('annotates the lines of the head', async (context) => {
      const one = configMap('one', 1);
      const made = merged(context, {
        base: `${one}---\n${configMap('two', 1)}`,
        head: `${one}---\n${configMap('two', 9)}`,
        later: `# later\n${one}---\n${configMap('two', 1)}`,
      });
      const folder = checkout(context, made, made.merge, 1);
      const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made));
      expect(outcome.report.findings).toMatchObject([{ status: 'new', primary: { startLine: 16 } }]);
      expect(annotated(outcome)).toEqual([['apps/all.yaml:15']]);
      const link = `[apps/all.yaml:15](https://github.com/shop/manifests/blob/${made.head}/apps/all.yaml#L15)`;
      for (const text of [outcome.summary, outcome.checkRuns[0]?.summary]) expect(text).toContain(link);
    });

    test.concurrent('reports lines that only the merge commit has', async (context) => {
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
      const outcome = await act(folder, 'pull_request', made.merge, pullRequest(made));
      expect(outcome.report.findings).toMatchObject([{ status: 'new', fieldPath: 'data.size' }]);
      expect(annotated(outcome)).toEqual([[]]);
      const [run] = outcome.checkRuns;
      expect(run?.summary).toContain('1 finding without annotation');
      expect(run?.summary).toContain(`line ${outcome.report.findings[0]?.primary.startLine} of the merge commit`);
    });
  });
});

test.concurrent('merge_group compares with the base of the group', async (context) => {
  const made = history(context, { change: addLarge });
  const folder = checkout(context, made, made.merge, 1);
  const payload = { merge_group: { head_sha: made.merge, base_sha: made.base } };
  const outcome = await act(folder, 'merge_group', made.merge, payload);
  expect(outcome.report.comparison).toMatchObject({ base: made.base, head: made.merge });
  expect(names(outcome.report)).toEqual(['new new']);
  expect(outcome.checkRuns).toMatchObject([{ head_sha: made.merge }]);
  expect(annotated(outcome)).toEqual([['apps/new.yaml:7']]);
});

describe('push', () => {
  test.concurrent('compares with the previous commit of the branch', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const outcome = await act(folder, 'push', made.merge, { before: made.base });
    expect(names(outcome.report)).toEqual(['new new']);
    expect(annotated(outcome)).toEqual([['apps/new.yaml:7']]);
  });

  test.concurrent('checks everything on a new branch', async (context) => {
    const made = history(context, { change: addLarge });
    const folder = checkout(context, made, made.merge, 1);
    const { report } = await act(folder, 'push', made.merge, { before: '0'.repeat(40) });
    expect(report.notCompared).toContain('the branch is new');
  });
});

test.concurrent.for(['schedule', 'workflow_dispatch'])('%s checks everything', async (event, context) => {
  const made = history(context, { change: addLarge });
  const folder = checkout(context, made, made.merge, 1);
  const { report, checkRuns } = await act(folder, event, made.merge, {});
  expect(report.comparison).toBeUndefined();
  expect(report.notCompared).toBeUndefined();
  expect(names(report)).toEqual(['undefined large', 'undefined later', 'undefined new']);
  expect(checkRuns).toMatchObject([{ head_sha: made.merge }]);
});

describe('the conclusion never hides missing evidence', () => {
  /** Violates the limit and raises it: only base shows the violation. */
  const cheat = (folder: GitFolder): void => {
    folder.write('policies/size.yaml', sizePolicy().replace('3', '1000'));
    addLarge(folder);
  };
  const ssh = (context: Test, { origin }: History, folder: string, key: string): Readonly<Record<string, string>> => {
    const programs = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-ssh-')));
    context.onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
    const script = `#!/bin/sh\ncase "$*" in *"-i good"*) exec git-upload-pack ${origin.path};; esac\nexit 255\n`;
    writeFileSync(join(programs, 'ssh'), script, { mode: 0o755 });
    gitIn(folder, 'remote', 'set-url', 'origin', 'git@git.example.com:shop/manifests.git');
    gitIn(folder, 'config', 'core.sshCommand', `"ssh" -i ${key}`);
    return { PATH: `${programs}:${process.env['PATH']}` };
  };

  type Environment = Readonly<Record<string, string>> | undefined;
  interface Checkout {
    readonly title: string;
    /** Absent: pull requests only. */
    readonly events?: readonly string[];
    readonly of: 'merge' | 'head';
    readonly depth: number;
    /** True if base is available from this checkout. */
    readonly evidence: boolean;
    readonly prepare?: (context: Test, made: History, folder: string) => Environment;
  }
  const origin =
    (url: string): NonNullable<Checkout['prepare']> =>
    (_context, _made, folder) =>
      void gitIn(folder, 'remote', 'set-url', 'origin', url);
  /** A remote without the requested commits. */
  const refused: NonNullable<Checkout['prepare']> = (context, _made, folder) => {
    const empty = new GitFolder();
    context.onTestFinished(() => empty.remove());
    gitIn(folder, 'remote', 'set-url', 'origin', `file://${empty.path}`);
    return undefined;
  };
  const overHttp = origin('http://127.0.0.1:9/shop/manifests');
  const withKey: NonNullable<Checkout['prepare']> = (context, made, folder) => ssh(context, made, folder, 'good');
  const withoutKey: NonNullable<Checkout['prepare']> = (context, made, folder) => ssh(context, made, folder, 'bad');
  const withoutGit: NonNullable<Checkout['prepare']> = (_context, _made, folder) =>
    void rmSync(join(folder, '.git'), { recursive: true });
  const withoutRemote: NonNullable<Checkout['prepare']> = (_context, _made, folder) =>
    void gitIn(folder, 'remote', 'remove', 'origin');
  const other = ['merge_group', 'push'];
  /** In addition to the tests above. */
  const checkouts: readonly Checkout[] = [
    { title: 'the merge, with history and no remote', of: 'merge', depth: 0, evidence: true, prepare: withoutRemote },
    { title: 'the head, with history', of: 'head', depth: 0, evidence: true },
    { title: 'the head over ssh with the key', of: 'head', depth: 1, evidence: true, prepare: withKey },
    { title: 'with a rejected key', of: 'merge', depth: 1, evidence: false, prepare: withoutKey },
    { title: 'with a rejected fetch', of: 'merge', depth: 1, evidence: false, prepare: refused },
    { title: 'the head, with a rejected fetch', of: 'head', depth: 1, evidence: false, prepare: refused },
    { title: 'the head from plain HTTP', of: 'head', depth: 1, evidence: false, prepare: overHttp },
    { title: 'over ssh with the key', events: other, of: 'merge', depth: 1, evidence: true, prepare: withKey },
    { title: 'with a rejected fetch', events: other, of: 'merge', depth: 1, evidence: false, prepare: refused },
    { title: 'from plain HTTP', events: other, of: 'merge', depth: 1, evidence: false, prepare: overHttp },
    { title: 'without .git', events: other, of: 'merge', depth: 1, evidence: false, prepare: withoutGit },
  ];
  const payloads: Readonly<Record<string, (made: History) => unknown>> = {
    pull_request: (made) => pullRequest(made),
    merge_group: (made) => ({ merge_group: { head_sha: made.merge, base_sha: made.base } }),
    push: (made) => ({ before: made.base }),
  };
  const rows = checkouts.flatMap((row) => (row.events ?? ['pull_request']).map((event) => ({ ...row, event })));

  test.concurrent.for(rows)('$event: $title', async (row, context) => {
    const made = history(context, { change: cheat });
    const folder = checkout(context, made, made[row.of], row.depth);
    const environment = { ...server, ...row.prepare?.(context, made, folder) };
    const step = { environment, inputs: { comment: 'never' } };
    const outcome = await act(folder, row.event, made.merge, payloads[row.event]?.(made), step);
    const { exitCode, report, checkRuns } = outcome;
    expect(checkRuns).toMatchObject([{ conclusion: 'failure' }]);
    const codes = new Set(report.diagnostics.map(({ code }) => code));
    const isNew = (name: string): boolean => name.startsWith('new ');
    if (row.evidence) expect([exitCode, names(report).filter(isNew)]).toEqual([1, ['new new']]);
    else expect([exitCode, names(report), codes]).toEqual([2, [], new Set(['not-compared'])]);
  });

  test.concurrent('a repeated run reports the same in a new check-run', async (context) => {
    const made = history(context, { change: cheat });
    const folder = checkout(context, made, made.merge, 1);
    const github = await startFakeGitHub({ writeTokens: [TOKEN] });
    context.onTestFinished(github.close);
    for (const attempt of ['1', '2']) {
      const { exitCode } = await runAction({
        entry: ENTRY,
        workspace: folder,
        eventName: 'pull_request',
        payload: pullRequest(made),
        sha: made.merge,
        apiUrl: github.url,
        token: TOKEN,
        inputs: { comment: 'always' },
        environment: { GITHUB_RUN_ID: '12', GITHUB_RUN_ATTEMPT: attempt },
      });
      expect(exitCode).toBe(1);
    }
    expect(github.problems).toEqual([]);
    expect(github.checkRuns.map(({ conclusion }) => conclusion)).toEqual(['failure', 'failure']);
    expect(github.comments).toHaveLength(1);
  });

  test.concurrent.for(['.preadmit.yaml', '.preadmit-baseline.yaml'])(
    'a change that only fixes %s of base passes',
    async (path, context) => {
      const mended = path === '.preadmit.yaml' ? 'failOn: never\n' : 'findings: []\n';
      const base = { [path]: 'fialOn: [\n', 'apps/large.yaml': configMap('large', 9) };
      const run = async (change: (folder: GitFolder) => void): Promise<Outcome> => {
        const made = history(context, { base, change });
        return act(checkout(context, made, made.merge, 1), 'pull_request', made.merge, pullRequest(made));
      };
      const alone = await run((folder) => void folder.write(path, mended));
      expect([alone.exitCode, alone.report.verdict.conclusion]).toEqual([0, 'allowed']);
      expect(alone.report.comparison?.notices).toContainEqual(expect.stringContaining('this change fixes them'));
      const removed = await run((folder) => folder.removeFile(path));
      expect([removed.exitCode, removed.report.verdict.conclusion]).toEqual([0, 'allowed']);
      // Other changes in the pull request would be evaluated by the policies that it chose.
      const more = await run((folder) => {
        folder.write(path, mended);
        addLarge(folder);
      });
      expect([more.exitCode, more.checkRuns[0]?.conclusion]).toEqual([2, 'failure']);
      const none = await run((folder) => void folder.write(path, 'fialOn: [ [\n'));
      expect(none.exitCode).toBe(path === '.preadmit.yaml' ? 2 : 0);
    },
  );
});

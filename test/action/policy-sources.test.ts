// The bundled action with central policies: a second checkout in the workspace, its protection in pull requests, and tokens.
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { runAction } from '../support/action-run.ts';
import { startFakeGitHub } from '../support/fake-github.ts';
import { GitFolder } from '../support/git-fixture.ts';
import { configMap, sizePolicy } from '../support/workspace.ts';

const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
const TOKEN = 'ghs_test0123456789';

/** The checkout of a pull request's merge commit, with central policies that another step checked out into `.central`. */
async function pullRequest(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  change: (folder: GitFolder) => unknown,
  inputs: Readonly<Record<string, string>>,
  checkOut: (folder: GitFolder, central: GitFolder) => unknown = (folder, central) => {
    folder.git('clone', '-q', `file://${central.path}`, '.central');
  },
) {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('.gitignore', '').write('apps/cache.yaml', configMap('cache', 2));
  const base = folder.commit('base');
  folder.git('checkout', '-q', '-b', 'work');
  change(folder);
  const head = folder.commit('change');
  folder.git('checkout', '-q', '--detach', 'main');
  folder.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
  const central = new GitFolder();
  onTestFinished(() => central.remove());
  central.write('size.yaml', sizePolicy()).commit();
  checkOut(folder, central);
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  onTestFinished(server.close);
  const repository = { full_name: 'shop/manifests' };
  const run = await runAction({
    entry: ENTRY,
    workspace: folder.path,
    eventName: 'pull_request',
    payload: {
      pull_request: { number: 7, head: { sha: head, repo: repository }, base: { sha: base, repo: repository } },
    },
    sha: folder.git('rev-parse', 'HEAD'),
    apiUrl: server.url,
    token: TOKEN,
    inputs,
  });
  expect(server.problems).toEqual([]);
  return { ...run, checkRuns: server.checkRuns };
}

const FOLDER = { 'policy-sources': 'central=.central' };
const tooLarge = (folder: GitFolder): GitFolder => folder.write('apps/cache.yaml', configMap('cache', 9));

test('a second checkout decides, and annotations stay in this repository', async (context) => {
  const { exitCode, checkRuns, stdout } = await pullRequest(context, tooLarge, FOLDER);
  expect(exitCode).toBe(1);
  expect(checkRuns[0]).toMatchObject({
    conclusion: 'failure',
    annotations: [{ path: 'apps/cache.yaml', start_line: 7 }],
  });
  expect(stdout).toContain('central//size.yaml:');
});

test('a change cannot put its own files at the path of the source', async (context) => {
  const planted = (folder: GitFolder): GitFolder => tooLarge(folder).write('.central/harmless.yaml', '# mine');
  const checkedOut = (folder: GitFolder): GitFolder => folder.write('.central/size.yaml', sizePolicy());
  const { exitCode, stdout } = await pullRequest(context, planted, FOLDER, checkedOut);
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/::error::the policy source `central` \(.*\) is part of the checked files/);
});

test('a missing source fails the step, and tokens are never printed', async (context) => {
  const { exitCode, stdout, stderr } = await pullRequest(context, tooLarge, {
    'policy-sources': 'central=../nowhere',
    'policy-source-tokens': 'ghcr.test=hunter2-secret\ngit.test=me:other-secret',
  });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('::error::the policy source `central`');
  const shown = (stdout + stderr).split('\n').filter((line) => !line.startsWith('::add-mask::'));
  expect(shown.join('\n')).not.toMatch(/hunter2|other-secret/);
  expect(stdout).toContain('::add-mask::other-secret');
});

test('invalid tokens are reported without their value', async (context) => {
  const { exitCode, stdout } = await pullRequest(context, tooLarge, {
    ...FOLDER,
    'policy-source-tokens': 'hunter2-secret',
  });
  expect(exitCode).toBe(2);
  expect(stdout).toContain(
    '::error::the input `policy-source-tokens`: line 1 is not `<host>=<token>` or `<host>=<user>:<token>`',
  );
  const shown = stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  expect(shown.join('\n')).not.toContain('hunter2');
});

// Runs the bundled action in repositories like those of actions/checkout: a base branch, a pull request and its merge commit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { type ActionHosts, type ActionRun, runAction } from './action-run.ts';
import { type FakeGitHub, startFakeGitHub } from './fake-github.ts';
import { GitFolder } from './git-fixture.ts';
import { configMap, sizePolicy } from './workspace.ts';

export const ENTRY = [process.env['PREADMIT_ACTION_ENTRY'] ?? join(import.meta.dirname, '../../dist/action.js')];
export const TOKEN = 'ghs_test0123456789';
const REPOSITORY = 'shop/manifests';

export interface History {
  readonly origin: GitFolder;
  readonly base: string;
  readonly head: string;
  /** The merge commit that GitHub creates for the pull request. */
  readonly merge: string;
}

export type Test = Pick<TestContext, 'onTestFinished'>;

interface HistoryOptions {
  readonly sha256?: boolean;
  /** Files of base besides the policy; absent: two ConfigMaps. */
  readonly base?: Readonly<Record<string, string>>;
  /** Size of the ConfigMap that the base branch gets later; the default is denied. */
  readonly laterSize?: number;
  /** Makes the changes of the pull request, starting from base. */
  readonly change: (folder: GitFolder) => void;
}

/** The base branch gets more commits after the pull request branched off. */
export function history(
  { onTestFinished }: Test,
  { sha256 = false, base, change, laterSize = 8 }: HistoryOptions,
): History {
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
  origin.write('apps/later.yaml', configMap('later', laterSize));
  const moved = origin.commit('later');
  origin.git('checkout', '-q', '--detach', 'main');
  origin.git('merge', '-q', '--no-ff', '-m', 'merge', 'work');
  const merge = origin.git('rev-parse', 'HEAD');
  origin.git('checkout', '-q', 'main');
  return { origin, base: moved, head, merge };
}

/** Like actions/checkout: one commit fetched to a depth, detached. */
export function checkout({ onTestFinished }: Test, { origin }: History, commit: string, depth: number): string {
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

export interface Outcome extends Pick<ActionRun, 'exitCode' | 'step' | 'summary'> {
  readonly report: Report;
  readonly checkRuns: FakeGitHub['checkRuns'];
  readonly comments: FakeGitHub['comments'];
}

interface Step {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: a token with write permission. */
  readonly token?: string;
  /** Runs the step; default: a new process. */
  readonly host?: ActionHosts['run'];
}

/** Every request must be valid for GitHub. */
export async function act(
  folder: string,
  eventName: string,
  sha: string,
  payload: unknown,
  step: Step = {},
): Promise<Outcome> {
  const server = await startFakeGitHub({ writeTokens: [TOKEN] });
  try {
    const {
      exitCode,
      step: seen,
      summary,
    } = await runAction({
      entry: ENTRY,
      workspace: folder,
      eventName,
      payload,
      sha,
      apiUrl: server.url,
      token: step.token ?? TOKEN,
      inputs: { format: 'json=report.json', ...step.inputs },
      ...(step.environment && { environment: step.environment }),
      ...(step.host && { host: step.host }),
    });
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
    expect(server.problems).toEqual([]);
    return { exitCode, step: seen, summary, report, checkRuns: server.checkRuns, comments: server.comments };
  } finally {
    await server.close();
  }
}

export function pullRequest({ head, base }: History, headRepository: string = REPOSITORY): unknown {
  const ofHead = { sha: head, repo: { full_name: headRepository } };
  return { pull_request: { number: 7, head: ofHead, base: { sha: base, repo: { full_name: REPOSITORY } } } };
}

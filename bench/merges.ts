// Runs `preadmit diff` on merged pull requests of repositories: processor time, lines of the text report, verdict.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { openFindings } from '../src/report/baseline/excuse.ts';
import { isCounted } from '../src/report/gate/counted.ts';
import type { Report } from '../src/report/report.ts';
import { resourceLabel } from '../src/report/wording/wording.ts';
import type { CommandRun } from './command-run.ts';
import { seeded } from './seeded.ts';

const SEED = 28;
const DEFAULT_COUNT = 5;
/** Only the newest pull requests of a repository: old ones often have another layout. */
const MAX_CANDIDATES = 1000;
const MAX_LISTED = 5;

interface PullRequest {
  readonly directory: string;
  readonly base: string;
  readonly head: string;
}

interface Judged extends PullRequest, CommandRun {
  /** Lines of the text report. */
  readonly lines: number;
  /** Absent: the command ended without a report. */
  readonly report?: Report;
}

/** Arguments: `DIR` or `DIR=COUNT`, and `--keep=FOLDER` to keep each report as text, Markdown and JSON. */
export async function run(args: readonly string[]): Promise<void> {
  const called = process.env['INIT_CWD'] ?? process.cwd();
  const scratch = mkdtempSync(join(tmpdir(), 'preadmit-bench-merges-'));
  const kept = args.find((each) => each.startsWith('--keep='))?.slice('--keep='.length);
  const folders = { policies: starterPolicies(scratch), reports: resolve(called, kept ?? scratch), scratch };
  mkdirSync(folders.reports, { recursive: true });
  const judged: Judged[] = [];
  try {
    console.log('| repository | merge | objects | CPU, s | lines | exit | verdict |\n|---|---|---|---:|---:|---:|---|');
    for (const each of args.filter((arg) => !arg.startsWith('--'))) {
      const [directory = '', number = DEFAULT_COUNT] = each.split('=');
      for (const pullRequest of pullRequests(resolve(called, directory), Number(number))) {
        const one = judge(pullRequest, folders);
        judged.push(one);
        console.log(row(one));
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const one of judged) for (const line of reasons(one)) console.log(line);
  console.log(`\n${summary(judged)}`);
}

/** The policies without their tests, as one folder outside the repositories. */
function starterPolicies(scratch: string): string {
  const folder = join(scratch, 'policies');
  cpSync('policies', folder, { recursive: true, filter: (path) => !path.endsWith('.preadmit-test.yaml') });
  return folder;
}

/**
 * A seeded choice among the newest merges and squashed pull requests that touch YAML; in a repository without these, among all commits
 * of the main branch. Newest first.
 */
function pullRequests(directory: string, number: number): readonly PullRequest[] {
  const all = git(directory, 'log', '--first-parent', '--format=%H %P%x09%s')
    .split('\n')
    .map((line) => {
      const [ids = '', subject = ''] = line.split('\t');
      const [head = '', base = '', ...others] = ids.split(' ');
      return { directory, base, head, isPullRequest: others.length > 0 || /\(#\d+\)$/.test(subject) };
    })
    .filter(({ base }) => base !== '');
  const merged = all.filter(({ isPullRequest }) => isPullRequest);
  const waiting = (merged.length < number ? all : merged).slice(0, MAX_CANDIDATES);
  const order = [...waiting];
  const random = seeded(SEED);
  const chosen: PullRequest[] = [];
  while (chosen.length < number && waiting.length > 0) {
    const [candidate] = waiting.splice(Math.floor(random() * waiting.length), 1);
    if (candidate !== undefined && touchesYaml(candidate) && isComplete(candidate)) chosen.push(candidate);
  }
  return order.filter((each) => chosen.includes(each));
}

function touchesYaml({ directory, base, head }: PullRequest): boolean {
  return git(directory, 'diff', '--name-only', base, head, '--', '*.yaml', '*.yml') !== '';
}

/** False if a partial clone lacks a file of either state. */
function isComplete({ directory, base, head }: PullRequest): boolean {
  return !git(directory, 'rev-list', '--objects', '--no-walk', '--missing=print', base, head).includes('\n?');
}

function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: directory, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trimEnd();
}

function judge(
  { directory, base, head }: PullRequest,
  { policies, reports, scratch }: Readonly<Record<'policies' | 'reports' | 'scratch', string>>,
): Judged {
  const name = join(reports, `${basename(directory)}-${head.slice(0, 10)}`);
  const formats = ['text=txt', 'markdown=md', 'json=json'].flatMap((each) => {
    const [format, extension] = each.split('=');
    return ['--format', `${format}=${name}.${extension}`];
  });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(import.meta.dirname, 'command-run.mjs'),
      ...['diff', base, head, '--policy-sources', `starter=${policies}`, '--cache', join(scratch, 'cache')],
      ...formats,
    ],
    { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(`${name}: ${stderr}`);
  const command = JSON.parse(stdout) as CommandRun;
  const read = (extension: string): string | undefined => {
    try {
      return readFileSync(`${name}.${extension}`, 'utf8');
    } catch {
      return undefined;
    }
  };
  const report = read('json');
  return {
    ...{ directory, base, head, ...command },
    lines: (read('txt') ?? '').split('\n').length - 1,
    ...(report !== undefined && { report: JSON.parse(report) as Report }),
  };
}

function row({ directory, head, report, cpuMilliseconds, lines, exitCode }: Judged): string {
  const { created = 0, updated = 0, deleted = 0 } = report?.comparison?.objects ?? {};
  const tally = (['denied', 'warned', 'errors', 'undecided', 'open', 'notRendered', 'incomplete', 'unread'] as const)
    .filter((each) => (report?.verdict[each] ?? 0) > 0)
    .map((each) => `${report?.verdict[each]} ${each}`);
  const words = [report?.verdict.conclusion ?? 'no report', ...tally].join(', ');
  const seconds = (cpuMilliseconds / 1000).toFixed(1);
  const objects = `+${created} ~${updated} -${deleted}`;
  return `| ${basename(directory)} | ${head.slice(0, 10)} | ${objects} | ${seconds} | ${lines} | ${exitCode} | ${words} |`;
}

/** What fails a red pull request, for judging whether it is right. */
function reasons({ directory, head, exitCode, report }: Judged): readonly string[] {
  if (exitCode !== 1 || report === undefined) return [];
  const findings = openFindings(report.findings)
    .filter((finding) => finding.severity === 'error' && isCounted(finding, report.verdict))
    .map(({ policy, rule, resource, status }) => `${status} ${policy.name} ${rule.field}: ${resourceLabel(resource)}`);
  const diagnostics = report.diagnostics
    .filter((each) => each.severity === 'error' && isCounted(each, report.verdict))
    .map(({ code, message }) => `${code}: ${message}`);
  const all = [...findings, ...diagnostics];
  const more = all.length > MAX_LISTED ? [`  ${all.length - MAX_LISTED} more`] : [];
  return [
    `\nred: ${basename(directory)} ${head.slice(0, 10)}`,
    ...all.slice(0, MAX_LISTED).map((each) => `  ${each}`),
    ...more,
  ];
}

function summary(judged: readonly Judged[]): string {
  const exits = new Map<number, number>();
  for (const { exitCode } of judged) exits.set(exitCode, (exits.get(exitCode) ?? 0) + 1);
  const share = (of: (one: Judged) => number, part: number): number =>
    judged.map(of).toSorted((a, b) => a - b)[Math.ceil(judged.length * part) - 1] ?? 0;
  const lines = [0.5, 0.9, 1].map((part) => share((one) => one.lines, part));
  const cpu = [0.5, 0.9, 1].map((part) => (share((one) => one.cpuMilliseconds, part) / 1000).toFixed(1));
  const codes = [...exits].sort().map(([code, number]) => `${number} with exit code ${code}`);
  return `${judged.length} pull requests: ${codes.join(', ')}; p50, p90, maximum: ${lines.join(', ')} lines, ${cpu.join(', ')} s`;
}

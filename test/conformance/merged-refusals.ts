// Lists what the API server's validation refuses or warns of in repositories: in the head, and newly in each of the last merges.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkChanges } from '../../src/door/run/check-changes.ts';
import { checkRepository } from '../../src/door/run/check-repository.ts';
import type { Report, ReportedDiagnostic } from '../../src/report/report.ts';
import type { ObjectId } from '../../src/workspace/git/git-output.ts';

const REFUSALS = new Set(['invalid-object', 'refused-object', 'unknown-field', 'duplicate-field', 'unserved-kind']);
const DEFAULT_COUNT = 50;

/** What the server answers to the objects of one state or change. */
interface ServerAnswers {
  readonly refusals: readonly ReportedDiagnostic[];
  readonly warnings: readonly ReportedDiagnostic[];
  /** Sentences about objects that the server may refuse. */
  readonly unknowns: readonly string[];
}

interface Merge {
  readonly base: ObjectId;
  readonly head: ObjectId;
}

interface Tally {
  merges: number;
  refused: number;
  warned: number;
  unknown: number;
  failed: number;
}

/** Arguments: `DIR` or `DIR=COUNT`. Reads the repositories only. */
export async function listMergedRefusals(given: readonly string[]): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'preadmit-merged-refusals-'));
  const sum: Tally = { merges: 0, refused: 0, warned: 0, unknown: 0, failed: 0 };
  try {
    for (const each of given) {
      const [directory = '', count = DEFAULT_COUNT] = each.split('=');
      await listRepository(directory, Number(count), cache, sum);
    }
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  const share = ((100 * sum.refused) / Math.max(sum.merges, 1)).toFixed(1);
  console.log(
    `${sum.merges} merges: ${sum.refused} (${share} %) with a new refusal, ${sum.warned} with a new warning, ${sum.unknown} with a new unknown, ${sum.failed} without a report`,
  );
}

async function listRepository(directory: string, count: number, cache: string, sum: Tally): Promise<void> {
  const options = { directory, paths: [], overrides: {}, baseline: null, cache };
  const { report } = await checkRepository(options);
  const head = answersIn(report);
  console.log(`${basename(directory)}: head: ${counted(head)}`);
  list(head);
  for (const merge of lastMerges(directory, count)) {
    sum.merges++;
    const name = `${basename(directory)} ${merge.head.slice(0, 10)}`;
    try {
      const answers = answersIn((await checkChanges(options, merge)).report);
      if (answers.refusals.length > 0) sum.refused++;
      if (answers.warnings.length > 0) sum.warned++;
      const isUnknown = answers.unknowns.some((sentence) => !head.unknowns.includes(sentence));
      if (isUnknown) sum.unknown++;
      if (answers.refusals.length > 0 || answers.warnings.length > 0 || isUnknown) {
        console.log(`${name}: ${counted(answers)}`);
        list(answers);
      }
    } catch (error) {
      sum.failed++;
      console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Of a comparison, only what base does not have. */
function answersIn(report: Report): ServerAnswers {
  const told = report.diagnostics.filter(({ status }) => status === undefined || status === 'new');
  const unknowns = report.targets.flatMap((target) => target.unknowns);
  return {
    refusals: told.filter(({ code, severity }) => severity === 'error' && REFUSALS.has(code)),
    warnings: told.filter(({ code }) => code === 'server-warning'),
    unknowns: [...new Set(unknowns.filter((sentence) => sentence.startsWith('whether the server accepts')))],
  };
}

function counted({ refusals, warnings, unknowns }: ServerAnswers): string {
  return `${refusals.length} refusals, ${warnings.length} warnings, ${unknowns.length} unknowns`;
}

const SHOWN = 400;

function list({ refusals, warnings, unknowns }: ServerAnswers): void {
  for (const { code, message, primary } of [...refusals, ...warnings]) {
    const text = message.replaceAll('\n', ' ');
    const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
    console.log(`  ${code} ${primary?.path}:${primary?.startLine}: ${shown}`);
  }
  for (const sentence of unknowns) console.log(`  unknown: ${sentence}`);
}

/** Merges of the main branch that touch YAML, newest first; in a repository with fewer merges, commits of the main branch. */
function lastMerges(directory: string, count: number): readonly Merge[] {
  const log = (...options: readonly string[]): readonly Merge[] =>
    git(directory, 'log', '--first-parent', '-m', '--format=%H %P', ...options, `-${count}`, '--', '*.yaml', '*.yml')
      .split('\n')
      .flatMap((line) => {
        const [head, base] = line.split(' ');
        return head && base ? [{ base: base as ObjectId, head: head as ObjectId }] : [];
      });
  const merges = log('--merges');
  return merges.length < count ? log() : merges;
}

function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: directory, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trimEnd();
}

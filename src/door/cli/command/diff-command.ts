// `preadmit diff`: effect on the cluster of the change between two commits or two folders, with the report and exit codes of `check`.
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { checkChanges } from '../../run/check-changes.ts';
import {
  type ChangeOptions,
  type CheckOptions,
  type CheckResult,
  type Start,
  startOf,
} from '../../run/check-repository.ts';
import { EXIT, exitCodeOf, exitOptions } from '../../run/exit-code.ts';
import { createStageLog } from '../../run/stage-log.ts';
import { DIFF_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { checkOutputs, readOutputs, shownPart, showOptionsOf, writeOutput } from '../report-output.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';
import { compareFolders } from './compare-folders.ts';

export async function diffCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, DIFF_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  const [base, head, ...paths] = parsed.arguments.paths;
  const [baseFolder, headFolder] = ['base-dir', 'head-dir'].map((name) => parsed.arguments.texts.get(name));
  const areFolders = baseFolder !== undefined || headFolder !== undefined;
  if (areFolders && (baseFolder === undefined || headFolder === undefined || base !== undefined)) {
    return usageError(['`--base-dir` and `--head-dir` must be used together, and without commits or paths'], terminal);
  }
  if (!areFolders && (base === undefined || head === undefined)) {
    return usageError(['expected two commits: `preadmit diff <base> <head> [paths…]`'], terminal);
  }
  const stages = createStageLog({
    debug: parsed.arguments.flags.has('debug'),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now,
  });
  const options = { ...checkOptions({ ...parsed.arguments, paths }, terminal), stages };
  const compared =
    baseFolder !== undefined && headFolder !== undefined
      ? compareFolders(options, { base: baseFolder, head: headFolder })
      : compareCommits(base ?? '', head ?? '', options);
  const { report, unusable } = await compared.finally(stages.end);
  const shown = shownPart(report, parsed.arguments);
  const showOptions = showOptionsOf(parsed.arguments, terminal);
  for (const output of outputs.outputs) await writeOutput(output, shown, showOptions, terminal);
  return unusable ? EXIT.usage : exitCodeOf(report, exitOptions(parsed.arguments));
}

async function compareCommits(base: string, head: string, options: CheckOptions): Promise<CheckResult> {
  options.stages?.enter('discover');
  const start = await startOf(options);
  return checkChanges(options, await resolveCommits(base, head, start), start);
}

async function resolveCommits(base: string, head: string, { root, repository }: Start): Promise<ChangeOptions> {
  if (repository === undefined) throw new WorkspaceError('bad-revision', `\`${root}\` is not in a Git checkout`);
  const commit = async (revision: string): Promise<string> => {
    const id = await repository.resolveCommit(revision);
    if (id !== undefined) return id;
    throw new WorkspaceError('bad-revision', `commit \`${revision}\` does not exist in this repository`, {
      hint: 'in a shallow clone, fetch it first: `git fetch --depth=1 origin <commit>`',
    });
  };
  const [before, after] = await Promise.all([commit(base), commit(head)]);
  return { base: before, head: after };
}

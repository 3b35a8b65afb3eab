// `preadmit audit`: checks the whole repository, and adds the sections of an audit.

import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type { FoldedHistory } from '../../../report/history/fold-history.ts';
import { withHistory } from '../../../report/history/with-history.ts';
import type { Report } from '../../../report/report.ts';
import { severalReleases } from '../../run/asked-version.ts';
import { historyOf, historyProblem, type LocalHistory, newStamp, recordAudit } from '../../run/audit-history.ts';
import { auditRepository } from '../../run/audit-repository.ts';
import { EXIT, exitCodeOf, exitOptions } from '../../run/exit-code.ts';
import { createStageLog } from '../../run/stage-log.ts';
import { AUDIT_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { checkOutputs, readOutputs, shownPart, showOptionsOf, writeOutput } from '../report-output.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { checkOptions } from './check-command.ts';

export async function auditCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, AUDIT_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  if (parsed.arguments.paths.length > 0) {
    return usageError(
      ['an audit covers the whole repository; check some files with `preadmit check <path>`'],
      terminal,
    );
  }
  const outputs = readOutputs(parsed.arguments);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  const started = terminal.now();
  const stages = createStageLog({
    debug: parsed.arguments.flags.has('debug'),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now,
  });
  const releases = severalReleases(parsed.arguments.texts.get('kubernetes-version')) ?? [];
  const given = checkOptions(parsed.arguments, terminal);
  const { kubernetesVersion, policySources: candidates = [], ...rest } = given.overrides;
  const isOne = kubernetesVersion !== undefined && releases.length === 0;
  const options = { ...given, stages, candidates, overrides: { ...rest, ...(isOne && { kubernetesVersion }) } };
  const written = parsed.arguments.texts.get('history');
  const wrong = historyProblem(written, '`--history`');
  if (wrong !== undefined) return usageError([wrong], terminal);
  const place = await historyOf(written, options);
  const { report, unusable } = await auditRepository(options, { day: terminal.today, releases }).finally(stages.end);
  const history = place === undefined || unusable ? undefined : await recorded(report, place, terminal);
  const part = shownPart(report, parsed.arguments);
  const shown = history === undefined ? part : withHistory(part, history, { today: terminal.today });
  const seconds = (terminal.now() - started) / 1000;
  const showOptions = { ...showOptionsOf(parsed.arguments, terminal), seconds };
  for (const output of outputs.outputs) await writeOutput(output, shown, showOptions, terminal);
  return unusable ? EXIT.usage : exitCodeOf(report, exitOptions(parsed.arguments));
}

/** The history with this audit; undefined if it cannot be read. `report`: the whole one, even with `--owner`. */
async function recorded(report: Report, place: LocalHistory, terminal: Terminal): Promise<FoldedHistory | undefined> {
  const stamp = await newStamp(terminal.moment ?? `${terminal.today}T00:00:00Z`, terminal.directory);
  const { history, problem } = await recordAudit(report, place, stamp);
  if (problem !== undefined) terminal.err(`preadmit: this audit is not in the history: ${sanitizeLine(problem)}\n`);
  return history;
}

// Writes the outputs of the step and the job summary.
import { appendFile } from 'node:fs/promises';
import { setOutput } from '@actions/core';
import { renderMarkdown } from '../report/format/markdown/markdown.ts';
import type { MarkdownOptions } from '../report/format/markdown/options.ts';
import type { Report } from '../report/report.ts';
import type { StepEnvironment } from './event.ts';

/** Every output, as named in action.yml. */
export const OUTPUT_NAMES = ['conclusion', 'denied', 'warned', 'evaluated', 'report-path'] as const;

export type Outputs = Readonly<Record<(typeof OUTPUT_NAMES)[number], string>>;

/** Outputs never contain text of the repository, because workflows insert them into shell commands. */
export function outputsOf(report: Report, reportPath: string): Outputs {
  return {
    conclusion: report.verdict.conclusion,
    denied: String(report.verdict.denied),
    warned: String(report.verdict.warned),
    evaluated: String(report.coverage.evaluated),
    'report-path': reportPath,
  };
}

/** Does nothing outside a workflow run. */
export function writeOutputs(outputs: Outputs, environment: StepEnvironment): void {
  if (environment['GITHUB_OUTPUT'] === undefined) return;
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}

/** The runner rejects a larger summary entirely. */
const MAX_SUMMARY_BYTES = 1_048_576;

/** Appends to the job summary; false if there is none. */
export async function writeSummary(
  report: Report,
  options: Omit<MarkdownOptions, 'maxBytes'>,
  environment: StepEnvironment,
): Promise<boolean> {
  const path = environment['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') return false;
  await appendFile(path, renderMarkdown(report, { maxBytes: MAX_SUMMARY_BYTES, ...options }));
  return true;
}

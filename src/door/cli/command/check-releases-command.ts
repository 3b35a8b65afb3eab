// `preadmit check --kubernetes-version 1.33,1.36`: compares the verdicts of several Kubernetes releases.
import { versionProblem } from '../../../kubernetes/api/version.ts';
import { parseReleases, releaseSteps } from '../../../pipeline/check/release-steps.ts';
import { checkReleases } from '../../../pipeline/check-releases.ts';
import type { ReleaseComparison } from '../../../report/comparison/release-comparison.ts';
import { releasesMarkdown } from '../../../report/format/markdown/releases-markdown.ts';
import { releasesText } from '../../../report/format/text/releases-text.ts';
import { jsonText } from '../../../report/json/json-text.ts';
import type { ReporterOptions } from '../../../report/reporter.ts';
import { askRepository, type CheckOptions } from '../../run/check-repository.ts';
import { EXIT, exitCodeOf, exitOptions } from '../../run/exit-code.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { checkOutputs, readOutputs, showOptionsOf, writeRendered } from '../report-output.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';

const FORMATS: ReadonlyMap<string, (comparison: ReleaseComparison, options: ReporterOptions) => string> = new Map([
  ['text', releasesText],
  ['json', (comparison) => jsonText(comparison)],
  ['markdown', (comparison) => releasesMarkdown(comparison)],
]);

/** Returns the worst exit status of all releases. Throws WorkspaceError. */
export async function checkReleasesCommand(
  versions: readonly string[],
  parsed: ParsedArguments,
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const outputs = readOutputs(parsed, [...FORMATS.keys()]);
  if ('problems' in outputs) return usageError(outputs.problems, terminal);
  const asked = parseReleases(versions);
  if ('problem' in asked) return usageError([asked.problem], terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  const { kubernetesVersion: _, ...overrides } = options.overrides;
  const owner = parsed.texts.get('owner');
  const compared = await askRepository({ ...options, overrides }, (input) => {
    const { known: steps, unknown } = releaseSteps(input.configuration, asked.releases);
    return unknown.length > 0 ? { unknown } : checkReleases(input, { steps, ...(owner !== undefined && { owner }) });
  });
  if ('stopped' in compared) return stoppedBy(compared.stopped, terminal);
  const { answer } = compared;
  if ('unknown' in answer) {
    return usageError(
      answer.unknown.map((version) => `\`${version}\` ${versionProblem(version)}`),
      terminal,
    );
  }
  const showOptions = showOptionsOf(parsed, terminal);
  for (const { format, file } of outputs.outputs) {
    const shown = file === undefined ? showOptions : { ...showOptions, color: false };
    await writeRendered(file, FORMATS.get(format)?.(answer, shown) ?? '', terminal);
  }
  const codes = answer.releases.map((release) => exitCodeOf(release, exitOptions(parsed)));
  return codes.find((code) => code === EXIT.denied) ?? codes.find((code) => code !== EXIT.allowed) ?? EXIT.allowed;
}

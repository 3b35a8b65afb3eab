// `preadmit check --kubernetes-version 1.33,1.36`: compares the verdicts of several Kubernetes releases.
import { checkReleases } from '../../../pipeline/check-releases.ts';
import type { ReleaseComparison } from '../../../report/comparison/release-comparison.ts';
import { releasesMarkdown } from '../../../report/format/markdown/releases-markdown.ts';
import { releasesText } from '../../../report/format/text/releases-text.ts';
import { jsonText } from '../../../report/json/json-text.ts';
import type { ReporterOptions } from '../../../report/reporter.ts';
import { askedVersion } from '../../run/asked-version.ts';
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
  for (const version of versions) askedVersion(version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) return usageError([`\`--kubernetes-version\` names \`${twice}\` twice`], terminal);
  await checkOutputs(outputs.outputs, terminal.directory);
  const { kubernetesVersion: _, ...overrides } = options.overrides;
  const asked = await askRepository({ ...options, overrides }, (input) =>
    checkReleases(input, versions, parsed.texts.get('owner')),
  );
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const showOptions = showOptionsOf(parsed, terminal);
  for (const { format, file } of outputs.outputs) {
    const shown = file === undefined ? showOptions : { ...showOptions, color: false };
    await writeRendered(file, FORMATS.get(format)?.(asked.answer, shown) ?? '', terminal);
  }
  const codes = asked.answer.releases.map((release) => exitCodeOf(release, exitOptions(parsed)));
  return codes.find((code) => code === EXIT.denied) ?? codes.find((code) => code !== EXIT.allowed) ?? EXIT.allowed;
}

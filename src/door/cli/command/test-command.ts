// `preadmit test`: runs policy tests and reports failures.
import { statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { versionProblem } from '../../../kubernetes/api/version.ts';
import type { PolicyTestInput } from '../../../pipeline/test/run-policy-tests.ts';
import { foreignSuites } from '../../../pipeline/test/suite/run-foreign-suite.ts';
import { testPolicies } from '../../../pipeline/test/test-policies.ts';
import { updateExpectations } from '../../../pipeline/test/update-expectations.ts';
import type { TestReport } from '../../../report/explanation/policy-test.ts';
import { testGithub } from '../../../report/format/annotation/test-github.ts';
import { testJunit } from '../../../report/format/junit/test-junit.ts';
import { coverageText, lcov, mutationScoreText } from '../../../report/format/text/coverage-text.ts';
import { testText } from '../../../report/format/text/test-text.ts';
import { POLICY_TEST_SUFFIX } from '../../../settings/policy-test-shape.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { WorkTreeFiles } from '../../../workspace/discover/work-tree-files.ts';
import { fileChanges } from '../../../workspace/files/watch-files.ts';
import { GitRepository } from '../../../workspace/git/git-repository.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { EXIT } from '../../run/exit-code.ts';
import { TEST_FORMATS, TEST_OPTIONS } from '../options/option-table.ts';
import { type ParsedArguments, parseArguments } from '../options/parse-arguments.ts';
import { checkOutputs, type ReportOutput, readOutputs, writeRendered } from '../report-output.ts';
import { type Terminal, usageError } from '../terminal.ts';

export async function testCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, TEST_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { texts, flags } = parsed.arguments;
  const read = readOutputs(parsed.arguments, TEST_FORMATS);
  if ('problems' in read) return usageError(read.problems, terminal);
  const outputs = read.outputs.map(({ format, file }) => ({
    format,
    file: file === undefined ? undefined : resolve(terminal.directory, file),
  }));
  await checkOutputs(outputs, terminal.directory);
  const kubernetesVersion = texts.get('kubernetes-version') ?? DEFAULT_VERSION_TEXT;
  askedVersion(kubernetesVersion);
  const top = await topOf(terminal.directory);
  const run = () => runTests({ parsed: parsed.arguments, outputs, top, kubernetesVersion }, terminal);
  if (!flags.has('watch')) return run();
  let status = await run();
  for await (const _ of (terminal.changes ?? fileChanges)(top)) {
    terminal.out('\n');
    status = await run();
  }
  return status;
}

interface TestRun {
  readonly parsed: ParsedArguments;
  readonly outputs: readonly ReportOutput[];
  readonly top: string;
  readonly kubernetesVersion: string;
}

async function runTests({ parsed, outputs, top, kubernetesVersion }: TestRun, terminal: Terminal): Promise<number> {
  const { paths, texts, flags } = parsed;
  const filter = texts.get('filter')?.toLowerCase() ?? '';
  const inputs = await testInputs({ paths, top, filter, kubernetesVersion }, terminal);
  if (inputs.length === 0) {
    terminal.err(
      `preadmit: no file \`*${POLICY_TEST_SUFFIX}\` and no suite of another tool found in ${sanitizeLine(paths.join(', ') || 'this folder')}\n`,
    );
    return EXIT.nothingChecked;
  }
  const asked = { coverage: flags.has('coverage') || texts.has('lcov'), mutants: flags.has('mutants') };
  let report = testPolicies(inputs, asked);
  if (filter !== '' && report.suites.every(({ tests, problems }) => tests.length + problems.length === 0)) {
    terminal.err(`preadmit: no test name contains \`${sanitizeLine(filter)}\`\n`);
    return EXIT.nothingChecked;
  }
  if (flags.has('update') && (await writeMessages(inputs, report, top, terminal))) {
    report = testPolicies(await testInputs({ paths, top, filter, kubernetesVersion }, terminal), asked);
  }
  const lcovFile = texts.get('lcov');
  if (lcovFile !== undefined && report.coverage !== undefined)
    await writeRendered(resolve(terminal.directory, lcovFile), lcov(report.coverage), terminal);
  for (const { format, file } of outputs) {
    const shown = file === undefined ? terminal : { ...terminal, color: false };
    await writeRendered(file, renderedAs(format, report, flags, shown), terminal);
  }
  if (report.suites.some(({ problems }) => problems.length > 0)) return EXIT.usage;
  if (report.passed + report.failed === 0) return EXIT.nothingChecked;
  return report.failed > 0 ? EXIT.denied : EXIT.allowed;
}

interface AskedTests {
  readonly paths: readonly string[];
  readonly top: string;
  readonly filter: string;
  readonly kubernetesVersion: string;
}

/** The current test files. */
async function testInputs(
  { paths, top, filter, kubernetesVersion }: AskedTests,
  terminal: Terminal,
): Promise<readonly PolicyTestInput[]> {
  const files = new WorkTreeFiles(top);
  const found = await testFiles(paths, top, terminal.directory, files);
  return found.flatMap((path): readonly PolicyTestInput[] => {
    // A folder can be a suite too; its files are read when its tests run.
    const file = isFolder(join(top, path)) ? new SourceFile(path, '') : files.at(path, () => true)?.[0];
    if (file === undefined) return [];
    return [
      {
        file,
        read: (named: string) => files.at(fromTop(join(top, dirname(path), named), top), isManifest),
        kubernetesVersion,
        versionProblem,
        isWanted: (name: string) => name.toLowerCase().includes(filter),
        now: terminal.now,
        seconds: Date.now() / 1000,
      },
    ];
  });
}

/** Writes changed expected messages and reports them on standard error; returns false if nothing changed. */
async function writeMessages(
  inputs: readonly PolicyTestInput[],
  report: TestReport,
  top: string,
  terminal: Terminal,
): Promise<boolean> {
  const suites = new Map(report.suites.map((suite) => [suite.path, suite]));
  let isWritten = false;
  for (const { file } of inputs) {
    const suite = file.path.endsWith(POLICY_TEST_SUFFIX) ? suites.get(file.path) : undefined;
    const updated = suite && updateExpectations(file, suite);
    if (updated === undefined) continue;
    const path = sanitizeLine(file.path);
    for (const reason of updated.left) terminal.err(`preadmit: ${path}: not changed: ${sanitizeLine(reason)}\n`);
    if (updated.updated === 0) continue;
    await writeRendered(join(top, file.path), updated.text, terminal);
    const messages = updated.updated === 1 ? 'message' : 'messages';
    terminal.err(`preadmit: ${path}: ${updated.updated} ${messages} written\n`);
    isWritten = true;
  }
  return isWritten;
}

function renderedAs(format: string, report: TestReport, flags: ReadonlySet<string>, terminal: Terminal): string {
  if (format === 'json') return `${JSON.stringify(report, undefined, 2)}\n`;
  if (format === 'junit') return testJunit(report);
  return format === 'github' ? testGithub(report) : textOf(report, flags, terminal);
}

function textOf(report: TestReport, flags: ReadonlySet<string>, { color }: Terminal): string {
  return [
    testText(report, { color, quiet: flags.has('quiet') }),
    ...(report.coverage && flags.has('coverage') ? [coverageText(report.coverage)] : []),
    ...(report.mutations ? [mutationScoreText(report.mutations)] : []),
  ].join('\n');
}

const DEFAULT_VERSION_TEXT = '1.36';

/** Real path of the repository root; outside Git, the working directory. */
async function topOf(directory: string): Promise<string> {
  const repository = await GitRepository.open(directory);
  return repository?.root ?? realpath(directory);
}

/** Sorted paths from the root; for folders, every test file in them. Throws WorkspaceError for missing or outside paths. */
async function testFiles(
  paths: readonly string[],
  top: string,
  directory: string,
  files: WorkTreeFiles,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const full = resolve(await realpath(directory), path);
    const status = await stat(full).catch(() => undefined);
    if (status === undefined) throw new WorkspaceError('path-not-found', `\`${path}\` does not exist`);
    const inner = fromTop(full, top);
    if (inner.startsWith('..')) throw new WorkspaceError('path-outside-root', `\`${path}\` is outside the repository`);
    if (status.isFile() || SUITE_FOLDERS.has(basename(inner))) found.add(inner);
    else {
      const beneath = files.pathsBeneath(inner);
      for (const each of beneath) if (each.endsWith(POLICY_TEST_SUFFIX)) found.add(each);
      for (const each of foreignSuites(beneath, (folder) => holdsPolicies(folder, files))) found.add(each);
    }
  }
  return [...found].sort();
}

/** These folders are suites if given as arguments; otherwise only next to policies. */
const SUITE_FOLDERS: ReadonlySet<string> = new Set(['pass', 'fail']);

function holdsPolicies(folder: string, files: WorkTreeFiles): boolean {
  const direct = (path: string): boolean => isManifest(path) && dirname(path) === folder;
  return (files.at(folder, direct) ?? []).some(({ text }) => /^kind:\s*["']?\w*Policy["']?\s*$/m.test(text));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function fromTop(path: string, top: string): string {
  return relative(top, path).split(sep).join('/');
}

function isManifest(path: string): boolean {
  return /\.(ya?ml|json)$/.test(path) && !path.endsWith(POLICY_TEST_SUFFIX);
}

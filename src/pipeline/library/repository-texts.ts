// Checks a repository given as texts and runs its policy tests, for callers of the library.
import { versionProblem } from '../../kubernetes/api/version.ts';
import type { TestReport } from '../../report/explanation/policy-test.ts';
import type { Report } from '../../report/report.ts';
import { type Configuration, defaultConfiguration } from '../../settings/configuration.ts';
import { loadConfiguration } from '../../settings/load-configuration.ts';
import { compileGlobs } from '../../settings/path-filter.ts';
import { POLICY_TEST_SUFFIX } from '../../settings/policy-test-shape.ts';
import { folderOf, normalizePath } from '../../source/text/repository-path.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { checkState } from '../check-state.ts';
import { testPolicies } from '../test/test-policies.ts';
import { checkVersion } from './evaluate.ts';
import { InputError } from './input-error.ts';

/** Texts by path from the root of the repository, with `/`. */
export type RepositoryTexts = Readonly<Record<string, string>>;

/** The files to check, and the options. */
export interface CheckTextsInput {
  readonly files: RepositoryTexts;
  /** The text of a `.preadmit.yaml`. Default: this file in `files`, or the default configuration. */
  readonly configuration?: string;
  /** As `2026-11-21`. Without a date no exception expires. */
  readonly today?: string;
}

/** The tests to run, and the options. */
export interface TestTextsInput {
  readonly files: RepositoryTexts;
  /** Run only tests whose names contain this text, in any letter case. Default: all. */
  readonly filter?: string;
  /** Report parts of expressions that no test has evaluated both ways. Default: false. */
  readonly coverage?: boolean;
  /** Report small changes of the policies that no test detects. Default: false. */
  readonly mutants?: boolean;
  /** For test files that name no release. Default: `1.36`. */
  readonly kubernetesVersion?: string;
  /** The current time for policies. Default: 1970, because the library has no clock. */
  readonly now?: Date;
}

const CONFIGURATION_FILE = '.preadmit.yaml';

/**
 * Checks the texts like `preadmit check` does a repository without Git. Renders nothing: files that must be rendered are listed as
 * skipped. Throws InputError if the configuration has errors.
 */
export function checkTexts({
  files,
  configuration: given = files[CONFIGURATION_FILE],
  today,
}: CheckTextsInput): Report {
  const configuration = given === undefined ? defaultConfiguration() : configurationOf(given);
  const isRead = compileGlobs(configuration.include);
  const isLeftOut = compileGlobs(configuration.exclude);
  const paths = Object.keys(files).sort();
  const read = paths.filter((path) => isRead(path) && !isLeftOut(path) && path !== CONFIGURATION_FILE);
  return checkState({
    files: read.map((path) => ({ file: new SourceFile(path, files[path] ?? ''), selected: true })),
    paths: new Set(paths),
    notRead: [],
    configuration,
    ...(today !== undefined && { today }),
  });
}

function configurationOf(text: string): Configuration {
  const { configuration, diagnostics } = loadConfiguration(new SourceFile(CONFIGURATION_FILE, text), {
    versionProblem,
  });
  if (configuration !== undefined) return configuration;
  throw new InputError('bad-configuration', diagnostics.map(({ message }) => message).join('; '));
}

/** Runs every `*.preadmit-test.yaml` among the texts. Throws InputError only for an unsupported release. */
export function testTexts({
  files,
  filter = '',
  coverage = false,
  mutants = false,
  kubernetesVersion = '1.36',
  now,
}: TestTextsInput): TestReport {
  checkVersion(kubernetesVersion);
  const all = new Map(Object.entries(files).map(([path, text]) => [path, new SourceFile(path, text)]));
  const tests = [...all.values()].filter(({ path }) => path.endsWith(POLICY_TEST_SUFFIX));
  const inputs = tests.map((file) => ({
    file,
    read: (named: string) => filesAt(normalizePath(`${folderOf(file.path)}/${named}`), all),
    kubernetesVersion,
    versionProblem,
    isWanted: (name: string) => name.toLowerCase().includes(filter.toLowerCase()),
    now: () => 0,
    seconds: (now?.getTime() ?? 0) / 1000,
  }));
  return testPolicies(inputs, { coverage, mutants });
}

/** The file, or the files of the folder; undefined if neither exists. */
function filesAt(path: string, all: ReadonlyMap<string, SourceFile>): readonly SourceFile[] | undefined {
  const file = all.get(path);
  if (file !== undefined) return [file];
  const within = path === '' || path === '.' ? '' : `${path}/`;
  const found = [...all.values()].filter(
    (each) =>
      each.path.startsWith(within) && /\.(?:ya?ml|json)$/.test(each.path) && !each.path.endsWith(POLICY_TEST_SUFFIX),
  );
  return found.length === 0 ? undefined : found;
}

// A repository that is at hand as texts: its check and the tests of its policies, for callers of the library.
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

/** Texts by their paths from the top of the repository, written with `/`. */
export type RepositoryTexts = Readonly<Record<string, string>>;

/** What is checked, and how. */
export interface CheckTextsInput {
  readonly files: RepositoryTexts;
  /** The text of a `.preadmit.yaml`; absent: the file of that name among `files`, or the defaults. */
  readonly configuration?: string;
  /** As `2026-11-21`; without it no exception expires. */
  readonly today?: string;
}

/** Which tests are run, and what is asked of them. */
export interface TestTextsInput {
  readonly files: RepositoryTexts;
  /** Only tests with this in their names, in any case; all of them if absent. */
  readonly filter?: string;
  /** Tell which parts of the expressions no test has seen both ways. False if absent. */
  readonly coverage?: boolean;
  /** Tell which small changes of the policies no test notices. False if absent. */
  readonly mutants?: boolean;
  /** Of files that name none; `1.36` if absent. */
  readonly kubernetesVersion?: string;
  /** The moment that policies take for now; 1970 if absent, as the library has no clock. */
  readonly now?: Date;
}

const CONFIGURATION_FILE = '.preadmit.yaml';

/**
 * Checks the texts as `preadmit check` does a repository without Git. Nothing is rendered: what is built before it is applied is listed as
 * such. Throws InputError for a configuration that is wrong.
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

/** Runs every `*.preadmit-test.yaml` among the texts. Throws InputError for an unknown release only. */
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

/** A file, or what a folder holds; undefined: neither is there. */
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

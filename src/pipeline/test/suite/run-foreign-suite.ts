// Detects test suites in the formats of other tools, and runs them.
import type { PolicySuites } from '../../../policy/language/policy-suite.ts';
import { linesOf } from '../../../report/explanation/explanation.ts';
import type { PolicyTest, TestSuite } from '../../../report/explanation/policy-test.ts';
import { POLICY_TEST_SUFFIX } from '../../../settings/policy-test-shape.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import { readManifests } from '../../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../../source/manifest/written-manifest.ts';
import { baseName } from '../../../source/text/repository-path.ts';
import type { PolicyTestInput } from '../run-policy-tests.ts';
import { isChainsawTest, runChainsawTest } from './chainsaw.ts';
import { isGatorSuite, runGatorSuite } from './gator.ts';
import { isKaptest, runKaptest } from './kaptest.ts';
import { isKatFile, runKat } from './kat.ts';
import { isKubescapeFile, isKubescapeSuite, runKubescapeSuite } from './kubescape.ts';
import { runLanguageSuite } from './language-suite.ts';
import { runPassAndFail } from './pass-and-fail.ts';
import { SuiteTester } from './suite-tester.ts';

/** File names that the tools search for. A suite that the user names is detected by its content. */
const FILE_NAMES: ReadonlySet<string> = new Set(
  ['kyverno-test', 'chainsaw-test', 'kaptest', 'suite'].flatMap((name) => [`${name}.yaml`, `${name}.yml`]),
);

/** Names that other files use too. If their content is not a suite, they are ignored. */
const COMMON_NAMES: ReadonlySet<string> = new Set(['suite.yaml', 'suite.yml', 'tests.json']);

export function isForeignSuite(path: string): boolean {
  return !path.endsWith(POLICY_TEST_SUFFIX);
}

/** Files, and folders `tests`, `pass` and `fail`. `hasPolicies`: `pass` and `fail` are suites only beside policies. */
export function foreignSuites(paths: readonly string[], hasPolicies: (folder: string) => boolean): readonly string[] {
  const found = new Set<string>();
  const known = new Set(paths);
  for (const path of paths) {
    if (FILE_NAMES.has(baseName(path)) || isKubescapeFile(path, known)) found.add(path);
    else if (isKatFile(path)) found.add(path.slice(0, path.lastIndexOf('/')));
    else {
      const [, folder, parent = '.'] = /^((?:(.*)\/)?(?:pass|fail))\/.*\.(?:ya?ml|json)$/.exec(path) ?? [];
      if (folder !== undefined && !found.has(folder) && hasPolicies(parent)) found.add(folder);
    }
  }
  return [...found];
}

export function runForeignSuite(input: PolicyTestInput, languages: readonly PolicySuites[]): TestSuite {
  const { path } = input.file;
  const tester = new SuiteTester(input);
  const folder = baseName(path);
  const suite = (tests: readonly PolicyTest[]): TestSuite => ({ path, problems: [], tests });
  if (folder === 'pass' || folder === 'fail') return suite(runPassAndFail(tester, folder));
  if (folder === 'tests') return suite(runKat(tester));
  const { manifests, problems } = readManifests(input.file);
  const syntax = problems.map(({ message, range }) => ({ message, place: linesOf({ file: input.file, range }) }));
  if (syntax.length > 0) return { path, problems: syntax, tests: [] };
  const tests = manifests.map((manifest) => testsOf(manifest, tester, languages));
  if (tests.every((each) => each === undefined) && !COMMON_NAMES.has(folder)) {
    const message = 'the file is not a test suite in a supported format';
    const help = `names of test files end in \`${POLICY_TEST_SUFFIX}\``;
    return {
      path,
      problems: [{ message, place: linesOf({ file: input.file, range: { start: 0, end: 0 } }), help }],
      tests: [],
    };
  }
  return suite(tests.flatMap((each) => each ?? []));
}

function testsOf(
  manifest: WrittenManifest,
  tester: SuiteTester,
  languages: readonly PolicySuites[],
): readonly PolicyTest[] | undefined {
  const document = manifest.value;
  if (isKubescapeSuite(document)) return runKubescapeSuite(tester, manifest);
  if (!isJsonObject(document)) return undefined;
  const language = languages.find(({ accepts }) => accepts(document));
  if (language !== undefined) return runLanguageSuite(tester, manifest, language);
  if (isChainsawTest(document)) return runChainsawTest(tester, manifest);
  if (isGatorSuite(document)) return runGatorSuite(tester, manifest);
  return isKaptest(document) ? runKaptest(tester, manifest) : undefined;
}

// Runs all test files: their results, their coverage, and the mutants that they detect. Pure.
import { PolicyCoverage } from '../../policy/explanation/policy-coverage.ts';
import { TEST_REPORT_SCHEMA_VERSION, type TestReport } from '../../report/explanation/policy-test.ts';
import { testCoverage } from '../../report/explanation/test-coverage.ts';
import { VERSION } from '../../version.ts';
import { languageSuites } from '../state/languages.ts';
import { type PolicyTestInput, runPolicyTests } from './run-policy-tests.ts';
import { isForeignSuite, runForeignSuite } from './suite/run-foreign-suite.ts';
import { tryPolicyMutants } from './try-policy-mutants.ts';

export interface TestQuestions {
  /** Report which parts of expressions the tests evaluated. */
  readonly coverage: boolean;
  /** Report which small changes of the policies the tests detect. Only if all tests pass. */
  readonly mutants: boolean;
}

export function testPolicies(files: readonly PolicyTestInput[], asked: TestQuestions): TestReport {
  const coverage = asked.coverage ? new PolicyCoverage() : undefined;
  const languages = languageSuites();
  const suites = files.map((input) => {
    if (isForeignSuite(input.file.path)) return runForeignSuite(input, languages);
    return runPolicyTests({ ...input, ...(coverage && { coverage }) });
  });
  const tests = suites.flatMap((suite) => suite.tests);
  const notRun = tests.filter((test) => test.notRun !== undefined).length;
  const failed = tests.filter(({ differences }) => differences.length > 0).length;
  const passed = tests.length - failed - notRun;
  const allPass = failed === 0 && suites.every(({ problems }) => problems.length === 0);
  return {
    schemaVersion: TEST_REPORT_SCHEMA_VERSION,
    preadmit: VERSION,
    passed,
    failed,
    ...(notRun > 0 && { notRun }),
    suites,
    ...(coverage && { coverage: testCoverage(coverage) }),
    ...(asked.mutants &&
      allPass && { mutations: tryPolicyMutants(files.filter(({ file }) => !isForeignSuite(file.path))) }),
  };
}

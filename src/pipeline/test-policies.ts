// All test files of a run: their outcome, what they tried, and which changes of the policies they notice. Pure.
import { PolicyCoverage } from '../policy/policy-coverage.ts';
import { TEST_REPORT_SCHEMA_VERSION, type TestReport } from '../report/policy-test.ts';
import { testCoverage } from '../report/test-coverage.ts';
import { VERSION } from '../version.ts';
import { type PolicyTestInput, runPolicyTests } from './run-policy-tests.ts';
import { tryPolicyMutants } from './try-policy-mutants.ts';

export interface TestQuestions {
  /** What have the tests tried? */
  readonly coverage: boolean;
  /** Which small changes of the policies do they notice? Asked only where all tests pass. */
  readonly mutants: boolean;
}

export function testPolicies(files: readonly PolicyTestInput[], asked: TestQuestions): TestReport {
  const coverage = asked.coverage ? new PolicyCoverage() : undefined;
  const suites = files.map((file) => runPolicyTests({ ...file, ...(coverage && { coverage }) }));
  const tests = suites.flatMap((suite) => suite.tests);
  const passed = tests.filter(({ differences }) => differences.length === 0).length;
  const failed = tests.length - passed;
  const allPass = failed === 0 && suites.every(({ problems }) => problems.length === 0);
  return {
    schemaVersion: TEST_REPORT_SCHEMA_VERSION,
    preadmit: VERSION,
    passed,
    failed,
    suites,
    ...(coverage && { coverage: testCoverage(coverage) }),
    ...(asked.mutants && allPass && { mutations: tryPolicyMutants(files) }),
  };
}

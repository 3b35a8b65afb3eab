// Entry point of the test runner for suites of Kyverno's CLI.
import { DEFAULT_VERSION } from '../../../kubernetes/api/version.ts';
import type { PolicySuites } from '../../language/policy-suite.ts';
import { isKyvernoTest, readKyvernoTest } from './kyverno-test.ts';
import { SuiteTools } from './suite-answer.ts';
import { SuiteRun } from './suite-run.ts';

export function kyvernoSuites(): PolicySuites {
  let tools: SuiteTools | undefined;
  return {
    fileNames: ['kyverno-test.yaml', 'kyverno-test.yml'],
    accepts: isKyvernoTest,
    run: (document, surroundings) => {
      tools ??= new SuiteTools(DEFAULT_VERSION);
      return new SuiteRun(readKyvernoTest(document), surroundings, tools).rows();
    },
  };
}

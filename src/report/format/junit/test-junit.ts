// Policy test results as JUnit XML: a suite per file, a timed case per test.
import type { PolicyTest, TestDifference, TestReport, TestSuite } from '../../explanation/policy-test.ts';
import { type CaseSuite, junitXml, type TestCase } from './junit-xml.ts';

export function testJunit({ suites }: TestReport): string {
  const all = suites.flatMap(({ tests }) => tests);
  return junitXml(suites.map(caseSuite), secondsOf(all));
}

function caseSuite({ path, problems, tests }: TestSuite): CaseSuite {
  const broken = problems.map(({ message, place, help }): TestCase => {
    const text = [message, ...(help === undefined ? [] : [`help: ${help}`])].join('\n');
    const outcome = { element: 'error', message, text } as const;
    return { name: 'the file can be run', classname: path, file: place.path, line: place.startLine, outcome };
  });
  return { name: path, time: secondsOf(tests), cases: [...broken, ...tests.map((test) => testCase(path, test))] };
}

function testCase(classname: string, { name, place, time, differences, notRun }: PolicyTest): TestCase {
  const plain = { name, classname, file: place.path, line: place.startLine, time: time.toFixed(3) };
  if (notRun !== undefined) return { ...plain, outcome: { element: 'skipped', message: notRun, text: notRun } };
  const [first] = differences;
  if (first === undefined) return plain;
  const text = differences.map(differenceText).join('\n');
  return { ...plain, outcome: { element: 'failure', message: first.message, text } };
}

/** Without the steps of the policy, which only the terminal format shows. */
export function differenceText({ message, expected, actual }: TestDifference): string {
  return [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(actual === undefined ? [] : [`actual: ${actual}`]),
  ].join('\n');
}

function secondsOf(tests: readonly PolicyTest[]): string {
  return tests.reduce((sum, { time }) => sum + time, 0).toFixed(3);
}

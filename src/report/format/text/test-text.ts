// Policy test results as terminal text: failures with expected, actual and policy steps; totals last.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type { Lines } from '../../explanation/explanation.ts';
import type { PolicyTest, TestDifference, TestReport, TestSuite } from '../../explanation/policy-test.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { count, firstLines } from '../../wording/wording.ts';
import { explainedSteps } from './explanation-text.ts';

type Colour = 'red' | 'green' | 'dim' | 'bold';
const SGR: Readonly<Record<Colour, string>> = { red: '31', green: '32', dim: '2', bold: '1' };

/** `quiet`: does not list passed tests. */
export function testText(report: TestReport, { color, quiet }: Pick<ReporterOptions, 'color' | 'quiet'>): string {
  const { suites, failed } = report;
  const styled = (colour: Colour, words: string): string => (color ? `\u001b[${SGR[colour]}m${words}\u001b[0m` : words);
  const isDull = (suite: TestSuite): boolean =>
    suite.problems.length === 0 &&
    suite.tests.every((test) => test.differences.length === 0 && test.notRun === undefined);
  const lines = suites
    .filter((suite) => !quiet || !isDull(suite))
    .flatMap((suite) => [
      styled('bold', sanitizeLine(suite.path)),
      ...problemLines(suite, styled),
      ...suite.tests.flatMap((test) => testLines(test, styled, color)),
      ...notRunLines(suite, styled),
      '',
    ]);
  const isGreen = failed === 0 && suites.every(({ problems }) => problems.length === 0);
  return [...lines, styled(isGreen ? 'green' : 'red', testCounts(report)), ''].join('\n');
}

/** `3 tests passed, 1 failed, 2 not run` */
export function testCounts({ suites, passed, failed, notRun = 0 }: TestReport): string {
  const broken = suites.filter(({ problems }) => problems.length > 0).length;
  const unreadable = broken === 0 ? '' : `, ${count(broken, 'file')} not run`;
  return `${count(passed, 'test')} passed, ${failed} failed${notRun === 0 ? '' : `, ${notRun} not run`}${unreadable}`;
}

type Styled = (colour: Colour, words: string) => string;

function problemLines({ problems }: TestSuite, styled: Styled): readonly string[] {
  return problems.flatMap(({ message, place, help }) => [
    `  ${styled('red', 'error')}  ${sanitizeLine(message)}  ${styled('dim', at(place))}`,
    ...(help === undefined ? [] : [`         ${sanitizeLine(`help: ${help}`)}`]),
  ]);
}

function testLines(
  { name, place, differences, notRun }: PolicyTest,
  styled: Styled,
  color: boolean,
): readonly string[] {
  if (notRun !== undefined) return [];
  if (differences.length === 0) return [`  ${styled('green', 'passes')}  ${sanitizeLine(name)}`];
  return [
    `  ${styled('red', 'FAILS')}   ${sanitizeLine(name)}  ${styled('dim', at(place))}`,
    ...differences.flatMap((difference) => differenceLines(difference, styled, color)),
  ];
}

/** One line per reason, naming the first test. */
function notRunLines({ tests }: TestSuite, styled: Styled): readonly string[] {
  const reasons = new Map<string, PolicyTest[]>();
  for (const test of tests) {
    if (test.notRun !== undefined) reasons.set(test.notRun, [...(reasons.get(test.notRun) ?? []), test]);
  }
  return [...reasons].map(([reason, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${count(others.length, 'other')}`;
    const { name, place } = first as PolicyTest;
    return `  ${styled('dim', 'not run')} ${sanitizeLine(`${name}${more}: ${reason}`)}  ${styled('dim', at(place))}`;
  });
}

function differenceLines(
  { message, expected, actual, why }: TestDifference,
  styled: Styled,
  color: boolean,
): readonly string[] {
  const side = (name: string, colour: Colour, text: string | undefined): readonly string[] =>
    text === undefined
      ? []
      : firstLines(text).map(
          (line, index) => `      ${styled(colour, `${(index === 0 ? name : '').padEnd(10)}${sanitizeLine(line)}`)}`,
        );
  return [
    `    ${sanitizeLine(message)}`,
    ...side('expected', 'green', expected),
    ...side('actual', 'red', actual),
    ...(why === undefined ? [] : explainedSteps(why, { color }).map((line) => `      ${line}`)),
  ];
}

function at({ path, startLine }: Lines): string {
  return sanitizeLine(`${path}:${startLine}`);
}

// JUnit XML: a test suite for each policy of each target, a test case for each resource it has something to say about.
import { openDiagnostics, openFindings } from '../excuse.ts';
import { isElsewhere } from '../place.ts';
import type { Finding, PolicySummary, Report, ReportedDiagnostic } from '../report.ts';
import type { Reporter } from '../reporter.ts';
import { adviceOf, count, resourceLabel, ruleName, verdictHeadline } from '../wording.ts';

/** Readers ask for one in every place. Policies are not asked one after another, so that the run alone has a time of its own. */
const NO_TIME = '0.000';

interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly line?: number;
  /** In seconds. */
  readonly time?: string;
  /** Absent: passed. */
  readonly outcome?: { readonly element: 'failure' | 'error'; readonly message: string; readonly text: string };
  /** What is worth reading though the case passed. */
  readonly output?: string;
}

export const junit: Reporter = {
  name: 'junit',
  extension: 'junit.xml',
  render: (report, { seconds = 0 }) => {
    const time = seconds.toFixed(3);
    const suites = [runSuite(report, time), ...policySuites(report)].map(uniquelyNamed);
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${attributes({ name: 'preadmit', ...totals(suites.flatMap(({ cases }) => cases)), time })}>`,
      ...suites.flatMap(({ name, cases }, index) => [
        `  <testsuite${attributes({ name, ...totals(cases), time: index === 0 ? time : NO_TIME })}>`,
        ...cases.flatMap(testCase),
        '  </testsuite>',
      ]),
      '</testsuites>',
      '',
    ].join('\n');
  },
};

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** Readers take two cases of a suite with one name for one case that ran twice. */
function uniquelyNamed({ name, cases }: Suite): Suite {
  const seen = new Map<string, number>();
  return {
    name,
    cases: cases.map((each) => {
      const key = `${each.classname}\0${each.name}`;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return times === 1 ? each : { ...each, name: `${each.name} (${times})` };
    }),
  };
}

/** The run itself: its verdict and the problems of texts. */
function runSuite(report: Report, time: string): Suite {
  const headline = verdictHeadline(report);
  const checked = report.verdict.conclusion !== 'nothing-checked';
  const verdict: TestCase = {
    name: 'something was checked',
    classname: 'preadmit',
    time,
    output: headline,
    ...(checked ? {} : { outcome: { element: 'error', message: headline, text: headline } }),
  };
  return { name: 'preadmit', cases: [verdict, ...openDiagnostics(report.diagnostics).map(diagnosticCase)] };
}

function diagnosticCase(diagnostic: ReportedDiagnostic): TestCase {
  const { code, severity, message, primary } = diagnostic;
  const help = adviceOf(diagnostic);
  const where = primary !== undefined && isElsewhere(primary) ? [`at ${primary.path}:${primary.startLine}`] : [];
  const text = [message, ...where, ...(help === undefined ? [] : [`help: ${help}`])].join('\n');
  return {
    name: message,
    classname: code,
    ...(primary === undefined || isElsewhere(primary) ? {} : { file: primary.path, line: primary.startLine }),
    ...(severity === 'error' ? { outcome: { element: 'error', message, text } } : { output: `${severity}: ${text}` }),
  };
}

function policySuites(report: Report): Suite[] {
  const suites = new Map<string, TestCase[]>();
  const suite = (target: string, policy: string): TestCase[] => {
    const cases = suites.get(`${target}/${policy}`) ?? [];
    suites.set(`${target}/${policy}`, cases);
    return cases;
  };
  for (const target of report.targets) {
    for (const policy of target.policies) suite(target.name, policy.name);
  }
  for (const finding of openFindings(report.findings))
    suite(finding.target, finding.policy.name).push(findingCase(finding));
  for (const target of report.targets) {
    for (const policy of target.policies) {
      const cases = suite(target.name, policy.name);
      if (cases.length === 0) cases.push(passedCase(policy));
    }
  }
  return Array.from(suites, ([name, cases]) => ({ name, cases }));
}

/** A suite without a case counts as broken for some readers, and a Report does not list what passed. */
function passedCase(policy: PolicySummary): TestCase {
  return { name: `nothing to report on ${count(policy.matched, 'matched request')}`, classname: policy.name };
}

function findingCase(finding: Finding): TestCase {
  const place = `${finding.primary.path}:${finding.primary.startLine}:${finding.primary.startColumn}`;
  const text = `${place}\n${finding.serverMessage || finding.message}\n${finding.rule.field}: ${finding.rule.expression ?? ''}`;
  return {
    name: [
      resourceLabel(finding.resource),
      ruleName(finding),
      ...(finding.binding === undefined ? [] : [`binding ${finding.binding}`]),
      ...(finding.param === undefined ? [] : [`param ${resourceLabel(finding.param)}`]),
      ...(finding.fieldPath === '' ? [] : [`at ${finding.fieldPath}`]),
    ].join(' '),
    classname: finding.policy.name,
    file: finding.primary.path,
    line: finding.primary.startLine,
    ...(finding.severity === 'error'
      ? { outcome: { element: finding.result === 'error' ? 'error' : 'failure', message: finding.message, text } }
      : { output: `${finding.severity}: ${finding.message}\n${text}` }),
  };
}

function totals(cases: readonly TestCase[]): Record<string, number> {
  const number = (element: string): number => cases.filter(({ outcome }) => outcome?.element === element).length;
  return { tests: cases.length, failures: number('failure'), errors: number('error') };
}

function testCase({ name, classname, file, line, time = NO_TIME, outcome, output }: TestCase): string[] {
  const start = `    <testcase${attributes({ name, classname, file, line, time })}`;
  if (outcome === undefined && output === undefined) return [`${start}/>`];
  return [
    `${start}>`,
    ...(outcome === undefined
      ? []
      : [
          `      <${outcome.element}${attributes({ message: outcome.message })}>${escaped(outcome.text)}</${outcome.element}>`,
        ]),
    ...(output === undefined ? [] : [`      <system-out>${escaped(output)}</system-out>`]),
    '    </testcase>',
  ];
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(String(value))}"`))
    .join('');
}

// Line ends become references, so that no text of a manifest ever starts a line; so does the `[` of `##[`.
const SPECIAL = /##\[|[&<>"'\n\r\t]/g;
// What XML 1.0 cannot hold at all, and controls nobody can see.
const UNPRINTABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text
    .replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(SPECIAL, (match) => (match === '##[' ? '##&#91;' : `&#${match.charCodeAt(0)};`));
}

// JUnit XML of test suites and cases.

/** Some readers require a `time` attribute on every element. */
const NO_TIME = '0.000';

export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly line?: number;
  /** In seconds. */
  readonly time?: string;
  /** Absent: passed. */
  readonly outcome?: {
    readonly element: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly text: string;
  };
  /** Output of a passed case. */
  readonly output?: string;
}

export interface CaseSuite {
  readonly name: string;
  /** In seconds; absent: no time of its own. */
  readonly time?: string;
  readonly cases: readonly TestCase[];
}

/** Readers treat two cases with the same name in a suite as one case that ran twice. */
function uniquelyNamed({ cases, ...suite }: CaseSuite): CaseSuite {
  const seen = new Map<string, number>();
  return {
    ...suite,
    cases: cases.map((each) => {
      const key = `${each.classname}\0${each.name}`;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return times === 1 ? each : { ...each, name: `${each.name} (${times})` };
    }),
  };
}

/** `time`: sum of the suites, in seconds. */
export function junitXml(written: readonly CaseSuite[], time = NO_TIME): string {
  const suites = written.map(uniquelyNamed);
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'preadmit', ...failed(all), time })}>`,
    ...suites.flatMap(({ name, cases, time: own = NO_TIME }) => [
      `  <testsuite${attributes({ name, ...totals(cases), time: own })}>`,
      ...cases.flatMap(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** The schema of Jenkins' xUnit plugin counts skipped cases in suites only, not in the whole. */
function totals(cases: readonly TestCase[]): Record<string, number> {
  const skipped = numberOf('skipped', cases);
  return { ...failed(cases), ...(skipped > 0 && { skipped }) };
}

function failed(cases: readonly TestCase[]): Record<string, number> {
  return { tests: cases.length, failures: numberOf('failure', cases), errors: numberOf('error', cases) };
}

function numberOf(element: string, cases: readonly TestCase[]): number {
  return cases.filter(({ outcome }) => outcome?.element === element).length;
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

// Escapes line ends, so that no manifest text starts a line, and the `[` of `##[`, which starts a workflow command.
const SPECIAL = /##\[|[&<>"'\n\r\t]/g;
// Characters that XML 1.0 does not allow, and invisible controls.
const UNPRINTABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text
    .replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(SPECIAL, (match) => (match === '##[' ? '##&#91;' : `&#${match.charCodeAt(0)};`));
}

// Tests of policies: what was found against what was expected, as plain JSON.
import { compileRegex } from '../../go/regexp/regex.ts';
import type { ExpectedFailure, ExpectedOutcome } from '../../settings/policy-test-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ExplainedPolicy, Lines } from './explanation.ts';
import type { MutationScore, TestCoverage } from './test-coverage.ts';

/** Raised when a field changes meaning or disappears; adding fields does not raise it. */
export const TEST_REPORT_SCHEMA_VERSION = 1;

/** What tests of policies gave. */
export interface TestReport {
  readonly schemaVersion: typeof TEST_REPORT_SCHEMA_VERSION;
  /** Version of Preadmit that wrote it. */
  readonly preadmit: string;
  readonly passed: number;
  readonly failed: number;
  /** Tests that cannot be run here, each with its reason; absent: none. */
  readonly notRun?: number;
  /** In the order of their paths. */
  readonly suites: readonly TestSuite[];
  /** Only where it was asked for. */
  readonly coverage?: TestCoverage;
  /** Only where it was asked for, and all tests pass. */
  readonly mutations?: MutationScore;
}

export interface TestSuite {
  readonly path: string;
  /** What is wrong with the file itself, or with what it names: none of its tests ran then. */
  readonly problems: readonly { readonly message: string; readonly place: Lines; readonly help?: string }[];
  readonly tests: readonly PolicyTest[];
}

export interface PolicyTest {
  /** Of a row of a table: `test › row`. */
  readonly name: string;
  readonly place: Lines;
  /** In seconds. */
  readonly time: number;
  /** Why it cannot be run here; there are no differences then. */
  readonly notRun?: string;
  /** Empty: the test passed, if it was run. */
  readonly differences: readonly TestDifference[];
}

export interface TestDifference {
  /** What is not as expected, in one sentence. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** An expected message that would have to be another one. */
  readonly reworded?: RewordedMessage;
  /** Name of the policy that it is about. */
  readonly policy?: string;
  /** How that policy came to it. */
  readonly why?: ExplainedPolicy;
}

/** The whole message that a test expects, and the one that comes. */
export interface RewordedMessage {
  /** In the test file: a text, or a failure with a `message`. */
  readonly path: FieldPath;
  readonly message: string;
}

/** What one rule said. */
export interface ActualFailure {
  readonly policy: string;
  /** `validations[0]` */
  readonly rule: string;
  readonly message: string;
}

/** What became of a request. A failure with several actions counts as the hardest of them. */
export interface ActualOutcome {
  /** What the server says of the object itself; no policy is asked then. */
  readonly refused: string | undefined;
  readonly denied: readonly ActualFailure[];
  readonly warned: readonly ActualFailure[];
  readonly audited: readonly ActualFailure[];
  readonly undecided: readonly ActualFailure[];
  /** As mutating policies leave it. */
  readonly object: JsonObject | null;
  /** Whether a policy applies; undefined if there is none of the name. */
  applies(policy: string): boolean | undefined;
}

const LISTS = ['denied', 'warned', 'audited', 'undecided'] as const;

/** Whatever is not named must not happen. `at`: where the expectation is written. */
export function differencesOf(
  expected: ExpectedOutcome,
  actual: ActualOutcome,
  at: FieldPath,
): readonly TestDifference[] {
  return [
    ...refusal(expected, actual),
    ...LISTS.flatMap((list) => failures(list, expected[list] ?? [], actual[list], [...at, list])),
    ...(expected.skipped ?? []).flatMap((policy) => skip(policy, actual)),
    ...(expected.mutated === undefined ? [] : mutation(expected.mutated, actual.object)),
  ];
}

function refusal({ refused: expected }: ExpectedOutcome, { refused }: ActualOutcome): readonly TestDifference[] {
  if (expected === undefined) {
    return refused === undefined ? [] : [{ message: 'the API server refuses the object itself', actual: refused }];
  }
  if (refused === undefined) return [{ message: 'the API server does not refuse the object', expected }];
  return refused.includes(expected)
    ? []
    : [{ message: 'the API server refuses the object for another reason', expected, actual: refused }];
}

function failures(
  list: (typeof LISTS)[number],
  expected: readonly ExpectedFailure[],
  actual: readonly ActualFailure[],
  at: FieldPath,
): readonly TestDifference[] {
  const isMeant = (failure: ActualFailure): boolean => expected.some((each) => describes(each, failure));
  const missing = expected.filter((each) => !actual.some((failure) => describes(each, failure)));
  const surplus = actual.filter((failure) => !isMeant(failure));
  const [wanted] = missing;
  const [found] = surplus;
  // A message that changed is one difference, not two.
  if (wanted !== undefined && found !== undefined && missing.length === 1 && surplus.length === 1) {
    const message = `${list} with an unexpected message`;
    return [
      {
        ...rewording(expected, wanted, found, at),
        message,
        expected: expectedText(wanted),
        actual: actualText(found),
        policy: found.policy,
      },
    ];
  }
  return [
    ...missing.map((each) => ({
      ...rewording(expected, each, theOneOf(each, surplus, missing), at),
      message: `not ${list}`,
      expected: expectedText(each),
      ...(each.policy !== undefined && { policy: each.policy }),
    })),
    ...surplus.map((failure) => ({
      message: `${list} unexpectedly`,
      actual: actualText(failure),
      policy: failure.policy,
    })),
  ];
}

/** Nothing where a test says no whole message, or another rule speaks than the one that it names. */
function rewording(
  expected: readonly ExpectedFailure[],
  wanted: ExpectedFailure,
  found: ActualFailure | undefined,
  at: FieldPath,
): Pick<TestDifference, 'reworded'> {
  if (found === undefined || wanted.message === undefined || !isOfSameRule(wanted, found)) return {};
  return { reworded: { path: [...at, expected.indexOf(wanted)], message: found.message } };
}

/** The one failure that comes from the rule that an expectation names; undefined if there are several, of either. */
function theOneOf(
  wanted: ExpectedFailure,
  surplus: readonly ActualFailure[],
  missing: readonly ExpectedFailure[],
): ActualFailure | undefined {
  const [found, ...others] = surplus.filter((failure) => isOfSameRule(wanted, failure));
  const isNamed = wanted.policy !== undefined || wanted.rule !== undefined;
  const rivals = found === undefined ? [] : missing.filter((each) => isOfSameRule(each, found));
  return isNamed && others.length === 0 && rivals.length === 1 ? found : undefined;
}

function isOfSameRule({ policy, rule }: ExpectedFailure, failure: ActualFailure): boolean {
  return (policy === undefined || policy === failure.policy) && (rule === undefined || rule === failure.rule);
}

function describes({ policy, rule, message, contains, matches }: ExpectedFailure, failure: ActualFailure): boolean {
  if (policy !== undefined && policy !== failure.policy) return false;
  if (rule !== undefined && rule !== failure.rule) return false;
  if (message !== undefined && message !== failure.message) return false;
  if (contains !== undefined && !failure.message.includes(contains)) return false;
  return matches === undefined || found(matches, failure.message);
}

function found(pattern: string, text: string): boolean {
  const regex = compileRegex(pattern);
  return 'matches' in regex && regex.matches(text);
}

function expectedText({ policy, rule, message, contains, matches }: ExpectedFailure): string {
  const words = [
    message,
    contains === undefined ? undefined : `contains ${JSON.stringify(contains)}`,
    matches === undefined ? undefined : `matches /${matches}/`,
  ];
  const by = [policy, rule].filter((name) => name !== undefined).join(' ');
  const text = words.filter((each) => each !== undefined).join(', ');
  return [by, text].filter((each) => each !== '').join(': ') || 'any failure';
}

function actualText({ policy, rule, message }: ActualFailure): string {
  return `${policy} ${rule}: ${message}`;
}

function skip(policy: string, actual: ActualOutcome): readonly TestDifference[] {
  const applies = actual.applies(policy);
  if (applies === undefined) return [{ message: `there is no policy \`${policy}\` that could be skipped` }];
  return applies ? [{ message: `${policy} applies, though it was expected to be skipped`, policy }] : [];
}

function mutation(expected: JsonObject, object: JsonObject | null, at = ''): readonly TestDifference[] {
  return [...expected].flatMap(([key, wanted]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const value = object?.get(key);
    if (wanted === null) return value === undefined ? [] : [fieldDifference(path, 'absent', valueText(value))];
    if (isJsonObject(wanted)) {
      const inner = value !== undefined && isJsonObject(value) ? value : null;
      return inner === null
        ? [fieldDifference(path, valueText(wanted), valueText(value))]
        : mutation(wanted, inner, path);
    }
    return valueText(wanted) === valueText(value) ? [] : [fieldDifference(path, valueText(wanted), valueText(value))];
  });
}

function fieldDifference(path: string, expected: string, actual: string): TestDifference {
  return { message: `${path} is not as expected`, expected, actual };
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent';
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

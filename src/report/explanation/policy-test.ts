// Policy test results: differences between expected and actual outcomes, as plain JSON.
import { compileRegex } from '../../go/regexp/regex.ts';
import type { ExpectedFailure, ExpectedOutcome } from '../../settings/policy-test-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ExplainedPolicy, Lines } from './explanation.ts';
import type { MutationScore, TestCoverage } from './test-coverage.ts';

/** Increases when a field changes meaning or disappears; new fields do not increase it. */
export const TEST_REPORT_SCHEMA_VERSION = 1;

/** Results of policy tests. */
export interface TestReport {
  readonly schemaVersion: typeof TEST_REPORT_SCHEMA_VERSION;
  /** Version of Preadmit that wrote the report. */
  readonly preadmit: string;
  readonly passed: number;
  readonly failed: number;
  /** Number of tests that Preadmit cannot run, each with its reason; absent: none. */
  readonly notRun?: number;
  /** Sorted by path. */
  readonly suites: readonly TestSuite[];
  /** Only with `--coverage`. */
  readonly coverage?: TestCoverage;
  /** Only with `--mutants`, and if all tests pass. */
  readonly mutations?: MutationScore;
}

export interface TestSuite {
  readonly path: string;
  /** Errors of the file itself or of a file it names. None of its tests ran then. */
  readonly problems: readonly { readonly message: string; readonly place: Lines; readonly help?: string }[];
  readonly tests: readonly PolicyTest[];
}

export interface PolicyTest {
  /** For a row of a table: `test › row`. */
  readonly name: string;
  readonly place: Lines;
  /** In seconds. */
  readonly time: number;
  /** Why Preadmit cannot run the test; `differences` is then empty. */
  readonly notRun?: string;
  /** Empty if the test passed or was not run. */
  readonly differences: readonly TestDifference[];
}

export interface TestDifference {
  /** One sentence that describes the difference. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** Present if only the message text differs. */
  readonly reworded?: RewordedMessage;
  /** Name of the policy concerned. */
  readonly policy?: string;
  /** How that policy reached its result. */
  readonly why?: ExplainedPolicy;
}

/** The complete expected message and the actual one. */
export interface RewordedMessage {
  /** Path in the test file: a text, or a failure with a `message`. */
  readonly path: FieldPath;
  readonly message: string;
}

/** Failure of one rule. */
export interface ActualFailure {
  readonly policy: string;
  /** For example `validations[0]`. */
  readonly rule: string;
  readonly message: string;
}

/** Outcome of a request. A failure with several actions is listed under the most severe. */
export interface ActualOutcome {
  /** Message if the server rejects the object itself; no policy is then evaluated. */
  readonly refused: string | undefined;
  readonly denied: readonly ActualFailure[];
  readonly warned: readonly ActualFailure[];
  readonly audited: readonly ActualFailure[];
  readonly undecided: readonly ActualFailure[];
  /** After mutating policies. */
  readonly object: JsonObject | null;
  /** Whether a policy applies; undefined if no policy has the name. */
  applies(policy: string): boolean | undefined;
}

const LISTS = ['denied', 'warned', 'audited', 'undecided'] as const;

/** Unlisted failures must not happen. `at`: path of the expectation in the test file. */
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
  // A changed message is one difference, not a missing and a surplus failure.
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

/** Undefined unless the test expects a complete message of the same rule. */
function rewording(
  expected: readonly ExpectedFailure[],
  wanted: ExpectedFailure,
  found: ActualFailure | undefined,
  at: FieldPath,
): Pick<TestDifference, 'reworded'> {
  if (found === undefined || wanted.message === undefined || !isOfSameRule(wanted, found)) return {};
  return { reworded: { path: [...at, expected.indexOf(wanted)], message: found.message } };
}

/** The only failure of the expected rule; undefined if several failures or expectations match. */
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
  if (applies === undefined) return [{ message: `there is no policy \`${policy}\` to skip` }];
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

// Runs the tests of one `*.preadmit-test.yaml`. Pure: the caller reads the files that it names.
import type { ObjectChange } from '../../engine/object/object-request.ts';
import type { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { PolicyCoverage, PolicyExpression } from '../../policy/explanation/policy-coverage.ts';
import { explainedPolicy, linesOf } from '../../report/explanation/explanation.ts';
import {
  type ActualOutcome,
  differencesOf,
  type PolicyTest,
  type TestDifference,
  type TestSuite,
} from '../../report/explanation/policy-test.ts';
import type { ValueMask } from '../../report/explanation/value-mask.ts';
import {
  POLICY_TEST_SUFFIX,
  POLICY_TESTS,
  type TestObject,
  type WrittenPolicyTest,
  type WrittenPolicyTests,
  type WrittenRow,
} from '../../settings/policy-test-shape.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { mergePatch } from '../../source/json/merge-patch.ts';
import type { LocatedPart } from '../../source/manifest/manifest.ts';
import { type FieldPath, isSamePath } from '../../source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import { maskOf, outcomeOf, RESOURCES, resourcesIn, testEvaluator } from './test-evaluator.ts';

export interface PolicyTestInput {
  readonly file: SourceFile;
  /** A file, or the files of a folder, by the path that the tests name; undefined if there are none. `.` is the folder of the test file. */
  read(path: string): readonly SourceFile[] | undefined;
  /** For tests that name no release. */
  readonly kubernetesVersion: string;
  /** Explains why a version that a test names is not supported; undefined if it is. */
  readonly versionProblem: (version: string) => string | undefined;
  /** Selects the tests to run by their full names. */
  readonly isWanted: (name: string) => boolean;
  /** A clock in milliseconds, with any start. */
  readonly now: () => number;
  /** The time for policies, in seconds since 1970. */
  readonly seconds: number;
  /** Records every request, if coverage is needed. */
  readonly coverage?: PolicyCoverage;
  /** Policies that are replaced by a mutant. */
  readonly replaced?: ReadonlyMap<Resource, Resource>;
}

/** The resources of `policies`, including replaced ones. */
export interface TestedPolicies {
  readonly resources: readonly Resource[];
  readonly expressions: readonly PolicyExpression[];
}

/** Undefined if the file has errors or names files that do not exist. */
export function testedPolicies(input: PolicyTestInput): TestedPolicies | undefined {
  const read = input.file.derived(POLICY_TESTS);
  if ('diagnostics' in read || read.value === undefined) return undefined;
  return new SuiteRun(input, read.value, read.locate).tested();
}

/** Runs the tests with a mutant in place of a policy. Stops at the first failing test. */
export function tryMutant(input: PolicyTestInput, changed: Resource, field: FieldPath): MutantOutcome {
  const read = input.file.derived(POLICY_TESTS);
  if ('diagnostics' in read || read.value === undefined) return 'refused';
  return new SuiteRun(input, read.value, read.locate).outcomeOf(changed, field);
}

/** `refused`: the changed expression does not compile. */
export type MutantOutcome = 'noticed' | 'unnoticed' | 'refused';

export function runPolicyTests(input: PolicyTestInput): TestSuite {
  const { path } = input.file;
  const read = input.file.derived(POLICY_TESTS);
  if ('diagnostics' in read) {
    const problems = read.diagnostics.map(({ message, primary, help }) => ({
      message,
      place: linesOf(primary ?? { file: input.file, range: { start: 0, end: 0 } }),
      ...(help !== undefined && { help }),
    }));
    return { path, problems, tests: [] };
  }
  if (read.value === undefined) return { path, problems: [], tests: [] };
  const run = new SuiteRun(input, read.value, read.locate);
  return { path, ...run.result() };
}

/** One request of a test: the test itself, or one row of its table. */
interface Case {
  readonly name: string;
  readonly at: FieldPath;
  /** Location of the expectation. */
  readonly expectAt: FieldPath;
  readonly request: Omit<WrittenRow, 'name' | 'with' | 'resources'>;
  /** In the order in which they are applied. */
  readonly patches: readonly JsonObject[];
  readonly resources: readonly TestObject[];
}

/** Thrown if an error in the test file makes a test unusable. */
class UnusableTest extends Error {}

class SuiteRun {
  readonly #input: PolicyTestInput;
  readonly #written: WrittenPolicyTests;
  readonly #locate: (path: FieldPath, part: LocatedPart) => SourceLocation;
  /** Cached for requests with the same cluster and user. */
  readonly #evaluators = new Map<string, TargetEvaluator>();
  #policies: readonly Resource[] = [];

  constructor(
    input: PolicyTestInput,
    written: WrittenPolicyTests,
    locate: (path: FieldPath, part: LocatedPart) => SourceLocation,
  ) {
    this.#input = input;
    this.#written = written;
    this.#locate = locate;
  }

  result(): Omit<TestSuite, 'path'> {
    const problem = this.#load();
    if (problem !== undefined) return problem;
    return { problems: [], tests: this.#cases().map((each) => this.#run(each)) };
  }

  tested(): TestedPolicies | undefined {
    if (this.#load() !== undefined) return undefined;
    return { resources: this.#policies, expressions: this.#evaluatorWith([], undefined).expressions };
  }

  outcomeOf(changed: Resource, field: FieldPath): MutantOutcome {
    const compiles = this.tested()?.expressions.some(
      (each) => each.policy.resource === changed && isSamePath(each.field, field),
    );
    if (compiles !== true) return 'refused';
    return this.#cases().some((each) => this.#differences(each).length > 0) ? 'noticed' : 'unnoticed';
  }

  #cases(): readonly Case[] {
    return this.#written.tests.flatMap(casesOf).filter(({ name }) => this.#input.isWanted(name));
  }

  /** The errors that prevent all tests from running; undefined if there are none. */
  #load(): Omit<TestSuite, 'path'> | undefined {
    const { kubernetesVersion } = this.#written;
    const versionProblem = kubernetesVersion && this.#input.versionProblem(kubernetesVersion);
    if (versionProblem) return this.#unusable(`\`${kubernetesVersion}\` ${versionProblem}`, ['kubernetesVersion']);
    try {
      const written = (this.#written.policies ?? ['.']).flatMap((path) => this.#resourcesAt(path));
      this.#policies = written.map((resource) => this.#input.replaced?.get(resource) ?? resource);
      return undefined;
    } catch (error) {
      if (!(error instanceof UnusableTest)) throw error;
      return this.#unusable(error.message, ['policies']);
    }
  }

  #unusable(message: string, at: FieldPath): Omit<TestSuite, 'path'> {
    return { problems: [{ message, place: linesOf(this.#locate(at, 'value')) }], tests: [] };
  }

  #run(asked: Case): PolicyTest {
    const start = this.#input.now();
    const place = linesOf(this.#locate([...asked.at, 'name'], 'value'));
    const differences = this.#differences(asked);
    return { name: asked.name, place, time: (this.#input.now() - start) / 1000, differences };
  }

  #differences(asked: Case): readonly TestDifference[] {
    const { expect } = asked.request;
    if (expect === undefined)
      return [{ message: 'the test has no expectation: write `expect: allowed` or the expected failures' }];
    try {
      const change = this.#change(asked);
      const evaluator = this.#evaluator(asked);
      const names = new Set(evaluator.policies.map(({ identity }) => identity.name));
      const explain = once(() => {
        const { policies } = evaluator.explain(change);
        this.#input.coverage?.add(policies);
        return new Map(policies.map((each) => [each.policy.name, each]));
      });
      if (this.#input.coverage !== undefined) explain();
      const actual: ActualOutcome = {
        ...outcomeOf(evaluator, change),
        applies: (policy) => (names.has(policy) ? explain().get(policy)?.result !== 'stops' : undefined),
      };
      const mask = maskOf(change, evaluator.lookedUp);
      return differencesOf(expect, actual, asked.expectAt).map((difference) => {
        const why = difference.policy === undefined ? undefined : explain().get(difference.policy);
        const shown = withoutSecretTexts(difference, mask);
        return why === undefined ? shown : { ...shown, why: explainedPolicy(why, mask) };
      });
    } catch (error) {
      if (error instanceof UnusableTest) return [{ message: error.message }];
      throw error;
    }
  }

  #change({ request, patches }: Case): ObjectChange {
    const { object, oldObject, operation = oldObject === undefined ? 'CREATE' : 'UPDATE' } = request;
    if (object === undefined) throw new UnusableTest('the test has no `object`');
    const resource = this.#object(object, patches);
    if (operation !== 'UPDATE') {
      if (oldObject !== undefined) throw new UnusableTest(`\`oldObject\` is not allowed with ${operation}`);
      return { operation, resource };
    }
    if (oldObject === undefined) throw new UnusableTest('UPDATE needs an `oldObject`');
    return { operation, resource, old: this.#object(oldObject, []) };
  }

  #object(written: TestObject, patches: readonly JsonObject[]): Resource {
    const found = typeof written === 'string' ? this.#resourcesAt(written) : this.#inline(written);
    const [resource, ...others] = found;
    const what = typeof written === 'string' ? `\`${written}\`` : 'the object';
    if (resource === undefined) throw new UnusableTest(`${what} has no object with apiVersion, kind and name`);
    if (others.length > 0) throw new UnusableTest(`${what} has ${found.length} objects; a test needs exactly one`);
    if (patches.length === 0) return resource;
    const patched = patches.reduce((value: JsonValue, patch) => mergePatch(value, patch), resource.value);
    const [changed] = this.#inline(patched as JsonObject);
    if (changed === undefined) throw new UnusableTest('the object has no apiVersion, kind or name after `with`');
    return changed;
  }

  #inline(value: JsonObject): readonly Resource[] {
    const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
    return resourcesIn(new SourceFile(this.#input.file.path, text));
  }

  #resourcesAt(path: string): readonly Resource[] {
    const files = this.#input.read(path);
    if (files === undefined) throw new UnusableTest(`\`${path}\` does not exist`);
    const manifests = files.filter((file) => !file.path.endsWith(POLICY_TEST_SUFFIX));
    return manifests.flatMap((file) => file.derived(RESOURCES));
  }

  #resources(written: readonly TestObject[]): readonly Resource[] {
    return written.flatMap((each) => (typeof each === 'string' ? this.#resourcesAt(each) : this.#inline(each)));
  }

  #evaluator({ request: { user }, resources }: Case): TargetEvaluator {
    const all = [...(this.#written.resources ?? []), ...resources];
    const key = JSON.stringify([
      user && [user.username, user.groups, user.uid, [...(user.extra ?? [])]],
      all.map((each) =>
        typeof each === 'string' ? each : [stringifyJson(each, { sortKeys: true, escapeHtml: false })],
      ),
    ]);
    let evaluator = this.#evaluators.get(key);
    if (evaluator === undefined) {
      evaluator = this.#evaluatorWith(this.#resources(all), user);
      this.#evaluators.set(key, evaluator);
      this.#input.coverage?.expect(evaluator.expressions, this.#policies.filter(isBinding));
    }
    return evaluator;
  }

  #evaluatorWith(resources: readonly Resource[], user: WrittenRow['user']): TargetEvaluator {
    const kubernetesVersion = this.#written.kubernetesVersion ?? this.#input.kubernetesVersion;
    return testEvaluator({ policies: this.#policies, resources, kubernetesVersion, ...(user && { user }) });
  }
}

function isBinding({ gvk }: Resource): boolean {
  return gvk.group === 'admissionregistration.k8s.io' && gvk.kind.endsWith('PolicyBinding');
}

function casesOf(test: WrittenPolicyTest, index: number): readonly Case[] {
  const { each, name, with: patch, resources = [], ...request } = test;
  const at = ['tests', index];
  const patches = patch === undefined ? [] : [patch];
  if (each === undefined) return [{ name, at, expectAt: [...at, 'expect'], request, patches, resources }];
  return each.map(({ name: rowName, with: rowPatch, resources: more = [], ...row }, number) => ({
    name: `${name} › ${rowName ?? String(number + 1)}`,
    at: rowName === undefined ? at : [...at, 'each', number],
    expectAt: row.expect === undefined ? [...at, 'expect'] : [...at, 'each', number, 'expect'],
    request: { ...request, ...row },
    patches: rowPatch === undefined ? patches : [...patches, rowPatch],
    resources: [...resources, ...more],
  }));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `reworded` stays: it is written into the test file, which contains the message already. */
function withoutSecretTexts(difference: TestDifference, mask: ValueMask): TestDifference {
  const { message, expected, actual } = difference;
  return {
    ...difference,
    message: mask.text(message),
    ...(expected !== undefined && { expected: mask.text(expected) }),
    ...(actual !== undefined && { actual: mask.text(actual) }),
  };
}

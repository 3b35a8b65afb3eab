// Evaluates requests of other tools' suites against a server with some policies and objects.
import type { ObjectChange } from '../../../engine/object/object-request.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { StepResult } from '../../../policy/explanation/explanation.ts';
import { explainedPolicy, type Lines, linesOf } from '../../../report/explanation/explanation.ts';
import type {
  ActualFailure,
  ActualOutcome,
  PolicyTest,
  TestDifference,
} from '../../../report/explanation/policy-test.ts';
import type { WrittenRow } from '../../../settings/policy-test-shape.ts';
import { type JsonObject, stringifyJson } from '../../../source/json/json.ts';
import type { LocatedPart, Manifest } from '../../../source/manifest/manifest.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { folderOf } from '../../../source/text/repository-path.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import type { PolicyTestInput } from '../run-policy-tests.ts';
import { maskOf, outcomeOf, RESOURCES, resourcesIn, testEvaluator } from '../test-evaluator.ts';

export interface AskedRequest {
  readonly policies: readonly Resource[];
  readonly resources: readonly Resource[];
  readonly change: ObjectChange;
  readonly user?: NonNullable<WrittenRow['user']>;
}

export interface Judgement extends Omit<ActualOutcome, 'applies'> {
  /** All denials, warnings and audits. */
  readonly failures: readonly ActualFailure[];
  /** The result of a policy, independent of its failurePolicy; undefined if no policy has this name. */
  resultOf(policy: string): StepResult | undefined;
  /** Why the API server would reject a policy or a binding; undefined if it accepts all. */
  refusedPolicy(): string | undefined;
  /** The explanation of a difference, for one policy. */
  why(policy: string): Pick<TestDifference, 'policy' | 'why'>;
}

/** The differences of a test, or why it cannot run. */
export type TestVerdict = readonly TestDifference[] | { readonly notRun: string };

export class SuiteTester {
  readonly input: PolicyTestInput;

  constructor(input: PolicyTestInput) {
    this.input = input;
  }

  /** Empty if the test is not selected. */
  test(name: string, place: Lines, run: () => TestVerdict): readonly PolicyTest[] {
    const start = this.input.now();
    const verdict = run();
    const time = (this.input.now() - start) / 1000;
    if (!this.input.isWanted(name)) return [];
    return [
      'notRun' in verdict
        ? { name, place, time, differences: [], notRun: verdict.notRun }
        : { name, place, time, differences: verdict },
    ];
  }

  place(manifest: Manifest, path: FieldPath, part: LocatedPart = 'entry'): Lines {
    return linesOf(manifest.place(manifest.deepestPath(path), part));
  }

  /** Objects of files and folders. `missing`: paths that do not exist. */
  objects(paths: readonly string[]): { readonly found: readonly Resource[]; readonly missing: readonly string[] } {
    const missing: string[] = [];
    const found = paths.flatMap((path) => {
      const files = isAddress(path) ? undefined : this.input.read(path);
      if (files === undefined) missing.push(path);
      return (files ?? []).flatMap((file) => file.derived(RESOURCES));
    });
    return { found, missing };
  }

  /** Objects of files in the suite's own folder, without subfolders. */
  beside(): readonly Resource[] {
    const folder = folderOf(this.input.file.path);
    const files = (this.input.read('.') ?? []).filter(({ path }) => folderOf(path) === folder);
    return files.flatMap((file) => file.derived(RESOURCES));
  }

  /** An object that is written in the suite, or that the suite's tool generates. */
  inline(value: JsonObject): readonly Resource[] {
    return this.plain(stringifyJson(value, { sortKeys: false, escapeHtml: false }));
  }

  /** Parses a JSON text. */
  plain(text: string): readonly Resource[] {
    return resourcesIn(new SourceFile(this.input.file.path, text));
  }

  judge({ policies, resources, change, user }: AskedRequest): Judgement {
    const { kubernetesVersion } = this.input;
    const evaluator = testEvaluator({ policies, resources, kubernetesVersion, ...(user && { user }) });
    const outcome = outcomeOf(evaluator, change);
    const known = new Set(evaluator.policies.map(({ identity }) => identity.name));
    const explain = (policy: string) =>
      evaluator.explain(change).policies.find((explanation) => explanation.policy.name === policy);
    return {
      ...outcome,
      failures: [...outcome.denied, ...outcome.warned, ...outcome.audited],
      resultOf: (policy) => (known.has(policy) ? (explain(policy)?.result ?? 'stops') : undefined),
      refusedPolicy: () => evaluator.policyDiagnostics.find(({ severity }) => severity === 'error')?.message,
      why: (policy) => {
        const explanation = explain(policy);
        const mask = maskOf(change, evaluator.lookedUp);
        return explanation === undefined ? { policy } : { policy, why: explainedPolicy(explanation, mask) };
      },
    };
  }
}

export function isAddress(path: string): boolean {
  return /^(?:[a-z][a-z+.-]*:\/\/|git@)/i.test(path);
}

/** A binding of the policy to all objects, for tools that evaluate policies without bindings. */
export function bindingToEverything(
  policy: Resource,
  param?: { readonly name: string; readonly namespace: string },
): string {
  return JSON.stringify({
    apiVersion: policy.apiVersion,
    kind: `${policy.gvk.kind}Binding`,
    metadata: { name: `${policy.name}.test` },
    spec: {
      policyName: policy.name,
      ...(policy.gvk.kind.startsWith('Validating') && { validationActions: ['Deny'] }),
      ...(param && {
        paramRef: {
          name: param.name,
          ...(param.namespace !== '' && { namespace: param.namespace }),
          parameterNotFoundAction: 'Deny',
        },
      }),
    },
  });
}

export function failureLine({ policy, rule, message }: ActualFailure): string {
  return `${policy} ${rule}: ${message}`;
}

// Asks a server with some policies and objects about a request, for suites that others wrote.
import type { ObjectChange } from '../../../engine/object-request.ts';
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
import { maskOf, outcomeOf, resourcesIn, testEvaluator } from '../test-evaluator.ts';

export interface AskedRequest {
  readonly policies: readonly Resource[];
  readonly resources: readonly Resource[];
  readonly change: ObjectChange;
  readonly user?: NonNullable<WrittenRow['user']>;
}

export interface Judgement extends Omit<ActualOutcome, 'applies'> {
  /** Denied, warned and audited. */
  readonly failures: readonly ActualFailure[];
  /** What a policy of this name came to, whatever its failurePolicy makes of it; undefined: there is none. */
  resultOf(policy: string): StepResult | undefined;
  /** Why the API server would not take a policy or a binding, if so. */
  refusedPolicy(): string | undefined;
  /** For a difference about this policy. */
  why(policy: string): Pick<TestDifference, 'policy' | 'why'>;
}

/** What a test came to, or why it cannot be run. */
export type TestVerdict = readonly TestDifference[] | { readonly notRun: string };

export class SuiteTester {
  readonly input: PolicyTestInput;

  constructor(input: PolicyTestInput) {
    this.input = input;
  }

  /** Nothing where nobody wants to know. */
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

  /** Of files and folders; a path that leads to nothing is in `missing`. */
  objects(paths: readonly string[]): { readonly found: readonly Resource[]; readonly missing: readonly string[] } {
    const missing: string[] = [];
    const found = paths.flatMap((path) => {
      const files = isAddress(path) ? undefined : this.input.read(path);
      if (files === undefined) missing.push(path);
      return (files ?? []).flatMap((file) => file.derived(resourcesIn));
    });
    return { found, missing };
  }

  /** Objects of the files in the suite's own folder, those in folders below it left out. */
  beside(): readonly Resource[] {
    const folder = folderOf(this.input.file.path);
    const files = (this.input.read('.') ?? []).filter(({ path }) => folderOf(path) === folder);
    return files.flatMap((file) => file.derived(resourcesIn));
  }

  /** An object that stands in the suite itself, or that the suite's tool makes. */
  inline(value: JsonObject): readonly Resource[] {
    return this.plain(stringifyJson(value, { sortKeys: false, escapeHtml: false }));
  }

  /** From a text of JSON. */
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
        return explanation === undefined ? { policy } : { policy, why: explainedPolicy(explanation, maskOf(change)) };
      },
    };
  }
}

export function isAddress(path: string): boolean {
  return /^(?:[a-z][a-z+.-]*:\/\/|git@)/i.test(path);
}

/** A binding of the policy to everything, for tools that ask policies without one. */
export function madeUpBinding(policy: Resource, param?: { readonly name: string; readonly namespace: string }): string {
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

export function toldFailure({ policy, rule, message }: ActualFailure): string {
  return `${policy} ${rule}: ${message}`;
}

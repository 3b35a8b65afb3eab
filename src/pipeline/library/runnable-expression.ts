// One expression in CEL as admission policies have it, for callers of the library.

import { DEFAULT_VERSION, parseKubernetesVersion } from '../../kubernetes/api/version.ts';
import { admissionExpression } from '../../kubernetes/cel/admission-expression.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { checkVersion } from './evaluate.ts';
import { jsonValueOf, plainValueOf } from './input-source.ts';

/** Whose CEL it is, and what for. */
export interface CompileOptions {
  /** `1.36` if absent. */
  readonly kubernetesVersion?: string;
  /** The types of patches are there, as in a mutation. False if absent. */
  readonly mutation?: boolean;
}

/** What an expression of a policy may read; plain values, null where absent. */
export interface ExpressionVariables {
  /** The object of the request. */
  readonly object?: unknown;
  /** The object before the request. */
  readonly oldObject?: unknown;
  /** What the binding's paramRef leads to. */
  readonly params?: unknown;
  /** The request: an AdmissionRequest of `admission.k8s.io/v1` without object and oldObject. */
  readonly request?: unknown;
  /** The Namespace of the object. */
  readonly namespaceObject?: unknown;
}

/** What one run gave: a plain value, or the message of the error; and the cost, out of a million that the API server allows. */
export type ExpressionRun =
  | { readonly value: unknown; readonly cost: number; readonly error?: undefined }
  | { readonly error: string; readonly cost: number };

/** An expression that compiles. */
export interface RunnableExpression {
  /** CEL's name of the type that it gives: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** No issues: it compiles. */
  readonly issues?: undefined;
  /** Runs it; a failing expression is an outcome and no exception. Throws InputError where a variable is no JSON. */
  evaluate(variables?: ExpressionVariables): ExpressionRun;
}

/** An expression that does not compile. */
export interface RefusedExpression {
  /** All issues with the lines they are on, as the API server writes them. */
  readonly text: string;
  /** Each of them; `offset` counts code points from 0 and is absent where the whole expression is meant. */
  readonly issues: readonly { readonly message: string; readonly offset?: number }[];
}

/** Compiles an expression with the variables of an admission policy. Throws InputError for an unknown release only. */
export function runnableExpression(
  expression: string,
  { kubernetesVersion, mutation = false }: CompileOptions = {},
): RunnableExpression | RefusedExpression {
  checkVersion(kubernetesVersion);
  const version = kubernetesVersion === undefined ? undefined : parseKubernetesVersion(kubernetesVersion);
  const compiled = admissionExpression(expression, version ?? DEFAULT_VERSION, mutation);
  if ('issues' in compiled) {
    const issues = compiled.issues.map(({ message, offset }) => ({ message, ...(offset !== undefined && { offset }) }));
    return { text: compiled.text, issues };
  }
  return {
    type: compiled.type,
    evaluate: (variables = {}) => {
      const given = Object.entries(variables).map(([name, value]): [string, JsonValue] => [
        name,
        jsonValueOf(value, name),
      ]);
      const result = compiled.run(new Map(given));
      return 'error' in result ? result : { value: plainValueOf(result.value), cost: result.cost };
    },
  };
}

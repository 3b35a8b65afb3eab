// Compiles and runs one CEL expression of an admission policy, for callers of the library.

import { DEFAULT_VERSION, parseKubernetesVersion } from '../../kubernetes/api/version.ts';
import { admissionExpression } from '../../kubernetes/cel/admission-expression.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { checkVersion } from './evaluate.ts';
import { jsonValueOf, plainValueOf } from './input-source.ts';

/** Options of the CEL environment. */
export interface CompileOptions {
  /** `1.36` if absent. */
  readonly kubernetesVersion?: string;
  /** Declare the patch types, as for a mutation. Default: false. */
  readonly mutation?: boolean;
}

/** Variables of a policy's expression: plain values, null if absent. */
export interface ExpressionVariables {
  /** The object of the request. */
  readonly object?: unknown;
  /** The object before the update, or the deleted object. */
  readonly oldObject?: unknown;
  /** The param that the binding's paramRef selects. */
  readonly params?: unknown;
  /** An AdmissionRequest of `admission.k8s.io/v1` without object and oldObject. */
  readonly request?: unknown;
  /** The Namespace of the object. */
  readonly namespaceObject?: unknown;
}

/** The result: a plain value, or the error message; and the cost, of a limit of one million in the API server. */
export type ExpressionRun =
  | { readonly value: unknown; readonly cost: number; readonly error?: undefined }
  | { readonly error: string; readonly cost: number };

/** An expression that compiles. */
export interface RunnableExpression {
  /** The type of the result in CEL: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  readonly issues?: undefined;
  /** Runs the expression. An evaluation error is a result, not an exception. Throws InputError if JSON cannot represent a variable. */
  evaluate(variables?: ExpressionVariables): ExpressionRun;
}

/** An expression that does not compile. */
export interface RefusedExpression {
  /** All issues with their lines, in the API server's format. */
  readonly text: string;
  /** `offset` is in code points from 0. It is absent if the issue is about the whole expression. */
  readonly issues: readonly { readonly message: string; readonly offset?: number }[];
}

/** Compiles an expression with the variables of an admission policy. Throws InputError only for an unsupported release. */
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

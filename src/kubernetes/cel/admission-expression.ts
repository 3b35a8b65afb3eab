// One expression of an admission policy, compiled once and evaluated with different variables.

import { plan } from '../../cel/eval/plan.ts';
import { type Program, ProgramError } from '../../cel/eval/program.ts';
import { displayIssues } from '../../cel/issue/display-issues.ts';
import { type Issue, NO_PLACE } from '../../cel/issue/issue.ts';
import { isMap } from '../../cel/value/equality.ts';
import { ErrorValue, Optional, StructValue, type Value } from '../../cel/value/value.ts';
import type { JsonValue } from '../../source/json/json.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { AdmissionEnvironments } from './admission-environment.ts';
import { tagValue } from './answer.ts';

/** Cost units that an API server allows for one evaluation of an expression. */
const COST_LIMIT = 1_000_000;

export interface AdmissionExpression {
  /** In CEL notation: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** Missing variables are null. */
  run(variables: ReadonlyMap<string, JsonValue>): ExpressionResult;
}

/** `cost` is in the API server's cost units. */
export type ExpressionResult =
  | { readonly value: JsonValue; readonly cost: number }
  | { readonly error: string; readonly cost: number };

export interface UncompiledExpression {
  /** All issues in cel-go's format. */
  readonly text: string;
  /** In order of discovery. `offset` is in code points of the expression, from 0; undefined if the issue concerns the whole expression. */
  readonly issues: readonly { readonly message: string; readonly offset: number | undefined }[];
}

/** `isMutation` declares `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`. */
export function admissionExpression(
  text: string,
  version: KubernetesVersion,
  isMutation: boolean,
): AdmissionExpression | UncompiledExpression {
  const { environment, costs } = new AdmissionEnvironments(version).context({
    mode: 'stored',
    hasParams: true,
    hasAuthorizer: false,
    hasPatchTypes: isMutation,
  });
  const { ast, issues } = environment.compile(text);
  if (ast === undefined) return { text: displayIssues(text, issues), issues: issues.map(placedIssue) };
  const program = plan(environment, ast, { costLimit: COST_LIMIT, ...costs });
  if (program instanceof ProgramError) {
    return { text: program.message, issues: [{ message: program.message, offset: undefined }] };
  }
  return { type: String(ast.outputType), run: (variables) => run(program, variables) };
}

function placedIssue({ message, offset }: Issue): UncompiledExpression['issues'][number] {
  return { message, offset: offset === NO_PLACE || offset < 0 ? undefined : offset };
}

function run(program: Program, variables: ReadonlyMap<string, JsonValue>): ExpressionResult {
  const { value, cost } = program.evaluate({ resolve: (name) => variables.get(name) ?? null });
  return value instanceof ErrorValue ? { error: value.message, cost } : { value: jsonOf(value), cost };
}

/** Values without a JSON form become their CEL text; an empty optional becomes null. */
function jsonOf(value: Value): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (isMap(value)) return jsonEntries(value.entries());
  if (value instanceof Optional) return value.value === undefined ? null : jsonOf(value.value);
  if (value instanceof StructValue) return jsonEntries(value.fields.entries());
  const [inner] = Object.values(tagValue(value) as Record<string, unknown>);
  return typeof inner === 'string' ? inner : JSON.stringify(inner);
}

function jsonEntries(entries: Iterable<readonly [Value, Value]>): JsonValue {
  return new Map([...entries].map(([key, value]) => [String(key), jsonOf(value)]));
}

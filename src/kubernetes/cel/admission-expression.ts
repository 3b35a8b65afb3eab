// One expression of an admission policy, compiled once and run with whatever its variables are.

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

/** Units that an API server allows one run of an expression. */
const COST_LIMIT = 1_000_000;

export interface AdmissionExpression {
  /** As CEL writes it: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** Variables that are not given are null. */
  run(variables: ReadonlyMap<string, JsonValue>): ExpressionResult;
}

/** `cost` in units of the API server. */
export type ExpressionResult =
  | { readonly value: JsonValue; readonly cost: number }
  | { readonly error: string; readonly cost: number };

export interface UncompiledExpression {
  /** All issues as cel-go displays them. */
  readonly text: string;
  /** In the order in which they were found; `offset` in code points of the expression, from 0; undefined: the whole of it is meant. */
  readonly issues: readonly { readonly message: string; readonly offset: number | undefined }[];
}

/** `isMutation`: `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey` are there. */
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

/** What JSON has no word for is the text that CEL writes for it; an optional without a value is null. */
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

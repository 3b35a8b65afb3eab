// One expression of a policy, compiled once (apiserver `plugin/cel/compile.go`).
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import type { Type } from '../../cel/check/type.ts';
import type { Environment } from '../../cel/environment.ts';
import { plan } from '../../cel/eval/plan.ts';
import { type PlanOptions, type Program, ProgramError } from '../../cel/eval/program.ts';
import { displayIssues } from '../../cel/issue/display-issues.ts';
import type { Issue } from '../../cel/issue/issue.ts';
import { expressionHelp } from './expression-help.ts';

export interface CompiledExpression {
  readonly expression: string;
  /** Undefined when `error` is set. */
  readonly program: Program | undefined;
  /** Undefined when the expression does not type-check. */
  readonly ast: CheckedAst | undefined;
  /** Undefined when `error` is set. */
  readonly outputType: Type | undefined;
  /** The server's error, without the `compilation error: ` prefix that evaluation adds. */
  readonly error: string | undefined;
  /** True when the server reports an internal error: the expression type-checks, but no program can be built. */
  readonly isInternal: boolean;
  /** Problems inside the expression, with offsets. Empty when the expression as a whole is wrong. */
  readonly issues: readonly Issue[];
  /** How to fix an issue that is a common mistake. */
  readonly helpFor: (issue: Issue) => string | undefined;
}

export interface ExpressionContext {
  readonly environment: Environment;
  readonly costs: Pick<PlanOptions, 'callCost' | 'callCostFunctions'>;
}

/** `PerCallLimit` of apiserver `pkg/apis/cel/config.go`: cost units of one program run. */
const PER_CALL_LIMIT = 1_000_000;

/** `returnTypes`: the exact static types allowed. Empty allows any. */
export function compileExpression(
  expression: string,
  returnTypes: readonly Type[],
  { environment, costs }: ExpressionContext,
): CompiledExpression {
  const { ast, issues } = environment.compile(expression);
  const failed = (error: string, isInternal = false): CompiledExpression => ({
    expression,
    program: undefined,
    ast,
    outputType: undefined,
    error,
    isInternal,
    issues,
    helpFor: (issue) => expressionHelp(issue, expression, environment),
  });
  if (ast === undefined) return failed(`compilation failed: ${displayIssues(expression, issues)}`);
  const { outputType } = ast;
  if (returnTypes.length > 0 && !returnTypes.some((type) => type.equals(outputType))) {
    return failed(`must evaluate to ${describeTypes(returnTypes)} but got ${outputType}`);
  }
  const program = plan(environment, ast, { costLimit: PER_CALL_LIMIT, ...costs });
  if (program instanceof ProgramError) return failed(`program instantiation failed: ${program.message}`, true);
  const helpFor = (): undefined => undefined;
  return { expression, program, ast, outputType, error: undefined, isInternal: false, issues, helpFor };
}

/** Go's `%v` of one type, or of a slice of them. */
function describeTypes(types: readonly Type[]): string {
  return types.length === 1 ? String(types[0]) : `one of [${types.join(' ')}]`;
}

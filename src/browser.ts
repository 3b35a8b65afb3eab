// The library's door without Node: judge objects and texts that are at hand, and render the Report.
export { type CheckInput, checkState } from './pipeline/check-state.ts';
export {
  type CheckTextsInput,
  check,
  type RepositoryTexts,
  type TestTextsInput,
  test,
} from './pipeline/library/check.ts';
export {
  type CompiledExpression,
  type CompileOptions,
  compileExpression,
  type ExpressionOutcome,
  type ExpressionVariables,
  type RefusedExpression,
} from './pipeline/library/compile-expression.ts';
export {
  type EvaluatedObject,
  type EvaluateInput,
  type EvaluateResult,
  type EvaluationVerdict,
  evaluate,
  type RequestUser,
} from './pipeline/library/evaluate.ts';
export { InputError, type InputErrorCode } from './pipeline/library/input-error.ts';
export type { Source } from './pipeline/library/input-source.ts';
export { type ReviewInput, type ReviewResult, review } from './pipeline/library/review.ts';
export type { ExplainedPolicy, ExplainedStep } from './report/explanation.ts';
export { reporters } from './report/format/reporters.ts';
export type { TestReport } from './report/policy-test.ts';
export type * from './report/report.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { type Configuration, defaultConfiguration } from './settings/configuration.ts';
export { type LoadedConfiguration, loadConfiguration } from './settings/load-configuration.ts';
export { SourceFile } from './source/source-file.ts';

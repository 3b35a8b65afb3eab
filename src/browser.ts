// Library entry point without Node: judges objects and texts in memory, and renders the report.
export { type CheckInput, checkState } from './pipeline/check-state.ts';
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
export { type RenderingEngineInput, renderingEngine } from './pipeline/library/rendering-engine.ts';
export {
  type CheckTextsInput,
  checkTexts as check,
  type RepositoryTexts,
  type TestTextsInput,
  testTexts as test,
} from './pipeline/library/repository-texts.ts';
export { type ReviewInput, type ReviewResult, review } from './pipeline/library/review.ts';
export {
  type CompileOptions,
  type ExpressionRun,
  type ExpressionVariables,
  type RefusedExpression,
  type RunnableExpression,
  runnableExpression as compileExpression,
} from './pipeline/library/runnable-expression.ts';
export { type ValidationEngineInput, validationEngine } from './pipeline/library/validation-engine.ts';
export type { ExplainedPolicy, ExplainedStep } from './report/explanation/explanation.ts';
export type { TestReport } from './report/explanation/policy-test.ts';
export { reporters } from './report/format/reporters.ts';
export type * from './report/report.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { type Configuration, defaultConfiguration } from './settings/configuration.ts';
export { type LoadedConfiguration, loadConfiguration } from './settings/load-configuration.ts';
export { SourceFile } from './source/text/source-file.ts';
export { treeOf } from './source/tree/file-tree.ts';

// The library's door: check a repository on disk, or texts that are already at hand, and render the Report.
export { type CheckOptions, type CheckResult, checkRepository } from './door/check-repository.ts';
export { reporters } from './report/format/reporters.ts';
export type * from './report/report.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { type RunInput, run } from './run.ts';
export { SourceFile } from './source/source-file.ts';
export { type Configuration, defaultConfiguration } from './workspace/configuration/configuration.ts';
export { WorkspaceError } from './workspace/workspace-error.ts';

// The library's door: check a repository on disk, or texts that are already at hand, and render the Report.
export { type CheckOptions, type CheckResult, checkRepository } from './door/check-repository.ts';
export { type CheckInput, checkState } from './pipeline/check-state.ts';
export { reporters } from './report/format/reporters.ts';
export type * from './report/report.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { type Configuration, defaultConfiguration } from './settings/configuration.ts';
export { SourceFile } from './source/source-file.ts';
export { WorkspaceError } from './workspace/workspace-error.ts';

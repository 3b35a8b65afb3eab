// The library's door without Node: check texts that are at hand, and render the Report.
export { type CheckInput, checkState } from './pipeline/check-state.ts';
export { reporters } from './report/format/reporters.ts';
export type * from './report/report.ts';
export type { Reporter, ReporterOptions } from './report/reporter.ts';
export { type Configuration, defaultConfiguration } from './settings/configuration.ts';
export { type LoadedConfiguration, loadConfiguration } from './settings/load-configuration.ts';
export { SourceFile } from './source/source-file.ts';

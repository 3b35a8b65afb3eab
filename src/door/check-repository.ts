// What every door does: find the configuration, sweep the repository, run the pipeline.
import type { Report } from '../report/report.ts';
import { type RunInput, run } from '../run.ts';
import {
  type ConfigurationOverrides,
  contextGlobs,
  overrideConfiguration,
} from '../workspace/configuration/configuration.ts';
import { loadConfiguration } from '../workspace/configuration/load-configuration.ts';
import { discover } from '../workspace/discover.ts';

export interface CheckOptions extends Pick<RunInput, 'observe' | 'progress'> {
  /** Working directory; `paths` and `config` are relative to it. */
  readonly directory: string;
  /** Files and folders to check; none: all of the repository. */
  readonly paths: readonly string[];
  readonly config?: string;
  readonly overrides: ConfigurationOverrides;
}

/** Throws WorkspaceError for what cannot be read, the configuration included. */
export async function checkRepository(options: CheckOptions): Promise<Report> {
  const { observe, progress } = options;
  const start = await startOf(options);
  const loaded = await loadConfiguration(start.directory, options.config);
  const configuration = overrideConfiguration(loaded, options.overrides);
  const { include, exclude } = configuration;
  const discovery = await discover({ ...start, include, exclude, context: contextGlobs(configuration) });
  observe?.('discover', { files: discovery.files.length, 'not read': discovery.notRead.length });
  return run({
    ...discovery,
    configuration,
    ...(observe && { observe }),
    ...(progress && { progress }),
  });
}

/** A single folder is where the sweep starts, so that it may lie in another repository than the working directory. */
async function startOf({ directory, paths }: CheckOptions): Promise<{ directory: string; paths: readonly string[] }> {
  return { directory, paths };
}

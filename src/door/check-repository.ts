// What every door does: find the configuration, sweep the repository, run the pipeline.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { versionProblem } from '../kubernetes/version.ts';
import { type CheckInput, checkState, reportOptions } from '../pipeline/check-state.ts';
import { listedTree } from '../render/listed-tree.ts';
import type { Report } from '../report/report.ts';
import { ReportBuilder } from '../report/report-builder.ts';
import {
  type Configuration,
  type ConfigurationOverrides,
  contextGlobs,
  defaultConfiguration,
  overrideConfiguration,
} from '../settings/configuration.ts';
import { type LoadedBaseline, loadBaseline } from '../settings/load-baseline.ts';
import { loadConfiguration } from '../settings/load-configuration.ts';
import { type ConfigurationSource, readBaselineFile, readConfigurationFile } from '../workspace/configuration-file.ts';
import { discover } from '../workspace/discover.ts';
import type { ObjectId } from '../workspace/git/git-output.ts';
import { GitRepository } from '../workspace/git/git-repository.ts';
import { folderTree } from '../workspace/render/folder-tree.ts';
import { lazyEngine } from '../workspace/render/load-engine.ts';
import { askedVersion } from './asked-version.ts';

export interface CheckOptions extends Pick<CheckInput, 'stages' | 'shard' | 'today' | 'explainsMutations'> {
  /** Working directory; `paths` are relative to it. */
  readonly directory: string;
  /** Files and folders to check; none: all of the repository. */
  readonly paths: readonly string[];
  /** Path of the configuration from the top of the repository. */
  readonly config?: string;
  /** Path of the baseline from the top of the repository; null: none is read. */
  readonly baseline?: string | null;
  readonly overrides: ConfigurationOverrides;
}

/** What to compare with what. */
export interface ChangeOptions {
  readonly base: ObjectId;
  readonly head: ObjectId;
}

/** `unusable`: the configuration has errors, the report holds nothing else. */
export interface CheckResult {
  readonly report: Report;
  readonly unusable: boolean;
}

/** What there is to check; `stopped`: the configuration or the baseline has errors. */
export type SweptRepository =
  | { readonly root: string; readonly input: CheckInput; readonly stopped?: undefined }
  | { readonly stopped: CheckResult };

/** Throws WorkspaceError for what cannot be read. */
export async function checkRepository(options: CheckOptions): Promise<CheckResult> {
  const swept = await sweepRepository(options);
  return swept.stopped ?? { report: checkState(swept.input), unusable: false };
}

/** Throws WorkspaceError for what cannot be read. */
export async function sweepRepository(options: CheckOptions): Promise<SweptRepository> {
  askedVersion(options.overrides.kubernetesVersion);
  const start = await startOf(options);
  const file = await readConfigurationFile({
    root: start.root,
    ...(options.config !== undefined && { path: options.config }),
  });
  const loaded = file && loadConfiguration(file, { versionProblem });
  if (file !== undefined && loaded !== undefined && loaded.configuration === undefined) {
    return { stopped: unusable(file.path, loaded.diagnostics) };
  }
  const configuration = overrideConfiguration(loaded?.configuration ?? defaultConfiguration(), options.overrides);
  const known = await baselineOf(start.root, options);
  if (known !== undefined && known.baseline === undefined) {
    return { stopped: unusable(known.path, known.diagnostics) };
  }
  return { root: start.root, input: await inputOf(start, configuration, options, known?.baseline) };
}

/** `path`: of the file with these errors. */
export function unusable(path: string, diagnostics: readonly Diagnostic[]): CheckResult {
  const builder = new ReportBuilder(reportOptions(defaultConfiguration(), { today: '' }));
  builder.addDiagnostics(diagnostics);
  return { report: builder.buildUnusable(path), unusable: true };
}

export async function baselineOf(
  root: string,
  { baseline: path }: CheckOptions,
  commit?: ConfigurationSource['commit'],
): Promise<(LoadedBaseline & { readonly path: string }) | undefined> {
  if (path === null) return undefined;
  const file = await readBaselineFile({ root, ...(path !== undefined && { path }), ...(commit && { commit }) });
  return file && { ...loadBaseline(file), path: file.path };
}

/** Top of the repository that is checked. */
export async function repositoryRoot(options: CheckOptions): Promise<string> {
  return (await startOf(options)).root;
}

export interface Start {
  readonly directory: string;
  readonly paths: readonly string[];
  /** Top of the repository; the directory itself outside Git. */
  readonly root: string;
  readonly repository: GitRepository | undefined;
}

/**
 * A single folder may lie in another repository than the working directory, and is where the sweep starts. Outside Git it is so only if
 * it does not lie in the working directory.
 */
export async function startOf({ directory, paths }: CheckOptions): Promise<Start> {
  const here = { directory, paths };
  const [only] = paths;
  const folder = only === undefined ? undefined : resolve(directory, only);
  const isFolder = paths.length === 1 && folder !== undefined && (await isDirectory(folder));
  const start = isFolder ? { directory: folder, paths: [] } : here;
  const repository = await GitRepository.open(start.directory);
  if (repository !== undefined) return { ...start, repository, root: repository.root };
  const top = await realpath(directory);
  return isFolder && !isInside(await realpath(folder), top)
    ? { ...start, repository, root: await realpath(folder) }
    : { ...here, repository, root: top };
}

function isInside(folder: string, top: string): boolean {
  const [first] = relative(top, folder).split(sep);
  return first !== '..' && !isAbsolute(relative(top, folder));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function inputOf(
  { directory, paths, repository }: Start,
  configuration: Configuration,
  { stages, shard, today, explainsMutations = false }: CheckOptions,
  baseline: LoadedBaseline['baseline'],
): Promise<CheckInput> {
  const { include, exclude } = configuration;
  stages?.enter('discover');
  const discovery = await discover({
    directory,
    ...(repository && { repository }),
    paths,
    include,
    exclude,
    context: contextGlobs(configuration),
  });
  stages?.count('discover', 'files', discovery.files.length);
  return {
    ...discovery,
    rendering: { tree: listedTree(folderTree(discovery.root), discovery.paths), engine: lazyEngine() },
    configuration,
    ...(stages && { stages }),
    explainsMutations,
    ...(shard && { shard }),
    ...(today !== undefined && { today }),
    ...(baseline && { baseline }),
  };
}

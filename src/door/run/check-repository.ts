// Checks a repository on disk, for every entry point: finds the configuration, discovers files, runs the pipeline.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { versionProblem } from '../../kubernetes/api/version.ts';
import { type CheckInput, checkState, missingInState, reportOptions } from '../../pipeline/check-state.ts';
import type { StateRendering } from '../../pipeline/state/rendering.ts';
import { listedTree } from '../../render/engine/listed-tree.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedRemotes, Remote } from '../../render/sources/remote/remote.ts';
import { RootBuilder } from '../../render/sources/root/root-builder.ts';
import { ReportBuilder } from '../../report/builder/report-builder.ts';
import type { FetchedHost, Report } from '../../report/report.ts';
import {
  type Configuration,
  type ConfigurationOverrides,
  contextGlobs,
  defaultConfiguration,
  overrideConfiguration,
  renderingMilliseconds,
} from '../../settings/configuration.ts';
import { type LoadedBaseline, loadBaseline } from '../../settings/load-baseline.ts';
import { loadConfiguration } from '../../settings/load-configuration.ts';
import type { PolicySource } from '../../settings/policy-source.ts';
import { Documents } from '../../source/manifest/read-manifests.ts';
import { VERSION } from '../../version.ts';
import { KnownTexts } from '../../workspace/cache/known-texts.ts';
import {
  type ConfigurationSource,
  readBaselineFile,
  readConfigurationFile,
} from '../../workspace/discover/configuration-file.ts';
import { discover } from '../../workspace/discover/discover.ts';
import { collectOften } from '../../workspace/files/large-repository.ts';
import type { ObjectId } from '../../workspace/git/git-output.ts';
import { GitRepository } from '../../workspace/git/git-repository.ts';
import { NamedAddresses } from '../../workspace/remote/named-addresses.ts';
import { folderTree } from '../../workspace/render/folder-tree.ts';
import { openEngine } from '../../workspace/render/open-engine.ts';
import type { RenderCacheOptions } from '../../workspace/render/render-cache.ts';
import { openSources } from '../../workspace/sources/open-sources.ts';
import { type SourceAccess, sourceAccess } from '../../workspace/sources/source-access.ts';
import type { SourceContent } from '../../workspace/sources/source-content.ts';
import { lazyValidation } from '../../workspace/validation/load-validation.ts';
import { askedVersion } from './asked-version.ts';
import { type FetchAccess, NOTHING_FETCHED, type SchemaOptions } from './fetch-access.ts';
import { fetchRemotes } from './fetch-remotes.ts';
import { ownerRulesOf } from './owner-rules.ts';
import { repositoryName } from './repository-name.ts';
import { schemaSources } from './schema-source.ts';
import { optimizeForCheck } from './v8-settings.ts';

/** Options for checking a repository on disk. */
export interface CheckOptions extends Pick<CheckInput, 'stages' | 'shard' | 'today' | 'explainsMutations'> {
  /** Working directory; `paths` are relative to it. */
  readonly directory: string;
  /** Files and folders to check; empty means the whole repository. */
  readonly paths: readonly string[];
  /** Path of the configuration from the repository root. */
  readonly config?: string;
  /** Path of the baseline from the repository root; null means that no baseline is read. */
  readonly baseline?: string | null;
  readonly overrides: ConfigurationOverrides;
  /** Policy sources that are opened besides those of the configuration, and not used by the check. */
  readonly candidates?: readonly PolicySource[];
  /** How policy sources are read; absent means without credentials. */
  readonly sourceAccess?: SourceAccess;
  /** For a change: suggest edits that make mutating policies redundant. */
  readonly suggests?: boolean;
  /** How to fetch what the configuration allows; absent: nothing is fetched. */
  readonly fetching?: FetchAccess;
  /** Absent: no URL of `schemas` is downloaded. */
  readonly schemas?: SchemaOptions;
  /** Folder of the render cache; absent: no cache. */
  readonly cache?: string;
  /** Rendering engine that several comparisons of one process share; absent: each opens its own. */
  readonly engine?: () => RenderEngine;
  /** Maximum number of additional render threads; absent, 0 or 1 means none. */
  readonly workers?: number;
  /** True for a long-running process, which must keep little memory between checks. */
  readonly runsLong?: boolean;
}

/** The two commits to compare. */
export interface ChangeOptions {
  readonly base: ObjectId;
  readonly head: ObjectId;
}

/** `unusable`: the configuration has errors, and the report contains only those. */
export interface CheckResult {
  readonly report: Report;
  readonly unusable: boolean;
}

/** Throws WorkspaceError if something cannot be read. */
export async function checkRepository(options: CheckOptions): Promise<CheckResult> {
  const asked = await askRepository(options, (input, _, { hosts }) => {
    return withRun(checkState(input), input, hosts);
  });
  return 'stopped' in asked ? asked.stopped : { report: asked.answer, unusable: false };
}

/** The report with what the run knows beside the state. */
export function withRun(
  report: Report,
  { rendering }: Pick<CheckInput, 'rendering'>,
  hosts: readonly FetchedHost[],
): Report {
  const repository = repositoryName(rendering?.repositoryUrl);
  return { ...report, ...(repository !== undefined && { repository }), ...(hosts.length > 0 && { fetched: hosts }) };
}

/** What a run has besides the state. */
export interface GivenToRun {
  readonly hosts: readonly FetchedHost[];
  /** Contents of `CheckOptions.candidates`, in their order. */
  readonly candidates: readonly SourceContent[];
}

/** Returns the result of `use`, or `stopped` if the configuration or baseline has errors. Throws WorkspaceError. */
export async function askRepository<T>(
  options: CheckOptions,
  use: (input: CheckInput, root: string, given: GivenToRun) => T | Promise<T>,
): Promise<{ readonly answer: T } | { readonly stopped: CheckResult }> {
  askedVersion(options.overrides.kubernetesVersion);
  const start = await startOf(options);
  const settings = await settingsOf(start.root, options);
  if ('unusable' in settings) return { stopped: settings };
  const { shard, today, explainsMutations } = options;
  const { configuration, baseline } = settings;
  const ownerRules = await ownerRulesOf({ root: start.root });
  const answer = await withState(start, configuration, options, (input, given) =>
    use(
      {
        ...input,
        serverValidation: lazyValidation(cacheIn(options.cache, start.root)),
        ...(explainsMutations !== undefined && { explainsMutations }),
        ...(shard && { shard }),
        ...(today !== undefined && { today }),
        ...(baseline && { baseline }),
        ...(ownerRules && { ownerRules }),
      },
      start.root,
      given,
    ),
  );
  return { answer };
}

/** Configuration and baseline of the work tree, or their errors. */
export async function settingsOf(
  root: string,
  options: CheckOptions,
): Promise<{ readonly configuration: Configuration; readonly baseline: LoadedBaseline['baseline'] } | CheckResult> {
  const file = await readConfigurationFile({ root, ...(options.config !== undefined && { path: options.config }) });
  const loaded = file && loadConfiguration(file, { versionProblem });
  if (file !== undefined && loaded !== undefined && loaded.configuration === undefined) {
    return unusable(file.path, loaded.diagnostics);
  }
  const configuration = overrideConfiguration(loaded?.configuration ?? defaultConfiguration(), options.overrides);
  const known = await baselineOf(root, options);
  if (known !== undefined && known.baseline === undefined) return unusable(known.path, known.diagnostics);
  return { configuration, baseline: known?.baseline };
}

/** `path`: the file with these errors. */
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

/** Undefined without a cache folder. */
export function cacheIn(folder: string | undefined, root: string): RenderCacheOptions | undefined {
  return folder === undefined ? undefined : { folder, root, version: VERSION };
}

/** Root of the checked repository. */
export async function repositoryRoot(options: CheckOptions): Promise<string> {
  return (await startOf(options)).root;
}

export interface Start {
  readonly directory: string;
  readonly paths: readonly string[];
  /** Root of the repository; outside Git, the directory itself. */
  readonly root: string;
  readonly repository: GitRepository | undefined;
}

/**
 * A single folder argument may be in another repository than the working directory; discovery then starts in that folder. Outside Git, this
 * applies only to folders outside the working directory.
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

/** Policy sources stay open while `use` runs. */
async function withState<T>(
  { directory, paths, repository }: Start,
  configuration: Configuration,
  {
    stages,
    cache,
    workers,
    fetching,
    candidates = [],
    schemas: fetchedSchemas,
    sourceAccess: access = sourceAccess(),
    runsLong,
  }: CheckOptions,
  use: (input: CheckInput, given: GivenToRun) => T | Promise<T>,
): Promise<T> {
  const { include, exclude } = configuration;
  stages?.enter('discover');
  const origin = repository?.originUrl();
  const discovery = await discover({
    directory,
    ...(repository && { repository }),
    paths,
    include,
    exclude,
    context: contextGlobs(configuration),
  });
  stages?.count('discover', 'files', discovery.files.length);
  optimizeForCheck(discovery.files.reduce((sum, { file }) => sum + file.length, 0));
  if (discovery.isLarge) collectOften();
  const tree = listedTree(folderTree(discovery.root), discovery.paths);
  // A long-running process renders roots one at a time on demand, so threads would be idle, each with its own engine in memory.
  const { engine, close } = openEngine({
    cache: cacheIn(cache, discovery.root),
    budget: renderingMilliseconds(configuration),
    ...(runsLong === true ? { runsLong } : { workers }),
  });
  const kept = discovery.isLarge || runsLong === true ? undefined : cacheIn(cache, discovery.root);
  const texts = kept && new KnownTexts({ ...kept, of: 'state' });
  const repositoryUrl = await origin;
  const rendering: StateRendering = {
    tree,
    engine,
    builder: new RootBuilder(new Documents(undefined, texts)),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
  };
  const places = [{ root: discovery.root, paths: discovery.paths }];
  const configured = configuration.policySources;
  const sources = await openSources([...configured, ...candidates], { root: discovery.root, places }, access);
  try {
    const policySources = sources.contents.slice(0, configured.length);
    const state = { ...discovery, rendering, tree, configuration, policySources };
    const schemas = await schemaSources([state], fetchedSchemas, discovery.root);
    const kinds = configuration.fetch;
    const access = kinds.length === 0 ? undefined : fetching;
    if (access !== undefined) stages?.enter('fetch');
    // Without a comparison, there is no base whose addresses are trusted.
    const request = access && { access, kinds, root: discovery.root, named: () => new NamedAddresses([]) };
    const missing = (remotes: FetchedRemotes): readonly Remote[] =>
      missingInState({ ...discovery, rendering: { ...rendering, remotes }, configuration });
    const fetched = request === undefined ? NOTHING_FETCHED : await fetchRemotes(request, engine, missing);
    try {
      const answer = await use(
        {
          ...discovery,
          rendering: { ...rendering, remotes: fetched.remotes },
          configuration,
          policySources: [...policySources, ...schemas],
          ...(stages && { stages }),
        },
        { hosts: fetched.hosts, candidates: sources.contents.slice(configured.length) },
      );
      texts?.keep();
      return answer;
    } finally {
      await fetched.close();
    }
  } finally {
    close();
    await sources.close();
  }
}

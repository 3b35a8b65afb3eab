// What every door does with two commits: read the configuration and the policies from the first, both trees, and compare.
import { relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { versionProblem } from '../../kubernetes/api/version.ts';
import type { ComparisonInput } from '../../pipeline/compare/comparison-input.ts';
import { chartsMissingInChange, compareStates } from '../../pipeline/compare-states.ts';
import type { FileTree } from '../../render/engine/file-tree.ts';
import { RootBuilder } from '../../render/sources/root-builder.ts';
import {
  type Configuration,
  contextGlobs,
  defaultConfiguration,
  overrideConfiguration,
  renderingMilliseconds,
} from '../../settings/configuration.ts';
import { type LoadedConfiguration, loadConfiguration } from '../../settings/load-configuration.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import { KnownTexts } from '../../workspace/cache/known-texts.ts';
import {
  BASELINE_NAME,
  CONFIGURATION_NAMES,
  readConfigurationFile,
} from '../../workspace/discover/configuration-file.ts';
import { type Discovery, discover } from '../../workspace/discover/discover.ts';
import { discoverFrom } from '../../workspace/discover/discover-from.ts';
import { collectOften } from '../../workspace/files/large-repository.ts';
import type { ObjectId } from '../../workspace/git/git-output.ts';
import { BlobContents, commitTree } from '../../workspace/render/commit-tree.ts';
import { openEngine } from '../../workspace/render/open-engine.ts';
import { sourceAccess } from '../../workspace/sources/source-access.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { askedVersion } from './asked-version.ts';
import {
  baselineOf,
  type ChangeOptions,
  type CheckOptions,
  type CheckResult,
  cacheIn,
  type Start,
  startOf,
  unusable,
} from './check-repository.ts';
import { fetchMissingCharts } from './fetch-missing-charts.ts';
import { openComparedSources } from './policy-sources.ts';
import { schemaSources } from './schema-source.ts';
import { optimizeForChange } from './v8-settings.ts';

/** Throws WorkspaceError for what cannot be read. `start`: where the options lead, if that is known. */
export async function checkChanges(options: CheckOptions, change: ChangeOptions, start?: Start): Promise<CheckResult> {
  askedVersion(options.overrides.kubernetesVersion);
  optimizeForChange();
  const { stages } = options;
  stages?.enter('discover');
  const { directory, paths, root, repository } = start ?? (await startOf(options));
  if (repository === undefined) throw new WorkspaceError('bad-revision', `\`${root}\` is not in a Git checkout`);
  const { base, head } = change;
  const source = { root, ...(options.config !== undefined && { path: options.config }) };
  const read = (id: ObjectId, mayMiss: boolean): Promise<SourceFile | undefined> =>
    readConfigurationFile({ ...source, commit: { repository, id } }).catch((error: unknown) => {
      if (mayMiss && error instanceof WorkspaceError && error.code === 'path-not-found') return undefined;
      throw error;
    });
  await repository.listTreeFrom(head, base);
  const touched = (await repository.changedFiles(head, base)).map(({ path }) => path);
  const settings = new Set([...CONFIGURATION_NAMES, BASELINE_NAME, options.config, options.baseline]);
  const mends = touched.length > 0 && touched.every((path) => settings.has(path));
  // A file that cannot be read is a configuration without a meaning, too.
  const ofBaseOr = async (given: SourceFile | undefined): Promise<SourceFile | undefined> =>
    read(base, true).catch((error: unknown) => {
      if (mends && error instanceof WorkspaceError && error.code === 'unreadable') return given;
      throw error;
    });
  const ofHeadFile = await read(head, options.config === undefined);
  const chosen = chooseConfiguration(await ofBaseOr(ofHeadFile), ofHeadFile, mends);
  if (chosen.configuration === undefined) return unusable(chosen.path, chosen.diagnostics);
  const configuration = overrideConfiguration(chosen.configuration, options.overrides);
  const known = await baselineOf(root, options, { repository, id: base });
  const isBaselineMended = known !== undefined && known.baseline === undefined && mends;
  if (known !== undefined && known.baseline === undefined && !isBaselineMended) {
    return unusable(known.path, known.diagnostics);
  }

  const { include, exclude } = configuration;
  const common = { directory, repository, paths, include, exclude, context: contextGlobs(configuration) };
  const ofHead = await discover({ ...common, commit: head });
  const ofBase = await discoverFrom(ofHead, { ...common, commit: base });
  if (ofBase.isLarge) collectOften();
  requirePaths(
    paths.map((path) => ({ path, fromRoot: relative(root, resolve(directory, path)) })),
    [ofBase, ofHead],
  );
  stages?.count('discover', 'files', ofHead.files.length);
  const contents = new BlobContents(repository);
  const treeOf = async (commit: ObjectId, files: Discovery['files']) =>
    commitTree(await repository.listTree(commit), files, contents);
  const [baseTree, headTree] = [await treeOf(base, ofBase.files), await treeOf(head, ofHead.files)];
  const next = chosen.next && overrideConfiguration(chosen.next, options.overrides);
  const cache = cacheIn(options.cache, root);
  const { engine, close } = openEngine({
    cache,
    workers: options.workers,
    budget: renderingMilliseconds(configuration),
  });
  const texts = cache && new KnownTexts({ ...cache, of: 'change' });
  const sources = await openComparedSources(
    {
      base: configuration.policySources,
      head: (next ?? configuration).policySources,
      mayChoose: configuration.policiesFrom !== 'base',
    },
    { root, places: [ofBase, ofHead] },
    options.sourceAccess ?? sourceAccess(),
  );
  try {
    const builder = new RootBuilder(texts);
    const stateOf = (discovery: Discovery, tree: FileTree) => ({
      ...discovery,
      rendering: { tree, engine, builder },
      tree,
      configuration,
    });
    const schemas = await schemaSources([stateOf(ofBase, baseTree), stateOf(ofHead, headTree)], options.schemas, root);
    const input: ComparisonInput = {
      base: { ...ofBase, tree: baseTree, policySources: [...sources.base, ...schemas] },
      head: { ...ofHead, tree: headTree, policySources: [...sources.head, ...schemas] },
      engine,
      builder,
      touched,
      names: { base, head },
      configuration,
      policiesFrom: configuration.policiesFrom,
      only: configuration.only,
      notices: [...chosen.notices, ...(isBaselineMended ? [mendedNotice(known.path)] : []), ...sources.notices],
      ...(chosen.next && { next: chosen.next }),
      diagnostics: chosen.diagnostics,
      ...(known?.baseline && { baseline: known.baseline }),
      ...(options.today !== undefined && { today: options.today }),
      suggests: options.suggests === true,
      explainsMutations: options.explainsMutations === true,
      ...(texts && { texts }),
    };
    if (options.charts !== undefined) stages?.enter('fetch');
    const charts =
      options.charts &&
      (await fetchMissingCharts(options.charts, root, engine, (fetched) =>
        chartsMissingInChange({ ...input, charts: fetched }),
      ));
    const report = compareStates({ ...input, ...(charts && { charts }), ...(stages && { stages }) });
    texts?.keep();
    return { report, unusable: false };
  } finally {
    close();
    await sources.close();
  }
}

/** A name that neither state knows is a slip, and nothing would be found in it. */
function requirePaths(
  named: readonly { readonly path: string; readonly fromRoot: string }[],
  states: readonly { readonly paths: ReadonlySet<string> }[],
): void {
  for (const { path, fromRoot } of named) {
    const below = fromRoot === '' ? '' : `${fromRoot.split(sep).join('/')}/`;
    const isThere = states.some(({ paths }) => paths.has(below.slice(0, -1)) || holdsPrefix(paths, below));
    if (isThere) continue;
    throw new WorkspaceError('path-not-found', `there is no file or folder \`${path}\` in either commit`, {
      hint: 'paths are relative to the working directory',
    });
  }
}

function holdsPrefix(paths: ReadonlySet<string>, prefix: string): boolean {
  for (const path of paths) if (path.startsWith(prefix)) return true;
  return false;
}

interface ChosenConfiguration {
  /** Empty if there is no configuration. */
  readonly path: string;
  /** Undefined if there is none that can be used. */
  readonly configuration: Configuration | undefined;
  /** Head's, where that is another one that can be used. */
  readonly next?: Configuration;
  readonly notices: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Base's, so that a change cannot rewrite the rules it is held to. Where base's cannot be used nothing is decided, unless the change
 * `mends` it: if it is about nothing else there is nothing that head's could let pass.
 */
function chooseConfiguration(
  base: SourceFile | undefined,
  head: SourceFile | undefined,
  mends: boolean,
): ChosenConfiguration {
  const load = (file: SourceFile | undefined): LoadedConfiguration =>
    file === undefined
      ? { configuration: defaultConfiguration(), diagnostics: [] }
      : loadConfiguration(file, { versionProblem });
  const now = load(head);
  const path = (base ?? head)?.path ?? '';
  if (base?.text === head?.text) return { ...now, path, notices: [] };
  const before = load(base);
  if (before.configuration === undefined) {
    if (mends && now.configuration !== undefined) return { ...now, path, notices: [mendedNotice(path)] };
    return { ...before, diagnostics: before.diagnostics.map(mendedAlone), path, notices: [] };
  }
  const { configuration } = before;
  const notices = [
    base === undefined
      ? `${path} is new: it counts from the next change on, this verdict follows the defaults`
      : `${path} is changed too: this verdict still follows base's`,
  ];
  const next = now.configuration;
  return { path, configuration, ...(next && { next }), notices, diagnostics: now.diagnostics };
}

function mendedNotice(path: string): string {
  return `${path} of base cannot be used, and this change mends it: there is nothing else in it to judge`;
}

function mendedAlone(diagnostic: Diagnostic): Diagnostic {
  const help = 'this is what base has: mend it in a change of its own, with nothing else in it';
  return { ...diagnostic, help: diagnostic.help === undefined ? help : `${diagnostic.help}; ${help}` };
}

// Checks the change between two commits, for every entry point.

import { relative, resolve, sep } from 'node:path';
import { append } from '../../go/slices/append.ts';
import type { ComparisonInput } from '../../pipeline/compare/comparison-input.ts';
import { compareStates, missingInChange } from '../../pipeline/compare-states.ts';
import { namedRemotes } from '../../pipeline/state/named-remotes.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedRemotes, Remote } from '../../render/sources/remote/remote.ts';
import { RootBuilder } from '../../render/sources/root/root-builder.ts';
import type { OwnerRules } from '../../report/owner/owner-rules.ts';
import type { Report } from '../../report/report.ts';
import { contextGlobs, renderingMilliseconds } from '../../settings/configuration.ts';
import { Documents } from '../../source/manifest/read-manifests.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { KnownTexts } from '../../workspace/cache/known-texts.ts';
import { type Discovery, discover } from '../../workspace/discover/discover.ts';
import { discoverFrom } from '../../workspace/discover/discover-from.ts';
import { collectOften } from '../../workspace/files/large-repository.ts';
import type { ObjectId } from '../../workspace/git/git-output.ts';
import type { GitRepository } from '../../workspace/git/git-repository.ts';
import { NamedAddresses } from '../../workspace/remote/named-addresses.ts';
import { BlobContents, commitTree } from '../../workspace/render/commit-tree.ts';
import { openEngine } from '../../workspace/render/open-engine.ts';
import { sourceAccess } from '../../workspace/sources/source-access.ts';
import { lazyValidation } from '../../workspace/validation/load-validation.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { askedVersion } from './asked-version.ts';
import { type ChangedSettings, changedSettings } from './changed-settings.ts';
import {
  type ChangeOptions,
  type CheckOptions,
  type CheckResult,
  cacheIn,
  type Start,
  startOf,
} from './check-repository.ts';
import { NOTHING_FETCHED } from './fetch-access.ts';
import { fetchRemotes } from './fetch-remotes.ts';
import { ownerRulesOf } from './owner-rules.ts';
import { type ComparedSources, openComparedSources } from './policy-sources.ts';
import { schemaSources } from './schema-source.ts';
import { optimizeForChange } from './v8-settings.ts';

/** Throws WorkspaceError if something cannot be read. `start`: the result of `startOf`, if the caller has it. */
export async function checkChanges(options: CheckOptions, change: ChangeOptions, start?: Start): Promise<CheckResult> {
  askedVersion(options.overrides.kubernetesVersion);
  optimizeForChange();
  options.stages?.enter('discover');
  const { repository, ...where } = start ?? (await startOf(options));
  const { root } = where;
  if (repository === undefined) throw new WorkspaceError('bad-revision', `\`${root}\` is not in a Git checkout`);
  // Derives base's tree from head's, which is faster than listing both.
  await repository.listTreeFrom(change.head, change.base);
  const touched = (await repository.changedFiles(change.head, change.base)).map(({ path }) => path);
  // The settings come first: they say which files to discover and which policy sources to open.
  const settings = await changedSettings(repository, change, touched, options);
  if ('unusable' in settings) return settings;
  const repositoryUrl = await repository.originUrl();
  const states = await discoverBoth({ ...where, repository }, settings, change);
  options.stages?.count('discover', 'files', states.head.files.length);
  const engine = openEngine({
    cache: cacheIn(options.cache, root),
    workers: options.workers,
    budget: renderingMilliseconds(settings.configuration),
  });
  const run = {
    names: change,
    touched,
    engine: options.engine ?? engine.engine,
    root,
    ...(repositoryUrl !== undefined && { repositoryUrl }),
  };
  // The change must not write to a folder used as policy source, so the files of both states must be known.
  const sources = await openComparedSources(
    { ...settings.policySources, mayChoose: settings.configuration.policiesFrom !== 'base' },
    { root, places: [states.base, states.head] },
    options.sourceAccess ?? sourceAccess(),
  );
  try {
    const ownerRules = await ownerRulesOf({ root, commit: { repository, id: change.base } });
    return { report: await compare(states, { ...settings, ownerRules }, sources, run, options), unusable: false };
  } finally {
    engine.close();
    await sources.close();
  }
}

interface ChangedStates {
  readonly base: ChangedState;
  readonly head: ChangedState;
}

type ChangedState = Discovery & { readonly tree: FileTree };

async function discoverBoth(
  { directory, paths, root, repository }: Start & { readonly repository: GitRepository },
  { configuration }: ChangedSettings,
  commits: ChangeOptions,
): Promise<ChangedStates> {
  const { include, exclude } = configuration;
  const common = { directory, repository, paths, include, exclude, context: contextGlobs(configuration) };
  const head = await discover({ ...common, commit: commits.head });
  const base = await discoverFrom(head, { ...common, commit: commits.base });
  if (base.isLarge) collectOften();
  requirePaths(
    paths.map((path) => ({ path, fromRoot: relative(root, resolve(directory, path)) })),
    [base, head],
  );
  const contents = new BlobContents(repository);
  const withTree = async (commit: ObjectId, discovery: Discovery): Promise<ChangedState> => ({
    ...discovery,
    tree: commitTree(await repository.listTree(commit), discovery.files, contents),
  });
  return { base: await withTree(commits.base, base), head: await withTree(commits.head, head) };
}

async function compare(
  { base, head }: ChangedStates,
  {
    configuration,
    next,
    baseline,
    ownerRules,
    ...settings
  }: ChangedSettings & { readonly ownerRules: OwnerRules | undefined },
  sources: ComparedSources,
  run: Pick<ComparisonInput, 'names' | 'touched' | 'repositoryUrl'> & {
    readonly engine: () => RenderEngine;
    readonly root: string;
  },
  options: CheckOptions,
): Promise<Report> {
  const { root, ...names } = run;
  const cache = cacheIn(options.cache, root);
  const texts = cache && new KnownTexts({ ...cache, of: 'change' });
  const builder = new RootBuilder(new Documents(undefined, texts));
  // Missing schemas and remotes depend on the contents of both states.
  const rendered = [base, head].map((state) => ({
    ...state,
    rendering: {
      tree: state.tree,
      engine: run.engine,
      builder,
      ...(run.repositoryUrl !== undefined && { repositoryUrl: run.repositoryUrl }),
    },
    configuration,
  }));
  const schemas = await schemaSources(rendered, options.schemas, root);
  const input: ComparisonInput = {
    ...names,
    base: { ...base, policySources: [...sources.base, ...schemas] },
    head: { ...head, policySources: [...sources.head, ...schemas] },
    builder,
    configuration,
    serverValidation: lazyValidation(cache),
    policiesFrom: configuration.policiesFrom,
    only: configuration.only,
    notices: [...settings.notices, ...sources.notices],
    ...(next && { next }),
    diagnostics: settings.diagnostics,
    ...(baseline && { baseline }),
    ...(ownerRules && { ownerRules }),
    ...(options.today !== undefined && { today: options.today }),
    suggests: options.suggests === true,
    explainsMutations: options.explainsMutations === true,
    ...(texts && { answers: texts.answers }),
  };
  const { stages } = options;
  const kinds = configuration.fetch;
  const access = kinds.length === 0 ? undefined : options.fetching;
  if (access !== undefined) stages?.enter('fetch');
  const ofBase = new NamedByBase(base);
  const missing = (remotes: FetchedRemotes): readonly Remote[] => {
    const found = missingInChange({ ...input, remotes });
    ofBase.add(found.base);
    return [...found.base, ...found.head];
  };
  const request = access && { access, kinds, root, named: () => ofBase.addresses() };
  const fetched = request === undefined ? NOTHING_FETCHED : await fetchRemotes(request, run.engine, missing);
  try {
    const { remotes, hosts } = fetched;
    const report = compareStates({ ...input, remotes, ...(stages && { stages }) });
    texts?.keep();
    return hosts.length === 0 ? report : { ...report, fetched: hosts };
  } finally {
    await fetched.close();
  }
}

/** The addresses that base's files name, and those that what they name leads to. */
class NamedByBase {
  readonly #base: ChangedState;
  readonly #led: Remote[] = [];
  #written: readonly Remote[] | undefined;
  #addresses: NamedAddresses | undefined;

  constructor(base: ChangedState) {
    this.#base = base;
  }

  add(remotes: readonly Remote[]): void {
    append(this.#led, remotes);
    this.#addresses = undefined;
  }

  addresses(): NamedAddresses {
    this.#written ??= namedRemotes(this.#base.files.map(({ file }) => file));
    this.#addresses ??= new NamedAddresses([...this.#written, ...this.#led]);
    return this.#addresses;
  }
}

/** A path in neither commit is a typo: checking it would find nothing. */
function requirePaths(
  named: readonly { readonly path: string; readonly fromRoot: string }[],
  states: readonly { readonly paths: ReadonlySet<string> }[],
): void {
  for (const { path, fromRoot } of named) {
    const below = fromRoot === '' ? '' : `${fromRoot.split(sep).join('/')}/`;
    const isThere = states.some(({ paths }) => paths.has(below.slice(0, -1)) || holdsPrefix(paths, below));
    if (isThere) continue;
    throw new WorkspaceError('path-not-found', `neither commit contains a file or folder \`${path}\``, {
      hint: 'paths are relative to the working directory',
    });
  }
}

function holdsPrefix(paths: ReadonlySet<string>, prefix: string): boolean {
  for (const path of paths) if (path.startsWith(prefix)) return true;
  return false;
}

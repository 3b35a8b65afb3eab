// `preadmit diff --base-dir A --head-dir B`: compares two folders of rendered manifests like two commits, without Git.
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compareStates } from '../../../pipeline/compare-states.ts';
import { listedTree } from '../../../render/engine/listed-tree.ts';
import { RenderBudget } from '../../../render/engine/render-budget.ts';
import { contextGlobs, renderingMilliseconds } from '../../../settings/configuration.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import { type Discovery, discover } from '../../../workspace/discover/discover.ts';
import { folderTree } from '../../../workspace/render/folder-tree.ts';
import { lazyEngine } from '../../../workspace/render/load-engine.ts';
import { openSources } from '../../../workspace/sources/open-sources.ts';
import { sourceAccess } from '../../../workspace/sources/source-access.ts';
import { lazyValidation } from '../../../workspace/validation/load-validation.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';
import { askedVersion } from '../../run/asked-version.ts';
import { type CheckOptions, type CheckResult, settingsOf, startOf } from '../../run/check-repository.ts';
import { schemaSources } from '../../run/schema-source.ts';

/** Folder names as given on the command line. */
export interface ComparedFolders {
  readonly base: string;
  readonly head: string;
}

/** Both folders use the configuration of the working directory. Throws WorkspaceError if something cannot be read. */
export async function compareFolders(options: CheckOptions, names: ComparedFolders): Promise<CheckResult> {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages, today } = options;
  stages?.enter('discover');
  const { root } = await startOf({ ...options, paths: [] });
  const settings = await settingsOf(root, options);
  if ('unusable' in settings) return settings;
  const { configuration, baseline } = settings;
  const { include, exclude } = configuration;
  const sweep = async (name: string): Promise<Discovery> => {
    const directory = await realFolder(resolve(options.directory, name), name);
    return discover({ directory, isPlain: true, include, exclude, context: contextGlobs(configuration) });
  };
  const base = await sweep(names.base);
  const head = sharing(await sweep(names.head), base);
  stages?.count('discover', 'files', head.files.length);
  const isEmpty = ({ files }: Discovery): boolean => !files.some(({ selected }) => selected);
  if (isEmpty(base) && isEmpty(head)) {
    throw new WorkspaceError(
      'path-not-found',
      `neither \`${names.base}\` nor \`${names.head}\` contains a file to check`,
      {
        hint: 'make sure the folders are rendered, and check `include` and `exclude`',
      },
    );
  }
  const [baseTree, headTree] = [treeOf(base), treeOf(head)];
  const opened = await openSources(
    configuration.policySources,
    { root, places: [base, head] },
    options.sourceAccess ?? sourceAccess(),
  );
  try {
    const schemas = await schemaSources(
      [
        { ...base, tree: baseTree, configuration },
        { ...head, tree: headTree, configuration },
      ],
      options.schemas,
      root,
    );
    const policySources = [...opened.contents, ...schemas];
    const report = compareStates({
      base: { ...base, tree: baseTree, policySources },
      head: { ...head, tree: headTree, policySources },
      engine: lazyEngine({ budget: new RenderBudget(renderingMilliseconds(configuration)) }),
      touched: touchedPaths(base, head, baseTree, headTree),
      names,
      configuration,
      serverValidation: lazyValidation(),
      policiesFrom: configuration.policiesFrom,
      only: configuration.only,
      notices: isEmpty(head)
        ? [`\`${names.head}\` contains no file to check, so every object is reported as deleted`]
        : [],
      ...(baseline && { baseline }),
      ...(today !== undefined && { today }),
      suggests: options.suggests === true,
      explainsMutations: options.explainsMutations === true,
      ...(stages && { stages }),
    });
    return { report, unusable: false };
  } finally {
    await opened.close();
  }
}

/** Files with equal text share one SourceFile, as files of two commits do. */
function sharing(head: Discovery, base: Discovery): Discovery {
  const known = new Map(base.files.map(({ file }) => [file.path, file]));
  return {
    ...head,
    files: head.files.map(({ file, selected }) => {
      const same = known.get(file.path);
      return { file: same?.text === file.text ? same : file, selected };
    }),
  };
}

function treeOf({ root, paths }: Discovery): FileTree {
  return listedTree(folderTree(root), paths);
}

function touchedPaths(base: Discovery, head: Discovery, baseTree: FileTree, headTree: FileTree): readonly string[] {
  const [before, now] = [base, head].map(({ files }) => new Map(files.map(({ file }) => [file.path, file]))) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ];
  return [...new Set([...base.paths, ...head.paths])].filter((path) => {
    if (before.has(path) || now.has(path)) return before.get(path) !== now.get(path);
    const [one, other] = [baseTree.read(path), headTree.read(path)];
    return one === undefined || other === undefined || Buffer.compare(one, other) !== 0;
  });
}

async function realFolder(folder: string, name: string): Promise<string> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return realpath(folder);
  throw new WorkspaceError('path-not-found', `folder \`${name}\` does not exist`, {
    hint: 'paths are relative to the working directory',
  });
}

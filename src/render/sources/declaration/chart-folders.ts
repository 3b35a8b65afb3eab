// Charts of the repository: their builds with default values, and whether their templates declare what controllers apply.

import { baseName, folderOf } from '../../../source/text/repository-path.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { Build } from '../controller.ts';
import { type ClusterTraits, installedFacts } from '../root/cluster-traits.ts';
import { ANY_PART, openPath } from './possible-paths.ts';

const TEMPLATE = /\.(?:ya?ml|tpl|json)$/;
/** A kind that leads to further folders, in the text of a template. */
const LEADING_KIND = /^[ \t-]*kind:[ \t]*["']?(?:Application(?:Set)?|Kustomization)["']?[ \t]*\r?$/m;
const LEADING_GROUP = /argoproj\.io|kustomize\.toolkit\.fluxcd\.io/;
const PATH_FIELD = /^[ \t-]*path:(.*)$/gm;

export interface TopChart {
  readonly folder: string;
  /** Path of its `Chart.yaml`. */
  readonly file: string;
}

/** Charts that no other chart contains. */
export function topCharts(paths: ReadonlySet<string>): readonly TopChart[] {
  return [...paths].flatMap((file) => {
    const folder = folderOf(file);
    return baseName(file) === 'Chart.yaml' && !isInsideChart(folder, paths) ? [{ folder, file }] : [];
  });
}

function isInsideChart(folder: string, paths: ReadonlySet<string>): boolean {
  const [, above] = /^(?:(.*)\/)?charts\//.exec(folder) ?? [];
  if (!/(?:^|\/)charts\//.test(folder)) return false;
  return paths.has(above === undefined ? 'Chart.yaml' : `${above}/Chart.yaml`);
}

export function chartBuild(folder: string, cluster: ClusterTraits, apiVersions: readonly string[]): Build {
  return {
    request: {
      engine: 'helm',
      chart: folder === '.' ? '' : folder,
      releaseName: folder === '.' ? 'chart' : baseName(folder),
      namespace: 'default',
      includeCrds: true,
      skipTests: true,
      ...installedFacts(cluster),
      apiVersions,
    },
    folder,
    applier: { obeys: ['argo-cd', 'helm'] },
    asksCluster: true,
  };
}

/**
 * Folders that objects of the chart's templates may lead to, for any values. Undefined if no template declares an object that leads to a
 * folder.
 */
export function foldersOfTemplates(chart: string, tree: FileTree): readonly string[] | undefined {
  const texts = templatesIn(chart === '.' || chart === '' ? 'templates' : `${chart}/templates`, tree);
  const leading = texts.filter((text) => LEADING_GROUP.test(text) && LEADING_KIND.test(text));
  if (leading.length === 0) return undefined;
  return leading.flatMap(pathsIn);
}

function pathsIn(text: string): readonly string[] {
  const paths = [...text.matchAll(PATH_FIELD)].map(([, field = '']) => {
    const path = field
      .replace(/\s#.*$/, '')
      .trim()
      .replace(/^["']|["']$/g, '');
    return /^[>|]/.test(path) ? ANY_PART : openPath(path);
  });
  // The path may be written in another style.
  return paths.length === 0 ? [ANY_PART] : paths;
}

/** Links are not followed, so the depth is limited by the repository. */
function templatesIn(folder: string, tree: FileTree): readonly string[] {
  if (tree.kind(folder) !== 'folder') return [];
  return tree.list(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (tree.kind(path) === 'folder') return templatesIn(path, tree);
    const bytes = TEMPLATE.test(name) ? tree.read(path) : undefined;
    return bytes === undefined ? [] : [new TextDecoder().decode(bytes)];
  });
}

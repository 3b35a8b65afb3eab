// The API versions that the files of a repository show: of their objects and of their CustomResourceDefinitions.
import { type Resource, resourcesOf } from '../../../kubernetes/api/resource.ts';
import { readManifests } from '../../../source/manifest/read-manifests.ts';
import { joinPaths } from '../../../source/text/repository-path.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { Build } from '../controller.ts';
import type { RemoteShelf } from '../remote/remote-shelf.ts';
import type { ClusterAnswers } from '../root/chart-variants.ts';
import type { ClusterTraits } from '../root/cluster-traits.ts';
import { SeenApis, servedAnswer } from '../root/served-apis.ts';

interface Files {
  readonly resources: readonly Resource[];
  readonly known?: readonly Resource[];
  readonly paths: ReadonlySet<string>;
  clusterAt(path: string): ClusterTraits;
  fileAt(path: string): SourceFile | undefined;
}

/** Helm installs these files before it renders the templates. */
const CHART_DEFINITION = /(?:^|\/)crds\/[^/]+\.(?:ya?ml|json)$/;

/** Limit for dependencies of dependencies. */
const MAXIMUM_DEPTH = 8;

/**
 * Only files count, not the objects that templates render: a comparison renders a part of the roots and must give the answers of a check.
 */
export class RepositoryApis {
  readonly #files: Files;
  readonly #shelf: RemoteShelf;
  #seen: SeenApis | undefined;

  constructor(files: Files, shelf: RemoteShelf) {
    this.#files = files;
    this.#shelf = shelf;
  }

  /** `path`: the file of the declaration that applies the chart. */
  answers(path: () => string, { request }: Pick<Build, 'request'>): ClusterAnswers {
    const traits = (): ClusterTraits => this.#files.clusterAt(path());
    let seen: SeenApis | undefined;
    return {
      serves: (api) => {
        seen ??= request.engine === 'helm' ? this.#withChart(request.chart) : this.#found();
        return servedAnswer(api, traits(), seen);
      },
      knowsDistribution: () => traits().gitVersion !== undefined,
    };
  }

  #found(): SeenApis {
    if (this.#seen !== undefined) return this.#seen;
    const { resources, known = [], paths, fileAt } = this.#files;
    const seen = new SeenApis();
    for (const resource of [...resources, ...known]) seen.add(resource);
    for (const path of paths) {
      const file = CHART_DEFINITION.test(path) ? fileAt(path) : undefined;
      if (file !== undefined) addObjects(seen, file);
    }
    this.#seen = seen;
    return seen;
  }

  /** A fetched chart or dependency is not among the files of the repository, but Helm installs its definitions too. */
  #withChart(chart: string): SeenApis {
    const found = this.#found();
    if (this.#shelf.isEmpty) return found;
    const seen = new SeenApis(found);
    for (const file of definitionsOf(chart, this.#shelf.tree, MAXIMUM_DEPTH)) addObjects(seen, file);
    return seen;
  }
}

function addObjects(seen: SeenApis, file: SourceFile): void {
  for (const manifest of readManifests(file).manifests) {
    for (const result of resourcesOf(manifest)) if ('resource' in result) seen.add(result.resource);
  }
}

/** Files of `crds` folders of a chart and its unpacked dependencies. */
function* definitionsOf(chart: string, tree: FileTree, depth: number): Generator<SourceFile> {
  for (const name of tree.list(joinPaths(chart, 'crds'))) {
    const path = joinPaths(chart, 'crds', name);
    const bytes = CHART_DEFINITION.test(path) ? tree.read(path) : undefined;
    if (bytes !== undefined) yield new SourceFile(path, new TextDecoder().decode(bytes));
  }
  if (depth === 0) return;
  for (const name of tree.list(joinPaths(chart, 'charts'))) {
    const dependency = joinPaths(chart, 'charts', name);
    if (tree.kind(dependency) === 'folder') yield* definitionsOf(dependency, tree, depth - 1);
  }
}

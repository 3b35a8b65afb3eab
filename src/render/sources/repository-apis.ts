// The API versions that the files of a repository show: of their objects and of their CustomResourceDefinitions.
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { ClusterAnswers } from './chart-variants.ts';
import type { ClusterTraits } from './cluster-traits.ts';
import { SeenApis, servedAnswer } from './served-apis.ts';

interface Files {
  readonly resources: readonly Resource[];
  readonly known?: readonly Resource[];
  readonly paths: ReadonlySet<string>;
  clusterAt(path: string): ClusterTraits;
  fileAt(path: string): SourceFile | undefined;
}

/** Helm installs these files before it renders the templates. */
const CHART_DEFINITION = /(?:^|\/)crds\/[^/]+\.(?:ya?ml|json)$/;

/**
 * Only files count, not the objects that templates render: a comparison renders a part of the roots and must give the answers of a check.
 */
export class RepositoryApis {
  readonly #files: Files;
  #seen: SeenApis | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  /** `path`: the file of the declaration that applies the chart. */
  answers(path: () => string): ClusterAnswers {
    const traits = (): ClusterTraits => this.#files.clusterAt(path());
    return {
      serves: (api) => servedAnswer(api, traits(), this.#found()),
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
      for (const manifest of file === undefined ? [] : readManifests(file).manifests) {
        for (const result of resourcesOf(manifest)) if ('resource' in result) seen.add(result.resource);
      }
    }
    this.#seen = seen;
    return seen;
  }
}

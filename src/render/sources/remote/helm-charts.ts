// Finds charts that a build needs besides its files: those of `helmCharts`, and dependencies of charts.
import type { Kustomization } from '../../../inventory/kustomize-references.ts';
import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { folderOf, joinPaths } from '../../../source/text/repository-path.ts';
import { readYaml } from '../../../source/yaml/yaml-to-json.ts';
import type { Build, UnknownPart } from '../controller.ts';
import { type Reach, reaches } from '../kustomization/kustomization-graph.ts';
import type { ChartReference, Remote } from './remote.ts';
import type { RemoteShelf } from './remote-shelf.ts';

export interface NeededCharts {
  readonly assumes: readonly string[];
  readonly missing: readonly Remote[];
  readonly failures: readonly UnknownPart[];
  /** By expected folder: why the chart is missing. */
  readonly missingFolders: ReadonlyMap<string, UnknownPart>;
}

const REMOTE = /^(?:https?|oci):\/\//;

export class HelmCharts {
  readonly #kustomizations: readonly Kustomization[];
  readonly #shelf: RemoteShelf;

  constructor(kustomizations: readonly Kustomization[], shelf: RemoteShelf) {
    this.#kustomizations = kustomizations.filter(({ content }) => content.has('helmCharts'));
    this.#shelf = shelf;
  }

  /** True if a build may need charts, present or not. */
  mayTake({ request }: Pick<Build, 'request'>, reach: Reach): boolean {
    if (request.engine !== 'kustomize' || request.enableHelm !== true) return request.engine === 'helm';
    return this.#kustomizations.some(({ path }) => reaches(reach, path));
  }

  /** Puts fetched charts at the paths that the build expects. */
  neededBy({ request }: Build, reach: Reach): NeededCharts {
    const needed = [...this.#wantedBy(request, reach)].filter(
      ([folder]) => this.#shelf.tree.kind(folder) === undefined,
    );
    const mounted = needed.map(([folder, reference]) => [folder, this.#shelf.mountChart(reference, folder)] as const);
    const answers = mounted.map(([, answer]) => answer);
    const failures = answers.flatMap((answer) => ('unknown' in answer ? [answer] : []));
    const missing = mounted.flatMap(([folder, answer]) => ('unknown' in answer ? [[folder, answer] as const] : []));
    return {
      assumes: answers.flatMap((answer) => ('unknown' in answer ? [] : [answer.assumes])),
      missing: failures.flatMap(({ missing = [] }) => missing),
      failures,
      missingFolders: new Map(missing),
    };
  }

  /** Expected folders and their charts. */
  *#wantedBy(request: Build['request'], reach: Reach): Generator<readonly [string, ChartReference]> {
    if (request.engine === 'helm') yield* this.#dependenciesOf(request.chart);
    if (request.engine !== 'kustomize' || request.enableHelm !== true) return;
    for (const { path, content } of this.#kustomizations) {
      if (reaches(reach, path)) yield* helmChartsOf(folderOf(path), content);
    }
  }

  /** Follows `helm dependency build`: dependencies go to `charts/`, with versions from the lock file. */
  *#dependenciesOf(chart: string): Generator<readonly [string, ChartReference]> {
    const description = this.#read(joinPaths(chart, 'Chart.yaml'));
    const lock = this.#read(joinPaths(chart, 'Chart.lock'));
    const locked = new Map(objectItems(lock?.get('dependencies')).map((entry) => [textField(entry, 'name'), entry]));
    const present = this.#shelf.tree.list(joinPaths(chart, 'charts').replace(/^\.\//, ''));
    for (const dependency of objectItems(description?.get('dependencies'))) {
      const name = textField(dependency, 'name');
      const repository = textField(dependency, 'repository');
      const isArchived = present.some((file) => file.startsWith(`${name}-`) && file.endsWith('.tgz'));
      if (!isFolderName(name) || isArchived || !REMOTE.test(repository)) continue;
      const version = textField(locked.get(name) ?? dependency, 'version');
      yield [joinPaths(chart, 'charts', name), { repository, name, version }];
    }
  }

  #read(path: string): JsonObject | undefined {
    const bytes = this.#shelf.tree.read(path);
    const read = bytes === undefined ? undefined : readYaml(new TextDecoder().decode(bytes));
    return read !== undefined && 'value' in read && isJsonObject(read.value) ? read.value : undefined;
  }
}

/** A name such as `..` would put the chart at another path. */
function isFolderName(name: string): boolean {
  return !['', '.', '..'].includes(name) && !name.includes('/');
}

/** Follows `HelmChartInflationGenerator`: `<chartHome>/<name>-<version>/<name>`. */
function* helmChartsOf(folder: string, content: JsonObject): Generator<readonly [string, ChartReference]> {
  const home = textField(objectOrEmpty(content.get('helmGlobals')), 'chartHome') || 'charts';
  for (const chart of objectItems(content.get('helmCharts'))) {
    const [name, repository, version] = ['name', 'repo', 'version'].map((field) => textField(chart, field)) as [
      string,
      string,
      string,
    ];
    if (!isFolderName(name) || !REMOTE.test(repository)) continue;
    const own = version === '' ? home : joinPaths(home, `${name}-${version}`);
    yield [joinPaths(folder, own, name), { repository, name, version }];
  }
}

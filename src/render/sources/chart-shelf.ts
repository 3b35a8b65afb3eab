// Adds fetched charts to the engine's file tree: in a separate folder, and at the paths that builds expect.

import { type FileTree, treeOf } from '../../source/tree/file-tree.ts';
import { type ChartReference, chartKey, chartLabel, type FetchedCharts } from './chart-reference.ts';
import type { FoundChart, UnknownPart } from './controller.ts';
import { overTree } from './recorded-tree.ts';

/** A folder name that repositories do not use. */
const SHELF = '.preadmit-fetched-charts';
const HELP = 'vendor the chart, fetch it with `--fetch-charts`, or check the rendered manifests';

export class ChartShelf {
  /** The repository plus the charts requested so far. */
  readonly tree: FileTree;
  readonly #charts: FetchedCharts;
  readonly #files = new Map<string, Uint8Array>();
  #mounted: FileTree;

  constructor(tree: FileTree, charts: FetchedCharts) {
    this.#charts = charts;
    this.#mounted = treeOf({ files: this.#files });
    this.tree = charts.size === 0 ? tree : overTree(tree, () => this.#mounted);
  }

  /** For a chart that was not fetched, the result contains the reference, so that the caller can fetch it. */
  find(reference: ChartReference): FoundChart | UnknownPart {
    const label = chartLabel(reference);
    const fetched = this.#charts.get(chartKey(reference));
    if (fetched === undefined) {
      return { unknown: `chart ${label} is not in the repository`, help: HELP, chart: reference };
    }
    if ('failure' in fetched) {
      const unknown = `chart ${label} is not in the repository and could not be fetched: ${fetched.failure}`;
      return { unknown, help: 'correct the reference, vendor the chart, or check the rendered manifests' };
    }
    const folder = `${SHELF}/${fetched.digest.replace(/^sha256:/, '').slice(0, 16)}/${reference.name}`;
    this.#mount(folder, fetched.files);
    const version = fetched.version === reference.version ? '' : `, as ${fetched.version}`;
    return { folder, assumes: `chart ${label} was fetched${version} (${fetched.digest})` };
  }

  /** Also puts the chart at the path that a build expects. */
  mount(reference: ChartReference, folder: string): FoundChart | UnknownPart {
    const found = this.find(reference);
    const fetched = this.#charts.get(chartKey(reference));
    if ('unknown' in found || fetched === undefined || 'failure' in fetched) return found;
    this.#mount(folder, fetched.files);
    return { ...found, folder };
  }

  #mount(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
    if (this.#mounted.kind(folder) === 'folder') return;
    for (const [path, bytes] of files) this.#files.set(`${folder}/${path}`, bytes);
    this.#mounted = treeOf({ files: this.#files });
  }
}

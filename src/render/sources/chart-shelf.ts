// Charts that were fetched, in the tree that the engine sees: in a folder of their own, and where a build looks for them.

import { type FileTree, treeOf } from '../engine/file-tree.ts';
import { type ChartReference, chartKey, chartLabel, type FetchedCharts } from './chart-reference.ts';
import type { FoundChart, UnknownPart } from './controller.ts';
import { overTree } from './recorded-tree.ts';

/** A folder that hides whatever a repository might have there. */
const SHELF = '.preadmit-fetched-charts';
const HELP = 'vendor the chart, fetch it with `--fetch-charts`, or check rendered manifests';

export class ChartShelf {
  /** The repository with the charts that were asked for so far. */
  readonly tree: FileTree;
  readonly #charts: FetchedCharts;
  readonly #files = new Map<string, Uint8Array>();
  #mounted: FileTree;

  constructor(tree: FileTree, charts: FetchedCharts) {
    this.#charts = charts;
    this.#mounted = treeOf({ files: this.#files });
    this.tree = charts.size === 0 ? tree : overTree(tree, () => this.#mounted);
  }

  /** A chart that nobody fetched is in the answer, so that somebody may. */
  find(reference: ChartReference): FoundChart | UnknownPart {
    const label = chartLabel(reference);
    const fetched = this.#charts.get(chartKey(reference));
    if (fetched === undefined) {
      return { unknown: `chart ${label} is not in the repository`, help: HELP, chart: reference };
    }
    if ('failure' in fetched) {
      const unknown = `chart ${label} is not in the repository and could not be fetched: ${fetched.failure}`;
      return { unknown, help: 'correct what names it, vendor the chart, or check rendered manifests' };
    }
    const folder = `${SHELF}/${fetched.digest.replace(/^sha256:/, '').slice(0, 16)}/${reference.name}`;
    this.#mount(folder, fetched.files);
    const version = fetched.version === reference.version ? '' : `, as ${fetched.version}`;
    return { folder, assumes: `chart ${label} was fetched${version} (${fetched.digest})` };
  }

  /** The same where a build looks for it. */
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

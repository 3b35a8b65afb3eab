// Fetches charts that a repository references but does not contain: only if enabled, and without running anything of them.

import type { RenderEngine } from '../../render/engine/render-engine.ts';
import { allowedVersions, isExactVersion } from '../../render/engine/version-constraint.ts';
import { type ChartReference, chartKey, type FetchedChart } from '../../render/sources/chart-reference.ts';
import { httpsTransport } from '../network/https-transport.ts';
import { type Transport, TransportError } from '../network/transport.ts';
import { ChartCache } from './chart-cache.ts';
import { ChartClient } from './chart-client.ts';
import type { FoundArchive, VersionChoice } from './found-archive.ts';
import { HelmRepositories } from './helm-repository.ts';
import { OciRegistries } from './oci-registry.ts';
import { readArchive } from './read-archive.ts';

export interface ChartFetching {
  /** Cache folder outside `root`. */
  readonly cache?: string;
  /** Root of the checked repository. */
  readonly root: string;
  /** Credentials from the environment: `user:password` or `Bearer …` by host. */
  readonly credentials: ReadonlyMap<string, string>;
  /** Hosts that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  readonly engine: () => RenderEngine;
  readonly transport?: Transport;
}

const MILLISECONDS = 300_000;
const MAXIMUM_CHARTS = 1_000;
const AT_ONCE = 4;

export class ChartFetcher {
  readonly charts = new Map<string, FetchedChart>();
  readonly #helm: HelmRepositories;
  readonly #oci: OciRegistries;
  readonly #cache: ChartCache;
  readonly #choose: VersionChoice;

  /** Throws WorkspaceError if the cache cannot be used. */
  constructor({ cache, root, credentials, privateHosts, now, engine, transport = httpsTransport() }: ChartFetching) {
    const client = new ChartClient({ transport, credentials, privateHosts, now, milliseconds: MILLISECONDS });
    this.#helm = new HelmRepositories(client);
    this.#oci = new OciRegistries(client);
    this.#cache = new ChartCache(cache, root);
    this.#choose = (wanted, versions) =>
      isExactVersion(wanted) && versions.includes(wanted) ? wanted : allowedVersions(wanted, versions, engine())[0];
  }

  /** Never rejects; failures are stored in `charts`. */
  async fetch(references: readonly ChartReference[]): Promise<void> {
    const wanted = new Map(references.map((reference) => [chartKey(reference), reference]));
    const pending = [...wanted].flatMap(([key, reference]) => (this.charts.has(key) ? [] : [reference]));
    const next = async (): Promise<void> => {
      for (let reference = pending.shift(); reference !== undefined; reference = pending.shift()) {
        this.charts.set(chartKey(reference), await this.#fetched(reference));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }

  async #fetched(reference: ChartReference): Promise<FetchedChart> {
    if (this.charts.size >= MAXIMUM_CHARTS) return { failure: 'the limit of 1,000 charts is reached' };
    try {
      const found = this.#cache.find(reference) ?? (await this.#found(reference));
      const read = readArchive(found.archive);
      return 'failure' in read ? read : { files: read.files, version: found.version, digest: found.digest };
    } catch (error) {
      if (error instanceof TransportError) return { failure: error.message };
      throw error;
    }
  }

  async #found(reference: ChartReference): Promise<FoundArchive> {
    const source = /^oci:\/\//i.test(reference.repository) ? this.#oci : this.#helm;
    const found = await source.find(reference, this.#choose, this.#cache);
    this.#cache.add(reference, found);
    return found;
  }
}

// Fetches one chart from a Helm repository or an OCI registry, without running anything of it.
import { isExactVersion } from '../../render/engine/version-constraint.ts';
import type { ChartReference, Fetched } from '../../render/sources/remote/remote.ts';
import type { HostClient } from '../network/host-client.ts';
import { ChartCache } from './chart-cache.ts';
import type { FoundArchive, VersionChoice } from './found-archive.ts';
import { HelmRepositories } from './helm-repository.ts';
import { OciRegistries } from './oci-registry.ts';
import { readArchive } from './read-archive.ts';

export interface ChartFetching {
  /** Cache folder outside `root`. */
  readonly cache: string | undefined;
  /** Root of the checked repository. */
  readonly root: string;
  readonly client: HostClient;
  /** Selects among versions by a constraint, newest first. */
  readonly allowed: (constraint: string, versions: readonly string[]) => readonly string[];
}

export class ChartFetcher {
  readonly #helm: HelmRepositories;
  readonly #oci: OciRegistries;
  readonly #cache: ChartCache;
  readonly #choose: VersionChoice;

  /** Throws WorkspaceError if the cache cannot be used. */
  constructor({ cache, root, client, allowed }: ChartFetching) {
    this.#helm = new HelmRepositories(client);
    this.#oci = new OciRegistries(client);
    this.#cache = new ChartCache(cache, root);
    this.#choose = (wanted, versions) =>
      isExactVersion(wanted) && versions.includes(wanted) ? wanted : allowed(wanted, versions)[0];
  }

  /** The chart of the cache; undefined if it must be fetched. */
  cached(reference: ChartReference): Fetched | undefined {
    const found = this.#cache.find(reference);
    return found && unpacked(found);
  }

  /** Rejects with a TransportError. */
  async fetch(reference: ChartReference): Promise<Fetched> {
    const source = /^oci:\/\//i.test(reference.repository) ? this.#oci : this.#helm;
    const found = await source.find(reference, this.#choose, this.#cache);
    this.#cache.add(reference, found);
    return unpacked(found);
  }
}

function unpacked({ archive, version, digest }: FoundArchive): Fetched {
  const read = readArchive(archive);
  return 'failure' in read ? read : { files: read.files, version, digest };
}

// Fetches charts, bases and Git repositories: only if enabled, and without running anything of them.
import { allowedVersions } from '../../render/engine/version-constraint.ts';
import {
  type BaseReference,
  type Fetched,
  fetchKindOf,
  type GitReference,
  type Remote,
  remoteKey,
} from '../../render/sources/remote/remote.ts';
import { remoteUrl } from '../../render/sources/remote/remote-url.ts';
import { parseRepositorySpec } from '../../render/sources/remote/repository-spec.ts';
import type { FetchKind } from '../../settings/configuration-shape.ts';
import { isJsonObject } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { ChartFetcher } from '../charts/chart-fetcher.ts';
import { digestOf, HostClient, statusError } from '../network/host-client.ts';
import type { HostCredentials } from '../network/host-credentials.ts';
import { httpsTransport } from '../network/https-transport.ts';
import { TransportError } from '../network/transport.ts';
import { GitFetcher } from './git-fetcher.ts';
import type { RemoteFetching } from './remote-fetching.ts';

/** What was fetched from one host, and the number of failures. */
type HostCounts = Readonly<Record<FetchKind | 'failed', number>>;

const MILLISECONDS = 300_000;
const MAXIMUM_REMOTES = 1_000;
const MAXIMUM_REPOSITORIES = 100;
const MAXIMUM_FILE_BYTES = 20 * 1024 * 1024;
/** Unpacked charts and files are kept in memory. */
const MAXIMUM_KEPT_BYTES = 512 * 1024 * 1024;
const AT_ONCE = 4;

/** Fetchers with the same credentials. */
interface Fetchers {
  readonly client: HostClient;
  readonly charts: ChartFetcher;
  readonly git: GitFetcher;
}

export class RemoteFetcher {
  readonly remotes = new Map<string, Fetched>();
  readonly #options: RemoteFetching;
  readonly #own: Fetchers;
  readonly #anonymous: Fetchers;
  readonly #hosts = new Map<string, { -readonly [Name in keyof HostCounts]: number }>();
  readonly #repositories = new Set<string>();
  #keptBytes = 0;

  /** Throws WorkspaceError if the cache cannot be used. */
  constructor(options: RemoteFetching) {
    this.#options = options;
    this.#own = fetchersWith(options, options.credentials);
    this.#anonymous = fetchersWith(options, new Map());
  }

  /** Never rejects for a remote that cannot be fetched; failures are stored in `remotes`. Kinds that are not enabled are ignored. */
  async fetch(remotes: readonly Remote[]): Promise<void> {
    const wanted = new Map(remotes.filter((each) => this.isEnabled(each)).map((each) => [remoteKey(each), each]));
    const pending = [...wanted].flatMap(([key, remote]) => (this.remotes.has(key) ? [] : [remote]));
    const next = async (): Promise<void> => {
      for (let remote = pending.shift(); remote !== undefined; remote = pending.shift()) {
        const fetched = this.#kept(await this.#fetched(remote));
        this.remotes.set(remoteKey(remote), fetched);
        this.#count(remote, fetched);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }

  isEnabled(remote: Remote): boolean {
    return this.#options.kinds.includes(fetchKindOf(remote));
  }

  /** Sorted by host. */
  hosts(): readonly ({ readonly host: string } & HostCounts)[] {
    const sorted = [...this.#hosts].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([host, counts]) => ({ host, ...counts }));
  }

  /** Removes fetched repositories. */
  async close(): Promise<void> {
    await Promise.all([this.#own.git.close(), this.#anonymous.git.close()]);
  }

  #kept(fetched: Fetched): Fetched {
    const contents = 'files' in fetched ? fetched.files.values() : 'bytes' in fetched ? [fetched.bytes] : [];
    let bytes = 0;
    for (const { length } of contents) bytes += length;
    if (this.#keptBytes + bytes > MAXIMUM_KEPT_BYTES) {
      return { failure: 'the limit of 512 MiB for all unpacked downloads is reached' };
    }
    this.#keptBytes += bytes;
    return fetched;
  }

  #count(remote: Remote, fetched: Fetched): void {
    const host = remoteUrl(remote)?.host;
    if (host === undefined || host === '') return;
    const counts = this.#hosts.get(host) ?? { charts: 0, bases: 0, git: 0, failed: 0 };
    this.#hosts.set(host, counts);
    if ('failure' in fetched) counts.failed++;
    else counts[fetchKindOf(remote)]++;
  }

  async #fetched(remote: Remote): Promise<Fetched> {
    if (this.remotes.size >= MAXIMUM_REMOTES)
      return { failure: `the limit of ${MAXIMUM_REMOTES} downloads is reached` };
    try {
      const known = await this.#cached(remote);
      return known ?? (await this.#fetchedBy(this.#fetchersFor(remote), remote));
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { failure: error.message, ...(error.help !== undefined && { help: error.help }) };
    }
  }

  async #cached(remote: Remote): Promise<Fetched | undefined> {
    if ('name' in remote) return this.#own.charts.cached(remote);
    const git = 'git' in remote ? remote : repositoryOf(remote);
    return git && this.#own.git.cached(git);
  }

  async #fetchedBy({ charts, git, client }: Fetchers, remote: Remote): Promise<Fetched> {
    if ('name' in remote) return charts.fetch(remote);
    if ('git' in remote) return git.fetch(this.#counted(remote));
    return this.#base(remote, client, git);
  }

  /** kustomize's order: a file if the address has manifests, otherwise a Git repository. */
  async #base(base: BaseReference, client: HostClient, git: GitFetcher): Promise<Fetched> {
    const repository = repositoryOf(base);
    if (base.as !== 'folder' && /^https?:/i.test(base.base)) {
      const { status, body, url } = await client.get(base.base, { maximumBytes: MAXIMUM_FILE_BYTES });
      const isFound = status >= 200 && status <= 299;
      if (isFound && (base.as === 'file' || repository === undefined || holdsManifests(body))) {
        return { bytes: body, digest: digestOf(body) };
      }
      if (repository === undefined) throw statusError(url.host, status);
    }
    if (repository === undefined) throw new TransportError('its address is not valid');
    return git.fetch(this.#counted(repository));
  }

  #counted(repository: GitReference): GitReference {
    this.#repositories.add(remoteKey(repository));
    if (this.#repositories.size <= MAXIMUM_REPOSITORIES) return repository;
    throw new TransportError(`the limit of ${MAXIMUM_REPOSITORIES} repositories is reached`);
  }

  /** A fork may neither choose a host, nor an address that base's credentials are sent to. */
  #fetchersFor(remote: Remote): Fetchers {
    if (this.#options.named === undefined) return this.#own;
    const named = this.#options.named();
    const host = remoteUrl(remote)?.host ?? '';
    if (named.hasHostsOf(remote)) return named.has(remote) ? this.#own : this.#anonymous;
    throw new TransportError(
      `${host} is not a host of the base branch`,
      'refused',
      undefined,
      'a change from a fork may not choose a host: a maintainer must add it in a change of this repository',
    );
  }
}

function fetchersWith(
  { transport = httpsTransport(), environment = process.env, engine, ...options }: RemoteFetching,
  credentials: HostCredentials,
): Fetchers {
  const client = new HostClient({ ...options, transport, credentials, milliseconds: MILLISECONDS });
  const allowed = (constraint: string, versions: readonly string[]): readonly string[] =>
    allowedVersions(constraint, versions, engine());
  const common = { cache: options.cache, root: options.root, client, allowed };
  return { client, charts: new ChartFetcher(common), git: new GitFetcher({ ...common, environment }) };
}

function repositoryOf({ base, as }: BaseReference): GitReference | undefined {
  const spec = as === 'file' ? undefined : parseRepositorySpec(base);
  return spec && { git: spec.url, revision: { as: 'fetch', text: spec.ref } };
}

/** Whether kustomize would accept a response as a file of resources. A web page is none. */
function holdsManifests(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body);
  if (/^\s*</.test(text)) return false;
  const { manifests, problems } = readManifests(new SourceFile('', text));
  return (
    problems.length === 0 &&
    manifests.length > 0 &&
    manifests.every(({ value }) => isJsonObject(value) && textField(value, 'kind') !== '')
  );
}

// Options of `fetch` from the environment, and the downloads until nothing is missing.

import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedRemotes, Remote } from '../../render/sources/remote.ts';
import type { FetchedHost } from '../../report/report.ts';
import type { FetchKind } from '../../settings/configuration-shape.ts';
import { parseCredentials } from '../../workspace/network/host-credentials.ts';
import type { NamedAddresses } from '../../workspace/remote/named-addresses.ts';
import { RemoteFetcher, type RemoteFetching } from '../../workspace/remote/remote-fetcher.ts';
import type { SchemaFetching } from '../../workspace/schemas/fetch-schemas.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** How remotes are fetched; the configuration says which. */
export interface FetchAccess extends Omit<RemoteFetching, 'engine' | 'root' | 'kinds' | 'named'> {
  /** True for a change from a fork: only the cache and the addresses of base are used. */
  readonly isRestricted?: boolean;
}
export type SchemaOptions = Omit<SchemaFetching, 'root'>;

/** One `<host>=<token>` or `<host>=<user>:<token>` per line. */
const FETCH_TOKENS_VARIABLE = 'PREADMIT_FETCH_TOKENS';
/** Hosts with private addresses, separated by commas or spaces. */
const PRIVATE_HOSTS = 'PREADMIT_FETCH_PRIVATE_HOSTS';
/** What was downloaded may name more. */
const MAXIMUM_ROUNDS = 8;

type Environment = Readonly<Record<string, string | undefined>>;

/** `tokens`: of the action; the default is the environment. Throws WorkspaceError for an invalid list of tokens. */
export function fetchAccess(
  environment: Environment,
  cache: string | undefined,
  now: () => number,
  tokens: string | undefined = environment[FETCH_TOKENS_VARIABLE],
): FetchAccess {
  const parsed = parseCredentials(tokens ?? '');
  if ('problem' in parsed) {
    throw new WorkspaceError('source-malformed', `${FETCH_TOKENS_VARIABLE} or \`fetch-tokens\`: ${parsed.problem}`);
  }
  return { credentials: parsed.credentials, environment, ...schemaOptions(environment, cache, now) };
}

/** Options of `--fetch-schemas`. */
export function schemaOptions(environment: Environment, cache: string | undefined, now: () => number): SchemaOptions {
  const hosts = (environment[PRIVATE_HOSTS] ?? '').split(/[\s,]+/).filter((host) => host !== '');
  return {
    privateHosts: new Set(hosts.map((host) => host.toLowerCase())),
    now,
    ...(cache !== undefined && { cache }),
  };
}

export interface FetchRun {
  readonly remotes: FetchedRemotes;
  readonly hosts: readonly FetchedHost[];
  /** Removes what was fetched; the remotes cannot be read afterwards. */
  close(): Promise<void>;
}

const NOTHING: FetchRun = { remotes: new Map(), hosts: [], close: async () => {} };

/**
 * `missing` receives what was fetched so far. `named`: the addresses of base, asked only if the access is restricted. Throws
 * WorkspaceError if the cache is unusable.
 */
export async function fetchRemotes(
  access: FetchAccess | undefined,
  kinds: readonly FetchKind[],
  { root, engine }: { readonly root: string; readonly engine: () => RenderEngine },
  missing: (remotes: FetchedRemotes) => readonly Remote[],
  named: () => NamedAddresses,
): Promise<FetchRun> {
  if (access === undefined || kinds.length === 0) return NOTHING;
  const { isRestricted, ...options } = access;
  const fetcher = new RemoteFetcher({ ...options, kinds, root, engine, ...(isRestricted === true && { named }) });
  try {
    for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
      const wanted = missing(fetcher.remotes).filter((remote) => fetcher.isEnabled(remote));
      if (wanted.length === 0) break;
      await fetcher.fetch(wanted);
    }
  } catch (error) {
    await fetcher.close();
    throw error;
  }
  return { remotes: fetcher.remotes, hosts: fetcher.hosts(), close: () => fetcher.close() };
}

// Options of `fetch` and `--fetch-schemas` from the environment. The code that fetches is loaded only if a run needs it.
import type { FetchedRemotes } from '../../render/sources/remote/remote.ts';
import type { FetchedHost } from '../../report/report.ts';
import type { FetchKind } from '../../settings/configuration-shape.ts';
import { parseCredentials } from '../../workspace/network/host-credentials.ts';
import type { NamedAddresses } from '../../workspace/remote/named-addresses.ts';
import type { RemoteFetching } from '../../workspace/remote/remote-fetching.ts';
import type { SchemaFetching } from '../../workspace/schemas/fetch-schemas.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

/** How remotes are fetched; the configuration says which. */
export interface FetchAccess extends Omit<RemoteFetching, 'engine' | 'root' | 'kinds' | 'named'> {
  /** True for a change from a fork: only the cache and the addresses of base are used. */
  readonly isRestricted?: boolean;
}

export interface FetchRequest {
  readonly access: FetchAccess;
  readonly kinds: readonly FetchKind[];
  /** Root of the checked repository. */
  readonly root: string;
  /** The addresses of base; asked only if the access is restricted. */
  readonly named: () => NamedAddresses;
}

export interface FetchedParts {
  readonly remotes: FetchedRemotes;
  readonly hosts: readonly FetchedHost[];
  /** Removes what was fetched; the remotes cannot be read afterwards. */
  close(): Promise<void>;
}

/** For a run that fetches nothing. */
export const NOTHING_FETCHED: FetchedParts = { remotes: new Map(), hosts: [], close: async () => {} };

export type SchemaOptions = Omit<SchemaFetching, 'root'>;

/** One `<host>=<token>` or `<host>=<user>:<token>` per line. */
const TOKENS_VARIABLE = 'PREADMIT_FETCH_TOKENS';
/** Hosts with private addresses, separated by commas or spaces. */
const PRIVATE_HOSTS = 'PREADMIT_FETCH_PRIVATE_HOSTS';

type Environment = Readonly<Record<string, string | undefined>>;

/** `tokens`: of the action; the default is the environment. Throws WorkspaceError for an invalid list of tokens. */
export function fetchAccess(
  environment: Environment,
  cache: string | undefined,
  now: () => number,
  tokens: string | undefined = environment[TOKENS_VARIABLE],
): FetchAccess {
  const parsed = parseCredentials(tokens ?? '');
  if ('problem' in parsed) {
    throw new WorkspaceError('source-malformed', `${TOKENS_VARIABLE} or \`fetch-tokens\`: ${parsed.problem}`);
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

// The options of fetching. In a file of its own, because its types are those of the library.
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchKind } from '../../settings/configuration-shape.ts';
import type { HostCredentials } from '../network/host-credentials.ts';
import type { Transport } from '../network/transport.ts';
import type { NamedAddresses } from './named-addresses.ts';

export interface RemoteFetching {
  readonly kinds: readonly FetchKind[];
  /** Cache folder outside `root`. */
  readonly cache?: string;
  /** Root of the checked repository. */
  readonly root: string;
  readonly credentials: HostCredentials;
  /** Hosts that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  readonly engine: () => RenderEngine;
  /** Addresses that base names, if the change comes from a fork: only these hosts are contacted. */
  readonly named?: () => NamedAddresses;
  readonly transport?: Transport;
  /** Names the proxies for Git. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly retryMilliseconds?: number;
}

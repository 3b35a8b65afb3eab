// Resources for reading policy sources: network, credentials, limits. The defaults are for production; tests replace them.

import { MAXIMUM_DOWNLOAD_BYTES, MAXIMUM_UNPACKED_BYTES, SOURCE_TIMEOUT_MILLISECONDS } from '../files/limits.ts';
import type { HostCredentials } from '../network/host-credentials.ts';
import { httpsTransport } from '../network/https-transport.ts';
import type { Transport } from '../network/transport.ts';

export interface SourceAccess {
  readonly transport: Transport;
  readonly credentials: HostCredentials;
  /** Protocols that Git may use. */
  readonly gitProtocols: readonly string[];
  /** For each source. */
  readonly timeoutMilliseconds: number;
  /** Pause before the first retry of a temporary failure; the second one is twice as long. */
  readonly retryMilliseconds: number;
  readonly maximumDownloadBytes: number;
  readonly maximumUnpackedBytes: number;
}

const NO_CREDENTIALS: HostCredentials = new Map();

export function sourceAccess(credentials: HostCredentials = NO_CREDENTIALS): SourceAccess {
  return {
    transport: (request) => httpsTransport()(request),
    credentials,
    gitProtocols: ['https', 'ssh'],
    timeoutMilliseconds: SOURCE_TIMEOUT_MILLISECONDS,
    retryMilliseconds: 1_000,
    maximumDownloadBytes: MAXIMUM_DOWNLOAD_BYTES,
    maximumUnpackedBytes: MAXIMUM_UNPACKED_BYTES,
  };
}

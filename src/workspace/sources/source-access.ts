// Resources for reading policy sources: network, credentials, limits. The defaults are for production; tests replace them.

import { MAXIMUM_DOWNLOAD_BYTES, MAXIMUM_UNPACKED_BYTES, SOURCE_TIMEOUT_MILLISECONDS } from '../files/limits.ts';
import { httpsTransport } from '../network/https-transport.ts';
import type { Transport } from '../network/transport.ts';

export interface SourceAccess {
  readonly transport: Transport;
  readonly credentials: SourceCredentials;
  /** Protocols that Git may use. */
  readonly gitProtocols: readonly string[];
  /** For each source. */
  readonly timeoutMilliseconds: number;
  /** Pause before the first retry of a temporary failure; the second one is twice as long. */
  readonly retryMilliseconds: number;
  readonly maximumDownloadBytes: number;
  readonly maximumUnpackedBytes: number;
}

export interface Credential {
  /** Absent: the host accepts a token with any user name. */
  readonly user?: string;
  readonly secret: string;
}

/** By host, with the port if it is not the default. A secret is sent only to its own host, regardless of the configuration. */
export type SourceCredentials = ReadonlyMap<string, Credential>;

const NO_CREDENTIALS: SourceCredentials = new Map();

export function sourceAccess(credentials: SourceCredentials = NO_CREDENTIALS): SourceAccess {
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

export type ParsedCredentials = { readonly credentials: SourceCredentials } | { readonly problem: string };

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;
/** Characters that a header may contain. */
const SECRET = /^[\x21-\x7e]+$/;

/** Parses lines of the form `<host>=<token>` or `<host>=<user>:<token>`. Error messages never repeat the content of a line. */
export function parseCredentials(text: string): ParsedCredentials {
  const credentials = new Map<string, Credential>();
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.trim();
    if (entry === '') continue;
    const equals = entry.indexOf('=');
    const host = entry.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    const value = entry.slice(equals + 1).trim();
    const colon = value.indexOf(':');
    const [user, secret] = colon < 0 ? [undefined, value] : [value.slice(0, colon), value.slice(colon + 1)];
    if (!HOST.test(host) || !SECRET.test(secret) || (user !== undefined && !SECRET.test(user))) {
      return { problem: `line ${index + 1} is not \`<host>=<token>\` or \`<host>=<user>:<token>\`` };
    }
    credentials.set(host, { secret, ...(user !== undefined && { user }) });
  }
  return { credentials };
}

export function basicAuthorization({ user = 'x-access-token', secret }: Credential): string {
  return `Basic ${Buffer.from(`${user}:${secret}`, 'utf8').toString('base64')}`;
}

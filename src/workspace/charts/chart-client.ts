// Sends requests for charts: only https, few redirects, credentials only for their own host, within limits.
import { createHash } from 'node:crypto';
import { type Transport, TransportError, type TransportResponse } from '../network/transport.ts';

export interface ChartClientOptions {
  readonly transport: Transport;
  /** `user:password` or `Bearer …` by host (with the port if it is not 443). */
  readonly credentials: ReadonlyMap<string, string>;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  /** Hosts that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  /** Limit for all requests together. */
  readonly milliseconds: number;
}

export interface ChartQuestion {
  readonly maximumBytes: number;
  readonly accept?: string;
  /** Overrides the host's own credentials. */
  readonly authorization?: string;
}

const MAXIMUM_REDIRECTS = 5;
const REQUEST_MILLISECONDS = 30_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class ChartClient {
  readonly #options: ChartClientOptions;
  readonly #deadline: number;

  constructor(options: ChartClientOptions) {
    this.#options = options;
    this.#deadline = options.now() + options.milliseconds;
  }

  /** Rejects with a TransportError. Any status except a redirect is returned. */
  async get(address: string, question: ChartQuestion): Promise<TransportResponse> {
    let url = urlOf(address);
    const origin = url.host;
    for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects++) {
      const left = this.#deadline - this.#options.now();
      if (left <= 0) throw new TransportError('the time limit for fetching charts is exceeded');
      // Never forward the authorization of one host to another.
      const authorization = url.host === origin ? question.authorization : undefined;
      const response = await this.#options.transport({
        url: url.href,
        headers: this.#headersFor(url, question.accept, authorization),
        maximumBytes: question.maximumBytes,
        milliseconds: Math.min(left, REQUEST_MILLISECONDS),
        allowsPrivate: this.#options.privateHosts.has(url.hostname.replace(/^\[|\]$/g, '')),
      });
      const location = response.headers['location'];
      if (!REDIRECTS.has(response.status) || location === undefined) return response;
      url = urlOf(location, url);
    }
    throw new TransportError(`${origin} redirects too often`);
  }

  /** Like `get`, but rejects with a TransportError for any status other than 200. */
  async require(address: string, question: ChartQuestion): Promise<TransportResponse> {
    const response = await this.get(address, question);
    if (response.status === 200) return response;
    throw new TransportError(`${urlOf(address).host} responded with status ${response.status}`);
  }

  /** The Authorization header for `user:password`; undefined without credentials for the host. */
  basic(host: string): string | undefined {
    const credentials = this.#options.credentials.get(host);
    if (credentials === undefined || credentials.startsWith('Bearer ')) return credentials;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  #headersFor(url: URL, accept: string | undefined, authorization = this.basic(url.host)): Record<string, string> {
    return { ...(accept !== undefined && { accept }), ...(authorization !== undefined && { authorization }) };
  }
}

function urlOf(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new TransportError('the address is not a valid URL');
  const url = new URL(address, base);
  if (url.protocol !== 'https:')
    throw new TransportError(`charts are fetched only over https://, not ${url.protocol}//`);
  if (url.username !== '' || url.password !== '') throw new TransportError('the address contains credentials');
  return url;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

// Asks for what belongs to charts: https alone, few redirects, credentials for their own host only, within limits.
import { createHash } from 'node:crypto';
import { type Transport, TransportError, type TransportResponse } from '../network/transport.ts';

export interface ChartClientOptions {
  readonly transport: Transport;
  /** `user:password` or `Bearer …` by host (with the port, where it is not 443). */
  readonly credentials: ReadonlyMap<string, string>;
  /** Milliseconds from any start. */
  readonly now: () => number;
  /** Hosts that may have an address which is not public. */
  readonly privateHosts: ReadonlySet<string>;
  /** For everything together. */
  readonly milliseconds: number;
}

export interface ChartQuestion {
  readonly maximumBytes: number;
  readonly accept?: string;
  /** Instead of the host's own credentials. */
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

  /** Rejects with a TransportError; any status that is no redirect is an answer. */
  async get(address: string, question: ChartQuestion): Promise<TransportResponse> {
    let url = urlOf(address);
    const origin = url.host;
    for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects++) {
      const left = this.#deadline - this.#options.now();
      if (left <= 0) throw new TransportError('fetching charts takes too long');
      // What is meant for one host is not told to another.
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
    throw new TransportError(`${origin} leads from one address to the next`);
  }

  /** As `get`, but an answer that is no success is a TransportError. */
  async require(address: string, question: ChartQuestion): Promise<TransportResponse> {
    const response = await this.get(address, question);
    if (response.status === 200) return response;
    throw new TransportError(`${urlOf(address).host} answers ${response.status}`);
  }

  /** Of `user:password`, as a header has it; undefined without credentials for the host. */
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
  if (!URL.canParse(address, base?.href)) throw new TransportError('the address cannot be read');
  const url = new URL(address, base);
  if (url.protocol !== 'https:') throw new TransportError(`${url.protocol}// is not asked for charts, only https://`);
  if (url.username !== '' || url.password !== '') throw new TransportError('the address has credentials in it');
  return url;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

// Sends requests to the hosts that a repository names: only https, few redirects, credentials only for their own host, within limits.
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { basicAuthorization, type HostCredentials } from './host-credentials.ts';
import { type Transport, TransportError, type TransportRequest, type TransportResponse } from './transport.ts';

export interface HostClientOptions {
  readonly transport: Transport;
  /** By host, with the port if it is not 443. */
  readonly credentials: HostCredentials;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  /** Hosts that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  /** Limit for all requests together. */
  readonly milliseconds: number;
  /** Pause before the first retry of a temporary failure; the second one is twice as long. */
  readonly retryMilliseconds?: number;
}

export interface HostQuestion {
  readonly maximumBytes: number;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the host's own credentials. */
  readonly authorization?: string;
  /** Sends no credentials. */
  readonly isAnonymous?: boolean;
}

/** A response and the address that it came from after redirects. */
export interface HostAnswer extends TransportResponse {
  readonly url: URL;
}

const MAXIMUM_REDIRECTS = 5;
const MAXIMUM_ATTEMPTS = 3;
const REQUEST_MILLISECONDS = 30_000;
const RETRY_MILLISECONDS = 1_000;
const MOMENTARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class HostClient {
  readonly #options: HostClientOptions;
  readonly #deadline: number;

  constructor(options: HostClientOptions) {
    this.#options = options;
    this.#deadline = options.now() + options.milliseconds;
  }

  /** Milliseconds until the limit of all requests; may be negative. */
  left(): number {
    return this.#deadline - this.#options.now();
  }

  /** Rejects with a TransportError. Any status except a redirect is returned. */
  async get(address: string, question: HostQuestion): Promise<HostAnswer> {
    let url = httpsUrl(address);
    const origin = url.host;
    for (let redirects = 0; redirects <= MAXIMUM_REDIRECTS; redirects++) {
      // Never forward the authorization of one host to another.
      const isOwn = url.host === origin && question.isAnonymous !== true;
      const authorization = isOwn ? (question.authorization ?? this.basic(origin)) : undefined;
      const response = await this.#ask({
        url: url.href,
        headers: {
          ...question.headers,
          ...(question.accept !== undefined && { accept: question.accept }),
          ...(authorization !== undefined && { authorization }),
        },
        maximumBytes: question.maximumBytes,
        milliseconds: REQUEST_MILLISECONDS,
        allowsPrivate: this.allowsPrivate(url),
      });
      const location = response.headers['location'];
      if (!REDIRECTS.has(response.status) || location === undefined) return { ...response, url };
      url = httpsUrl(location, url);
    }
    throw new TransportError(`${origin} redirects too often`);
  }

  /** Like `get`, but rejects with a TransportError for any status other than 200. */
  async require(address: string, question: HostQuestion): Promise<HostAnswer> {
    const response = await this.get(address, question);
    if (response.status === 200) return response;
    throw statusError(response.url.host, response.status);
  }

  allowsPrivate({ hostname }: URL): boolean {
    return this.#options.privateHosts.has(hostname.replace(/^\[|\]$/g, ''));
  }

  /** The Authorization header with the credentials of a host; undefined without credentials. */
  basic(host: string): string | undefined {
    const credential = this.#options.credentials.get(host);
    return credential && basicAuthorization(credential);
  }

  /** Retries temporary failures until the deadline. */
  async #ask(request: TransportRequest): Promise<TransportResponse> {
    const { transport, retryMilliseconds = RETRY_MILLISECONDS } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const left = this.left();
      if (left <= 0) throw new TransportError('the time limit for fetching is exceeded', 'timeout');
      const isLast = attempt === MAXIMUM_ATTEMPTS;
      try {
        const response = await transport({ ...request, milliseconds: Math.min(left, request.milliseconds) });
        if (isLast || !MOMENTARY.has(response.status)) return response;
      } catch (error) {
        if (!(error instanceof TransportError) || isLast || error.problem !== 'unreachable') throw error;
      }
      await setTimeout(Math.min(retryMilliseconds * attempt, Math.max(0, this.left())));
    }
  }
}

export function statusError(host: string, status: number): TransportError {
  if (status !== 401 && status !== 403) return new TransportError(`${host} responded with status ${status}`);
  const help = `give a token for \`${host}\`: \`fetch-tokens: ${host}=…\` in the action, otherwise PREADMIT_FETCH_TOKENS`;
  return new TransportError(`${host} denied access with status ${status}`, 'refused', undefined, help);
}

/** Throws TransportError for any URL that is not https, or that contains credentials. */
export function httpsUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new TransportError('the address is not a valid URL');
  const url = new URL(address, base);
  if (url.protocol !== 'https:') throw new TransportError(`preadmit fetches only over https://, not ${url.protocol}//`);
  if (url.username !== '' || url.password !== '') throw new TransportError('the address contains credentials');
  return url;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

// One HTTPS GET with limits of time, size and redirects. Credentials are sent only to the host that they belong to.
import { setTimeout } from 'node:timers/promises';
import type { PolicySource } from '../../settings/policy-source.ts';
import { TransportError, type TransportResponse } from '../network/transport.ts';
import type { WorkspaceError } from '../workspace-error.ts';
import type { SourceAccess } from './source-access.ts';
import { sourceError } from './source-error.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly accept: string;
  readonly maximumBytes: number;
  /** Sent only to the URL's own host, not to redirect targets. */
  readonly authorization?: string | undefined;
  /** Host of the response that named the URL; absent: the configuration named it. */
  readonly namedBy?: string;
}

export interface Download {
  readonly status: number;
  /** The `WWW-Authenticate` header; empty without it. */
  readonly challenge: string;
  /** Empty unless the status is a success. */
  readonly body: Buffer;
}

const MAXIMUM_REDIRECTS = 5;
const MAXIMUM_ATTEMPTS = 3;
const MOMENTARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Names of this machine, and IP addresses. A registry has no reason to redirect to them. */
const PRIVATE_HOST = /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/** The downloads of one source, with a common deadline. */
export class Downloader {
  readonly #source: PolicySource;
  readonly #access: SourceAccess;
  /** In the time of `performance.now()`. */
  readonly #deadline: number;
  #bytes = 0;

  constructor(source: PolicySource, access: SourceAccess) {
    this.#source = source;
    this.#access = access;
    this.#deadline = performance.now() + access.timeoutMilliseconds;
  }

  /** Throws WorkspaceError for everything except a response with a status. */
  async get({ url, accept, maximumBytes, authorization, namedBy }: DownloadRequest): Promise<Download> {
    const first = this.#target(url);
    // URLs of the configuration may point into its own network; URLs from responses may not.
    const isNamedByUs = namedBy === undefined || first.host === namedBy;
    if (!isNamedByUs) this.#requirePublic(first);
    let target = first;
    for (let redirects = 0; ; redirects++) {
      const isOwnHost = target.host === first.host;
      const headers = { accept, ...(isOwnHost && authorization !== undefined && { authorization }) };
      const response = await this.#ask(target, headers, maximumBytes, isNamedByUs && isOwnHost);
      const location = REDIRECTS.has(response.status) ? response.headers['location'] : undefined;
      if (location === undefined) {
        this.#bytes += response.body.length;
        const { status, headers: received, body } = response;
        return { status, challenge: received['www-authenticate'] ?? '', body: Buffer.from(body) };
      }
      if (redirects >= MAXIMUM_REDIRECTS) throw this.#refused(`was redirected more than ${MAXIMUM_REDIRECTS} times`);
      target = this.#redirected(location, target, first);
    }
  }

  #target(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (target?.protocol !== 'https:' || target.username !== '' || target.password !== '') {
      throw this.#refused('leads to an address that is not a plain `https://` URL');
    }
    return target;
  }

  #redirected(location: string, from: URL, first: URL): URL {
    if (!URL.canParse(location, from.href)) throw this.#refused('was redirected to an invalid URL');
    const target = this.#target(new URL(location, from.href).href);
    if (target.host !== first.host) this.#requirePublic(target);
    return target;
  }

  #requirePublic({ hostname }: URL): void {
    if (PRIVATE_HOST.test(hostname)) throw this.#refused('leads to a private address');
  }

  /** Retries temporary failures until the deadline. */
  async #ask(
    url: URL,
    headers: Readonly<Record<string, string>>,
    maximumBytes: number,
    allowsPrivate: boolean,
  ): Promise<TransportResponse> {
    const { transport, maximumDownloadBytes, retryMilliseconds } = this.#access;
    const most = Math.min(maximumBytes, maximumDownloadBytes - this.#bytes);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAXIMUM_ATTEMPTS;
      const milliseconds = this.#deadline - performance.now();
      if (milliseconds <= 0) throw this.#late(url);
      try {
        const request = { url: url.href, headers, maximumBytes: most, milliseconds, allowsPrivate };
        const response = await transport(request);
        if (isLast || !MOMENTARY.has(response.status)) return response;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        if (isLast || error.problem !== 'unreachable')
          throw this.#failed(error, url, Math.min(maximumBytes, maximumDownloadBytes));
      }
      const pause = Math.min(retryMilliseconds * attempt, Math.max(0, this.#deadline - performance.now()));
      await setTimeout(pause);
    }
  }

  #failed({ problem, systemCode, message }: TransportError, url: URL, maximumBytes: number): WorkspaceError {
    switch (problem) {
      case 'timeout':
        return this.#late(url);
      case 'too-large':
        return this.#tooLarge(maximumBytes);
      case 'private':
        return this.#refused('leads to a private address');
      case 'refused':
      case 'proxy':
        return sourceError(this.#source, 'source-unreachable', `cannot be reached: ${message}`);
      case 'unreachable':
        return sourceError(
          this.#source,
          'source-unreachable',
          `cannot be reached${systemCode === undefined ? '' : ` (${systemCode})`}`,
          { hint: `check the connection to \`${url.host}\`` },
        );
      default:
        return problem satisfies never;
    }
  }

  #late({ host }: URL): WorkspaceError {
    const seconds = this.#access.timeoutMilliseconds / 1000;
    return sourceError(this.#source, 'source-timeout', `could not be read within ${seconds} seconds`, {
      hint: `check the connection to \`${host}\``,
    });
  }

  #refused(problem: string): WorkspaceError {
    return sourceError(this.#source, 'source-refused', problem);
  }

  #tooLarge(maximumBytes: number): WorkspaceError {
    const size =
      maximumBytes >= 1024 * 1024 ? `${Math.floor(maximumBytes / 1024 / 1024)} MiB` : `${maximumBytes} bytes`;
    return sourceError(this.#source, 'source-too-large', `is larger than ${size}`);
  }
}

/** The error for a response that is not a success. */
export function answerError(source: PolicySource, status: number, host: string): WorkspaceError {
  if (status === 401 || status === 403) {
    return sourceError(source, 'source-refused', `cannot be read: \`${host}\` denied access with status ${status}`, {
      hint: tokenHint(host),
    });
  }
  if (status === 404) {
    return sourceError(source, 'source-missing', `does not exist: \`${host}\` responded with status 404`, {
      hint: `check the name and the pin; if the source is private, ${tokenHint(host)}`,
    });
  }
  return sourceError(source, 'source-unreachable', `cannot be read: \`${host}\` responded with status ${status}`);
}

function tokenHint(host: string): string {
  return `give a token for \`${host}\`: with \`policy-source-tokens: ${host}=…\` in the action, otherwise with PREADMIT_POLICY_SOURCE_TOKENS`;
}

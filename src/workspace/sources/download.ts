// One GET over HTTPS with every limit it needs: time, size, redirects, and secrets that stay with the host they were given for.
import { setTimeout } from 'node:timers/promises';
import type { PolicySource } from '../../settings/policy-source.ts';
import { systemErrorCode, WorkspaceError } from '../workspace-error.ts';
import type { FetchedResponse, SourceAccess } from './source-access.ts';
import { sourceError } from './source-error.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly accept: string;
  readonly maximumBytes: number;
  /** Sent to the URL's own host alone, not to where it redirects. */
  readonly authorization?: string | undefined;
  /** Host of the answer that named the URL; absent: the configuration did. */
  readonly namedBy?: string;
}

export interface Download {
  readonly status: number;
  /** The value of `WWW-Authenticate`; empty without it. */
  readonly challenge: string;
  /** Empty unless the status says that all is well. */
  readonly body: Buffer;
}

const MAXIMUM_REDIRECTS = 5;
const MAXIMUM_ATTEMPTS = 3;
const MOMENTARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Names of this machine, and addresses: no registry redirects to them, and what listens there is not ours to ask. */
const PRIVATE_HOST = /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/** The downloads of one source, which share a deadline. */
export class Downloader {
  readonly #source: PolicySource;
  readonly #access: SourceAccess;
  readonly #deadline: AbortSignal;
  #bytes = 0;

  constructor(source: PolicySource, access: SourceAccess) {
    this.#source = source;
    this.#access = access;
    this.#deadline = AbortSignal.timeout(access.timeoutMilliseconds);
  }

  /** Throws WorkspaceError for everything but an answer with a status. */
  async get({ url, accept, maximumBytes, authorization, namedBy }: DownloadRequest): Promise<Download> {
    const first = this.#target(url);
    if (namedBy !== undefined && first.host !== namedBy) this.#requirePublic(first);
    let target = first;
    for (let redirects = 0; ; redirects++) {
      const isOwnHost = target.host === first.host;
      const headers = {
        accept,
        'user-agent': 'preadmit',
        ...(isOwnHost && authorization !== undefined && { authorization }),
      };
      const response = await this.#ask(target, headers);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) {
        const body = response.ok ? await this.#bodyOf(response, maximumBytes, target) : Buffer.alloc(0);
        if (!response.ok) await response.body?.cancel().catch(() => {});
        return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '', body };
      }
      await response.body?.cancel().catch(() => {});
      if (redirects >= MAXIMUM_REDIRECTS) throw this.#refused(`was redirected more than ${MAXIMUM_REDIRECTS} times`);
      target = this.#redirected(location, target, first);
    }
  }

  #target(url: string): URL {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (target?.protocol !== 'https:' || target.username !== '' || target.password !== '') {
      throw this.#refused('leads to what is no plain `https://` URL');
    }
    return target;
  }

  #redirected(location: string, from: URL, first: URL): URL {
    if (!URL.canParse(location, from.href)) throw this.#refused('was redirected to what is no URL');
    const target = this.#target(new URL(location, from.href).href);
    if (target.host !== first.host) this.#requirePublic(target);
    return target;
  }

  #requirePublic({ hostname }: URL): void {
    if (PRIVATE_HOST.test(hostname)) throw this.#refused('leads to a private address');
  }

  /** What fails for a moment is asked again, within the deadline. */
  async #ask(url: URL, headers: Readonly<Record<string, string>>): Promise<FetchedResponse> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAXIMUM_ATTEMPTS;
      try {
        const response = await this.#access.fetch(url.href, { headers, redirect: 'manual', signal: this.#deadline });
        if (isLast || !MOMENTARY.has(response.status)) return response;
        await response.body?.cancel().catch(() => {});
      } catch (error) {
        if (isLast || this.#deadline.aborted) throw this.#failed(error, url);
      }
      await setTimeout(this.#access.retryMilliseconds * attempt, undefined, { signal: this.#deadline }).catch(
        (error: unknown) => {
          throw this.#failed(error, url);
        },
      );
    }
  }

  async #bodyOf(response: FetchedResponse, maximumBytes: number, url: URL): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    try {
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
        size += part.value.length;
        this.#bytes += part.value.length;
        if (size > maximumBytes || this.#bytes > this.#access.maximumDownloadBytes) {
          throw this.#tooLarge(Math.min(maximumBytes, this.#access.maximumDownloadBytes));
        }
        chunks.push(part.value);
      }
    } catch (error) {
      await reader?.cancel().catch(() => {});
      throw error instanceof WorkspaceError ? error : this.#failed(error, url);
    }
    return Buffer.concat(chunks);
  }

  #failed(error: unknown, { host }: URL): WorkspaceError {
    if (this.#deadline.aborted) {
      return sourceError(
        this.#source,
        'source-timeout',
        `was not there after ${this.#access.timeoutMilliseconds / 1000} seconds`,
        {
          hint: `look whether \`${host}\` can be reached from here`,
        },
      );
    }
    const cause = error instanceof Error ? error.cause : undefined;
    const code = systemErrorCode(cause) ?? systemErrorCode(error);
    return sourceError(
      this.#source,
      'source-unreachable',
      `cannot be reached${code === undefined ? '' : `: the system says ${code}`}`,
      {
        hint: `look whether \`${host}\` can be reached from here`,
      },
    );
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

/** What an answer that is none says of the source. */
export function answerError(source: PolicySource, status: number, host: string): WorkspaceError {
  if (status === 401 || status === 403) {
    return sourceError(source, 'source-refused', `is not given to us: \`${host}\` answers ${status}`, {
      hint: tokenHint(host),
    });
  }
  if (status === 404) {
    return sourceError(source, 'source-missing', `is not there: \`${host}\` answers 404`, {
      hint: `look at the name and the pin; what is private may be told so too: ${tokenHint(host)}`,
    });
  }
  return sourceError(source, 'source-unreachable', `cannot be read: \`${host}\` answers ${status}`);
}

function tokenHint(host: string): string {
  return `give a token for \`${host}\`, \`policy-source-tokens: ${host}=…\` in the action, PREADMIT_POLICY_SOURCE_TOKENS elsewhere`;
}

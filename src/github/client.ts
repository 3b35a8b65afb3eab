// A client for GitHub's REST API that respects rate limits and limits the time of requests.
import { getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { GithubError } from './github-error.ts';
import type { Log } from './log.ts';

export type Client = ReturnType<typeof createClient>;

/** In milliseconds. */
export interface TimeLimits {
  readonly request: number;
  /** For all requests of a client together, without the waits between them. */
  readonly all: number;
}

const TIME_LIMITS: TimeLimits = { request: 30_000, all: 60_000 };
/** Longest wait for a rate limit, in seconds. Beyond it, the job continues without the result. */
const MAX_WAIT = 120;
const MAX_LIMIT_RETRIES = 2;

/** `@actions/github` reads the API address from GITHUB_API_URL and the proxy from the usual variables. */
export function createClient(token: string, log: Log, limits = TIME_LIMITS) {
  const wait = (kind: string) => (seconds: number, _options: object, _octokit: object, retries: number) => {
    const again = retries < MAX_LIMIT_RETRIES && seconds <= MAX_WAIT;
    log.info(`GitHub's ${kind} rate limit is reached, ${again ? `waiting ${seconds} s` : 'giving up'}`);
    return again;
  };
  return getOctokit(
    token,
    {
      userAgent: 'preadmit',
      log: { debug: () => {}, info: () => {}, warn: log.info, error: log.info },
      throttle: { onRateLimit: wait('primary'), onSecondaryRateLimit: wait('secondary') },
    },
    within(limits),
    retry,
    throttling,
  );
}

/**
 * A plugin that limits the time of requests. It is the first plugin, so that it measures each attempt without the
 * waits of the others. The plugin `retry` does not repeat a request after a GithubError.
 */
function within({ request, all }: TimeLimits) {
  let left = all;
  return ({ hook }: Parameters<typeof retry>[0]): void => {
    hook.wrap('request', async (send, options) => {
      if (left <= 0) throw outOfTime(all);
      const isLast = left <= request;
      const started = performance.now();
      const signal = AbortSignal.timeout(Math.ceil(isLast ? left : request));
      try {
        // Hooks pass on this object and ignore the argument of `send`.
        options.request = { ...options.request, signal };
        return await send(options);
      } catch (error) {
        throw isLast && signal.aborted ? outOfTime(all) : error;
      } finally {
        left = isLast && signal.aborted ? 0 : left - (performance.now() - started);
      }
    });
  };
}

function outOfTime(all: number): GithubError {
  return new GithubError('requests-out-of-time', `the ${all / 1_000} s for all requests to GitHub are used up`);
}

/** HTTP status of a failed request; undefined without a response, in which case the request may or may not have taken effect. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error) || !('response' in error)) return undefined;
  return error.response === undefined || typeof error.status !== 'number' ? undefined : error.status;
}

interface Answer {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly data?: { readonly message?: string };
}

/** GitHub answers 403 or 429 beyond a rate limit: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function isRateLimited(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 429) return true;
  if (status !== 403) return false;
  const { headers = {}, data } = (error as { response: Answer }).response;
  return headers['x-ratelimit-remaining'] === '0' || /\brate limit\b/i.test(data?.message ?? '');
}

/** Seconds that a 429 response asks to wait; undefined for other responses, and for limits that the throttling plugin handled. */
export function retryAfterOf(error: unknown): number | undefined {
  if (statusOf(error) !== 429) return undefined;
  const { headers = {}, data = {} } = (error as { response: Answer }).response;
  if (headers['x-ratelimit-remaining'] === '0' || /\bsecondary rate\b/i.test(data.message ?? '')) return undefined;
  const seconds = Number(headers['retry-after']);
  return seconds >= 0 && seconds <= MAX_WAIT ? seconds : undefined;
}

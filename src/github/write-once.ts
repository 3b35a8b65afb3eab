// Retries a write until it has taken effect, without doing it twice.
import { retryAfterOf, statusOf } from './client.ts';
import { GithubError } from './github-error.ts';

export interface Write<Result> {
  /** Sends the request; throws the client's errors. */
  readonly send: () => Promise<Result>;
  /** Checks whether a request without response has taken effect; undefined: it has not. */
  readonly find: () => Promise<Result | undefined>;
}

/** Request options that disable the client's own retries. */
export const SEND_ONCE = { request: { retries: 0 } };

const MAX_ATTEMPTS = 4;

/**
 * A 4xx response means that nothing was written; it is retried only if it gives a wait time. After a 5xx or no
 * response, the request may have taken effect: check before sending again, after 1, 2 and 4 seconds.
 * Without time for requests, nothing is retried.
 */
export async function writeOnce<Result>({ send, find }: Write<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof GithubError) throw error;
      const status = statusOf(error);
      const refused = status !== undefined && status < 500;
      const seconds = refused ? retryAfterOf(error) : 2 ** (attempt - 1);
      if (seconds === undefined || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      if (refused) continue;
      const done = await find();
      if (done !== undefined) return done;
    }
  }
}

// Repeats a write until it is known to be done, and never does it twice.
import { retryAfterOf, statusOf } from './client.ts';

export interface Write<Result> {
  /** Sends the request; throws what the client throws. */
  readonly send: () => Promise<Result>;
  /** Looks whether an unanswered request was done after all; undefined: it was not. */
  readonly find: () => Promise<Result | undefined>;
}

/** For the options of a request: repeating is ours. */
export const SEND_ONCE = { request: { retries: 0 } };

const MAX_ATTEMPTS = 4;

/**
 * An answer of 4xx means that nothing was done; only one that names a time to wait is worth repeating. After a 5xx or no
 * answer the request may have been done, so we look before we send it again, after 1, 2 and 4 seconds.
 */
export async function writeOnce<Result>({ send, find }: Write<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
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

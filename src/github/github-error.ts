// What the world did wrong while a run was published: the only exception this room throws.

export type GithubErrorCode = 'report-outside-workspace' | 'report-unwritable';

export class GithubError extends Error {
  readonly code: GithubErrorCode;
  /** What to do about it, one sentence; shown under `help`. */
  readonly hint: string | undefined;

  constructor(code: GithubErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'GithubError';
    this.code = code;
    this.hint = options.hint;
  }
}

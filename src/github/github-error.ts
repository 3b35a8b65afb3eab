// Errors while publishing a run: the only exception that this room throws.

export type GithubErrorCode =
  | 'report-outside-workspace'
  | 'report-unwritable'
  | 'requests-out-of-time'
  | 'history-too-large';

export class GithubError extends Error {
  readonly code: GithubErrorCode;
  /** How to fix it, in one sentence; shown under `help`. */
  readonly hint: string | undefined;

  constructor(code: GithubErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'GithubError';
    this.code = code;
    this.hint = options.hint;
  }
}

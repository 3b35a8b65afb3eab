// What the world did wrong while files, Git or the configuration were read: the only exception this room throws.

export type WorkspaceErrorCode =
  | 'path-not-found'
  | 'path-outside-root'
  | 'file-system-root'
  | 'unreadable'
  | 'unwritable'
  | 'bad-version'
  | 'bad-glob'
  | 'git-missing'
  | 'git-failed'
  | 'git-timeout'
  | 'git-output-too-large'
  | 'bad-revision'
  | 'object-missing'
  | 'origin-missing'
  | 'origin-unsupported';

export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  /** What to do about it, one sentence; shown under `help`. */
  readonly hint: string | undefined;

  constructor(code: WorkspaceErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'WorkspaceError';
    this.code = code;
    this.hint = options.hint;
  }
}

/** The `code` Node puts on errors of the operating system, e.g. `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

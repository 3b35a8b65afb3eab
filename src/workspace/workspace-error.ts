// Errors of files, Git, the network or the configuration's environment: the only exception that this room throws.

export type WorkspaceErrorCode =
  | 'path-not-found'
  | 'path-outside-root'
  | 'engine-missing'
  | 'file-system-root'
  | 'unreadable'
  | 'unwritable'
  | 'cache-in-repository'
  | 'bad-version'
  | 'bad-workers'
  | 'bad-glob'
  | 'git-missing'
  | 'git-failed'
  | 'git-timeout'
  | 'git-output-too-large'
  | 'bad-revision'
  | 'object-missing'
  | 'origin-missing'
  | 'origin-unsupported'
  | 'source-inside-repository'
  | 'source-unreachable'
  | 'source-refused'
  | 'source-missing'
  | 'source-mismatch'
  | 'source-too-large'
  | 'source-timeout'
  | 'source-malformed';

/** A failure of files, Git or the network. `code` is for programs, the message for people. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  /** How to fix it, in one sentence; shown under `help`. */
  readonly hint: string | undefined;

  constructor(code: WorkspaceErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'WorkspaceError';
    this.code = code;
    this.hint = options.hint;
  }
}

/** Node's `code` for errors of the operating system, e.g. `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The reason of an operating system error, phrased to follow a colon. */
export function reasonOf(error: unknown): string {
  const code = systemErrorCode(error);
  return REASONS.get(code ?? '') ?? (code === undefined ? 'unknown error' : `error ${code}`);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the device'],
  ['ELOOP', 'a symbolic link in the path is not followed'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ERR_FS_FILE_TOO_LARGE', 'it is too large'],
]);

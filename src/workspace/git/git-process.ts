// Runs a git command in an untrusted repository: no hooks, helpers, prompts, and no user or system settings.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { systemErrorCode, WorkspaceError } from '../workspace-error.ts';

export interface GitCommand {
  /** Real path of the work tree's root folder. */
  readonly root: string;
  /** The only transport that Git may use; absent for commands without network access. */
  readonly protocol?: string;
  /** Git's ssh command; absent: plain `ssh`. */
  readonly sshCommand?: string;
  /** Settings that must not appear in the argument list, which every user of the machine can read. */
  readonly secretSettings?: readonly (readonly [key: string, value: string])[];
  readonly timeoutMilliseconds?: number;
  /** Replaces the user's home folder, whose `.netrc` contains credentials. */
  readonly home?: string;
  /** Limit for standard output; absent: 512 MiB. */
  readonly maximumOutputBytes?: number;
  /** Aborting the signal ends the command; its reason must be a WorkspaceError. */
  readonly signal?: AbortSignal;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

type GitProcess<Input extends Writable | null = Writable> = ChildProcessByStdio<Input, Readable, Readable>;

const DEFAULT_TIMEOUT_MILLISECONDS = 120_000;
const MAXIMUM_OUTPUT_BYTES = 512 * 1024 * 1024;
const MAXIMUM_ERROR_BYTES = 16 * 1024;

/**
 * Overrides settings of the repository's `.git/config` that would run a program. A plain `git ls-files` runs `core.fsmonitor`; a fetch runs
 * `core.sshCommand`, `credential.helper`, `core.askPass` and `core.alternateRefsCommand`.
 */
const HARMLESS_SETTINGS = [
  'core.quotePath=false',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.askPass=',
  'core.alternateRefsCommand=true',
  'credential.helper=',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
] as const;

/** Environment variables that a child process inherits: they locate programs, proxies, certificates and the SSH agent. */
const INHERITED_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'SystemRoot',
  'PATHEXT',
  'SSH_AUTH_SOCK',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
] as const;

/**
 * Starts git with pipes as standard streams, except for the input of commands that read none. Variables such as GIT_DIR
 * and GIT_INDEX_FILE of a surrounding hook are not passed on.
 */
export function startGit(command: GitCommand, args: readonly string[]): GitProcess {
  return spawn('git', argumentsOf(command, args), { ...surroundings(command), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs git to completion. Throws if it cannot start, times out, exceeds the output limit, or exits with a code that is not in `accept`. */
export async function runGit(
  command: GitCommand,
  args: readonly string[],
  accept: readonly number[] = [0],
): Promise<GitResult> {
  const child = spawn('git', argumentsOf(command, args), {
    ...surroundings(command),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > (command.maximumOutputBytes ?? MAXIMUM_OUTPUT_BYTES)) child.stdout.destroy(outputTooLarge(args));
    else chunks.push(chunk);
  });
  const { exitCode, stderr } = await finished(child, command, args);
  if (!accept.includes(exitCode)) throw failure(args, exitCode, stderr);
  return { exitCode, stdout: Buffer.concat(chunks), stderr };
}

/** Runs a read-only git command synchronously; undefined if it fails. */
export function readNow(command: GitCommand, args: readonly string[]): Uint8Array | undefined {
  const { status, stdout } = spawnSync('git', argumentsOf(command, args), {
    cwd: command.root,
    env: gitEnvironment(command),
    maxBuffer: MAXIMUM_OUTPUT_BYTES,
    timeout: DEFAULT_TIMEOUT_MILLISECONDS,
    windowsHide: true,
  });
  return status === 0 ? stdout : undefined;
}

function surroundings(command: GitCommand) {
  const { root: cwd } = command;
  return { cwd, env: gitEnvironment(command), detached: hasOwnGroup(command), windowsHide: true } as const;
}

function argumentsOf(command: GitCommand, args: readonly string[]): readonly string[] {
  return ['--no-pager', ...settingsOf(command), ...args];
}

function settingsOf(command: GitCommand): readonly string[] {
  const own = [`safe.directory=${command.root}`, `core.sshCommand=${command.sshCommand ?? 'ssh'}`];
  return [...own, ...HARMLESS_SETTINGS].flatMap((setting) => ['-c', setting]);
}

/** Waits for a started git to exit. The timeout applies even if a grandchild keeps the pipes open. */
export function finished(
  child: GitProcess<Writable | null>,
  command: GitCommand,
  args: readonly string[],
): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    const stop = (error: WorkspaceError): void => {
      clearTimeout(deadline);
      command.signal?.removeEventListener('abort', abort);
      kill(child, command);
      child.stdin?.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
      reject(error);
    };
    const deadline = setTimeout(
      () => stop(tookTooLong(args)),
      command.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS,
    );
    const abort = (): void => stop(asWorkspaceError(command.signal?.reason, args));
    command.signal?.addEventListener('abort', abort, { once: true });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (chunk: string) => {
      if (stderr.length < MAXIMUM_ERROR_BYTES) stderr += chunk.slice(0, MAXIMUM_ERROR_BYTES - stderr.length);
    });
    child.stdout.on('error', (error) => stop(asWorkspaceError(error, args)));
    child.on('error', (error) => stop(asWorkspaceError(error, args)));
    child.on('close', (code) => {
      clearTimeout(deadline);
      command.signal?.removeEventListener('abort', abort);
      resolve({ exitCode: code ?? -1, stderr });
    });
  });
}

/** Transports run as children of git (ssh, git-remote-https) and must end with it. */
function hasOwnGroup(command: GitCommand): boolean {
  return command.protocol !== undefined && process.platform !== 'win32';
}

function kill(child: GitProcess<Writable | null>, command: GitCommand): void {
  if (child.pid !== undefined && hasOwnGroup(command)) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
}

export function failure(args: readonly string[], exitCode: number, stderr: string): WorkspaceError {
  const words = withoutCredentials(stderr).trim() || `it exited with code ${exitCode}`;
  return new WorkspaceError('git-failed', `\`git ${args[0] ?? ''}\` failed: ${words}`);
}

function gitEnvironment(command: GitCommand): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: command.protocol ?? 'none',
    LC_ALL: 'C',
  };
  for (const name of INHERITED_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  if (command.home !== undefined) environment['HOME'] = command.home;
  const secrets = command.secretSettings ?? [];
  if (secrets.length > 0) environment['GIT_CONFIG_COUNT'] = String(secrets.length);
  for (const [index, [key, value]] of secrets.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** Git repeats URLs in its errors; the text before `@` may be a password. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//…@');
}

function asWorkspaceError(error: unknown, args: readonly string[]): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  if (systemErrorCode(error) === 'ENOENT') {
    return new WorkspaceError('git-missing', 'the program `git` was not found', {
      hint: 'install Git 2.35 or newer; in a Git checkout, only tracked files are read',
      cause: error,
    });
  }
  return new WorkspaceError('git-failed', `\`git ${args[0] ?? ''}\` could not be started`, { cause: error });
}

function tookTooLong(args: readonly string[]): WorkspaceError {
  return new WorkspaceError('git-timeout', `\`git ${args[0] ?? ''}\` did not finish in time`);
}

function outputTooLarge(args: readonly string[]): WorkspaceError {
  return new WorkspaceError('git-output-too-large', `\`git ${args[0] ?? ''}\` wrote too much`);
}

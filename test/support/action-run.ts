// Runs an action like GitHub's runner: a child process with only the variables of a step.
import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputVariable, readLog, readOutputs, type StepResult } from './runner.ts';

export interface ActionRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, as parsed by the runner. */
  readonly step: StepResult;
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
}

export interface ActionRunOptions {
  /** Arguments of Node: the bundle. */
  readonly entry: readonly string[];
  readonly workspace: string;
  readonly eventName: string;
  readonly payload: unknown;
  readonly sha: string;
  readonly apiUrl: string;
  readonly token?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs the step; default: a new process. */
  readonly host?: Execute;
}

type Execute = (entry: readonly string[], cwd: string, env: Record<string, string>) => Promise<Execution>;

/** Node 24 like GitHub, else the current Node. */
export const NODE = node24() ?? process.execPath;
export const NODE_VERSION = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();

function node24(): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const fetched = join(tmpdir(), 'preadmit-node24/node_modules', name, 'bin/node');
  return process.env['PREADMIT_NODE24'] ?? (existsSync(fetched) ? fetched : undefined);
}

export async function runAction(options: ActionRunOptions): Promise<ActionRun> {
  const temporary = mkdtempSync(join(tmpdir(), 'preadmit-step-'));
  const file = (name: string, text = ''): string => {
    writeFileSync(join(temporary, name), text);
    return join(temporary, name);
  };
  const [output, summary] = [file('output'), file('summary')];
  mkdirSync(join(temporary, 'temp'));
  const inputs = { token: options.token ?? '', ...options.inputs };
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: temporary,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: options.apiUrl,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'shop/manifests',
    GITHUB_EVENT_NAME: options.eventName,
    GITHUB_EVENT_PATH: file('event.json', JSON.stringify(options.payload)),
    GITHUB_SHA: options.sha,
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_ACTOR: 'octocat',
    GITHUB_WORKSPACE: options.workspace,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: join(temporary, 'temp'),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value])),
    ...options.environment,
  };
  try {
    const { code, stdout, stderr } = await (options.host ?? execute)(options.entry, options.workspace, environment);
    return {
      exitCode: code,
      stdout,
      stderr,
      step: readLog(`${stdout}\n${stderr}`),
      outputs: readOutputs(readFileSync(output, 'utf8')),
      summary: readFileSync(summary, 'utf8'),
    };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

interface Execution {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(entry: readonly string[], cwd: string, env: Record<string, string>): Promise<Execution> {
  return new Promise((resolve) => {
    execFile(NODE, entry, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

export interface ActionHosts {
  readonly run: Execute;
  /** Ends the processes; throws if one failed. */
  readonly close: () => Promise<void>;
}

/**
 * Processes that run many steps each, for tests of what several steps do to GitHub, because starting Node and the bundle takes most of a
 * step's time. Steps in one process run one after the other. Each has its own environment, streams and exit code; modules that the bundle
 * loads from `chunks/` stay loaded.
 */
export function startActionHosts(): ActionHosts {
  const all: ChildProcess[] = [];
  const idle: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const host = fork(join(import.meta.dirname, 'action-host.mjs'), { execPath: NODE, execArgv: [] });
    all.push(host);
    return host;
  };
  return {
    run: ([entry, ...others], cwd, environment) =>
      new Promise((resolve, reject) => {
        if (entry === undefined || others.length > 0) throw new Error('a host runs one file');
        const host = idle.pop() ?? start();
        const onExit = (code: number | null): void => reject(new Error(`the step ended its process with ${code}`));
        host.once('exit', onExit);
        host.once('message', (execution: Execution) => {
          host.off('exit', onExit);
          idle.push(host);
          resolve(execution);
        });
        host.send({ entry, cwd, environment });
      }),
    close: async () => {
      const ends = all.map((host) => once(host, 'exit'));
      for (const host of all) host.disconnect();
      const codes = (await Promise.all(ends)).map(([code]) => code);
      if (codes.some((code) => code !== 0)) throw new Error(`a host ended with ${codes}`);
    },
  };
}

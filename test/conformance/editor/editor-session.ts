// A test client for the bundled language server, based on the editors' client library. Records requests, their duration, and wrong answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { Diagnostic } from 'vscode-languageserver-types';

interface Asked {
  readonly what: string;
  readonly milliseconds: number;
  /** True if the answer was correct. */
  readonly isRight: boolean;
}

export interface OpenDocument {
  readonly uri: string;
  /** The text on disk. */
  readonly text: string;
}

/** Notifications, which the server sends on its own. */
const PUBLISHED = /diagnostics/;

/** One server for all documents, as in an editor. Milliseconds are wall-clock time. */
export class EditorSession {
  readonly problems: string[] = [];
  readonly #server: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #asked: Asked[] = [];
  readonly #published = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>();
  #version = 0;
  #compared = 0;
  #told = (): void => {};

  private constructor(server: ChildProcess, connection: MessageConnection) {
    this.#server = server;
    this.#connection = connection;
    connection.onNotification(
      'textDocument/publishDiagnostics',
      (told: { uri: string; version?: number; diagnostics: Diagnostic[] }) => {
        this.#published.set(told.uri, { version: told.version ?? 0, diagnostics: told.diagnostics });
        this.#told();
      },
    );
    server.stderr?.on('data', (text: Buffer) => this.problems.push(String(text)));
  }

  static async start(folder: string, bundle: string): Promise<EditorSession> {
    const server = spawn(process.execPath, [join(bundle, 'cli.mjs'), 'lsp', '--stdio'], { cwd: folder });
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const session = new EditorSession(server, connection);
    connection.listen();
    const rootUri = pathToFileURL(folder).href;
    await connection.sendRequest('initialize', { processId: null, rootUri, capabilities: {} });
    await connection.sendNotification('initialized', {});
    // The server answers this first request once it has read the repository.
    await connection.sendRequest('preadmit/isIdle');
    return session;
  }

  fail(problem: string): void {
    this.problems.push(problem);
  }

  /** Compares lists of messages; counts as one conversation. */
  compare(what: string, told: readonly string[], wanted: readonly string[]): void {
    this.#compared += 1;
    const more = told.filter((each) => !wanted.includes(each)).map((each) => `\n  + ${each}`);
    const less = wanted.filter((each) => !told.includes(each)).map((each) => `\n  - ${each}`);
    if (more.length + less.length > 0) this.fail(`${what}:${[...more, ...less].slice(0, 10).join('')}`);
  }

  /** Number of requests and comparisons. */
  get conversations(): number {
    return this.#asked.filter(({ what }) => !PUBLISHED.test(what)).length + this.#compared;
  }

  /** `judge` returns the error in the answer. Errors and empty answers are always wrong. */
  async ask<T>(what: string, params: object, judge: (answer: T) => string | undefined): Promise<void> {
    const started = performance.now();
    let wrong: string | undefined;
    let answer: T | null = null;
    try {
      answer = await this.#connection.sendRequest<T | null>(`textDocument/${what}`, params);
    } catch (error) {
      wrong = String(error);
    }
    const milliseconds = performance.now() - started;
    wrong ??= answer === null ? 'no answer' : judge(answer);
    this.#asked.push({ what, milliseconds, isRight: wrong === undefined });
    if (wrong !== undefined) this.fail(`${what}: ${wrong}`);
  }

  /** Sends a request that may have an empty answer. */
  async seek<T>(what: string, params: object): Promise<T | null> {
    const started = performance.now();
    const answer = await this.#connection.sendRequest<T | null>(`textDocument/${what}`, params);
    this.#asked.push({ what, milliseconds: performance.now() - started, isRight: true });
    return answer;
  }

  /** Waits for the first diagnostics of the document. */
  async open(path: string, text: string): Promise<OpenDocument> {
    const uri = pathToFileURL(path).href;
    const version = ++this.#version;
    await this.#untilTold('first diagnostics', uri, version, () =>
      this.#connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version, text },
      }),
    );
    return { uri, text };
  }

  async change({ uri }: OpenDocument, text: string): Promise<void> {
    const version = ++this.#version;
    await this.#untilTold('diagnostics after an edit', uri, version, () =>
      this.#connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    );
  }

  async close({ uri }: OpenDocument): Promise<void> {
    await this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Waits until the server has no more diagnostics to publish. */
  async settled({ uri }: OpenDocument): Promise<readonly Diagnostic[]> {
    while (!(await this.#connection.sendRequest<boolean>('preadmit/isIdle')))
      await new Promise((done) => setTimeout(done, 20));
    return this.#published.get(uri)?.diagnostics ?? [];
  }

  /** Returns the peak memory in megabytes. */
  async end(): Promise<number> {
    const megabytes = peakMegabytes(this.#server.pid);
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    const status = await new Promise((done) => this.#server.once('exit', done));
    this.#connection.dispose();
    if (status !== 0) this.fail(`the server ended with ${status}`);
    return megabytes;
  }

  table(): readonly string[] {
    const kinds = [...new Set(this.#asked.map(({ what }) => what))].sort();
    return [...kinds, 'all answers'].map((kind) => {
      const own = this.#asked.filter(({ what }) => (kind === 'all answers' ? !PUBLISHED.test(what) : what === kind));
      const times = own.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
      const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
      const right = own.filter(({ isRight }) => isRight).length;
      return `| ${kind} | ${own.length} | ${right} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`;
    });
  }

  async #untilTold(what: string, uri: string, version: number, send: () => Promise<void>): Promise<void> {
    const started = performance.now();
    await send();
    while ((this.#published.get(uri)?.version ?? 0) < version) {
      await new Promise<void>((done) => {
        this.#told = done;
      });
    }
    this.#asked.push({ what, milliseconds: performance.now() - started, isRight: true });
  }
}

/** From Linux's /proc; 0 on other systems. */
function peakMegabytes(pid: number | undefined): number {
  try {
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(peak?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

// An editor's side of a conversation with the bundled server, by the client library of the editors: what it asked, how long that took, what was wrong.
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
  /** True if the answer was the one that it had to be. */
  readonly isRight: boolean;
}

export interface OpenDocument {
  readonly uri: string;
  /** As it lies on disk. */
  readonly text: string;
}

/** What is no answer: the server says it when it knows. */
const PUBLISHED = /diagnostics/;

/** One server for all documents, as an editor has it. Milliseconds are of the clock. */
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
    // The first answer comes when the repository is read.
    await connection.sendRequest('preadmit/isIdle');
    return session;
  }

  fail(problem: string): void {
    this.problems.push(problem);
  }

  /** One conversation about what was said. */
  compare(what: string, told: readonly string[], wanted: readonly string[]): void {
    this.#compared += 1;
    const more = told.filter((each) => !wanted.includes(each)).map((each) => `\n  + ${each}`);
    const less = wanted.filter((each) => !told.includes(each)).map((each) => `\n  - ${each}`);
    if (more.length + less.length > 0) this.fail(`${what}:${[...more, ...less].slice(0, 10).join('')}`);
  }

  /** Questions, and comparisons of what was said. */
  get conversations(): number {
    return this.#asked.filter(({ what }) => !PUBLISHED.test(what)).length + this.#compared;
  }

  /** `judge`: what is wrong with the answer. An error and an empty answer are wrong. */
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

  /** What may be answered with nothing. */
  async seek<T>(what: string, params: object): Promise<T | null> {
    const started = performance.now();
    const answer = await this.#connection.sendRequest<T | null>(`textDocument/${what}`, params);
    this.#asked.push({ what, milliseconds: performance.now() - started, isRight: true });
    return answer;
  }

  /** Waits for the first that is published of it. */
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

  /** Once nothing more is said of any document. */
  async settled({ uri }: OpenDocument): Promise<readonly Diagnostic[]> {
    while (!(await this.#connection.sendRequest<boolean>('preadmit/isIdle')))
      await new Promise((done) => setTimeout(done, 20));
    return this.#published.get(uri)?.diagnostics ?? [];
  }

  /** Megabytes at most so far. */
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

/** As Linux tells it; elsewhere 0. */
function peakMegabytes(pid: number | undefined): number {
  try {
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Math.round(Number(peak?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

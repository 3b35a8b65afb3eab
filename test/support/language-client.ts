// The editor's side of the protocol with the client library of editors, connected to the command in this process.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { Diagnostic, Position, TextEdit } from 'vscode-languageserver-types';
import { runCommandLine } from '../../src/door/cli/command-line.ts';

export interface LanguageClient {
  readonly folder: string;
  readonly connection: MessageConnection;
  /** The input stream of the server, for data that the library does not send. */
  readonly input: PassThrough;
  /** The server's output on standard error. */
  readonly complaints: string[];
  uri(path: string): string;
  /** Uses the text on disk by default. */
  open(path: string, text?: string): Promise<string>;
  change(path: string, text: string): Promise<void>;
  close(path: string): Promise<void>;
  /** Diagnostics of this or a later version of the document. */
  diagnostics(path: string, isExpected: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** Diagnostics of the current document, after the server has finished. */
  settled(path: string): Promise<readonly Diagnostic[]>;
  /** Shuts the server down, and returns its exit status. */
  stop(): Promise<number>;
}

/** Copies the folder outside of any Git repository. */
export async function startLanguageClient(from: string): Promise<LanguageClient> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-lsp-')));
  await cp(from, folder, { recursive: true });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const complaints: string[] = [];
  const status = runCommandLine(['lsp', '--stdio'], {
    directory: folder,
    color: false,
    width: 100,
    interactive: false,
    out: (text) => output.write(text),
    err: (text) => complaints.push(text),
    now: () => performance.now(),
    today: '2026-11-22',
    lines: none,
    input: none,
    bytes: () => input,
  });
  const connection = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
  const published = new Map<string, readonly Diagnostic[]>();
  const versions = new Map<string, number>();
  let told = (): void => {};
  connection.onNotification(
    'textDocument/publishDiagnostics',
    (params: { uri: string; version?: number; diagnostics: Diagnostic[] }) => {
      versions.set(params.uri, params.version ?? 0);
      published.set(params.uri, params.diagnostics);
      told();
    },
  );
  connection.listen();
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  let version = 0;
  return {
    folder,
    connection,
    input,
    complaints,
    uri,
    open: async (path, text = readFileSync(join(folder, path), 'utf8')) => {
      version += 1;
      const textDocument = { uri: uri(path), languageId: 'yaml', version, text };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
      return text;
    },
    change: async (path, text) => {
      version += 1;
      const textDocument = { uri: uri(path), version };
      await connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    },
    close: async (path) => {
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } });
    },
    diagnostics: async (path, isExpected) => {
      for (;;) {
        const found = published.get(uri(path));
        if (found !== undefined && isExpected(found)) return found;
        await new Promise<void>((resolve) => {
          told = resolve;
        });
      }
    },
    settled: async (path) => {
      const asked = version;
      const isIdle = (): Promise<boolean> => connection.sendRequest('preadmit/isIdle');
      while (versions.get(uri(path)) !== asked || !(await isIdle()))
        await new Promise((resolve) => setTimeout(resolve, 5));
      return published.get(uri(path)) ?? [];
    },
    stop: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const answer = await status;
      connection.dispose();
      rmSync(folder, { recursive: true, force: true });
      return answer;
    },
  };
}

async function* none(): AsyncGenerator<never> {}

/** Position of the mark `¦` in a text, and the text without it. */
export function marked(text: string): { readonly text: string; readonly position: Position } {
  const [before = '', ...after] = text.split('¦');
  if (after.length !== 1) throw new Error('expected exactly one mark');
  const lines = before.split('\n');
  return { text: before + after.join(''), position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

export function textAt(text: string, { start, end }: { readonly start: Position; readonly end: Position }): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
  return text.slice(offset(start), offset(end));
}

/** Applies edits to a text. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
  return [...edits]
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .sort((one, other) => other.start - one.start)
    .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
}

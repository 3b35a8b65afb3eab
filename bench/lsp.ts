// `npm run bench -- lsp [DIR]`: latency in an editor, measured with a real client over stdio and the server in a separate process.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';

const KEYSTROKES = 50;
/** Delay between keys of a fast typist, in milliseconds. The next key follows the published diagnostics or this delay. */
const BETWEEN = 120;
/** Timeout for a document without new diagnostics. */
const PATIENCE = 60_000;

interface Published {
  readonly uri: string;
  readonly version?: number;
}

/** Works on a copy of `DIR`; default: examples/shop. */
export async function run([given]: readonly string[]): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-bench-lsp-')));
  try {
    cpSync(given ?? join(process.cwd(), 'examples/shop'), folder, { recursive: true });
    await measured(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(folder: string): Promise<void> {
  const files = documentsIn(folder);
  const manifest = firstWith(files, /^kind: Deployment$/m);
  const policy = firstWith(files, /^kind: (?:ValidatingAdmissionPolicy|ClusterPolicy|ValidatingPolicy)$/m);
  console.log(
    `${files.length} documents; manifest ${manifest && relative(folder, manifest)}; policy ${policy && relative(folder, policy)}`,
  );
  console.log('| measurement | first ms | p50 ms | p95 ms | maximum ms |\n|---|--:|--:|--:|--:|');
  const server = spawn(process.execPath, [join(import.meta.dirname, 'cli.mjs'), 'lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const client = new Client(connection);
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  const answers: number[] = [];
  for (const [what, path] of [
    ['manifest', manifest],
    ['policy', policy],
  ] as const) {
    if (path !== undefined) await client.typing(what, path, answers);
  }
  console.log(row('completion and hover', undefined, answers));
  console.log(`peak memory ${peakMegabytes(server.pid)} MB`);
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise((resolve) => server.once('exit', resolve));
  connection.dispose();
}

class Client {
  readonly #connection: MessageConnection;
  #version = 0;
  #told: (published: Published) => void = () => {};

  constructor(connection: MessageConnection) {
    this.#connection = connection;
    connection.onNotification('textDocument/publishDiagnostics', (published: Published) => this.#told(published));
  }

  /** Adds a letter to a comment at the end, and waits for the diagnostics of that version. */
  async typing(what: string, path: string, answers: number[]): Promise<void> {
    const uri = pathToFileURL(path).href;
    let text = readFileSync(path, 'utf8');
    this.#version += 1;
    const opened = this.#published(uri, this.#version);
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: this.#version, text },
    });
    const first = await opened;
    text += '\n# ';
    const spent: number[] = [];
    for (let key = 0; key < KEYSTROKES; key++) {
      text += 'a';
      this.#version += 1;
      const published = this.#published(uri, this.#version);
      await this.#connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: this.#version },
        contentChanges: [{ text }],
      });
      spent.push(await published);
      const position = placeIn(text, key);
      for (const method of ['completion', 'hover']) {
        const asked = performance.now();
        await this.#connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, position });
        answers.push(performance.now() - asked);
      }
      // Every tenth pause is long enough for the rendering of the file.
      await new Promise((resolve) => setTimeout(resolve, key % 10 === 9 ? 1_000 : BETWEEN));
    }
    console.log(row(`keystroke in a ${what} to its diagnostics`, first, spent));
    await this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  #published(uri: string, version: number): Promise<number> {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no diagnostics for ${uri}`)), PATIENCE);
      this.#told = (published) => {
        if (published.uri !== uri || (published.version ?? 0) < version) return;
        clearTimeout(timer);
        resolve(performance.now() - start);
      };
    });
  }
}

function documentsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path) && !path.startsWith('.git/'))
    .sort()
    .map((path) => join(folder, path));
}

function firstWith(files: readonly string[], pattern: RegExp): string | undefined {
  return files.find((path) => !/chainsaw|templates\//.test(path) && pattern.test(readFileSync(path, 'utf8')));
}

/** Positions in expressions of the text, one after the other; any position if it has none. */
function placeIn(text: string, turn: number): { readonly line: number; readonly character: number } {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (/expression:|object\./.test(line) ? [index] : []));
  const line = found[turn % found.length] ?? turn % lines.length;
  return { line, character: Math.max(0, (lines[line]?.length ?? 0) - 2) };
}

function row(what: string, first: number | undefined, spent: readonly number[]): string {
  const sorted = [...spent].sort((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.ceil(sorted.length * part) - 1] ?? 0).toFixed(0);
  return `| ${what} | ${first?.toFixed(0) ?? ''} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`;
}

/** Available only on Linux. */
function peakMegabytes(pid: number | undefined): string {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? 'unknown' : (Number(kilobytes) / 1024).toFixed(0);
  } catch {
    return 'unknown';
  }
}

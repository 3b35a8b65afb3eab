// `npm run conformance -- lsp [FOLDER]`: sixty conversations and more with the bundled language server about a copy of a repository.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { CodeAction, Diagnostic, Location, Position } from 'vscode-languageserver-types';
import { bundleApart } from '../../scripts/bundle-apart.ts';
import { manifestPaths, withCorpus } from '../support/corpus.ts';

const REPOSITORIES = ['redhat-appstudio+infra-deployments', 'xunholy+k8s-gitops'];
/** A policy has a conversation of each kind; a manifest those about what is found in it. */
const POLICIES = 6;
const MANIFESTS = 6;
const POLICY = /^kind: (?:ValidatingAdmissionPolicy|MutatingAdmissionPolicy|ClusterPolicy|Policy|ValidatingPolicy)$/m;
const MANIFEST = /^kind: (?:Deployment|StatefulSet|HelmRelease|Service|ConfigMap|Kustomization)$/m;
const NOT_APPLIED = /\/(?:templates|\.chainsaw-test|tests?)\//;

/** Without a folder the repositories of the corpus, as far as they are there. False: something was not answered, or answered otherwise. */
export async function converse(folder: string | undefined): Promise<boolean> {
  const bundle = mkdtempSync(join(tmpdir(), 'preadmit-lsp-bundle-'));
  try {
    await bundleApart({ cli: 'src/cli.ts' }, bundle);
    if (folder !== undefined) return await converseAbout(resolve(folder), bundle);
    let isRight = true;
    for (const name of REPOSITORIES) {
      const asked = withCorpus(name, (own) => converseAbout(own, bundle));
      if (asked === undefined) console.log(`${name}: absent, so nothing was asked`);
      else isRight = (await asked) && isRight;
    }
    return isRight;
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
}

async function converseAbout(original: string, bundle: string): Promise<boolean> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'preadmit-lsp-')));
  try {
    cpSync(original, folder, { recursive: true });
    const files = manifestPaths(folder).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
    const applied = files.filter(({ path }) => !NOT_APPLIED.test(path));
    const policies = spread(
      applied.filter(({ text }) => POLICY.test(text)),
      POLICIES,
    );
    const manifests = spread(
      applied.filter(({ text }) => MANIFEST.test(text) && !POLICY.test(text)),
      MANIFESTS,
    );
    const session = await Session.start(folder, bundle);
    for (const file of policies) await session.discuss(file.path, file.text, true);
    for (const file of manifests) await session.discuss(file.path, file.text, false);
    const { megabytes, problems } = await session.end();
    console.log(
      `\n${relative(join(original, '..'), original)}: ${files.length} documents, peak memory ${megabytes} MB\n`,
    );
    console.log('| what | conversations | with an answer | p50 ms | p95 ms | most ms |\n|---|--:|--:|--:|--:|--:|');
    for (const line of session.table()) console.log(line);
    for (const problem of problems) console.error(problem);
    return problems.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** So many of them, from all over. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as T);
}

interface Asked {
  readonly what: string;
  readonly milliseconds: number;
  readonly isAnswered: boolean;
}

/** One server for all documents, as an editor has it. Milliseconds are of the clock. */
class Session {
  readonly #server: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #asked: Asked[] = [];
  readonly #problems: string[] = [];
  readonly #published = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>();
  #version = 0;
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
    server.stderr?.on('data', (text: Buffer) => this.#problems.push(String(text)));
  }

  static async start(folder: string, bundle: string): Promise<Session> {
    const server = spawn(process.execPath, [join(bundle, 'cli.mjs'), 'lsp', '--stdio'], { cwd: folder });
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const session = new Session(server, connection);
    connection.listen();
    const rootUri = pathToFileURL(folder).href;
    await connection.sendRequest('initialize', { processId: null, rootUri, capabilities: {} });
    await connection.sendNotification('initialized', {});
    // The first answer comes when the repository is read.
    await connection.sendRequest('preadmit/isIdle');
    return session;
  }

  /** Everything that can be asked about a document, then what is said after an edit and after it is taken back. */
  async discuss(path: string, text: string, isPolicy: boolean): Promise<void> {
    const uri = pathToFileURL(path).href;
    await this.#write(uri, text, 'first diagnostics');
    const before = await this.#settled(uri);
    const lines = text.split('\n');
    for (const position of placesIn(lines, isPolicy)) {
      const at = { textDocument: { uri }, position };
      await this.#ask('completion', at);
      await this.#ask('hover', at);
      if (!isPolicy) continue;
      await this.#ask('definition', at);
      const found = await this.#ask<readonly Location[]>('references', {
        ...at,
        context: { includeDeclaration: true },
      });
      if (found !== null && found.length > 0) await this.#ask('rename', { ...at, newName: 'renamed' });
    }
    for (const diagnostic of before.slice(0, 3)) {
      const { range } = diagnostic;
      await this.#ask<readonly CodeAction[]>('codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [diagnostic] },
      });
    }
    await this.#write(uri, `${text}\n# a word`, 'diagnostics after a keystroke');
    await this.#write(uri, withSlip(text), 'diagnostics after a keystroke');
    await this.#settled(uri);
    await this.#write(uri, text, 'diagnostics after a keystroke');
    const after = await this.#settled(uri);
    if (JSON.stringify(sorted(before)) !== JSON.stringify(sorted(after))) {
      this.#problems.push(`${uri}: after an edit was taken back something else is said than before`);
    }
    await this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  async end(): Promise<{ readonly megabytes: number; readonly problems: readonly string[] }> {
    const megabytes = peakMegabytes(this.#server.pid);
    await this.#connection.sendRequest('shutdown');
    await this.#connection.sendNotification('exit');
    const status = await new Promise((done) => this.#server.once('exit', done));
    this.#connection.dispose();
    if (status !== 0) this.#problems.push(`the server ended with ${status}`);
    return { megabytes, problems: this.#problems };
  }

  table(): readonly string[] {
    const kinds = [...new Set(this.#asked.map(({ what }) => what)), 'all answers'];
    return kinds.map((kind) => {
      const own = this.#asked.filter(({ what }) =>
        kind === 'all answers' ? !/diagnostics/.test(what) : what === kind,
      );
      const times = own.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
      const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
      const answered = own.filter(({ isAnswered }) => isAnswered).length;
      return `| ${kind} | ${own.length} | ${answered} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`;
    });
  }

  async #ask<T>(what: string, params: object): Promise<T | null> {
    const started = performance.now();
    try {
      const answer = await this.#connection.sendRequest<T | null>(`textDocument/${what}`, params);
      const isAnswered = answer !== null && (!Array.isArray(answer) || answer.length > 0);
      this.#asked.push({ what, milliseconds: performance.now() - started, isAnswered });
      return answer;
    } catch (error) {
      // What cannot be renamed is refused in words.
      if (what !== 'rename') this.#problems.push(`${what}: ${String(error)}`);
      this.#asked.push({ what, milliseconds: performance.now() - started, isAnswered: false });
      return null;
    }
  }

  /** Opens or changes a document, and waits for the first that is published of it. */
  async #write(uri: string, text: string, what: string): Promise<void> {
    this.#version += 1;
    const version = this.#version;
    const isOpen = (this.#published.get(uri)?.version ?? 0) > 0;
    const started = performance.now();
    await this.#connection.sendNotification(
      `textDocument/${isOpen ? 'didChange' : 'didOpen'}`,
      isOpen
        ? { textDocument: { uri, version }, contentChanges: [{ text }] }
        : { textDocument: { uri, languageId: 'yaml', version, text } },
    );
    while ((this.#published.get(uri)?.version ?? 0) < version) {
      await new Promise<void>((done) => {
        this.#told = done;
      });
    }
    this.#asked.push({ what, milliseconds: performance.now() - started, isAnswered: true });
  }

  async #settled(uri: string): Promise<readonly Diagnostic[]> {
    while (!(await this.#connection.sendRequest<boolean>('preadmit/isIdle')))
      await new Promise((done) => setTimeout(done, 20));
    return this.#published.get(uri)?.diagnostics ?? [];
  }
}

function sorted(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map((each) => JSON.stringify(each)).sort();
}

/** In what is asked most about: expressions and names of a policy, the first fields of a manifest. */
function placesIn(lines: readonly string[], isPolicy: boolean): readonly Position[] {
  const wanted = isPolicy ? /object\.|variables\.|params\.|^ {2}policyName: / : /^ {2}\w+: |^\w+: /;
  const found = lines.flatMap((line, index) => (wanted.test(line) ? [{ line, index }] : []));
  return spread(found, isPolicy ? 6 : 2).map(({ line, index }) => {
    const word = /(?:object|variables|params)\.\w*/.exec(line);
    return { line: index, character: word === null ? line.length : word.index + word[0].length };
  });
}

/** A field that no kind has. */
function withSlip(text: string): string {
  return text.replace(/^spec:$/m, 'spec:\n  unknwon: true');
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

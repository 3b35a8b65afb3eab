// Language server: tracks open documents, publishes their diagnostics and answers requests.
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-types';
import { VERSION } from '../../version.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import type { CheckOptions } from '../run/check-repository.ts';
import { answersFor } from './answers.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EditedRepository } from './edited-repository.ts';
import { RPC_ERROR, RpcError, type RpcHandlers } from './json-rpc.ts';
import { JudgingQueue } from './judging-queue.ts';
import { OpenDocuments } from './open-documents.ts';
import { diagnosticsByPath } from './reported-diagnostics.ts';
import {
  changesParam,
  documentUri,
  documentVersion,
  optionalObject,
  optionalText,
  type Params,
  paramsOf,
  textParam,
} from './request-params.ts';

/** Milliseconds without a keystroke before a document is judged. */
const PAUSE = 20;
/** Milliseconds without a keystroke before its roots are rendered, which is slower. */
const PAUSE_BEFORE_ROOTS = 300;
/** Upper limit of the wait, however slow a step is. */
const LONGEST_PAUSE = 1500;

const SETTINGS_NAME = /(?:^|\/)\.preadmit(?:-baseline)?\.ya?ml$/;

export interface ServerOptions {
  /** Options of the check; `directory` is the fallback if the editor names no folder. */
  readonly check: CheckOptions;
  readonly notify: (method: string, params: unknown) => void;
  readonly complain: (text: string) => void;
  /** Called when the client exits; `wasAsked`: it sent `shutdown` first, as the protocol requires. */
  readonly exit: (wasAsked: boolean) => void;
}

export class LanguageServer implements RpcHandlers {
  readonly #options: ServerOptions;
  readonly #documents = new OpenDocuments();
  #directory: string;
  #repository: EditedRepository | undefined;
  #phase: 'new' | 'running' | 'over' = 'new';
  /** Last published diagnostics by path, serialized. */
  readonly #published = new Map<string, string>();
  readonly #judging = new JudgingQueue((uri) => this.#judge(uri), {
    pause: PAUSE,
    pauseBeforeLong: PAUSE_BEFORE_ROOTS,
    longestPause: LONGEST_PAUSE,
    complain: (text) => this.complain(text),
  });
  /** Shared facts (policies, params, namespaces) of the last judgement; a change means that all documents must be judged again. */
  #facts: object | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#directory = options.check.directory;
  }

  complain(text: string): void {
    this.#options.complain(text);
  }

  request(method: string, params: unknown): unknown {
    if (method === 'initialize') return this.#initialize(paramsOf(params));
    if (this.#phase === 'new') throw new RpcError(RPC_ERROR.notInitialized, 'the first request is `initialize`');
    if (this.#phase === 'over') throw new RpcError(RPC_ERROR.invalidRequest, 'the server is shut down');
    if (method === 'shutdown') {
      this.#phase = 'over';
      return null;
    }
    // Lets tests and scripts wait until all diagnostics are published.
    if (method === 'preadmit/isIdle') return this.#judging.isIdle;
    const answer = answersFor(method);
    if (answer === undefined) throw new RpcError(RPC_ERROR.methodNotFound, `unknown method \`${method}\``);
    const repository = this.#repository;
    return repository === undefined ? null : answer(paramsOf(params), repository);
  }

  async notify(method: string, params: unknown): Promise<void> {
    if (method === 'exit') {
      this.#options.exit(this.#phase === 'over');
      return;
    }
    if (this.#phase !== 'running') return;
    switch (method) {
      case 'initialized':
        await this.#load();
        return;
      case 'textDocument/didOpen':
        this.#opened(paramsOf(params));
        return;
      case 'textDocument/didChange':
        this.#changed(paramsOf(params));
        return;
      case 'textDocument/didClose':
        this.#closed(paramsOf(params));
        return;
      case 'textDocument/didSave':
        if (SETTINGS_NAME.test(documentUri(paramsOf(params)))) await this.#load();
        else this.#judgeAll();
        return;
      case 'workspace/didChangeWatchedFiles':
        if (this.#isChangedElsewhere(paramsOf(params))) await this.#load();
        return;
    }
  }

  /** Stops judging and releases the repository. */
  close(): void {
    this.#judging.clear();
    this.#phase = 'over';
    this.#repository?.close();
    this.#repository = undefined;
  }

  #initialize(params: Params): unknown {
    if (this.#phase !== 'new') throw new RpcError(RPC_ERROR.invalidRequest, '`initialize` was already received');
    this.#phase = 'running';
    this.#directory = folderOf(params) ?? this.#directory;
    return { capabilities: CAPABILITIES, serverInfo: { name: 'preadmit', version: VERSION } };
  }

  async #load(): Promise<void> {
    this.#judging.clear();
    this.#repository?.close();
    this.#repository = undefined;
    try {
      this.#repository = await EditedRepository.open({ ...this.#options.check, directory: this.#directory });
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      const message = error.hint === undefined ? error.message : `${error.message}: ${error.hint}`;
      this.#options.notify('window/showMessage', { type: 1, message: `preadmit: ${message}` });
      return;
    }
    const { unusable } = this.#repository;
    if (unusable !== undefined) {
      const message = unusable.diagnostics.map((each) => each.message).join('; ');
      this.#options.notify('window/showMessage', { type: 1, message: `preadmit: ${unusable.unusable}: ${message}` });
    }
    for (const { uri, file } of this.#documents.all()) this.#take(uri, file.text);
    this.#facts = this.#repository.state?.facts();
    this.#judgeAll();
  }

  #opened(params: Params): void {
    const uri = documentUri(params);
    this.#documents.open(uri, documentVersion(params), textParam(optionalObject(params, 'textDocument'), 'text'));
    this.#take(uri, this.#documents.get(uri)?.file.text);
    this.#judging.add(uri);
  }

  #changed(params: Params): void {
    const document = this.#documents.change(documentUri(params), documentVersion(params), changesParam(params));
    if (document === undefined) return;
    this.#take(document.uri, document.file.text);
    this.#judging.add(document.uri);
  }

  #closed(params: Params): void {
    const uri = documentUri(params);
    this.#documents.close(uri);
    this.#take(uri, undefined);
    this.#judging.remove(uri);
    const path = this.#repository?.pathOf(uri);
    if (path !== undefined && this.#repository !== undefined) this.#publish(path, [], this.#repository);
    if (this.#areFactsOthers()) this.#judgeAll();
  }

  #take(uri: string, text: string | undefined): void {
    const path = this.#repository?.pathOf(uri);
    if (path !== undefined) this.#repository?.edit(path, text);
  }

  /** Files saved in this editor are already known. */
  #isChangedElsewhere(params: Params): boolean {
    const { changes } = params;
    if (!Array.isArray(changes)) return false;
    return changes.some((change: unknown) => {
      const uri = optionalText(paramsOf(change), 'uri');
      return uri !== undefined && (this.#documents.get(uri) === undefined || SETTINGS_NAME.test(uri));
    });
  }

  #judgeAll(): void {
    for (const { uri } of this.#documents.all()) this.#judging.add(uri);
  }

  /** True if the shared facts changed since the last call. */
  #areFactsOthers(): boolean {
    const facts = this.#repository?.state?.facts();
    const areOthers = facts !== this.#facts;
    this.#facts = facts;
    return areOthers;
  }

  /** Publishes diagnostics after each step; yields true before a slow step. */
  *#judge(uri: string): Generator<boolean, void> {
    const repository = this.#repository;
    const path = repository?.pathOf(uri);
    if (repository?.state === undefined || path === undefined) return;
    const found = new Map<string, Diagnostic>();
    for (const step of repository.state.judge(path)) {
      if (typeof step !== 'string') {
        // Several roots may report the same diagnostic.
        const reported = diagnosticsByPath(step, repository).get(path) ?? [];
        for (const diagnostic of reported) found.set(JSON.stringify(diagnostic), diagnostic);
        this.#publish(path, [...found.values()], repository);
      }
      yield step === 'root';
      // Publish this document first, then judge the others again.
      if (this.#areFactsOthers()) this.#judging.addBehind(this.#documents.all().map((document) => document.uri));
    }
  }

  #publish(path: string, diagnostics: readonly Diagnostic[], repository: EditedRepository): void {
    const uri = repository.uriOf(path);
    const version = this.#documents.get(uri)?.version;
    const text = JSON.stringify([uri, version, diagnostics]);
    if (this.#published.get(path) === text) return;
    if (diagnostics.length === 0 && version === undefined) this.#published.delete(path);
    else this.#published.set(path, text);
    this.#options.notify('textDocument/publishDiagnostics', {
      uri,
      ...(version !== undefined && { version }),
      diagnostics,
    });
  }
}

/** The first workspace folder. */
function folderOf(params: Params): string | undefined {
  const { workspaceFolders } = params;
  const first: unknown = Array.isArray(workspaceFolders) ? workspaceFolders[0] : undefined;
  const uri = first === undefined ? optionalText(params, 'rootUri') : optionalText(paramsOf(first), 'uri');
  try {
    return uri === undefined ? optionalText(params, 'rootPath') : fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

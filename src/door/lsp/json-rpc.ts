// JSON-RPC 2.0: handles requests and notifications one at a time, in order of arrival.
import { framed, type StreamedMessage } from './message-stream.ts';

export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  cancelled: -32800,
} as const;

/** Error response of a request. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Handlers must validate params: they are unchecked client input. */
export interface RpcHandlers {
  /** Throws RpcError. */
  request(method: string, params: unknown): unknown;
  notify(method: string, params: unknown): unknown;
  /** Logs an error that has no request to answer. */
  complain(text: string): void;
}

type RequestId = string | number;

interface Waiting {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

export class RpcPeer {
  readonly #write: (text: string) => void;
  readonly #handlers: RpcHandlers;
  readonly #queue: Waiting[] = [];
  readonly #cancelled = new Set<RequestId>();
  readonly #pending = new Set<RequestId>();
  #running: Promise<void> | undefined;

  constructor(write: (text: string) => void, handlers: RpcHandlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Queues a message; its answer follows those of earlier messages. */
  receive(streamed: StreamedMessage): void {
    if ('problem' in streamed) {
      this.#refuse(null, RPC_ERROR.parse, streamed.problem);
      return;
    }
    const message = parsed(streamed.body);
    if (message === undefined) {
      this.#refuse(null, RPC_ERROR.parse, 'the message is not valid JSON');
      return;
    }
    const { id, method, params } = message as { readonly [key: string]: unknown };
    const isRequest = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') {
      // Ignores responses: the server needs no answer to its own requests.
      if (!('result' in message || 'error' in message)) {
        this.#refuse(isRequest ? id : null, RPC_ERROR.invalidRequest, 'the message has no method');
      }
      return;
    }
    if (method === '$/cancelRequest') {
      this.#cancel(params);
      return;
    }
    if (isRequest) this.#pending.add(id);
    this.#queue.push({ id: isRequest ? id : undefined, method, params });
    this.#running ??= this.#run();
  }

  /** Resolves when all received messages are handled. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      // Lets newly arrived messages cancel waiting requests.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const next = this.#queue.shift();
      if (next === undefined) break;
      await this.#handle(next);
    }
    this.#running = undefined;
  }

  async #handle({ id, method, params }: Waiting): Promise<void> {
    try {
      if (id === undefined) await this.#handlers.notify(method, params);
      else if (this.#cancelled.has(id)) this.#refuse(id, RPC_ERROR.cancelled, 'cancelled');
      else this.#send({ id, result: (await this.#handlers.request(method, params)) ?? null });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof RpcError))
        this.#handlers.complain(`${method}: ${error instanceof Error ? error.stack : text}`);
      if (id !== undefined) this.#refuse(id, error instanceof RpcError ? error.code : RPC_ERROR.internal, text);
    } finally {
      if (id !== undefined) {
        this.#pending.delete(id);
        this.#cancelled.delete(id);
      }
    }
  }

  /** Only a request that is still pending can be cancelled. */
  #cancel(params: unknown): void {
    const id = (params as { readonly id?: unknown } | null | undefined)?.id as RequestId;
    if (this.#pending.has(id)) this.#cancelled.add(id);
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    if (id === null) this.#handlers.complain(message);
    this.#send({ id, error: { code, message } });
  }

  #send(message: object): void {
    this.#write(framed({ jsonrpc: '2.0', ...message }));
  }
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

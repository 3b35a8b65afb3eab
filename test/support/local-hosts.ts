// Local servers that speak the real protocols: https for any host name, Git over https, and a proxy with CONNECT in front of them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import { httpsTransport } from '../../src/workspace/network/https-transport.ts';
import type { Transport } from '../../src/workspace/network/transport.ts';

const TLS = path.join(import.meta.dirname, 'tls');
/** File with the certificate of the tests' authority, for Git and Node. */
export const AUTHORITY = path.join(TLS, 'ca.pem');

export interface SeenRequest {
  readonly url: string;
  readonly authorization: string | undefined;
}

export type Answer = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

/** Hosts are names below `preadmit.test`, which only the proxy knows; or `127.0.0.1:<port>` without it. */
export class LocalHosts {
  readonly requests: SeenRequest[] = [];
  /** Authorities that the proxy was asked for. */
  readonly tunnels: string[] = [];
  /** `user:password` that the proxy requires. */
  proxyLogin: string | undefined;
  readonly #answers = new Map<string, Answer>();
  readonly #repositories = new Map<string, { readonly folder: string; readonly login: string | undefined }>();
  readonly #server: Server;
  readonly #proxy: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    const [cert, key] = ['server.pem', 'server.key'].map((name) => readFileSync(path.join(TLS, name)));
    this.#server = createServer({ ...(cert && { cert }), ...(key && { key }) }, (asked, response) =>
      this.#answer(asked, response),
    ) as unknown as Server;
    this.#proxy = createPlainServer((_, response) => response.writeHead(405).end());
    this.#proxy.on('connect', (asked, socket: Socket) => this.#tunnel(asked, socket));
  }

  static async start(): Promise<LocalHosts> {
    const hosts = new LocalHosts();
    for (const server of [hosts.#server, hosts.#proxy]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      server.on('connection', (socket: Socket) => hosts.#sockets.add(socket));
    }
    return hosts;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of [this.#server, this.#proxy]) await new Promise((resolve) => server.close(resolve));
  }

  /** Host and port without the proxy. */
  get direct(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get environment(): Readonly<Record<string, string>> {
    const login = this.proxyLogin === undefined ? '' : `${this.proxyLogin}@`;
    return { HTTPS_PROXY: `http://${login}127.0.0.1:${(this.#proxy.address() as AddressInfo).port}` };
  }

  /** The production transport, which trusts the authority and uses the proxy of `environment`. */
  transport(environment: Readonly<Record<string, string>> = this.environment): Transport {
    const ca = readFileSync(AUTHORITY);
    return httpsTransport((url, options) => request(url, { ...options, ca }), environment);
  }

  /** `url`: host and path. */
  on(url: string, answer: Answer): this {
    this.#answers.set(url, answer);
    return this;
  }

  redirect(url: string, location: string): this {
    return this.on(url, (_, response) => response.writeHead(302, { location }).end());
  }

  status(url: string, status: number): this {
    return this.on(url, (_, response) => response.writeHead(status).end());
  }

  /** Serves the repository in a folder with `git http-backend`; with `login`, only to that user. */
  git(url: string, folder: string, login?: string): this {
    this.#repositories.set(url, { folder, login });
    return this;
  }

  #answer(asked: IncomingMessage, response: ServerResponse): void {
    const url = `${asked.headers.host ?? ''}${asked.url ?? ''}`;
    this.requests.push({ url, authorization: asked.headers.authorization });
    const answer = this.#answers.get(url) ?? this.#answers.get(url.split('?')[0] ?? '');
    const found = [...this.#repositories].find(([top]) => url.startsWith(`${top}/`));
    if (typeof answer === 'function') answer(asked, response);
    else if (answer !== undefined) response.end(answer);
    else if (found !== undefined) serveGit(found[1], url.slice(found[0].length), asked, response);
    else response.writeHead(404).end();
  }

  #tunnel(asked: IncomingMessage, socket: Socket): void {
    this.#sockets.add(socket);
    const login = asked.headers['proxy-authorization'];
    const wanted = this.proxyLogin && `Basic ${Buffer.from(this.proxyLogin).toString('base64')}`;
    if (login !== wanted) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nConnection: close\r\n\r\n',
      );
      return;
    }
    this.tunnels.push(asked.url ?? '');
    const target = connect((this.#server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => {});
  }
}

function serveGit(
  { folder, login }: { readonly folder: string; readonly login: string | undefined },
  below: string,
  asked: IncomingMessage,
  response: ServerResponse,
): void {
  const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
  if (wanted !== undefined && asked.headers.authorization !== wanted) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const [file = '', query = ''] = below.split('?');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: path.join(folder, '.git'),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? ''),
      PATH_INFO: file,
      QUERY_STRING: query,
      REQUEST_METHOD: asked.method,
      CONTENT_TYPE: asked.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: asked.headers['content-encoding'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => {});
  asked.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const lines = output.subarray(0, end).toString().split('\r\n');
    for (const line of lines) {
      const [name = '', value = ''] = line.split(': ');
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}

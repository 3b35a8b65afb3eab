// A local registry that answers for any host over HTTP, and a transport that sends `https:` URLs to it.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as sendPlain } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpsTransport } from '../../src/workspace/network/https-transport.ts';
import type { Transport } from '../../src/workspace/network/transport.ts';

export interface SeenRequest {
  readonly url: string;
  readonly authorization: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class FakeRegistry {
  readonly requests: SeenRequest[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeRegistry> {
    const server = createServer((request, response) => registry.#answer(request, response));
    const registry = new FakeRegistry(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The production transport, redirected to this server; it keeps its checks. */
  readonly transport: Transport = httpsTransport((url, { headers }) => {
    const { port } = this.#server.address() as AddressInfo;
    const own = { ...(headers as Record<string, string>), 'x-host': url.host };
    return sendPlain(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { headers: own, agent: false });
  });

  /** Content of a URL without `https://`. */
  async bytesAt(url: string): Promise<Buffer> {
    const request = { headers: {}, maximumBytes: 1_000_000, milliseconds: 5_000, allowsPrivate: false };
    return Buffer.from((await this.transport({ ...request, url: `https://${url}` })).body);
  }

  /** `url`: without `https://`. */
  on(url: string, answer: Answer | Buffer | string): this {
    const send: Answer = (_request, response) => response.end(answer as Buffer | string);
    this.#answers.set(url, typeof answer === 'function' ? answer : send);
    return this;
  }

  redirect(url: string, location: string): this {
    return this.on(url, (_request, response) => response.writeHead(307, { location }).end());
  }

  /** Adds an artifact with these layers, and returns its reference. */
  oci(repository: string, layers: readonly OciLayer[], host = 'registry.test'): string {
    const described = layers.map(({ bytes, mediaType, annotations, size }) => {
      const digest = sha256(bytes);
      this.on(`${host}/v2/${repository}/blobs/${digest}`, bytes);
      return { mediaType, digest, size: size ?? bytes.length, ...(annotations && { annotations }) };
    });
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, layers: described }));
    this.on(`${host}/v2/${repository}/manifests/${sha256(manifest)}`, manifest);
    return `${host}/${repository}@${sha256(manifest)}`;
  }

  /** Adds a version of a package, and returns its integrity. */
  npm(name: string, version: string, archive: Buffer, tarball = `https://npm.test/${name}/-/${version}.tgz`): string {
    this.on(`npm.test/${name.replace('/', '%2F')}`, JSON.stringify({ versions: { [version]: { dist: { tarball } } } }));
    this.on(tarball.replace('https://', ''), archive);
    return `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = `${request.headers['x-host']}${request.url ?? ''}`;
    this.requests.push({ url, authorization: request.headers.authorization });
    const answer = this.#answers.get(url) ?? this.#answers.get(url.split('?')[0] ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  }
}

export interface OciLayer {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The size in the manifest; default: the real size. */
  readonly size?: number;
}

/** A layer like those that Flux pushes. */
export function tarLayer(entries: Readonly<Record<string, string>>): OciLayer {
  return { bytes: gzipSync(tar(entries)), mediaType: 'application/vnd.cncf.flux.content.v1.tar+gzip' };
}

export function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function npmArchive(entries: Readonly<Record<string, string>>): Buffer {
  return gzipSync(tar(Object.fromEntries(Object.entries(entries).map(([path, text]) => [`package/${path}`, text]))));
}

export function tar(entries: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(entries).map(([path, text]) => tarEntry(path, Buffer.from(text)));
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** `type`: `0` file, `2` symbolic link, `x` pax header. */
export function tarEntry(path: string, content: Buffer, type = '0', link = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0, 100, 'utf8');
  header.write('0000644\0', 100, 'latin1');
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write(type, 156, 'latin1');
  header.write(link, 157, 100, 'utf8');
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding]);
}

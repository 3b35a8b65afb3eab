// Reads an OCI artifact by digest through the registry API: manifest and layers, each verified by its digest.
import { createHash } from 'node:crypto';
import type { OciSource } from '../../settings/policy-source.ts';
import { basicAuthorization } from '../network/host-credentials.ts';
import type { WorkspaceError } from '../workspace-error.ts';
import { answerError, type Download, Downloader, type DownloadRequest } from './download.ts';
import { ArchiveError, gunzip, readTar } from './read-tar.ts';
import type { SourceAccess } from './source-access.ts';
import { type ArchiveFiles, archiveContent, type SourceContent, safePath } from './source-content.ts';
import { sourceError } from './source-error.ts';

const MANIFEST_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const MAXIMUM_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAXIMUM_TOKEN_BYTES = 64 * 1024;
const MAXIMUM_LAYERS = 100;
const TITLE = 'org.opencontainers.image.title';
const UNPACK = 'io.deis.oras.content.unpack';
/** Alias and actual host of Docker Hub. */
const REGISTRY_HOSTS: ReadonlyMap<string, string> = new Map([['docker.io', 'registry-1.docker.io']]);

interface Layer {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly title: string | undefined;
  readonly isPacked: boolean;
}

/** Throws WorkspaceError. */
export async function readOciSource(source: OciSource, access: SourceAccess): Promise<SourceContent> {
  const registry = new Registry(source, access);
  const manifest = await registry.get(`manifests/${source.digest}`, MANIFEST_TYPES.join(', '), MAXIMUM_MANIFEST_BYTES);
  requireDigest(source, manifest, source.digest);
  const layers = layersOf(source, manifest);
  const files = new Map<string, Buffer | undefined>();
  for (const [index, layer] of layers.entries()) {
    const how = howToRead(layer);
    if (how === 'left') continue;
    if (how === undefined) {
      throw sourceError(
        source,
        'source-malformed',
        `has a layer of the type \`${shown(layer.mediaType)}\`, which cannot be read`,
        {
          hint: 'expected YAML or JSON files, or tar archives, plain or compressed with gzip',
        },
      );
    }
    const bytes = await registry.get(`blobs/${layer.digest}`, '*/*', layer.size);
    requireDigest(source, bytes, layer.digest);
    addAll(
      source,
      files,
      how === 'file' ? oneFile(source, layer, index, bytes) : unpack(source, bytes, how === 'tar+gzip', access),
    );
  }
  return archiveContent(source, files, source.digest);
}

function layersOf(source: OciSource, bytes: Buffer): readonly Layer[] {
  const malformed = (problem: string, hint?: string): WorkspaceError =>
    sourceError(source, 'source-malformed', problem, hint === undefined ? {} : { hint });
  let manifest: unknown;
  try {
    manifest = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed('has a manifest that is not JSON');
  }
  if (!isRecord(manifest)) throw malformed('has a manifest that is not an object');
  if (Array.isArray(manifest['manifests'])) {
    throw malformed('is an index of several artifacts', 'pin the digest of one of its manifests');
  }
  const { layers } = manifest;
  if (!Array.isArray(layers) || layers.length > MAXIMUM_LAYERS)
    throw malformed('has a manifest without readable layers');
  return layers.map((layer: unknown): Layer => {
    const { mediaType, digest, size, annotations } = isRecord(layer) ? layer : {};
    const isWhole =
      typeof mediaType === 'string' &&
      typeof digest === 'string' &&
      /^sha256:[0-9a-f]{64}$/.test(digest) &&
      typeof size === 'number' &&
      Number.isSafeInteger(size) &&
      size >= 0;
    if (!isWhole) throw malformed('has a layer without type, digest or size');
    const notes = isRecord(annotations) ? annotations : {};
    const title = notes[TITLE];
    return {
      mediaType,
      digest,
      size,
      title: typeof title === 'string' ? title : undefined,
      isPacked: notes[UNPACK] === 'true',
    };
  });
}

/** `left`: the file name shows that the layer has no manifests. */
function howToRead({ mediaType, title, isPacked }: Layer): 'file' | 'tar' | 'tar+gzip' | 'left' | undefined {
  if (/(?:[+.-]|\/(?:x-)?)(?:gzip|tgz)$/.test(mediaType) || (isPacked && /\.t?gz$/.test(title ?? '')))
    return 'tar+gzip';
  if (/[./+-]tar$/.test(mediaType)) return isPacked || title === undefined || /\.tar$/.test(title) ? 'tar' : undefined;
  if (isPacked) return 'tar+gzip';
  if (title !== undefined)
    return /\.(?:ya?ml|json)$/i.test(title) ? 'file' : /\.(?:md|txt|sig|pem|asc)$/i.test(title) ? 'left' : undefined;
  return /[./+-](?:x-)?(?:ya?ml|json)$/.test(mediaType) ? 'file' : undefined;
}

function oneFile(source: OciSource, { title, mediaType }: Layer, index: number, bytes: Buffer): ArchiveFiles {
  const path = safePath(title ?? `layer-${index + 1}.${mediaType.endsWith('json') ? 'json' : 'yaml'}`);
  if (path !== undefined && path !== '') return new Map([[path, bytes]]);
  throw sourceError(source, 'source-malformed', 'has a layer whose title is a path that leads outside');
}

function unpack(
  source: OciSource,
  bytes: Buffer,
  isCompressed: boolean,
  { maximumUnpackedBytes }: SourceAccess,
): ArchiveFiles {
  try {
    return readTar(isCompressed ? gunzip(bytes, maximumUnpackedBytes) : bytes);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw sourceError(
      source,
      error.isTooLarge ? 'source-too-large' : 'source-malformed',
      `has a layer that ${error.message}`,
    );
  }
}

function addAll(source: OciSource, files: Map<string, Uint8Array | undefined>, layer: ArchiveFiles): void {
  for (const [path, content] of layer) {
    if (files.has(path)) throw sourceError(source, 'source-malformed', `has \`${path}\` in two layers`);
    files.set(path, content);
  }
}

function requireDigest(source: OciSource, bytes: Buffer, digest: string): void {
  const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (found === digest) return;
  throw sourceError(source, 'source-mismatch', `has the wrong content: the registry returned ${found} for ${digest}`);
}

class Registry {
  readonly #source: OciSource;
  readonly #access: SourceAccess;
  readonly #downloader: Downloader;
  readonly #host: string;
  #authorization: string | undefined;

  constructor(source: OciSource, access: SourceAccess) {
    this.#source = source;
    this.#access = access;
    this.#downloader = new Downloader(source, access);
    this.#host = REGISTRY_HOSTS.get(source.registry) ?? source.registry;
  }

  async get(path: string, accept: string, maximumBytes: number): Promise<Buffer> {
    const request = { url: `https://${this.#host}/v2/${this.#source.repository}/${path}`, accept, maximumBytes };
    let answer = await this.#ask(request);
    if (answer.status === 401 && this.#authorization === undefined) {
      this.#authorization = await this.#login(answer.challenge);
      answer = await this.#ask(request);
    }
    if (answer.status !== 200) throw answerError(this.#source, answer.status, this.#host);
    return answer.body;
  }

  #ask(request: DownloadRequest): Promise<Download> {
    return this.#downloader.get({ ...request, authorization: this.#authorization });
  }

  /** Sends the login that the registry requires: a token request, or a password. */
  async #login(challenge: string): Promise<string> {
    const { credentials } = this.#access;
    const own = credentials.get(this.#host) ?? credentials.get(this.#source.registry);
    if (/^basic\b/i.test(challenge) && own !== undefined) return basicAuthorization(own);
    const realm = /^bearer\b.*\brealm="([^"]+)"/i.exec(challenge)?.[1];
    if (realm === undefined || !URL.canParse(realm)) throw answerError(this.#source, 401, this.#host);
    const url = new URL(realm);
    const service = /\bservice="([^"]*)"/i.exec(challenge)?.[1];
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${this.#source.repository}:pull`);
    // The registry names the token service. Send a secret there only if it was given for that host.
    const credential = url.host === this.#host ? own : credentials.get(url.host);
    const answer = await this.#downloader.get({
      url: url.href,
      accept: 'application/json',
      maximumBytes: MAXIMUM_TOKEN_BYTES,
      namedBy: this.#host,
      authorization: credential && basicAuthorization(credential),
    });
    if (answer.status !== 200) throw answerError(this.#source, answer.status, url.host);
    const token = tokenIn(answer.body);
    if (token === undefined)
      throw sourceError(this.#source, 'source-malformed', `cannot be read: \`${url.host}\` returned no token`);
    return `Bearer ${token}`;
  }
}

function tokenIn(body: Buffer): string | undefined {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    const token = isRecord(answer) ? (answer['token'] ?? answer['access_token']) : undefined;
    return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(text: string): string {
  return text.slice(0, 100);
}

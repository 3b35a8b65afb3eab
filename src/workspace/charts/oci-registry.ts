// Fetches a chart from an OCI registry: token, manifest, and the chart's layer. Verifies each digest.

import { isExactVersion } from '../../render/engine/version-constraint.ts';
import type { ChartReference } from '../../render/sources/remote/remote.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectItems, textField, textItems } from '../../source/json/json-field.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import { digestOf, type HostClient, statusError } from '../network/host-client.ts';
import { TransportError, type TransportResponse } from '../network/transport.ts';
import type { FoundArchive, KnownArchives, VersionChoice } from './found-archive.ts';
import { ARCHIVE_LIMITS } from './read-archive.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CHART_LAYER = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const NAME = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/;
const MAXIMUM_TEXT_BYTES = 4 * 1024 * 1024;
const MAXIMUM_TAG_PAGES = 20;
/** Alias and actual host of Docker Hub. */
const HOSTS: ReadonlyMap<string, string> = new Map([['docker.io', 'registry-1.docker.io']]);

interface Repository {
  readonly host: string;
  readonly name: string;
}

export class OciRegistries {
  readonly #client: HostClient;
  readonly #tokens = new Map<string, string>();

  constructor(client: HostClient) {
    this.#client = client;
  }

  /** Rejects with a TransportError. */
  async find(reference: ChartReference, choose: VersionChoice, known: KnownArchives): Promise<FoundArchive> {
    const repository = repositoryOf(reference);
    const version = await this.#versionOf(repository, reference, choose);
    const layer = await this.#layerOf(repository, reference.digest ?? version.replaceAll('+', '_'), reference.digest);
    const archive = known.read(layer) ?? (await this.#blob(repository, layer));
    return { archive, version, digest: layer };
  }

  async #versionOf(repository: Repository, { version, digest }: ChartReference, choose: VersionChoice) {
    if (digest !== undefined || isExactVersion(version)) return version;
    const chosen = choose(version, await this.#tags(repository));
    if (chosen === undefined) throw new TransportError('its registry does not have this version');
    return chosen;
  }

  async #tags(repository: Repository): Promise<readonly string[]> {
    const tags: string[] = [];
    let last = '';
    for (let page = 0; page < MAXIMUM_TAG_PAGES; page++) {
      const after = last === '' ? '' : `&last=${encodeURIComponent(last)}`;
      const answer = await this.#ask(repository, `tags/list?n=1000${after}`, { maximumBytes: MAXIMUM_TEXT_BYTES });
      const names = textItems(jsonOf(answer).get('tags'));
      for (const name of names) tags.push(name.replaceAll('_', '+'));
      last = names.at(-1) ?? '';
      if (names.length === 0 || answer.headers['link'] === undefined) break;
    }
    return tags;
  }

  async #layerOf(repository: Repository, tag: string, digest: string | undefined): Promise<string> {
    if (digest !== undefined && !DIGEST.test(digest)) throw new TransportError('its digest is not valid');
    if (!/^[\w.:-]{1,200}$/.test(tag)) throw new TransportError('its version is not a valid tag');
    const answer = await this.#ask(repository, `manifests/${tag}`, {
      maximumBytes: MAXIMUM_TEXT_BYTES,
      accept: MANIFEST,
    });
    const own = digestOf(answer.body);
    if (digest !== undefined && own !== digest) {
      throw new TransportError(`the digest of its manifest is ${own}, but ${digest} was requested`);
    }
    const layers = objectItems(jsonOf(answer).get('layers'));
    const layer = layers.find((item) => textField(item, 'mediaType') === CHART_LAYER);
    const found = layer === undefined ? '' : textField(layer, 'digest');
    if (!DIGEST.test(found)) throw new TransportError('the artifact in the registry is not a chart');
    return found;
  }

  async #blob(repository: Repository, digest: string): Promise<Uint8Array> {
    const { body } = await this.#ask(repository, `blobs/${digest}`, { maximumBytes: ARCHIVE_LIMITS.bytes });
    const own = digestOf(body);
    if (own !== digest) throw new TransportError(`its digest is ${own}, but the registry declares ${digest}`);
    return body;
  }

  /** Adds a token if the registry requires one. */
  async #ask(
    { host, name }: Repository,
    what: string,
    question: { readonly maximumBytes: number; readonly accept?: string },
  ): Promise<TransportResponse> {
    const address = `https://${host}/v2/${name}/${what}`;
    const key = `${host}/${name}`;
    const known = this.#tokens.get(key);
    const answer = await this.#client.get(address, {
      ...question,
      ...(known !== undefined && { authorization: known }),
    });
    if (answer.status === 200) return answer;
    if (answer.status !== 401 || known !== undefined) throw statusError(answer.url.host, answer.status);
    const token = await this.#token(answer.headers['www-authenticate'] ?? '', host, name);
    this.#tokens.set(key, token);
    return this.#client.require(address, { ...question, authorization: token });
  }

  async #token(challenge: string, host: string, name: string): Promise<string> {
    const field = (key: string): string => new RegExp(`[ ,]${key}="([^"]*)"`, 'i').exec(challenge)?.[1] ?? '';
    if (!/^bearer /i.test(challenge) || !URL.canParse(field('realm'))) {
      throw statusError(host, 401);
    }
    const realm = new URL(field('realm'));
    if (field('service') !== '') realm.searchParams.set('service', field('service'));
    realm.searchParams.set('scope', `repository:${name}:pull`);
    // The registry names the token service and receives its token. Only a registry that was given credentials may have a token that
    // credentials of another host buy.
    const isTrusted = realm.host === host || this.#client.basic(host) !== undefined;
    const answer = await this.#client.require(realm.href, {
      maximumBytes: MAXIMUM_TEXT_BYTES,
      isAnonymous: !isTrusted,
    });
    const body = jsonOf(answer);
    const token = textField(body, 'token') || textField(body, 'access_token');
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TransportError(`${host} returned no token`);
    return `Bearer ${token}`;
  }
}

function repositoryOf({ repository, name }: ChartReference): Repository {
  const [, written = '', path = ''] = /^oci:\/\/([^/]+)\/?(.*?)\/*$/.exec(repository) ?? [];
  const full = path === '' ? name : `${path}/${name}`;
  if (!/^[a-z0-9.-]+(?::\d+)?$/i.test(written) || !NAME.test(full)) {
    throw new TransportError('the address of its registry is not valid');
  }
  return { host: HOSTS.get(written) ?? written, name: full };
}

function jsonOf({ body }: TransportResponse): JsonObject {
  const read = readYaml(new TextDecoder().decode(body));
  if ('failure' in read || !isJsonObject(read.value)) throw new TransportError('its registry did not return JSON');
  return read.value;
}

// Finds a chart of a Helm repository in its index, downloads it and verifies the digest of the index.
import { trimRight } from '../../go/strings/trim.ts';
import type { ChartReference } from '../../render/sources/remote/remote.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import { digestOf, type HostClient } from '../network/host-client.ts';
import { TransportError } from '../network/transport.ts';
import type { FoundArchive, KnownArchives, VersionChoice } from './found-archive.ts';
import { ARCHIVE_LIMITS } from './read-archive.ts';

const MAXIMUM_INDEX_BYTES = 64 * 1024 * 1024;
/** Parsed indexes are kept, and take about six times their size. */
const MAXIMUM_INDEXES_BYTES = 128 * 1024 * 1024;

export class HelmRepositories {
  readonly #client: HostClient;
  readonly #indices = new Map<string, Promise<JsonObject>>();
  #bytes = 0;

  constructor(client: HostClient) {
    this.#client = client;
  }

  /** Rejects with a TransportError. */
  async find(reference: ChartReference, choose: VersionChoice, known: KnownArchives): Promise<FoundArchive> {
    const address = trimRight(reference.repository, '/');
    const index = await this.#indexOf(address);
    const entries = objectItems(objectOrEmpty(index.get('entries')).get(reference.name));
    if (entries.length === 0) throw new TransportError('its repository does not have this chart');
    const versions = new Map(entries.map((entry) => [textField(entry, 'version'), entry]));
    const version = choose(reference.version, [...versions.keys()]);
    const entry = version === undefined ? undefined : versions.get(version);
    if (version === undefined || entry === undefined)
      throw new TransportError('its repository does not have this version');
    const digest = digestIn(entry);
    const archive = digest === undefined ? undefined : known.read(digest);
    if (archive !== undefined && digest !== undefined) return { archive, version, digest };
    const [url = ''] = textItems(entry.get('urls'));
    const download = resolved(url, address);
    // An index may name any host, which must not get credentials because of it. Helm does the same without `--pass-credentials`.
    const isAnonymous = new URL(download).host !== new URL(address).host;
    const { body } = await this.#client.require(download, { maximumBytes: ARCHIVE_LIMITS.bytes, isAnonymous });
    const own = digestOf(body);
    if (digest !== undefined && own !== digest) {
      throw new TransportError(`its digest is ${own}, but its repository declares ${digest}`);
    }
    return { archive: body, version, digest: own };
  }

  #indexOf(address: string): Promise<JsonObject> {
    const known = this.#indices.get(address) ?? this.#fetchIndex(address);
    this.#indices.set(address, known);
    return known;
  }

  async #fetchIndex(address: string): Promise<JsonObject> {
    const { body } = await this.#client.require(`${address}/index.yaml`, { maximumBytes: MAXIMUM_INDEX_BYTES });
    this.#bytes += body.length;
    if (this.#bytes > MAXIMUM_INDEXES_BYTES) {
      throw new TransportError('the limit of 128 MiB for all indexes is reached', 'too-large');
    }
    const read = readYaml(new TextDecoder().decode(body));
    if ('failure' in read || !isJsonObject(read.value)) throw new TransportError('its repository has no valid index');
    return read.value;
  }
}

/** Indexes contain digests with or without the algorithm. */
function digestIn(entry: JsonObject): string | undefined {
  const digest = textField(entry, 'digest').toLowerCase();
  const [hex] = /[0-9a-f]{64}$/.exec(digest) ?? [];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

function resolved(url: string, address: string): string {
  if (url === '' || !URL.canParse(url, `${address}/`))
    throw new TransportError('its repository gives no download address');
  return new URL(url, `${address}/`).href;
}

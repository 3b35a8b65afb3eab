// Fetches schemas of custom kinds from addresses: only if enabled, over https, within limits, cached by digest.
import { createHash } from 'node:crypto';
import { CacheFiles } from '../cache/cache-folder.ts';
import { digestOf, HostClient } from '../network/host-client.ts';
import { httpsTransport } from '../network/https-transport.ts';
import { type Transport, TransportError } from '../network/transport.ts';
import { WorkspaceError } from '../workspace-error.ts';

export interface SchemaFetching {
  /** Cache folder outside `root`. */
  readonly cache?: string;
  /** Root of the checked repository. */
  readonly root: string;
  /** Hosts that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  readonly transport?: Transport;
}

const MILLISECONDS = 120_000;
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 8;

/**
 * Texts by address. Addresses that do not exist (404, 410) are omitted. Cached texts are not requested again. Throws
 * WorkspaceError for any other failure, because a missing schema must not make objects valid.
 */
export async function fetchSchemas(
  addresses: readonly string[],
  { cache, root, privateHosts, now, transport = httpsTransport() }: SchemaFetching,
): Promise<ReadonlyMap<string, string>> {
  const client = new HostClient({ transport, credentials: new Map(), privateHosts, now, milliseconds: MILLISECONDS });
  const kept = new KeptTexts(cache, root);
  const texts = new Map<string, string>();
  const pending = [...new Set(addresses)];
  const next = async (): Promise<void> => {
    for (let address = pending.shift(); address !== undefined; address = pending.shift()) {
      const text = kept.find(address) ?? (await asked(address, client));
      if (text === undefined) continue;
      kept.add(address, text);
      texts.set(address, text);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return texts;
}

async function asked(address: string, client: HostClient): Promise<string | undefined> {
  try {
    const { status, body } = await client.get(address, { maximumBytes: MAXIMUM_BYTES });
    if (status === 200) return new TextDecoder().decode(body);
    if (status === 404 || status === 410) return undefined;
    throw new TransportError(`${new URL(address).host} responded with status ${status}`);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new WorkspaceError('source-unreachable', `the schema \`${address}\` cannot be fetched: ${error.message}`, {
      cause: error,
      hint: 'try again, remove the address from `schemas`, or run without `--fetch-schemas`',
    });
  }
}

/** Texts by digest, and digests by address. Content that does not match its digest is ignored. Without a folder, nothing is cached. */
class KeptTexts {
  readonly #files: CacheFiles;

  /** Throws WorkspaceError like `cacheFolder`. */
  constructor(folder: string | undefined, root: string) {
    this.#files = new CacheFiles(folder, root);
  }

  find(address: string): string | undefined {
    const digest = this.#files.read(`${hexOf(address)}.digest`)?.toString();
    const bytes =
      digest !== undefined && DIGEST.test(digest) ? this.#files.read(`${digest.slice(7)}.schema`) : undefined;
    return bytes !== undefined && digestOf(bytes) === digest ? bytes.toString() : undefined;
  }

  add(address: string, text: string): void {
    const digest = digestOf(Buffer.from(text));
    this.#files.write(`${digest.slice(7)}.schema`, text);
    this.#files.write(`${hexOf(address)}.digest`, digest);
  }
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function hexOf(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}

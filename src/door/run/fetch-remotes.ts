// Downloads what a repository names but does not contain, until nothing is missing.
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { FetchedRemotes, Remote } from '../../render/sources/remote/remote.ts';
import { RemoteFetcher } from '../../workspace/remote/remote-fetcher.ts';
import type { FetchedParts, FetchRequest } from './fetch-access.ts';

/** What was downloaded may name more. */
const MAXIMUM_ROUNDS = 8;

/** `missing` receives what was fetched so far. Throws WorkspaceError if the cache is unusable. */
export async function fetchRemotes(
  { access, kinds, root, named }: FetchRequest,
  engine: () => RenderEngine,
  missing: (remotes: FetchedRemotes) => readonly Remote[],
): Promise<FetchedParts> {
  const { isRestricted, ...options } = access;
  const fetcher = new RemoteFetcher({ ...options, kinds, root, engine, ...(isRestricted === true && { named }) });
  try {
    for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
      const wanted = missing(fetcher.remotes).filter((remote) => fetcher.isEnabled(remote));
      if (wanted.length === 0) break;
      await fetcher.fetch(wanted);
    }
  } catch (error) {
    await fetcher.close();
    throw error;
  }
  return { remotes: fetcher.remotes, hosts: fetcher.hosts(), close: () => fetcher.close() };
}

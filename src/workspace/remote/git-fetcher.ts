// Fetches commits of the Git repositories that a repository names: shallow, over https, without checkout, within limits.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { trimRight } from '../../go/strings/trim.ts';
import type { FetchedTree, GitReference } from '../../render/sources/remote/remote.ts';
import { CacheFiles } from '../cache/cache-folder.ts';
import { MAXIMUM_DOWNLOAD_BYTES, MAXIMUM_FILES, SOURCE_TIMEOUT_MILLISECONDS } from '../files/limits.ts';
import { fetchShallow } from '../git/fetch-shallow.ts';
import { parseTree } from '../git/git-output.ts';
import { type GitCommand, runGit } from '../git/git-process.ts';
import { GitRepository } from '../git/git-repository.ts';
import { requirePublicName } from '../network/guarded-lookup.ts';
import { type HostClient, httpsUrl, statusError } from '../network/host-client.ts';
import { hostOf, type ProxyEnvironment, proxyFor } from '../network/proxy.ts';
import { TransportError } from '../network/transport.ts';
import { BlobContents, commitTree } from '../render/commit-tree.ts';
import { safePath } from '../sources/source-content.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { isCommit, listPatterns, type RemoteRef, type ResolvedRef, resolveRef } from './git-revision.ts';
import { withinTree } from './within-tree.ts';

export interface GitFetching {
  /** Cache folder outside `root`. */
  readonly cache: string | undefined;
  /** Root of the checked repository. */
  readonly root: string;
  readonly client: HostClient;
  /** Names the proxies. */
  readonly environment: ProxyEnvironment;
  /** Selects among tags by a constraint, newest first. */
  readonly allowed: (constraint: string, versions: readonly string[]) => readonly string[];
}

const PIN = 'refs/preadmit/pin';
/** Lists of refs and files. */
const MAXIMUM_LIST_BYTES = 64 * 1024 * 1024;
const MAXIMUM_ADVERTISEMENT_BYTES = 64 * 1024;
const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement';

export class GitFetcher {
  readonly #options: GitFetching;
  readonly #cache: CacheFiles;
  readonly #folders: string[] = [];
  readonly #fetched = new Map<string, Promise<FetchedTree>>();

  /** Throws WorkspaceError if the cache cannot be used. */
  constructor(options: GitFetching) {
    this.#options = options;
    this.#cache = new CacheFiles(options.cache, options.root);
  }

  /** The tree of the cache; undefined if it must be fetched. Only commits and tags are taken from the cache. */
  async cached(reference: GitReference): Promise<FetchedTree | undefined> {
    const resolved = this.#known(reference);
    const pack = resolved && this.#cache.read(`${resolved.commit}.pack`);
    if (resolved === undefined || pack === undefined) return undefined;
    const folder = await this.#emptyRepository(resolved.commit);
    const packs = path.join(folder, '.git/objects/pack');
    mkdirSync(packs, { recursive: true });
    const file = path.join(packs, `pack-${resolved.commit}.pack`);
    writeFileSync(file, pack);
    try {
      // Computes the id of every object, so a changed pack cannot contain the commit.
      await runGit({ root: folder, timeoutMilliseconds: SOURCE_TIMEOUT_MILLISECONDS }, ['index-pack', file]);
      return await this.#treeOf(folder, resolved.commit, resolved);
    } catch (error) {
      if (error instanceof WorkspaceError || error instanceof TransportError) return undefined;
      throw error;
    }
  }

  /** Rejects with a TransportError. */
  fetch(reference: GitReference): Promise<FetchedTree> {
    const key = keyOf(reference);
    const fetched = this.#fetched.get(key) ?? this.#fetch(reference);
    this.#fetched.set(key, fetched);
    return fetched;
  }

  /** Removes the fetched objects; the trees cannot be read afterwards. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#fetched.values());
    await Promise.all(this.#folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  }

  async #fetch(reference: GitReference): Promise<FetchedTree> {
    const patterns = listPatterns(reference.revision);
    const url = await this.#finalUrl(reference.git);
    try {
      // Another host that the server redirects to gets no credentials.
      const isOwn = url.host === httpsUrl(reference.git).host;
      const settings = await this.#settingsFor(url, isOwn ? this.#options.client.basic(url.host) : undefined);
      const command = (root: string): GitCommand => ({
        root,
        home: root,
        protocol: 'https',
        secretSettings: settings,
        timeoutMilliseconds: Math.min(SOURCE_TIMEOUT_MILLISECONDS, Math.max(1, this.#options.client.left())),
        maximumOutputBytes: MAXIMUM_LIST_BYTES,
      });
      const isPinned = reference.revision.as === 'commit' || isCommit(reference.revision.text);
      const folder = await this.#emptyRepository(isPinned ? reference.revision.text : '');
      const refs = patterns.length === 0 ? [] : await listRefs(command(folder), url.href, patterns);
      const resolved = resolveRef(reference.revision, refs, this.#options.allowed);
      const commit = await fetchCommit(command(folder), url, resolved);
      const tree = await this.#treeOf(folder, commit, resolved);
      this.#keep(folder, reference, { ...resolved, commit });
      return tree;
    } catch (error) {
      throw asTransportError(error, url.host);
    }
  }

  /**
   * The address after redirects, which Git itself may not follow: it would not check their addresses. Its response also tells whether
   * access is denied.
   */
  async #finalUrl(address: string): Promise<URL> {
    const url = httpsUrl(address);
    if (url.search !== '' || url.hash !== '') throw new TransportError('the address of a repository has no query');
    const top = trimRight(url.href, '/');
    const service = '/info/refs?service=git-upload-pack';
    try {
      const answer = await this.#options.client.get(`${top}${service}`, {
        maximumBytes: MAXIMUM_ADVERTISEMENT_BYTES,
        // Without it, the response lists all refs.
        headers: { 'git-protocol': 'version=2' },
      });
      const { status, headers } = answer;
      if (status !== 200) throw statusError(answer.url.host, status);
      const isGit = headers['content-type'] === ADVERTISEMENT && answer.url.pathname.endsWith('/info/refs');
      if (!isGit) throw new TransportError(`${answer.url.host} has no Git repository there`);
      return new URL(answer.url.pathname.slice(0, -'/info/refs'.length), answer.url.origin);
    } catch (error) {
      // A server without protocol 2 lists all refs.
      if (error instanceof TransportError && error.problem === 'too-large') return new URL(top);
      throw error;
    }
  }

  /** Git's settings with secrets. The address of the host is set here, so that it cannot change after the check. */
  async #settingsFor(url: URL, authorization: string | undefined): Promise<readonly (readonly [string, string])[]> {
    const { client, environment } = this.#options;
    const proxy = proxyFor(url, environment);
    const isNamed = isIP(hostOf(url)) === 0;
    const addresses =
      proxy === undefined && isNamed && !client.allowsPrivate(url) ? await requirePublicName(hostOf(url)) : undefined;
    if (addresses?.length === 0) throw new TransportError(`${url.host} cannot be looked up`);
    const shown = addresses?.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(',');
    return [
      ['http.followRedirects', 'false'],
      ['http.proxy', proxy?.href ?? ''],
      ['fetch.unpackLimit', '1'],
      ['protocol.version', '2'],
      ...(shown === undefined
        ? []
        : [['http.curloptResolve', `${hostOf(url)}:${url.port || '443'}:${shown}`] as const]),
      ...(authorization === undefined
        ? []
        : [[`http.${url.origin}/.extraheader`, `AUTHORIZATION: ${authorization}`] as const]),
    ];
  }

  async #emptyRepository(commit: string): Promise<string> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'preadmit-remote-')));
    this.#folders.push(folder);
    const format = commit.length === 64 ? 'sha256' : 'sha1';
    await runGit({ root: folder }, ['init', '--quiet', '--template=', `--object-format=${format}`]);
    return folder;
  }

  async #treeOf(folder: string, commit: string, { ref, isPinned }: Omit<ResolvedRef, 'commit'>): Promise<FetchedTree> {
    const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', commit];
    const { stdout } = await runGit({ root: folder, maximumOutputBytes: MAXIMUM_LIST_BYTES }, args);
    const entries = parseTree(stdout);
    if (entries.length > MAXIMUM_FILES)
      throw new TransportError(`it has more than ${MAXIMUM_FILES} files`, 'too-large');
    if (entries.some((entry) => safePath(entry.path) !== entry.path)) {
      throw new TransportError('it has a path that leads outside');
    }
    const repository = await GitRepository.open(folder);
    if (repository === undefined) throw new TransportError('its commit cannot be read');
    const tree = withinTree(commitTree(entries, [], new BlobContents(repository)));
    return { tree, commit, isPinned, ...(ref !== undefined && { ref }) };
  }

  #known(reference: GitReference): (ResolvedRef & { readonly commit: string }) | undefined {
    const { as, text } = reference.revision;
    if (as === 'commit' || isCommit(text)) {
      return isCommit(text) ? { commit: text.toLowerCase(), isPinned: true } : undefined;
    }
    try {
      const read: unknown = JSON.parse(this.#cache.read(refFile(reference))?.toString() ?? '');
      const { commit, ref } = (read ?? {}) as Record<string, unknown>;
      return typeof commit === 'string' && isCommit(commit) && typeof ref === 'string'
        ? { commit, ref, isPinned: true }
        : undefined;
    } catch {
      return undefined;
    }
  }

  #keep(folder: string, reference: GitReference, { commit, ref, isPinned }: ResolvedRef & { readonly commit: string }) {
    const packs = path.join(folder, '.git/objects/pack');
    const [pack, ...others] = readdirSync(packs).filter((name) => name.endsWith('.pack'));
    if (!isPinned || pack === undefined || others.length > 0) return;
    this.#cache.write(`${commit}.pack`, readFileSync(path.join(packs, pack)));
    if (ref !== undefined) this.#cache.write(refFile(reference), JSON.stringify({ commit, ref }));
  }
}

function keyOf({ git, revision }: GitReference): string {
  return [git, revision.as, revision.text].join('\0');
}

function refFile(reference: GitReference): string {
  return `${createHash('sha256').update(keyOf(reference)).digest('hex')}.ref.json`;
}

/** `git ls-remote`: `<id>\t<name>`. */
async function listRefs(command: GitCommand, url: string, patterns: readonly string[]): Promise<readonly RemoteRef[]> {
  const { stdout } = await runGit(command, [
    'ls-remote',
    '--quiet',
    '--upload-pack=git-upload-pack',
    '--end-of-options',
    url,
    ...patterns,
  ]);
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [id = '', name = ''] = line.split('\t');
      return isCommit(id) && name !== '' ? [{ id, name }] : [];
    });
}

async function fetchCommit(command: GitCommand, url: URL, { ref, commit }: ResolvedRef): Promise<string> {
  const wanted = ref ?? commit ?? 'HEAD';
  const mebibytes = MAXIMUM_DOWNLOAD_BYTES / 1024 / 1024;
  const tooLarge = new WorkspaceError('source-too-large', `it is larger than ${mebibytes} MiB`);
  await fetchShallow(command, url.href, `+${wanted}:${PIN}`, { bytes: MAXIMUM_DOWNLOAD_BYTES, tooLarge });
  const repository = await GitRepository.open(command.root);
  const fetched = await repository?.resolveCommit(PIN);
  if (fetched === undefined) throw new TransportError(`\`${wanted}\` is not a commit`);
  if (ref === undefined && commit !== undefined && fetched !== commit) {
    throw new TransportError(`${url.host} returned commit ${fetched} for ${commit}`);
  }
  return fetched;
}

function asTransportError(error: unknown, host: string): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  switch (error.code) {
    case 'git-missing':
      return error;
    case 'git-timeout':
      return new TransportError(`${host} did not respond in time`, 'timeout');
    case 'source-too-large':
      return new TransportError(error.message, 'too-large');
    default: {
      const isMissing = /couldn't find remote ref|not our ref|no such remote ref/i.test(error.message);
      return new TransportError(isMissing ? 'it does not have this revision' : `${host}: ${error.message}`);
    }
  }
}

// Reads a commit of another Git repository: fetches its objects into an empty folder and reads them there, without a checkout.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { listedTree } from '../../render/engine/listed-tree.ts';
import type { GitSource } from '../../settings/policy-source.ts';
import { comparePaths, type ListedFile, listCommit } from '../discover/list-files.ts';
import { MAXIMUM_FILE_BYTES } from '../files/limits.ts';
import { type ReadResult, readBytes } from '../files/read-file.ts';
import { fetchShallow } from '../git/fetch-shallow.ts';
import { runGit } from '../git/git-process.ts';
import { GitRepository } from '../git/git-repository.ts';
import { basicAuthorization } from '../network/host-credentials.ts';
import { BlobContents, commitTree } from '../render/commit-tree.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { SourceAccess } from './source-access.ts';
import { chooser, readableFile, requireFiles, requireSize, type SourceContent, safePath } from './source-content.ts';
import { sourceError } from './source-error.ts';

const PIN = 'refs/preadmit/pin';
/** Disables prompts: the process runs without a user. */
const SSH_COMMAND = 'ssh -o BatchMode=yes';

export interface OpenGitSource extends SourceContent {
  /** Removes the fetched objects; the tree cannot be read afterwards. */
  close(): Promise<void>;
}

/** Throws WorkspaceError. */
export async function readGitSource(source: GitSource, access: SourceAccess): Promise<OpenGitSource> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'preadmit-source-')));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await fetchPin(source, folder, access);
    return { ...(await contentOf(source, folder, access)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fetchPin(source: GitSource, folder: string, access: SourceAccess): Promise<void> {
  const { url, pin } = source;
  const protocol = protocolOf(source, access);
  const format = 'commit' in pin && pin.commit.length === 64 ? 'sha256' : 'sha1';
  await runGit({ root: folder }, ['init', '--quiet', '--template=', `--object-format=${format}`]);
  const wanted = 'commit' in pin ? pin.commit : `refs/tags/${pin.tag}`;
  const tooLarge = sourceError(
    source,
    'source-too-large',
    `is larger than ${Math.floor(access.maximumDownloadBytes / 1024 / 1024)} MiB`,
  );
  const command = {
    root: folder,
    protocol,
    sshCommand: SSH_COMMAND,
    secretSettings: authorization(source, protocol, access),
    timeoutMilliseconds: access.timeoutMilliseconds,
  };
  try {
    await fetchShallow(command, url, `+${wanted}:${PIN}`, { bytes: access.maximumDownloadBytes, tooLarge });
  } catch (error) {
    throw error instanceof WorkspaceError ? asSourceError(source, error, access) : error;
  }
}

function asSourceError(
  source: GitSource,
  error: WorkspaceError,
  { timeoutMilliseconds }: SourceAccess,
): WorkspaceError {
  if (error.code === 'source-too-large' || error.code === 'git-missing') return error;
  if (error.code === 'git-timeout') {
    return sourceError(source, 'source-timeout', `could not be fetched within ${timeoutMilliseconds / 1000} seconds`);
  }
  const isMissing = /couldn't find remote ref|not our ref|no such remote ref/i.test(error.message);
  const pin = 'commit' in source.pin ? `commit ${source.pin.commit}` : `tag \`${source.pin.tag}\``;
  if (isMissing) {
    const hint =
      'commit' in source.pin
        ? 'some servers provide only tags and branches: pin a `tag` instead'
        : 'check that the tag was pushed';
    return sourceError(source, 'source-missing', `has no ${pin}`, { hint });
  }
  return sourceError(source, 'source-unreachable', `cannot be fetched: ${error.message}`, {
    hint: 'a private repository needs a token for its host (`policy-source-tokens`) or a key in the SSH agent',
    cause: error,
  });
}

async function contentOf(
  source: GitSource,
  folder: string,
  { maximumUnpackedBytes }: SourceAccess,
): Promise<SourceContent> {
  const repository = await GitRepository.open(folder);
  const commit = await repository?.resolveCommit(PIN);
  if (repository === undefined || commit === undefined)
    throw sourceError(source, 'source-missing', 'has a pin that is not a commit');
  if ('commit' in source.pin && source.pin.commit !== commit) {
    throw sourceError(
      source,
      'source-mismatch',
      `has the wrong content: the server returned ${commit} for ${source.pin.commit}`,
    );
  }
  const choose = chooser(source);
  const listed = (await listCommit(repository, commit)).sort((a, b) => comparePaths(a.path, b.path));
  for (const { path: name } of listed) {
    if (safePath(name) !== name) throw sourceError(source, 'source-malformed', 'contains a path that leads outside');
  }
  const wanted = listed.filter((file) => choose(file.path) !== 'outside');
  const total = wanted.reduce((sum, { blob }) => sum + (blob?.size ?? 0), 0);
  requireSize(source, total, maximumUnpackedBytes);
  const readable = wanted.flatMap(({ blob }) =>
    blob !== undefined && blob.size <= MAXIMUM_FILE_BYTES ? [blob.id] : [],
  );
  const contents = await repository.readBlobs(readable, readBytes);
  const resultOf = ({ blob, unreadable }: ListedFile): ReadResult =>
    (blob && contents.get(blob.id)) ?? { reason: unreadable ?? 'file-too-large' };
  const files = wanted.map((file): DiscoveredFile => {
    return { file: readableFile(source, file.path, resultOf(file)), selected: choose(file.path) === 'selected' };
  });
  requireFiles(source, files);
  const paths = new Set(listed.map((file) => file.path));
  const tree = commitTree(await repository.listTree(commit), files, new BlobContents(repository));
  const version = 'commit' in source.pin ? `commit ${commit}` : `${source.pin.tag}, commit ${commit}`;
  return { name: source.name, version, files, paths, tree: listedTree(tree, paths) };
}

/** Git's own settings are ignored here, so protocols are checked by this list as well as by Git. */
function protocolOf(source: GitSource, { gitProtocols }: SourceAccess): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(source.url)?.[1]?.toLowerCase();
  const protocol = scheme ?? (/^[\w.-]+@[\w.-]+:(?!:)/.test(source.url) ? 'ssh' : 'file');
  if (gitProtocols.includes(protocol)) return protocol;
  throw sourceError(source, 'source-refused', `uses the protocol \`${protocol}\``, {
    hint: `expected one of ${gitProtocols.map((name) => `\`${name}\``).join(', ')}`,
  });
}

function authorization(
  { url }: GitSource,
  protocol: string,
  { credentials }: SourceAccess,
): readonly (readonly [string, string])[] {
  if (protocol !== 'https') return [];
  const { host, origin } = new URL(url);
  const credential = credentials.get(host);
  return credential === undefined
    ? []
    : [[`http.${origin}/.extraheader`, `AUTHORIZATION: ${basicAuthorization(credential)}`]];
}

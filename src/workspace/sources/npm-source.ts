// Reads an npm package by exact version and digest: the archive is read in memory, never installed, and no script runs.
import { createHash } from 'node:crypto';
import type { NpmSource } from '../../settings/policy-source.ts';
import { answerError, Downloader } from './download.ts';
import { ArchiveError, gunzip, readTar } from './read-tar.ts';
import type { SourceAccess } from './source-access.ts';
import { type ArchiveFiles, archiveContent, type SourceContent } from './source-content.ts';
import { sourceError } from './source-error.ts';

/** The abbreviated metadata is sufficient. */
const PACKUMENT_TYPE = 'application/vnd.npm.install-v1+json, application/json;q=0.8';
const MAXIMUM_PACKUMENT_BYTES = 32 * 1024 * 1024;
/** npm packs all files into one folder of any name. */
const STRIPPED_FOLDERS = 1;

/** Throws WorkspaceError. */
export async function readNpmSource(source: NpmSource, access: SourceAccess): Promise<SourceContent> {
  const downloader = new Downloader(source, access);
  const get = async (url: string, accept: string, maximumBytes: number): Promise<Buffer> => {
    const host = hostOf(source, url);
    const credential = access.credentials.get(host);
    const authorization = credential && `Bearer ${credential.secret}`;
    const namedBy = hostOf(source, source.registry);
    const { status, body } = await downloader.get({ url, accept, maximumBytes, authorization, namedBy });
    if (status !== 200) throw answerError(source, status, host);
    return body;
  };
  const packument = await get(
    `${source.registry}/${source.package.replace('/', '%2F')}`,
    PACKUMENT_TYPE,
    MAXIMUM_PACKUMENT_BYTES,
  );
  const archive = await get(tarballOf(source, packument), '*/*', access.maximumDownloadBytes);
  requireIntegrity(source, archive);
  return archiveContent(source, unpack(source, archive, access), source.version);
}

function tarballOf(source: NpmSource, bytes: Buffer): string {
  const malformed = (problem: string) => sourceError(source, 'source-malformed', problem);
  let packument: unknown;
  try {
    packument = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformed('cannot be read: its registry did not return JSON');
  }
  const versions = field(packument, 'versions');
  const version = field(versions, source.version);
  if (version === undefined) {
    throw sourceError(source, 'source-missing', `has no version ${source.version}`, {
      hint: 'check that it was published to this registry',
    });
  }
  const tarball = field(field(version, 'dist'), 'tarball');
  if (typeof tarball !== 'string') throw malformed('cannot be read: its registry gives no archive');
  return tarball;
}

function requireIntegrity(source: NpmSource, archive: Buffer): void {
  const [algorithm = ''] = source.integrity.split('-', 1);
  const found = `${algorithm}-${createHash(algorithm).update(archive).digest('base64')}`;
  if (found === source.integrity) return;
  throw sourceError(
    source,
    'source-mismatch',
    `has the wrong content: the registry returned ${found} for ${source.integrity}`,
  );
}

function unpack(source: NpmSource, archive: Buffer, { maximumUnpackedBytes }: SourceAccess): ArchiveFiles {
  try {
    return readTar(gunzip(archive, maximumUnpackedBytes), STRIPPED_FOLDERS);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw sourceError(
      source,
      error.isTooLarge ? 'source-too-large' : 'source-malformed',
      `has an archive that ${error.message}`,
    );
  }
}

function hostOf(source: NpmSource, url: string): string {
  if (URL.canParse(url)) return new URL(url).host;
  throw sourceError(source, 'source-malformed', 'cannot be read: its registry gives an invalid URL for the archive');
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

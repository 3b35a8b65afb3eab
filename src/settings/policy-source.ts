// Sources of policies outside the repository: a folder, or a network address pinned to a version.
import { trimRight } from '../go/strings/trim.ts';
import type { SourceLocation } from '../source/text/source-file.ts';

interface Named {
  /** Name in the configuration; precedes `//` in the paths of its files. */
  readonly name: string;
  /** Globs relative to the source's root. */
  readonly include: readonly string[];
  /** Location of the version or of the folder; absent for a command-line option. */
  readonly location?: SourceLocation;
}

export interface FolderSource extends Named {
  readonly kind: 'folder';
  /** Relative to the repository root, or absolute. */
  readonly folder: string;
}

export interface GitSource extends Named {
  readonly kind: 'git';
  readonly url: string;
  readonly pin: { readonly commit: string } | { readonly tag: string };
}

export interface OciSource extends Named {
  readonly kind: 'oci';
  /** Host with optional port. */
  readonly registry: string;
  readonly repository: string;
  /** `sha256:…` of a manifest. */
  readonly digest: string;
}

export interface NpmSource extends Named {
  readonly kind: 'npm';
  /** URL without a final `/`. */
  readonly registry: string;
  readonly package: string;
  readonly version: string;
  /** In lock file format: `sha512-…`. */
  readonly integrity: string;
}

export type PolicySource = FolderSource | GitSource | OciSource | NpmSource;

/** A source as written in the configuration or parsed from a string. */
export interface WrittenSource {
  readonly folder?: string;
  readonly git?: string;
  readonly commit?: string;
  readonly tag?: string;
  readonly oci?: string;
  readonly npm?: string;
  readonly integrity?: string;
  readonly registry?: string;
  readonly include?: readonly string[];
}

const SOURCE_KINDS = ['folder', 'git', 'oci', 'npm'] as const;
/** Keys that only one kind of source permits. */
const KIND_KEYS: Readonly<Record<(typeof SOURCE_KINDS)[number], readonly (keyof WrittenSource)[]>> = {
  folder: [],
  git: ['commit', 'tag'],
  oci: [],
  npm: ['integrity', 'registry'],
};
const DEFAULT_REGISTRY = 'https://registry.npmjs.org';
const DEFAULT_SOURCE_INCLUDE: readonly string[] = ['**/*.{yaml,yml,json}'];

export const SOURCE_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
/** Source name in paths of definitions from `schemas`. */
export const SCHEMA_SOURCE = 'schemas';
const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?';
const HTTPS_URL = new RegExp(`^https://${HOST}(?:/[^\\s?#@\\\\]*)?$`);
const SSH_URL = new RegExp(
  `^(?:ssh://(?:[A-Za-z0-9._-]+@)?${HOST}/[^\\s?#@]+|[A-Za-z0-9._-]+@${HOST}:[^\\s?#@/-][^\\s?#@]*)$`,
);
const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** The rules of `git check-ref-format`, and no leading `-`, so that git cannot read it as an option. */
const TAG = /^(?!-)(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]{1,200}(?<![./])$/u;
const OCI = new RegExp(
  `^(?:oci://)?(${HOST})/([a-z0-9]+(?:(?:\\.|_{1,2}|-+|/)[a-z0-9]+)*)(?::[\\w.-]{1,128})?(?:@(sha256:[0-9a-f]{64}))?$`,
);
const NPM =
  /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/;
const INTEGRITY_LENGTHS: Readonly<Record<string, number>> = { sha256: 44, sha384: 64, sha512: 88 };

/** Describes a problem with the value as a predicate; undefined if it is valid. The functions below do the same. */
export function gitUrlProblem(url: string): string | undefined {
  if (HTTPS_URL.test(url) || SSH_URL.test(url)) return undefined;
  if (/^https:\/\/[^/]*@/.test(url))
    return 'contains credentials: remove them and pass tokens outside the configuration';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'https' && scheme !== 'ssh') {
    return `has the scheme \`${scheme}\`: expected \`https://\` or \`ssh://\``;
  }
  return 'is not a URL such as `https://github.com/acme/policies.git` or `ssh://git@github.com/acme/policies.git`';
}

export function commitProblem(commit: string): string | undefined {
  return OBJECT_ID.test(commit) ? undefined : 'is not a full commit id of 40 or 64 hexadecimal digits';
}

export function tagProblem(tag: string): string | undefined {
  return TAG.test(tag) ? undefined : 'is not a valid tag name';
}

export function ociProblem(reference: string): string | undefined {
  const match = OCI.exec(reference);
  if (match === null) return 'is not an artifact such as `ghcr.io/acme/policies@sha256:…`';
  return match[3] === undefined ? 'has no digest: end it with `@sha256:…`' : undefined;
}

export function npmProblem(specifier: string): string | undefined {
  return NPM.test(specifier) ? undefined : 'is not a package with an exact version such as `@acme/policies@1.2.3`';
}

export function integrityProblem(integrity: string): string | undefined {
  const [, algorithm = '', digest = ''] = /^([a-z0-9]+)-([A-Za-z0-9+/]+={0,2})$/.exec(integrity) ?? [];
  return digest.length === INTEGRITY_LENGTHS[algorithm] ? undefined : 'is not a digest in lock file format: `sha512-…`';
}

export function registryProblem(url: string): string | undefined {
  return HTTPS_URL.test(url) ? undefined : 'is not a URL such as `https://npm.pkg.github.com`';
}

/** The rules of `sourceProblem` as JSON Schema. */
export const SOURCE_SCHEMA = {
  oneOf: [
    { properties: { folder: {} }, required: ['folder'] },
    {
      properties: { git: {}, commit: {}, tag: {} },
      required: ['git'],
      oneOf: [
        { properties: { commit: {} }, required: ['commit'] },
        { properties: { tag: {} }, required: ['tag'] },
      ],
    },
    { properties: { oci: {} }, required: ['oci'] },
    { properties: { npm: {}, integrity: {} }, required: ['npm', 'integrity'] },
  ],
  dependencies: { commit: ['git'], tag: ['git'], integrity: ['npm'], registry: ['npm'] },
};

/** Describes an invalid combination of keys as a predicate. */
export function sourceProblem(written: WrittenSource): string | undefined {
  const kinds = SOURCE_KINDS.filter((kind) => written[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return 'needs exactly one of `folder`, `git`, `oci` and `npm`';
  for (const other of SOURCE_KINDS) {
    const foreign = other === kind ? undefined : KIND_KEYS[other].find((key) => written[key] !== undefined);
    if (foreign !== undefined) return `has \`${foreign}\`, which belongs to \`${other}\``;
  }
  if (kind === 'git' && (written.commit === undefined) === (written.tag === undefined)) {
    return 'needs exactly one of `commit` and `tag`';
  }
  return kind === 'npm' && written.integrity === undefined ? 'needs `integrity`: the digest of the package' : undefined;
}

/** Call only if `sourceProblem` finds no problem. */
export function resolveSource(name: string, written: WrittenSource, location?: SourceLocation): PolicySource {
  const named = { name, include: written.include ?? DEFAULT_SOURCE_INCLUDE, ...(location && { location }) };
  if (written.git !== undefined) {
    const { commit, tag = '' } = written;
    return { ...named, kind: 'git', url: written.git, pin: commit === undefined ? { tag } : { commit } };
  }
  if (written.oci !== undefined) {
    const [, registry = '', repository = '', digest = ''] = OCI.exec(written.oci) ?? [];
    return { ...named, kind: 'oci', registry: registry.toLowerCase(), repository, digest };
  }
  if (written.npm !== undefined) {
    const [, packageName = '', version = ''] = NPM.exec(written.npm) ?? [];
    const registry = trimRight(written.registry ?? DEFAULT_REGISTRY, '/');
    return { ...named, kind: 'npm', registry, package: packageName, version, integrity: written.integrity ?? '' };
  }
  return { ...named, kind: 'folder', folder: written.folder ?? '' };
}

/** The part of the source that stays the same when only the pin changes. */
export function addressOf(source: PolicySource): string {
  if (source.kind === 'folder') return source.folder;
  if (source.kind === 'git') return source.url;
  if (source.kind === 'oci') return `${source.registry}/${source.repository}`;
  return `${source.registry}/${source.package}`;
}

/** The key of the version, or `folder`. */
export function pinKey({ folder, commit, tag, oci }: WrittenSource): keyof WrittenSource {
  if (folder !== undefined) return 'folder';
  if (oci !== undefined) return 'oci';
  return commit !== undefined ? 'commit' : tag !== undefined ? 'tag' : 'npm';
}

/** The pinned version; undefined for folders. */
export function pinOf(source: PolicySource): string | undefined {
  if (source.kind === 'folder') return undefined;
  if (source.kind === 'git') return 'commit' in source.pin ? source.pin.commit : source.pin.tag;
  return source.kind === 'oci' ? source.digest : source.version;
}

/** True if both have the same address and the same version. */
export function isSameSource(one: PolicySource, other: PolicySource): boolean {
  const key = (source: PolicySource): string =>
    JSON.stringify([
      source.name,
      source.kind,
      addressOf(source),
      source.kind === 'git' ? source.pin : pinOf(source),
      source.kind === 'npm' ? source.integrity : '',
      source.include,
    ]);
  return key(one) === key(other);
}

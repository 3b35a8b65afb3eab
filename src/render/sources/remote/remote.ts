// Things that a repository names but does not contain, charts, bases and other repositories, and the results of fetching them.
import { trimRight } from '../../../go/strings/trim.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';

/** Values of the option `fetch`. */
export type RemoteKind = 'charts' | 'bases' | 'git';

export type Remote = ChartReference | BaseReference | GitReference;

export interface ChartReference {
  /** Address of a Helm repository, or the `oci://` address that the chart name is appended to. */
  readonly repository: string;
  readonly name: string;
  /** A version or a constraint; empty means the newest. */
  readonly version: string;
  /** Digest of the OCI manifest: `sha256:…`. */
  readonly digest?: string;
}

/** An entry of a kustomization: a file, or a folder of a Git repository. */
export interface BaseReference {
  /** As written in the kustomization. */
  readonly base: string;
  /** What kustomize expects there; `any`: it tries a file first. */
  readonly as: 'any' | 'folder' | 'file';
}

/** The repository of a Flux GitRepository or of an Argo CD source. */
export interface GitReference {
  readonly git: string;
  readonly revision: GitRevision;
}

/**
 * `ref`: a full name such as `refs/heads/main`. `semver`: the highest tag that a constraint permits. `argo`: as Argo CD resolves
 * `targetRevision`. `fetch`: as `git fetch` resolves it, which kustomize calls; empty means HEAD.
 */
export interface GitRevision {
  readonly as: 'commit' | 'tag' | 'branch' | 'ref' | 'semver' | 'argo' | 'fetch';
  readonly text: string;
}

export type Fetched = FetchedChart | FetchedFile | FetchedTree | FailedFetch;

export interface FetchedChart {
  /** By path in the chart's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly version: string;
  /** Digest of the archive: `sha256:…`. */
  readonly digest: string;
}

export interface FetchedFile {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The files of a commit. */
export interface FetchedTree {
  readonly tree: FileTree;
  readonly commit: string;
  /** The tag or branch that was resolved; absent for a commit. */
  readonly ref?: string;
  /** True for a commit or a tag, which the repository pins. */
  readonly isPinned: boolean;
}

export interface FailedFetch {
  readonly failure: string;
  /** How to fix it, if that is known. */
  readonly help?: string;
}

/** By `remoteKey`. */
export type FetchedRemotes = ReadonlyMap<string, Fetched>;

export function remoteKey(remote: Remote): string {
  if ('base' in remote) return ['base', remote.as, remote.base].join('\0');
  if ('git' in remote) return ['git', remote.git, remote.revision.as, remote.revision.text].join('\0');
  const { repository, name, version, digest = '' } = remote;
  return [trimRight(repository, '/'), name, version, digest].join('\0');
}

/** E.g. `chart podinfo 6.5.0 of https://example.com/charts`. */
export function remoteLabel(remote: Remote): string {
  if ('base' in remote) return `base ${remote.base}`;
  if ('git' in remote) {
    const { text } = remote.revision;
    return `repository ${remote.git}${text === '' ? '' : ` ${text}`}`;
  }
  const { repository, name, version, digest } = remote;
  const which = [version, digest].filter((text) => text !== undefined && text !== '').join('@');
  return `chart ${name}${which === '' ? '' : ` ${which}`} of ${repository}`;
}

/** The value of the option `fetch` that allows to fetch it. */
export function fetchKindOf(remote: Remote): RemoteKind {
  if ('base' in remote) return 'bases';
  return 'git' in remote ? 'git' : 'charts';
}

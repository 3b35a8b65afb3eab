// Resolves the revisions of Flux, Argo CD and kustomize among the refs of a server.
import type { GitRevision } from '../../render/sources/remote/remote.ts';
import { TransportError } from '../network/transport.ts';

export interface RemoteRef {
  readonly id: string;
  readonly name: string;
}

export interface ResolvedRef {
  /** Full name to fetch; absent for a commit. */
  readonly ref?: string;
  readonly commit?: string;
  /** True for a commit or a tag that the repository names. */
  readonly isPinned: boolean;
}

/** Neither an option nor a pattern, and no part of a refspec. */
const REVISION = /^(?!.*(?:\.\.|\/\/|@\{))\w[\w./+@#-]{0,199}$/;
/** Argo CD takes these for constraints: `util/versions.IsConstraint`. */
const CONSTRAINT = /[*^~<>=|,\s]|\.x\b/;

export function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** Patterns for `git ls-remote`; empty for a commit. Throws TransportError for a revision that cannot exist. */
export function listPatterns({ as, text }: GitRevision): readonly string[] {
  if (as === 'semver') return ['refs/tags/*'];
  if (as === 'argo' && CONSTRAINT.test(text)) return ['refs/tags/*'];
  if (text === '' || (as !== 'tag' && as !== 'branch' && text === 'HEAD')) return ['HEAD'];
  if (!REVISION.test(text)) throw new TransportError('its revision is not valid');
  if (as === 'commit' || ((as === 'argo' || as === 'fetch') && isCommit(text))) {
    if (isCommit(text)) return [];
    throw new TransportError('its commit is not a full id');
  }
  return candidates({ as, text });
}

/** Full names in the order in which they are tried. */
function candidates({ as, text }: GitRevision): readonly string[] {
  switch (as) {
    case 'tag':
      return [`refs/tags/${text}`];
    case 'branch':
      return [`refs/heads/${text}`];
    case 'ref':
      return [text];
    case 'argo':
      // `lsRemote` of util/git/client.go: the first ref with this name or short name, in the order of names.
      return [`refs/heads/${text}`, `refs/tags/${text}`, text];
    default:
      // The rules of git rev-parse, which `git fetch` follows.
      return [text, `refs/${text}`, `refs/tags/${text}`, `refs/heads/${text}`];
  }
}

/** `allowed`: selects among versions by a constraint, newest first. Throws TransportError if the server has no such ref. */
export function resolveRef(
  revision: GitRevision,
  refs: readonly RemoteRef[],
  allowed: (constraint: string, versions: readonly string[]) => readonly string[],
): ResolvedRef {
  const patterns = listPatterns(revision);
  if (patterns.length === 0) return { commit: revision.text.toLowerCase(), isPinned: true };
  const [first] = patterns;
  if (first === 'refs/tags/*') {
    const tags = refs.flatMap(({ name }) =>
      /^refs\/tags\/[^^]+$/.test(name) ? [name.slice('refs/tags/'.length)] : [],
    );
    const [newest] = allowed(
      revision.text,
      tags.filter((tag) => REVISION.test(tag)),
    );
    if (newest === undefined) throw new TransportError('it has no tag that its constraint permits');
    return { ref: `refs/tags/${newest}`, isPinned: false };
  }
  const names = new Set(refs.map(({ name }) => name));
  const found = patterns.find((name) => names.has(name));
  if (found === undefined) throw new TransportError('it does not have this revision');
  return { ref: found, isPinned: found.startsWith('refs/tags/') };
}

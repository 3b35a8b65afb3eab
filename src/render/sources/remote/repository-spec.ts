// Parses the Git addresses of kustomizations as kustomize does (api/internal/git/repospec.go).
import { joinPaths } from '../../../source/text/repository-path.ts';

export interface RepositorySpec {
  /** The address that kustomize passes to `git fetch`. */
  readonly url: string;
  /** Folder of the kustomization in the repository; '' is the top. */
  readonly path: string;
  /** Branch, tag or commit; empty means HEAD. */
  readonly ref: string;
}

const SCHEMES = ['ssh://', 'https://', 'http://', 'file://'] as const;
const DEFAULT_SEGMENTS = 2;

/** Undefined for a text that kustomize takes for a local path. */
export function parseRepositorySpec(text: string): RepositorySpec | undefined {
  if (text.startsWith('/')) return undefined;
  const question = text.indexOf('?');
  const [address, query] = question < 0 ? [text, ''] : [text.slice(0, question), text.slice(question + 1)];
  const found = hostOf(address);
  if (found === undefined) return undefined;
  const parts = pathParts(found.rest, found.host.startsWith('file://'));
  if (parts === undefined || parts.repository === '') return undefined;
  const [first] = joinPaths(parts.path.replace(/^\//, '')).split('/');
  if (first === '..') return undefined;
  return { url: found.host + parts.repository, path: parts.path.replace(/^\//, ''), ref: refIn(query) };
}

function refIn(query: string): string {
  // Go's url.ParseQuery rejects these, and kustomize then uses the defaults.
  if (/;|%(?![0-9A-Fa-f]{2})/.test(query)) return '';
  const values = new URLSearchParams(query);
  return values.get('ref') || (values.get('version') ?? '');
}

function hostOf(address: string): { readonly host: string; readonly rest: string } | undefined {
  let rest = withoutPrefix(address, 'git::') ?? address;
  let scheme: string = SCHEMES.find((prefix) => withoutPrefix(rest, prefix) !== undefined) ?? '';
  rest = rest.slice(scheme.length);
  let user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(rest)?.[0] ?? '';
  rest = rest.slice(user.length);
  const isGithub = /^github\.com[/:]/i.test(rest);
  const mayBeScp = scheme === '' && (user !== '' || isGithub);
  if (scheme === '' && !mayBeScp) return undefined;
  if (scheme === 'file://') return { host: scheme, rest: user + rest };
  const at = separatorIn(rest, mayBeScp);
  let host = at < 0 ? '' : rest.slice(0, at + 1);
  // Without a separator, Go returns the text as host and no rest, which fails later.
  if (at < 0) return undefined;
  rest = rest.slice(at + 1);
  if (isGithub) {
    const isSsh = scheme === 'ssh://' || user !== '';
    [scheme, host] = isSsh ? ['', 'github.com:'] : ['https://', 'github.com/'];
    if (!isSsh) user = '';
  }
  return { host: scheme + user + host, rest };
}

function separatorIn(text: string, mayBeScp: boolean): number {
  const slash = text.indexOf('/');
  const colon = mayBeScp ? text.indexOf(':') : -1;
  return slash < 0 || (colon > 0 && colon < slash) ? colon : slash;
}

function pathParts(text: string, isFile: boolean): { readonly repository: string; readonly path: string } | undefined {
  const mark = text.indexOf('_git/');
  if (mark >= 0) {
    const [name = '', ...path] = text.slice(mark + '_git/'.length).split('/');
    return { repository: text.slice(0, mark + '_git/'.length) + name, path: path.join('/') };
  }
  const double = text.indexOf('//');
  if (double >= 0) return { repository: text.slice(0, double), path: text.slice(double + 2) };
  const suffix = text.indexOf('.git');
  if (suffix >= 0) {
    return { repository: text.slice(0, suffix + '.git'.length), path: text.slice(suffix + '.git'.length) };
  }
  if (isFile) return { repository: text, path: '' };
  const segments = text.split('/');
  if (segments.length < DEFAULT_SEGMENTS) return undefined;
  return {
    repository: segments.slice(0, DEFAULT_SEGMENTS).join('/'),
    path: segments.slice(DEFAULT_SEGMENTS).join('/'),
  };
}

function withoutPrefix(text: string, prefix: string): string | undefined {
  return text.slice(0, prefix.length).toLowerCase() === prefix ? text.slice(prefix.length) : undefined;
}

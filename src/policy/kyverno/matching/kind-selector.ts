// Parses entries of a policy's `kinds`: group, version, kind and subresource, each with wildcards (`pkg/utils/kube/kind.go`).
import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import { matchesWildcard } from '../value/wildcard.ts';

export interface KindSelector {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
}

const VERSION = /^(v\d((alpha|beta)\d)?|\*)$/;

export function parseKindSelector(text: string): KindSelector {
  const slashed = text.split('/');
  const parts = [...slashed.slice(0, -1), ...(slashed.at(-1) as string).split('.')];
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const any = { group: '*', version: '*' };
  switch (parts.length) {
    case 1:
      return { ...any, kind: first, subresource: '' };
    case 2:
      if (first === '*' && second === '*') return { ...any, kind: '*', subresource: '*' };
      if (first === '*' && second.toLowerCase() === second) return { ...any, kind: first, subresource: second };
      if (VERSION.test(first)) return { group: '*', version: first, kind: second, subresource: '' };
      return { ...any, kind: first, subresource: second };
    case 3:
      if (VERSION.test(first)) return { group: '*', version: first, kind: second, subresource: third };
      return { group: first, version: second, kind: third, subresource: '' };
    case 4:
      return { group: first, version: second, kind: third, subresource: fourth };
    default:
      return { group: '', version: '', kind: '', subresource: '' };
  }
}

export interface SelectedKind extends GroupVersionKind {
  /** Empty for the resource itself. */
  readonly subresource: string;
}

/** Rules for Pods also match ephemeralcontainers, without naming the subresource. */
export function kindMatches(selectors: readonly KindSelector[], selected: SelectedKind): boolean {
  for (const { group, version, kind, subresource } of selectors) {
    if (!matchesWildcard(kind, selected.kind) || !matchesWildcard(group, selected.group)) continue;
    if (!matchesWildcard(version, selected.version)) continue;
    if (matchesWildcard(subresource, selected.subresource) || isEphemeralContainers(selected)) return true;
  }
  return false;
}

function isEphemeralContainers({ group, version, kind, subresource }: SelectedKind): boolean {
  return group === '' && version === 'v1' && kind === 'Pod' && subresource === 'ephemeralcontainers';
}

/** The kind in an entry, without group, version and subresource (`GetKindFromGVK`, `SplitSubresource`). */
function namedKind(text: string): string {
  const parts = text.split('/');
  const [first = '', second = '', third = ''] = parts;
  const withSubresource = (kind: string): string => kind.replace('.', '/');
  let kind = '';
  if (parts.length === 1) kind = withSubresource(text);
  else if (parts.length === 2) {
    const isVersioned = !(first === '*' && second === '*') && VERSION.test(first);
    kind = isVersioned ? withSubresource(second) : `${first}/${second}`;
  } else if (parts.length === 3) kind = VERSION.test(first) ? `${second}/${third}` : withSubresource(third);
  else if (parts.length === 4) kind = `${third}/${parts[3]}`;
  const pieces = kind.split('/');
  return pieces.length === 2 ? (pieces[0] as string) : kind;
}

export function containsKind(kinds: readonly string[], kind: string): boolean {
  return kinds.some((entry) => namedKind(entry) === kind);
}

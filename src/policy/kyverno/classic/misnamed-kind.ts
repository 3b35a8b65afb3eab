// Finds entries of `kinds` that name a resource instead of its kind, or a subresource that a built-in kind does not have.
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { builtinResources } from '../../../kubernetes/schema/resources.ts';
import { type KindSelector, parseKindSelector } from '../matching/kind-selector.ts';
import { containsWildcard, matchesWildcard } from '../value/wildcard.ts';

export interface MisnamedKind {
  readonly problem: string;
  readonly help: string;
}

interface ServedKind {
  readonly kind: string;
  /** Lower-case plural and singular. */
  readonly names: readonly string[];
  /** Undefined if unknown. */
  readonly subresources: readonly string[] | undefined;
}

/** Undefined for a kind that may exist: files do not name all custom kinds of a cluster. */
export function misnamedKind(text: string, cluster: Cluster): MisnamedKind | undefined {
  const selector = parseKindSelector(text);
  const { kind, subresource } = selector;
  if (kind === '' || containsWildcard(kind)) return undefined;
  const served = servedKinds(selector, cluster);
  const known = served.filter((each) => each.kind === kind);
  if (known.length > 0) {
    if (subresource === '' || known.some(({ subresources }) => hasSubresource(subresources, subresource)))
      return undefined;
    const listed = [...new Set(known.flatMap(({ subresources }) => subresources ?? []))].sort();
    const help = listed.length === 0 ? `write \`${kind}\`` : `its subresources are ${listed.join(', ')}`;
    return { problem: `${kind} has no subresource \`${subresource}\``, help };
  }
  const meant = served.find(({ names }) => names.includes(kind.toLowerCase()));
  if (meant === undefined) return undefined;
  const written = text.replace(kind, meant.kind);
  return { problem: `no kind is called \`${kind}\``, help: `write \`${written}\`` };
}

function hasSubresource(subresources: ServedKind['subresources'], pattern: string): boolean {
  return subresources === undefined || subresources.some((subresource) => matchesWildcard(pattern, subresource));
}

/** The known kinds in the groups and versions of an entry. */
function servedKinds({ group, version }: KindSelector, cluster: Cluster): readonly ServedKind[] {
  const isNamed = (kind: { readonly group: string; readonly version: string }): boolean =>
    matchesWildcard(group, kind.group) && matchesWildcard(version, kind.version);
  const builtin = [...builtinResources(cluster.version.minor).all()].filter(isNamed).map(
    ({ kind, resource, singular, subresources }): ServedKind => ({
      kind,
      names: [resource, singular],
      subresources: [...subresources.keys()],
    }),
  );
  const custom = [...cluster.customKinds()]
    .filter(isNamed)
    .map(({ kind, resource }): ServedKind => ({ kind, names: [resource], subresources: undefined }));
  return [...builtin, ...custom];
}

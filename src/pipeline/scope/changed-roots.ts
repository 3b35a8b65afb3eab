// Which roots apply something else in one state of a repository than in another, or apply it elsewhere.
import type { RenderedRoot } from '../../render/sources/rendered-root.ts';

/** Names of roots that one of the states lacks, or that apply other texts in one than in the other, or to other namespaces. */
export function changedRoots(base: readonly RenderedRoot[], head: readonly RenderedRoot[]): ReadonlySet<string> {
  const before = rootsByName(base);
  const after = rootsByName(head);
  const names = new Set([...before.keys(), ...after.keys()]);
  return new Set([...names].filter((name) => !appliesTheSame(before.get(name), after.get(name))));
}

/** Several clusters may have a root of one name. */
function rootsByName(roots: readonly RenderedRoot[]): ReadonlyMap<string, readonly RenderedRoot[]> {
  const byName = new Map<string, RenderedRoot[]>();
  for (const root of roots) byName.set(root.name, [...(byName.get(root.name) ?? []), root]);
  return byName;
}

function appliesTheSame(
  before: readonly RenderedRoot[] | undefined,
  after: readonly RenderedRoot[] | undefined,
): boolean {
  if (before === undefined || after === undefined || before.length !== after.length) return false;
  return before.every(({ manifests, failure, destination, entry }, index) => {
    const other = after[index];
    if (other === undefined || failure?.message !== other.failure?.message) return false;
    // The same in another cluster is something else there.
    if (destination !== other.destination || entry !== other.entry) return false;
    if (manifests.length !== other.manifests.length) return false;
    // What has no namespace of its own goes where the root is applied.
    return manifests.every((manifest, number) => {
      const same = other.manifests[number];
      return manifest.text === same?.text && manifest.defaultNamespace === same.defaultNamespace;
    });
  });
}

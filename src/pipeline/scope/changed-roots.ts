// Finds the roots that apply different objects in two states, or apply them elsewhere.
import { objectHoles, type RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { hasSameOpenFields } from '../../source/manifest/same-open-fields.ts';

/** Names of roots that only one state has, or that apply other texts, to another cluster or to other namespaces. */
export function changedRoots(base: readonly RenderedRoot[], head: readonly RenderedRoot[]): ReadonlySet<string> {
  const before = rootsByName(base);
  const after = rootsByName(head);
  const names = new Set([...before.keys(), ...after.keys()]);
  return new Set([...names].filter((name) => !appliesTheSame(before.get(name), after.get(name))));
}

/** Several clusters may have a root with the same name. */
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
  return before.every((root, index) => {
    const { manifests, failure, destination, entry } = root;
    const other = after[index];
    if (other === undefined || failure?.message !== other.failure?.message) return false;
    if (partsOf(root) !== partsOf(other)) return false;
    // In another cluster the same objects are different objects.
    if (destination !== other.destination || entry !== other.entry) return false;
    if (manifests.length !== other.manifests.length) return false;
    // An object without a namespace goes to the root's namespace.
    return manifests.every((manifest, number) => {
      const same = other.manifests[number];
      if (manifest.text !== same?.text || manifest.defaultNamespace !== same.defaultNamespace) return false;
      return hasSameOpenFields(manifest, same);
    });
  });
}

/** What the root lacks. */
function partsOf(root: RenderedRoot): string {
  return objectHoles(root)
    .map(({ what }) => what)
    .join('\n');
}

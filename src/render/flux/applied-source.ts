// Finds the source that a declaration of Flux uses: the one that its cluster has, or the one in a file.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { foldersAbove } from '../../source/text/repository-path.ts';
import type { DeclarationFacts } from '../sources/controller.ts';
import { SOURCE_GROUP, type SourceReference } from './source-reference.ts';

/**
 * Versions that the cluster of the declaration may have, the most likely one first. An overlay may change a source, so rendered objects
 * come first. A file without a namespace may get any namespace from its kustomization. Of several such files, the nearest one comes first.
 */
export function sourcesNamed(
  known: DeclarationFacts,
  declaration: Resource,
  { kind, namespace, name }: SourceReference,
): readonly Resource[] {
  const groupKind = `${SOURCE_GROUP}/${kind}`;
  const named = known.all(groupKind).filter((source) => source.name === name);
  const exact = named.filter((source) => source.namespace === namespace);
  const written = exact.length > 0 ? exact : nearestFirst(named, declaration);
  return known.rendered(declaration, groupKind, namespace, name, written);
}

export function sourceNamed(
  known: DeclarationFacts,
  declaration: Resource,
  reference: SourceReference,
): Resource | undefined {
  return sourcesNamed(known, declaration, reference)[0];
}

function nearestFirst(sources: readonly Resource[], declaration: Resource): readonly Resource[] {
  const folders = new Set(foldersAbove(declaration.manifest.file.path));
  const shared = ({ manifest }: Resource): number =>
    foldersAbove(manifest.file.path).filter((folder) => folders.has(folder)).length;
  return sources
    .filter(({ namespace }) => namespace === '')
    .map((source) => ({ source, depth: shared(source) }))
    .sort((one, other) => other.depth - one.depth)
    .map(({ source }) => source);
}

// What the verdict on a change knows of the cluster: base's word, and head's for what base has no word on.
import type { Target } from '../engine/target.ts';
import { isCustomResourceDefinition } from '../kubernetes/custom-resource-definition.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { isNamespace } from './scope/rule-resources.ts';

/** What base says of the cluster counts; only Namespaces and kinds that are new come from head, as there is nothing else to know of them. */
export function verdictFacts(base: Target, head: Target): readonly Resource[] {
  const isNewKind = (resource: Resource): boolean => isNamespace(resource) || isCustomResourceDefinition(resource);
  const identity = ({ gvk, name }: Resource): string => `${gvk.kind}\0${name}`;
  const known = new Set(base.facts.filter(isNewKind).map(identity));
  return [...base.facts, ...head.facts.filter((resource) => isNewKind(resource) && !known.has(identity(resource)))];
}

function selectedPaths({ files }: RepositoryState): ReadonlySet<string> {
  return new Set(files.flatMap(({ file, selected }) => (selected ? [file.path] : [])));
}

// The repository's objects that rules with targets would patch. Further objects in the cluster are unknown.
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { namesOne, type TargetSelection, type TargetSource } from '../rule/mutate-existing.ts';
import { containsWildcard } from '../value/wildcard.ts';
import { VariableError } from '../variables/variable-error.ts';

export function repositoryTargets(cluster: Cluster): TargetSource {
  return (selection) => {
    const { kind, namespace } = selection;
    const shown = labelOf(selection);
    const isOpen = [kind.group, kind.version, kind.kind].some((part) => part !== '*' && containsWildcard(part));
    if (isOpen || kind.kind === '*') return new VariableError('unknown', `objects of kind ${kind.kind}`);
    if (kind.subresource !== '' || containsWildcard(namespace)) return new VariableError('unknown', shown);
    const gvk = {
      group: kind.group === '*' ? '' : kind.group,
      version: kind.version === '*' ? 'v1' : kind.version,
      kind: kind.kind,
    };
    const found: readonly JsonObject[] = cluster.objects(gvk, namespace).map(({ object }) => object);
    if (
      namesOne(selection) &&
      !cluster.objects(gvk, namespace).some(({ resource }) => resource.name === selection.name)
    ) {
      return new VariableError('unknown', `${shown}, which is not in the repository`);
    }
    // Without a namespace, the target selects all namespaces, which only the cluster knows.
    if (namespace === '' && cluster.mappingFor(gvk).namespaced)
      return new VariableError('unknown', `${shown} in every namespace`);
    return found;
  };
}

function labelOf({ kind, namespace, name }: TargetSelection): string {
  const place = [namespace, name === '' ? '*' : name].filter((part) => part !== '').join('/');
  return `${kind.kind} ${place}`;
}

// Finds rules that differ between two states, and the files with objects that they may affect.
import { matchObjects } from '../../engine/object/match-objects.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { isNamespace } from '../state/rule-resources.ts';

/** Omits new Namespaces, which had no objects before. `where`: the cluster of a rule. A moved rule is deleted from its first cluster. */
export function differingRules(
  before: readonly Resource[],
  now: readonly Resource[],
  where: (resource: Resource) => string = () => '',
): readonly Resource[] {
  const { created, updated, deleted } = matchObjects(before, now, (resource) => {
    const { gvk, namespace, name } = resource;
    return name === '' ? undefined : [gvk.group, gvk.kind, namespace, name, where(resource)].join('\0');
  });
  return [
    ...created.filter((resource) => !isNamespace(resource)),
    ...updated.flatMap(({ resource, old }) => [resource, old]),
    ...deleted,
  ];
}

/** The cluster of each resource, if its root names it. */
export function clusterKeys(
  found: readonly { readonly resource: Resource; readonly root?: RenderedRoot | undefined }[],
): (resource: Resource) => string {
  const places = new Map(found.map(({ resource, root }) => [resource, `${root?.destination}\0${root?.entry}`]));
  return (resource) => places.get(resource) ?? '';
}

/** Only files with this word contain objects that the changed rule affects. Undefined: any file may. */
export function affectedWord(rule: Resource): string | undefined {
  // Objects without a namespace go to `default`.
  if (isNamespace(rule)) return rule.name === 'default' ? undefined : rule.name;
  if (!isCustomResourceDefinition(rule)) return undefined;
  const group = textField(objectOrEmpty(rule.value.get('spec')), 'group');
  return group === '' ? undefined : group;
}

// Rules that are not the same in two states, and where the objects are that they may concern.
import { matchObjects } from '../../engine/match-objects.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { RenderedRoot } from '../../render/sources/rendered-root.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { isNamespace } from '../state/rule-resources.ts';

/**
 * A Namespace that is new says nothing about objects that were there before. `where` tells clusters apart: what is applied to another
 * one now is gone from the one where it was, whatever it says.
 */
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

/** Of each resource what tells its cluster, as far as its root says. */
export function appliedTo(
  found: readonly { readonly resource: Resource; readonly root?: RenderedRoot | undefined }[],
): (resource: Resource) => string {
  const places = new Map(found.map(({ resource, root }) => [resource, `${root?.destination}\0${root?.entry}`]));
  return (resource) => places.get(resource) ?? '';
}

/** Objects that a changed rule concerns are in files with this word; undefined: anywhere. */
export function wordOfConcern(rule: Resource): string | undefined {
  // Objects without a namespace go to `default`.
  if (isNamespace(rule)) return rule.name === 'default' ? undefined : rule.name;
  if (!isCustomResourceDefinition(rule)) return undefined;
  const group = textField(objectOrEmpty(rule.value.get('spec')), 'group');
  return group === '' ? undefined : group;
}

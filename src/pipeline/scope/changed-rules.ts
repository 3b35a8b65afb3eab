// Rules that are not the same in two states, and where the objects are that they may concern.
import { matchObjects } from '../../engine/match-objects.ts';
import { isCustomResourceDefinition } from '../../kubernetes/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { objectOrEmpty, textField } from '../../source/json-field.ts';
import { isNamespace } from './rule-resources.ts';

/** A Namespace that is new says nothing about objects that were there before. */
export function differingRules(before: readonly Resource[], now: readonly Resource[]): readonly Resource[] {
  const { created, updated, deleted } = matchObjects(before, now, ({ gvk, namespace, name }) =>
    name === '' ? undefined : [gvk.group, gvk.kind, namespace, name].join('\0'),
  );
  return [
    ...created.filter((resource) => !isNamespace(resource)),
    ...updated.flatMap(({ resource, old }) => [resource, old]),
    ...deleted,
  ];
}

/** Objects that a changed rule concerns are in files with this word; undefined: anywhere. */
export function wordOfConcern(rule: Resource): string | undefined {
  // Objects without a namespace go to `default`.
  if (isNamespace(rule)) return rule.name === 'default' ? undefined : rule.name;
  if (!isCustomResourceDefinition(rule)) return undefined;
  const group = textField(objectOrEmpty(rule.value.get('spec')), 'group');
  return group === '' ? undefined : group;
}

// The names of a kind that kubectl accepts in its arguments: `deployments`, `deploy`, `Deployment`, `deploy.apps`, `deployments.v1.apps`.
import type { CustomResourceDefinition } from '../api/custom-resource-definition.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import { builtinNames } from '../schema/resources.ts';

/** In any letter case. Kinds that neither the server nor a definition has match by kind only. */
export function isResourceArgument(
  written: string,
  { group, version, kind }: GroupVersionKind,
  definitions: readonly CustomResourceDefinition[],
): boolean {
  const [name = '', ...qualifiers] = written.toLowerCase().split('.');
  const qualifier = qualifiers.join('.');
  if (qualifiers.length > 0 && qualifier !== group && qualifier !== `${version}.${group}`) return false;
  if (name === kind.toLowerCase()) return true;
  const definition = definitions.find((each) => each.group === group && each.kind === kind);
  const defined = definition === undefined ? [] : [definition.resource, definition.singular, ...definition.shortNames];
  return [...builtinNames(group, kind), ...defined].includes(name);
}

// The kinds that CustomResourceDefinitions in the files add to the API.
import {
  type CustomResourceDefinition,
  type DefinedVersion,
  isCustomResourceDefinition,
  readDefinition,
} from '../api/custom-resource-definition.ts';
import type { Resource } from '../api/resource.ts';
import type { CustomKind } from './cluster.ts';

export interface CustomResource extends CustomKind, Pick<CustomResourceDefinition, 'conversion' | 'versions'> {}

/** One entry for each served version of a CustomResourceDefinition; empty for other resources. */
export function readCustomResources(resource: Resource): readonly CustomResource[] {
  if (!isCustomResourceDefinition(resource)) return [];
  const definition = readDefinition(resource);
  if (definition.kind === '' || definition.resource === '') return [];
  const { group, kind, resource: plural, namespaced, conversion, versions } = definition;
  return versions
    .filter(({ isServed }) => isServed)
    .map(({ version, schema }) => ({
      group,
      version,
      kind,
      resource: plural,
      namespaced,
      schema,
      definition: resource,
      conversion,
      versions,
    }));
}

/** `status` or `scale`. */
export function hasSubResource({ hasStatus, scale }: DefinedVersion, name: string): boolean {
  return (name === 'status' && hasStatus) || (name === 'scale' && scale !== undefined);
}

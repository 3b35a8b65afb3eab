// The kinds that CustomResourceDefinitions among the files add to the API.
import type { CustomKind } from '../kubernetes/cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { isJsonArray, type JsonObject } from '../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../source/json-field.ts';

export interface CustomResource extends CustomKind {
  /** How the server makes one version of another: by renaming it (`None`), or by asking a webhook. */
  readonly conversion: 'None' | 'Webhook';
}

/** One entry for each served version of a CustomResourceDefinition (v1 or v1beta1); empty for anything else. */
export function readCustomResources(definition: Resource): readonly CustomResource[] {
  const { group, kind } = definition.gvk;
  if (group !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition') return [];
  const spec = objectOrEmpty(definition.value.get('spec'));
  const names = objectOrEmpty(spec.get('names'));
  const common: Omit<CustomResource, 'version'> = {
    group: textField(spec, 'group'),
    kind: textField(names, 'kind'),
    resource: textField(names, 'plural'),
    namespaced: textField(spec, 'scope') !== 'Cluster',
    conversion: textField(objectOrEmpty(spec.get('conversion')), 'strategy') === 'Webhook' ? 'Webhook' : 'None',
    definition,
  };
  if (common.kind === '' || common.resource === '') return [];
  return servedVersions(spec).map((version) => ({ ...common, version }));
}

function servedVersions(spec: JsonObject): readonly string[] {
  const versions = spec.get('versions');
  if (!isJsonArray(versions)) return [textField(spec, 'version')].filter((version) => version !== '');
  return objectItems(versions)
    .filter((version) => version.get('served') === true)
    .map((version) => textField(version, 'name'));
}

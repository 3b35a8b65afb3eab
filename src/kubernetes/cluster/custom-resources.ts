// The kinds that CustomResourceDefinitions among the files add to the API.

import { isJsonArray, type JsonObject } from '../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json-field.ts';
import type { Resource } from '../resource.ts';
import type { CustomKind } from './cluster.ts';

export interface CustomResource extends CustomKind {
  /** All of the definition, in its order: to the server those that are not served are equivalent too (`customresource_handler.go`). */
  readonly versions: readonly DefinedVersion[];
  /** How the server makes one version of another: by renaming it (`None`), or by asking a webhook. */
  readonly conversion: 'None' | 'Webhook';
}

export interface DefinedVersion {
  readonly version: string;
  readonly isServed: boolean;
  /** `status` and `scale`, where it has them. */
  readonly subResources: readonly string[];
}

/** One entry for each served version of a CustomResourceDefinition (v1 or v1beta1); empty for anything else. */
export function readCustomResources(definition: Resource): readonly CustomResource[] {
  const { group, kind } = definition.gvk;
  if (group !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition') return [];
  const spec = objectOrEmpty(definition.value.get('spec'));
  const names = objectOrEmpty(spec.get('names'));
  const versions = definedVersions(spec);
  const common: Omit<CustomResource, 'version'> = {
    group: textField(spec, 'group'),
    kind: textField(names, 'kind'),
    resource: textField(names, 'plural'),
    namespaced: textField(spec, 'scope') !== 'Cluster',
    conversion: textField(objectOrEmpty(spec.get('conversion')), 'strategy') === 'Webhook' ? 'Webhook' : 'None',
    definition,
    versions,
  };
  if (common.kind === '' || common.resource === '') return [];
  return versions.filter(({ isServed }) => isServed).map(({ version }) => ({ ...common, version }));
}

/** In v1beta1 subresources may be the definition's own, and so may its only version. */
function definedVersions(spec: JsonObject): readonly DefinedVersion[] {
  const common = objectField(spec, 'subresources');
  const versions = spec.get('versions');
  if (!isJsonArray(versions)) {
    const version = textField(spec, 'version');
    return version === '' ? [] : [{ version, isServed: true, subResources: subResourcesOf(common) }];
  }
  return objectItems(versions).map((version) => ({
    version: textField(version, 'name'),
    isServed: version.get('served') === true,
    subResources: subResourcesOf(objectField(version, 'subresources') ?? common),
  }));
}

function subResourcesOf(written: JsonObject | undefined): readonly string[] {
  return ['status', 'scale'].filter((name) => written !== undefined && objectField(written, name) !== undefined);
}

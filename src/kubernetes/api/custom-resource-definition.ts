// Reads CustomResourceDefinitions (v1 and v1beta1): the kinds they define, and the settings of each version.

import type { JsonObject } from '../../source/json/json.ts';
import {
  objectField,
  objectItems,
  objectOrEmpty,
  optionalTextField,
  textField,
  textItems,
} from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Resource } from './resource.ts';

export interface CustomResourceDefinition {
  readonly group: string;
  readonly kind: string;
  /** Plural name. */
  readonly resource: string;
  /** Lower-case. Default: the kind. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** How the server converts between versions: by setting apiVersion (`None`), or by calling a webhook. */
  readonly conversion: 'None' | 'Webhook';
  /** The server drops no unknown fields. Only v1beta1 definitions can set this. */
  readonly preserveUnknownFields: boolean;
  /** All versions, in order. The server also treats versions that it does not serve as equivalent (`customresource_handler.go`). */
  readonly versions: readonly DefinedVersion[];
}

export interface DefinedVersion {
  readonly version: string;
  readonly isServed: boolean;
  /** Absent if the version is not deprecated. `warning`: the definition's own text. */
  readonly deprecation: { readonly warning: string | undefined } | undefined;
  /** The field that holds the schema; undefined if the version has no schema. */
  readonly validation: JsonObject | undefined;
  readonly schema: JsonObject | undefined;
  /** Path of the schema in the definition, even if the schema is missing. */
  readonly schemaPath: FieldPath;
  /** True if all versions share the definition's top-level schema. */
  readonly isSchemaShared: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

export interface ScalePaths {
  /** JSON paths with a leading dot. */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector: string | undefined;
}

export function isCustomResourceDefinition({ gvk }: Resource): boolean {
  return gvk.group === 'apiextensions.k8s.io' && gvk.kind === 'CustomResourceDefinition';
}

/** In v1beta1, versions inherit missing settings from the definition (apiextensions `v1beta1/conversion.go`, `defaults.go`). */
export function readDefinition({ gvk, value }: Resource): CustomResourceDefinition {
  const spec = objectOrEmpty(value.get('spec'));
  const names = objectOrEmpty(spec.get('names'));
  const isBeta = gvk.version === 'v1beta1';
  return {
    group: textField(spec, 'group'),
    kind: textField(names, 'kind'),
    resource: textField(names, 'plural'),
    singular: textField(names, 'singular') || textField(names, 'kind').toLowerCase(),
    shortNames: textItems(names.get('shortNames')),
    namespaced: textField(spec, 'scope') !== 'Cluster',
    conversion: textField(objectOrEmpty(spec.get('conversion')), 'strategy') === 'Webhook' ? 'Webhook' : 'None',
    preserveUnknownFields: isBeta && spec.get('preserveUnknownFields') !== false,
    versions: writtenVersions(spec, isBeta).map((version, index) =>
      readVersion(version, index, isBeta ? spec : NOTHING),
    ),
  };
}

const NOTHING: JsonObject = new Map();

/** A v1beta1 definition may name its only version in `spec.version`. */
function writtenVersions(spec: JsonObject, isBeta: boolean): readonly JsonObject[] {
  const versions = objectItems(spec.get('versions'));
  const only = textField(spec, 'version');
  return versions.length > 0 || !isBeta || only === ''
    ? versions
    : [
        new Map<string, string | boolean>([
          ['name', only],
          ['served', true],
        ]),
      ];
}

/** `common` holds the settings of versions that have none of their own. */
function readVersion(own: JsonObject, index: number, common: JsonObject): DefinedVersion {
  const ownSchema = objectField(own, 'schema');
  const validation = ownSchema ?? objectField(common, 'validation');
  const isSchemaShared = ownSchema === undefined && common !== NOTHING;
  const subresources = objectOrEmpty(own.get('subresources') ?? common.get('subresources'));
  return {
    version: textField(own, 'name'),
    isServed: own.get('served') === true,
    deprecation: own.get('deprecated') === true ? { warning: optionalTextField(own, 'deprecationWarning') } : undefined,
    validation,
    schema: validation && objectField(validation, 'openAPIV3Schema'),
    schemaPath: isSchemaShared
      ? ['spec', 'validation', 'openAPIV3Schema']
      : ['spec', 'versions', index, 'schema', 'openAPIV3Schema'],
    isSchemaShared,
    hasStatus: objectField(subresources, 'status') !== undefined,
    scale: readScale(objectField(subresources, 'scale')),
  };
}

function readScale(scale: JsonObject | undefined): ScalePaths | undefined {
  return (
    scale && {
      specReplicas: textField(scale, 'specReplicasPath'),
      statusReplicas: textField(scale, 'statusReplicasPath'),
      labelSelector: optionalTextField(scale, 'labelSelectorPath'),
    }
  );
}

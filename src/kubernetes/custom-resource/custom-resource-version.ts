// What a CustomResourceDefinition (v1 or v1beta1) says of one of its versions.
import type { FieldPath } from '../../source/field-path.ts';
import type { JsonObject } from '../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, optionalTextField, textField } from '../../source/json-field.ts';
import type { GroupVersionKind } from '../group-version.ts';
import { isSameJson } from './object/json-equality.ts';

export interface ScalePaths {
  /** JSON paths with a leading dot. */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector: string | undefined;
}

export interface CustomResourceVersion {
  readonly gvk: GroupVersionKind;
  readonly namespaced: boolean;
  /** Undefined if the version has none. */
  readonly schema: JsonObject | undefined;
  /** Where the schema is, or would be, in the definition. */
  readonly schemaPath: FieldPath;
  /** That place in the server's errors: versions with the same schema share one. */
  readonly schemaName: string;
  /** Nothing is dropped; only definitions of v1beta1 can ask for it. */
  readonly preserveUnknownFields: boolean;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

/** Undefined if the definition has no such version. What is missing in a version of v1beta1 is taken from the definition. */
export function readVersion(definition: JsonObject, version: string): CustomResourceVersion | undefined {
  const spec = objectOrEmpty(definition.get('spec'));
  const isBeta = textField(definition, 'apiVersion') === 'apiextensions.k8s.io/v1beta1';
  const versions = objectItems(spec.get('versions'));
  const index = versions.findIndex((candidate) => textField(candidate, 'name') === version);
  const isOnly = isBeta && versions.length === 0 && textField(spec, 'version') === version;
  if (index < 0 && !isOnly) return undefined;
  const own = versions[index] ?? new Map();
  const ownSchema = objectField(own, 'schema');
  const isShared = isBeta && (ownSchema === undefined || index < 0);
  const validation = isShared ? objectField(spec, 'validation') : ownSchema;
  const subresources = objectOrEmpty(own.get('subresources') ?? (isBeta ? spec.get('subresources') : undefined));
  const isSame = isShared || (index >= 0 && haveSameSchema(versions));
  return {
    gvk: { group: textField(spec, 'group'), version, kind: textField(objectOrEmpty(spec.get('names')), 'kind') },
    namespaced: textField(spec, 'scope') !== 'Cluster',
    schema: validation && objectField(validation, 'openAPIV3Schema'),
    schemaPath: isShared
      ? ['spec', 'validation', 'openAPIV3Schema']
      : ['spec', 'versions', index, 'schema', 'openAPIV3Schema'],
    schemaName: isSame ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`,
    preserveUnknownFields: isBeta && spec.get('preserveUnknownFields') !== false,
    hasStatus: objectField(subresources, 'status') !== undefined,
    scale: readScale(objectField(subresources, 'scale')),
  };
}

function haveSameSchema(versions: readonly JsonObject[]): boolean {
  const [first = null, ...others] = versions.map((version) => version.get('schema') ?? null);
  return first !== null && others.every((schema) => isSameJson(schema, first));
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

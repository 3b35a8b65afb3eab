// One version of a custom resource, with the settings that apply to its objects.
import type { CustomResourceDefinition, DefinedVersion } from '../api/custom-resource-definition.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import { deprecationWarning } from './deprecation-warning.ts';
import { isSameJson } from './object/json-equality.ts';

export interface CustomResourceVersion
  extends Pick<DefinedVersion, 'schema' | 'schemaPath' | 'hasStatus' | 'scale'>,
    Pick<CustomResourceDefinition, 'namespaced' | 'preserveUnknownFields'> {
  readonly gvk: GroupVersionKind;
  /** The schema's name in the server's errors; versions with the same schema share it. */
  readonly schemaName: string;
  /** The server's warning about requests in this version; absent if the version is not deprecated. */
  readonly deprecationWarning?: string;
}

/** Undefined if the definition lacks the version. */
export function versionOf(definition: CustomResourceDefinition, name: string): CustomResourceVersion | undefined {
  const { group, kind, namespaced, preserveUnknownFields, versions } = definition;
  const index = versions.findIndex(({ version }) => version === name);
  const version = versions[index];
  if (version === undefined) return undefined;
  const { schema, schemaPath, isSchemaShared, hasStatus, scale } = version;
  const warning = deprecationWarning(definition, name);
  const hasOneName = isSchemaShared || haveSameSchema(versions);
  return {
    gvk: { group, version: name, kind },
    namespaced,
    schema,
    schemaPath,
    schemaName: hasOneName ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`,
    preserveUnknownFields,
    hasStatus,
    scale,
    ...(warning !== undefined && { deprecationWarning: warning }),
  };
}

function haveSameSchema(versions: readonly DefinedVersion[]): boolean {
  const [first, ...others] = versions.map(({ validation, isSchemaShared }) =>
    isSchemaShared ? undefined : validation,
  );
  return first !== undefined && others.every((other) => other !== undefined && isSameJson(other, first));
}

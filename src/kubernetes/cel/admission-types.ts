// The declared types of admission expressions: `request`, `namespaceObject` (apiserver `pkg/admission/plugin/cel/compile.go`).
import { BOOL, DURATION, DYN, INT, listOf, mapOf, STRING, struct, TIMESTAMP, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import { ErrorValue } from '../../cel/value/value.ts';

type Fields = Readonly<Record<string, Type>>;

const GROUP_VERSION_KIND: Type = struct('kubernetes.GroupVersionKind');
const GROUP_VERSION_RESOURCE: Type = struct('kubernetes.GroupVersionResource');
const USER_INFO: Type = struct('kubernetes.UserInfo');
export const ADMISSION_REQUEST: Type = struct('kubernetes.AdmissionRequest');

const NAMESPACE_METADATA: Type = struct('kubernetes.NamespaceMetadata');
const NAMESPACE_SPEC: Type = struct('kubernetes.NamespaceSpec');
const NAMESPACE_STATUS: Type = struct('kubernetes.NamespaceStatus');
const NAMESPACE_CONDITION: Type = struct('kubernetes.NamespaceCondition');
export const NAMESPACE: Type = struct('kubernetes.Namespace');

/**
 * For the type checker only: at run time both variables are plain maps. So some namespace fields type-check but fail at
 * run time: `UID` is `uid` in the map, and timestamps are strings.
 */
const STRUCTS: ReadonlyMap<Type, Fields> = new Map<Type, Fields>([
  [GROUP_VERSION_KIND, { group: STRING, version: STRING, kind: STRING }],
  [GROUP_VERSION_RESOURCE, { group: STRING, version: STRING, resource: STRING }],
  [USER_INFO, { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) }],
  [
    ADMISSION_REQUEST,
    {
      kind: GROUP_VERSION_KIND,
      resource: GROUP_VERSION_RESOURCE,
      subResource: STRING,
      requestKind: GROUP_VERSION_KIND,
      requestResource: GROUP_VERSION_RESOURCE,
      requestSubResource: STRING,
      name: STRING,
      namespace: STRING,
      operation: STRING,
      userInfo: USER_INFO,
      dryRun: BOOL,
      options: DYN,
    },
  ],
  [
    NAMESPACE_METADATA,
    {
      name: STRING,
      generateName: STRING,
      namespace: STRING,
      labels: mapOf(STRING, STRING),
      annotations: mapOf(STRING, STRING),
      UID: STRING,
      creationTimestamp: TIMESTAMP,
      deletionGracePeriodSeconds: INT,
      deletionTimestamp: TIMESTAMP,
      generation: INT,
      resourceVersion: STRING,
      finalizers: listOf(STRING),
    },
  ],
  [NAMESPACE_SPEC, { finalizers: listOf(STRING) }],
  [NAMESPACE_STATUS, { conditions: listOf(NAMESPACE_CONDITION), phase: STRING }],
  [
    NAMESPACE_CONDITION,
    { status: STRING, type: STRING, lastTransitionTime: TIMESTAMP, message: STRING, reason: STRING },
  ],
  [NAMESPACE, { metadata: NAMESPACE_METADATA, spec: NAMESPACE_SPEC, status: NAMESPACE_STATUS }],
]);

const BY_NAME: ReadonlyMap<string, { readonly type: Type; readonly fields: ReadonlyMap<string, Type> }> = new Map(
  [...STRUCTS].map(([type, fields]) => [type.name, { type, fields: new Map(Object.entries(fields)) }]),
);

/** Upstream's provider of declared types returns its scalar names for struct names that CEL does not define. */
const SCALARS: ReadonlyMap<string, Type> = new Map([
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
]);

/** The names and literals of these types pass the checker but have no values. */
export const ADMISSION_TYPES: TypeProvider = {
  findStruct: (name) => BY_NAME.get(name)?.type ?? SCALARS.get(name),
  findField: (type, field) => BY_NAME.get(type.name)?.fields.get(field),
  fieldNames: (type) => [...(BY_NAME.get(type.name)?.fields.keys() ?? [])],
  newStruct: (type) => new ErrorValue(`unknown type '${type.name}'`),
};

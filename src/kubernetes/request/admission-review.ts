// Reads the admission request in an AdmissionReview (`admission.k8s.io/v1`).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { AdmissionRequest, Operation, UserInfo } from './admission-request.ts';

export interface AdmissionReview {
  readonly uid: string;
  readonly request: AdmissionRequest;
}

const OPERATIONS: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * `kind` and `resource` of a review describe its objects; `requestKind` and `requestResource` describe the original
 * request if they differ. `error` is a message for the user.
 */
export function readAdmissionReview(value: JsonValue): AdmissionReview | { readonly error: string } {
  if (!isJsonObject(value)) return { error: 'expected an AdmissionReview, a JSON object' };
  const [apiVersion, kind] = [textField(value, 'apiVersion'), textField(value, 'kind')];
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
    const found = [apiVersion, kind].filter((text) => text !== '').join(' ') || 'an object without apiVersion and kind';
    return { error: `expected admission.k8s.io/v1 AdmissionReview, found ${found}` };
  }
  const request = value.get('request');
  if (!isJsonObject(request)) return { error: '`request` is missing' };
  const problem = wrongField(request);
  return problem === undefined ? { uid: textField(request, 'uid'), request: readRequest(request) } : { error: problem };
}

function readRequest(request: JsonObject): AdmissionRequest {
  const objectKind = readKind(request.get('kind'));
  const resource = readResource(request.get('resource'));
  const isConverted = isJsonObject(request.get('requestKind'));
  return {
    operation: textField(request, 'operation') as Operation,
    kind: isConverted ? readKind(request.get('requestKind')) : objectKind,
    resource: isJsonObject(request.get('requestResource')) ? readResource(request.get('requestResource')) : resource,
    subResource: textField(request, 'requestSubResource') || textField(request, 'subResource'),
    name: textField(request, 'name'),
    namespace: textField(request, 'namespace'),
    object: objectOrNull(request.get('object')),
    oldObject: objectOrNull(request.get('oldObject')),
    ...(isConverted && { objectKind }),
    options: objectOrNull(request.get('options')),
    dryRun: request.get('dryRun') === true,
    userInfo: readUserInfo(objectOrEmpty(request.get('userInfo'))),
  };
}

/** Reports the first missing required field, or an object field of the wrong type. */
function wrongField(request: JsonObject): string | undefined {
  const operation = textField(request, 'operation');
  if (!OPERATIONS.includes(operation)) {
    return `\`request.operation\` is \`${operation}\`: expected one of ${OPERATIONS.join(', ')}`;
  }
  const required = [
    ['kind', 'kind'],
    ['kind', 'version'],
    ['resource', 'resource'],
    ['resource', 'version'],
  ] as const;
  for (const [field, part] of required) {
    if (textField(objectOrEmpty(request.get(field)), part) === '') return `\`request.${field}.${part}\` is missing`;
  }
  for (const field of ['object', 'oldObject', 'options', 'userInfo']) {
    const value = request.get(field) ?? null;
    if (value !== null && !isJsonObject(value)) return `\`request.${field}\` is ${describe(value)}: expected an object`;
  }
  return undefined;
}

function readKind(value: JsonValue | undefined): GroupVersionKind {
  const fields = objectOrEmpty(value);
  return {
    group: textField(fields, 'group'),
    version: textField(fields, 'version'),
    kind: textField(fields, 'kind'),
  };
}

function readResource(value: JsonValue | undefined): GroupVersionResource {
  const fields = objectOrEmpty(value);
  return {
    group: textField(fields, 'group'),
    version: textField(fields, 'version'),
    resource: textField(fields, 'resource'),
  };
}

function readUserInfo(user: JsonObject): UserInfo {
  const extra = [...objectOrEmpty(user.get('extra'))].map(([key, values]): [string, readonly string[]] => [
    key,
    textItems(values),
  ]);
  return {
    username: textField(user, 'username'),
    uid: textField(user, 'uid'),
    groups: textItems(user.get('groups')),
    extra: new Map(extra),
  };
}

function objectOrNull(value: JsonValue | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function describe(value: JsonValue): string {
  if (isJsonArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}

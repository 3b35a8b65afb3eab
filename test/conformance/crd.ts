// Answers a recorded line about custom resources: from definition and object to the stored object and all errors.

import { recurringKind } from '../../src/kubernetes/api/group-version.ts';
import { Resource } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, type KubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { CustomResourceKinds } from '../../src/kubernetes/custom-resource/custom-resource-kinds.ts';
import type { ServerError } from '../../src/kubernetes/custom-resource/server-error.ts';
import { PLACEHOLDER_FACTS } from '../../src/kubernetes/schema/creation/server-facts.ts';
import { compareUtf8, isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** An error like the server's `field.Error`; `message` is its full text. */
export interface CrdError {
  readonly type: string;
  readonly field: string;
  readonly detail: string;
  readonly message: string;
}

export interface CrdAnswer {
  readonly id: string;
  /** The definition is refused with these messages; there is no other answer then. */
  readonly definitionErrors?: readonly string[];
  /** The server cannot decode the object. */
  readonly decodeError?: string;
  readonly strictErrors?: readonly string[];
  /** The stored object after creation, without uid and creationTimestamp. Absent for updates. */
  readonly stored?: JsonObject;
  readonly errors?: readonly CrdError[];
  readonly warnings?: readonly string[];
  /** Only in Preadmit's answer. */
  readonly unknowns?: readonly string[];
}

const VERSION = 'v1';
const GROUP = 'example.com';

/** `text` is one line of the file. Sorts lists that have no fixed order in Go, if the line says so. */
export function answerCrd(text: string, version: KubernetesVersion = DEFAULT_VERSION): CrdAnswer {
  const [manifest] = readManifests(new SourceFile('line.json', text)).manifests;
  if (manifest === undefined || !isJsonObject(manifest.value)) throw new Error('the line is no JSON object');
  const line = manifest.value;
  const id = textField(line, 'id');
  const gvk = recurringKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  const definition = new Resource(manifest, [], gvk, definitionOf(objectOrEmpty(line.get('definition'))));
  const result = new CustomResourceKinds(version).kind(definition, VERSION);
  const isSorted = line.get('anyOrder') === true;
  if ('problems' in result)
    return {
      id,
      ...listed(
        'definitionErrors',
        result.problems.map(({ message }) => masked(message)),
        isSorted,
      ),
    };
  const object = objectField(line, 'object');
  if (object === undefined) return { id };
  const namespace = result.kind.version.namespaced ? 'default' : '';
  const options = { namespace, facts: PLACEHOLDER_FACTS };
  const admitted = result.kind.admit(object, options);
  if ('error' in admitted) return { id, decodeError: admitted.error.message };
  const before = objectField(line, 'before');
  const validity = before === undefined ? admitted.validity() : result.kind.validateUpdate(object, before, options);
  if ('error' in validity) return { id, decodeError: validity.error.message };
  return {
    id,
    ...listed(
      'strictErrors',
      admitted.strictErrors.map(({ message }) => message),
      false,
    ),
    ...(before === undefined ? { stored: storedObject(admitted.validating.object) } : {}),
    ...listed('errors', validity.errors.map(crdError), isSorted),
    ...listed('warnings', validity.warnings, isSorted),
    ...listed('unknowns', validity.unknowns, false),
  };
}

/** The line's definition: its schema, scope and subresources, with fixed names. */
function definitionOf(given: JsonObject): JsonObject {
  const schema = given.get('schema');
  const subresources = given.get('subresources');
  const version = new Map<string, JsonValue>([
    ['name', VERSION],
    ['served', true],
    ['storage', true],
  ]);
  if (schema !== undefined) version.set('schema', new Map([['openAPIV3Schema', schema]]));
  if (subresources !== undefined) version.set('subresources', subresources);
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  return new Map<string, JsonValue>([
    ['apiVersion', 'apiextensions.k8s.io/v1'],
    ['kind', 'CustomResourceDefinition'],
    ['metadata', new Map([['name', `widgets.${GROUP}`]])],
    [
      'spec',
      new Map<string, JsonValue>([
        ['group', GROUP],
        ['scope', given.get('scope') ?? 'Namespaced'],
        ['names', new Map(Object.entries(names))],
        ['versions', [version]],
      ]),
    ],
  ]);
}

function storedObject(object: JsonObject): JsonObject {
  const metadata = new Map(objectOrEmpty(object.get('metadata')));
  for (const field of ['uid', 'creationTimestamp']) metadata.delete(field);
  return new Map([...object, ['metadata', metadata]]);
}

function crdError({ type, detail, message }: ServerError): CrdError {
  const field = message.slice(0, message.indexOf(`: ${type}`));
  return { type, field, detail: masked(detail), message: masked(message) };
}

/** The server numbers the types of rules by its clock. */
function masked(text: string): string {
  return text.replace(/selfType\d+/g, 'selfType');
}

function listed<T extends string | CrdError>(
  name: string,
  items: readonly T[],
  isSorted: boolean,
): Readonly<Record<string, readonly T[]>> {
  if (items.length === 0) return {};
  const textOf = (item: T) => (typeof item === 'string' ? item : item.message);
  return { [name]: isSorted ? [...items].sort((a, b) => compareUtf8(textOf(a), textOf(b))) : items };
}

// What the checks of Pod Security read of a Pod or pod template: its annotations, its spec and its containers.

import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export interface CheckedPod {
  /** null reads as the empty text, as Go decodes it. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly spec: JsonObject;
  /** Undefined where nothing is written. */
  readonly securityContext: JsonObject | undefined;
  /** Init containers first, then containers, then ephemeral containers: the order of every message. */
  readonly containers: readonly CheckedContainer[];
}

export interface CheckedContainer {
  readonly name: string;
  readonly container: JsonObject;
  readonly securityContext: JsonObject | undefined;
  /** From the root of the Pod: `spec`, `containers`, 0. */
  readonly path: FieldPath;
}

/** Where the pod's own security context is. */
export const POD_SECURITY_CONTEXT: FieldPath = ['spec', 'securityContext'];

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Of the `metadata` and `spec` of a Pod or of a template; what has a type that a server refuses is read as absent. */
export function checkedPod(metadata: JsonObject, spec: JsonObject): CheckedPod {
  return {
    annotations: annotationsOf(metadata),
    spec,
    securityContext: objectField(spec, 'securityContext'),
    containers: CONTAINER_LISTS.flatMap((list) => containersOf(spec, list)),
  };
}

function annotationsOf(metadata: JsonObject): ReadonlyMap<string, string> {
  const annotations = new Map<string, string>();
  for (const [key, value] of objectOrEmpty(metadata.get('annotations'))) {
    if (value === null || typeof value === 'string') annotations.set(key, value ?? '');
  }
  return annotations;
}

function containersOf(spec: JsonObject, list: string): readonly CheckedContainer[] {
  return objectItems(spec.get(list)).map((container, index) => ({
    name: textField(container, 'name'),
    container,
    securityContext: objectField(container, 'securityContext'),
    path: ['spec', list, index],
  }));
}

/** `spec.os.name` is `windows`. */
export function isWindowsPod({ spec }: CheckedPod): boolean {
  return textField(objectOrEmpty(spec.get('os')), 'name') === 'windows';
}

/** `spec.hostUsers` is false: the users of the Pod are none of the node. */
export function hasOwnUserNamespace({ spec }: CheckedPod): boolean {
  return spec.get('hostUsers') === false;
}

/** The value at the end of a way through objects; undefined where a step is missing or no object. */
export function fieldAt(object: JsonObject | undefined, ...names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (!isJsonObject(value)) return undefined;
    value = value.get(name);
  }
  return value;
}

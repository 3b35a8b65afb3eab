// The parts of a Pod or Pod template that the checks read: annotations, spec and containers.

import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export interface CheckedPod {
  /** Null becomes an empty string, as in Go. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly spec: JsonObject;
  /** Undefined if absent. */
  readonly securityContext: JsonObject | undefined;
  /** Init containers, containers, then ephemeral containers: the order of all messages. */
  readonly containers: readonly CheckedContainer[];
}

export interface CheckedContainer {
  readonly name: string;
  readonly container: JsonObject;
  readonly securityContext: JsonObject | undefined;
  /** From the root of the Pod: `spec`, `containers`, 0. */
  readonly path: FieldPath;
}

/** Path of the Pod's own security context. */
export const POD_SECURITY_CONTEXT: FieldPath = ['spec', 'securityContext'];

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** From the `metadata` and `spec` of a Pod or template. Values of a type that the server refuses are treated as absent. */
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

/** `spec.hostUsers` is false: the Pod has its own user namespace. */
export function hasOwnUserNamespace({ spec }: CheckedPod): boolean {
  return spec.get('hostUsers') === false;
}

/** The value at a path of nested objects; undefined if a step is missing or not an object. */
export function fieldAt(object: JsonObject | undefined, ...names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of names) {
    if (!isJsonObject(value)) return undefined;
    value = value.get(name);
  }
  return value;
}

// A Namespace as expressions see it (apiserver `plugin/cel/condition.go: CreateNamespaceObject`).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';

/** Fields that `namespaceObject` omits. */
const HIDDEN_METADATA: readonly string[] = ['ownerReferences', 'managedFields', 'selfLink'];

export class NamespaceObject {
  readonly stored: JsonObject;
  /** No file defines the Namespace, or only the judged change does, or its file has fields without a value. */
  readonly isAssumed: boolean;
  #exposed: JsonObject | undefined;

  constructor(stored: JsonObject, isAssumed = false) {
    this.stored = stored;
    this.isAssumed = isAssumed;
  }

  /** The value in validations, variables and message expressions. */
  get exposed(): JsonObject {
    this.#exposed ??= exposedNamespace(this.stored);
    return this.#exposed;
  }
}

function exposedNamespace(namespace: JsonObject): JsonObject {
  const metadata = new Map<string, JsonValue>(objectOrEmpty(namespace.get('metadata')));
  for (const field of HIDDEN_METADATA) metadata.delete(field);
  return new Map<string, JsonValue>([
    ['metadata', metadata],
    ['spec', namespace.get('spec') ?? new Map()],
    ['status', namespace.get('status') ?? new Map()],
  ]);
}

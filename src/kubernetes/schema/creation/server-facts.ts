// Placeholders for values that every server chooses differently.
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import type { ServerFacts } from './creation-function.ts';

export const PLACEHOLDER_FACTS: ServerFacts = {
  now: '2000-01-01T00:00:00Z',
  uid: '00000000-0000-4000-8000-000000000000',
  nameSuffix: 'xxxxx',
  clusterIP: '10.96.0.10',
  nodePort: 30_000n,
  priority: 0n,
  preemptionPolicy: 'PreemptLowerPriority',
  resourceVersion: '1',
  generation: 1n,
  nextGeneration: 1n,
  fieldManager: { manager: 'kubectl-client-side-apply', operation: 'Update' },
};

/**
 * Variants of the facts: both ends of each range, and an ordinary value. A result that is the same for all of them is considered certain.
 */
export const POSSIBLE_FACTS: readonly [ServerFacts, ...ServerFacts[]] = [
  PLACEHOLDER_FACTS,
  {
    now: '2100-12-31T23:59:59Z',
    uid: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
    nameSuffix: '24689',
    clusterIP: '192.168.255.254',
    nodePort: 32_700n,
    priority: 1_000_000_000n,
    preemptionPolicy: 'Never',
    resourceVersion: '9223372036854775807',
    generation: 1_000n,
    nextGeneration: 1_001n,
    fieldManager: { manager: 'argocd-controller', operation: 'Apply' },
  },
  {
    now: '2026-05-17T09:26:53Z',
    uid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    nameSuffix: 'k7m2q',
    clusterIP: '172.20.143.7',
    nodePort: 31_234n,
    priority: -1_000n,
    preemptionPolicy: 'PreemptLowerPriority',
    resourceVersion: '48213077',
    generation: 4n,
    nextGeneration: 5n,
    fieldManager: { manager: 'kustomize-controller', operation: 'Apply' },
  },
];

/** One entry, as after creation, without the list of owned fields. */
export function managedFields({ now, fieldManager }: ServerFacts, apiVersion: string): JsonValue {
  const entry: JsonObject = new Map<string, JsonValue>([
    ['manager', fieldManager.manager],
    ['operation', fieldManager.operation],
    ['apiVersion', apiVersion],
    ['time', now],
    ['fieldsType', 'FieldsV1'],
    ['fieldsV1', new Map([['f:metadata', new Map()]])],
  ]);
  return [entry];
}

// The form of what happens to one kind when it is created, between mutating and validating admission.
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { MutableObject } from '../typed-field.ts';

/** What the server knows of a request and the repository does not; the values only stand for those of a real request. */
export interface ServerFacts {
  /** RFC 3339 in seconds. */
  readonly now: string;
  readonly uid: string;
  /** What is appended to generateName. */
  readonly nameSuffix: string;
  /** Of Services that name none. */
  readonly clusterIP: string;
  /** The first of those given to a Service that names none. */
  readonly nodePort: bigint;
  /** Of Pods with a class that no file has. */
  readonly priority: bigint;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  /** Of an object that is not new: its counters, and what an update makes of the second. */
  readonly resourceVersion: string;
  readonly generation: bigint;
  readonly nextGeneration: bigint;
  /** Who is said to have written the fields, and how. */
  readonly fieldManager: { readonly manager: string; readonly operation: 'Apply' | 'Update' };
}

export interface CreationContext extends ServerFacts {
  /** 36 for Kubernetes 1.36. */
  readonly minor: number;
  /** Version of the request's group: `v1`. */
  readonly version: string;
  /** The status as the manifest has it; creation starts from an empty one. */
  readonly writtenStatus: MutableObject | undefined;
  /** Records a field whose presence is certain and whose value nobody outside a server knows. */
  invent(path: FieldPath): void;
}

export type CreationFunction = (object: MutableObject, context: CreationContext) => void;

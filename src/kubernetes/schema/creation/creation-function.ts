// Types of the functions that prepare objects of one kind on creation, between mutating and validating admission.
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { MutableObject } from '../typed-field.ts';

/** Values that the server chooses and the repository does not contain; placeholders for those of a real request. */
export interface ServerFacts {
  /** RFC 3339, in seconds. */
  readonly now: string;
  readonly uid: string;
  /** Suffix for generateName. */
  readonly nameSuffix: string;
  /** For Services without one. */
  readonly clusterIP: string;
  /** The first port for a Service without node ports. */
  readonly nodePort: bigint;
  /** For Pods with a priority class that is not in the files. */
  readonly priority: bigint;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  /** For an existing object: its counters, and the generation after an update. */
  readonly resourceVersion: string;
  readonly generation: bigint;
  readonly nextGeneration: bigint;
  /** Field manager and operation in managedFields. */
  readonly fieldManager: { readonly manager: string; readonly operation: 'Apply' | 'Update' };
}

export interface CreationContext extends ServerFacts {
  /** 36 for Kubernetes 1.36. */
  readonly minor: number;
  /** Version of the request's group: `v1`. */
  readonly version: string;
  /** The status in the manifest; creation starts from an empty one. */
  readonly writtenStatus: MutableObject | undefined;
  /** Records a field that is always present, with a value that only a server knows. */
  invent(path: FieldPath): void;
}

export type CreationFunction = (object: MutableObject, context: CreationContext) => void;

// A diagnostic about one object. Its owner may get a grace period to fix it.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';

export interface ObjectDiagnostic extends Diagnostic {
  readonly resource: Resource;
  /** The request's namespace. Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** `UPDATE` when two states are compared and the change updates the object. */
  readonly operation?: 'UPDATE';
  /** When two states are compared: the object in the base state. */
  readonly before?: Resource;
}

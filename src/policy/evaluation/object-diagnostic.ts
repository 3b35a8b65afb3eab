// What is wrong with one object of a repository, which its owner may be given time to mend.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';

export interface ObjectDiagnostic extends Diagnostic {
  readonly resource: Resource;
  /** Of the request: empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Where two states are compared, the object as base has it. */
  readonly before?: Resource;
}

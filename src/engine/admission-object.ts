// The seam to typed conversion: from a manifest to the object the API server would hold when policies see it.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { ResourceMapping } from '../kubernetes/cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { FieldPath } from '../source/field-path.ts';
import type { JsonObject } from '../source/json.ts';

export interface ConvertedObject {
  readonly object: JsonObject;
  /** What the server would refuse or drop. */
  readonly diagnostics: readonly Diagnostic[];
  /** True if the server refuses the object, so that no policy sees it. */
  readonly refused: boolean;
  /** Fields that are certain to be there but with values that only a server knows. */
  readonly invented: readonly FieldPath[];
  isDefaulted(path: FieldPath): boolean;
  /** The object as servers could hold it, with different values in the invented fields; made anew by every call. */
  possible(): readonly JsonObject[];
}

export interface ObjectConverter {
  convert(resource: Resource, mapping: ResourceMapping, namespace: string): ConvertedObject;
}

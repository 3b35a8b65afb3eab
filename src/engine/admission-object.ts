// The seam to typed conversion: from a manifest to the object the API server would hold when policies see it.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { GroupVersionKind } from '../kubernetes/api/group-version.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import type { ResourceMapping } from '../kubernetes/cluster/cluster.ts';
import type { Mutate } from '../kubernetes/patch/mutation-stage.ts';
import type { PatchTarget } from '../kubernetes/patch/patch-target.ts';
import type { JsonObject } from '../source/json/json.ts';
import type { FieldPath } from '../source/node/field-path.ts';

export interface ConvertedObject {
  readonly object: JsonObject;
  /** What the server would refuse or drop when it decodes the object. */
  readonly diagnostics: readonly Diagnostic[];
  /** True if the server does not decode the object as it is written, so that no policy sees it. */
  readonly refused: boolean;
  /** What stands where the server would stumble, and is replaced before it sees it: `${PORT}`. */
  readonly placeholder?: string;
  /** Fields that are certain to be there but with values that only a server knows. */
  readonly invented: readonly FieldPath[];
  /** True if others than those who apply it write the object's `status`. */
  readonly hasServerStatus: boolean;
  isDefaulted(path: FieldPath): boolean;
  /** The object as servers could hold it, with different values in the invented fields; made anew by every call. */
  possible(): readonly JsonObject[];
}

/** What the server says of an object that it has decoded, between mutating and validating admission. */
export interface ObjectValidity {
  /** If there are any, the object is refused. */
  readonly refusals: readonly Diagnostic[];
  /** What could not be found out, one sentence each. */
  readonly unknowns: readonly string[];
  /** There may be refusals nobody knows of: to find them takes more work than is allowed. */
  readonly isUnfinished?: true;
}

/** An object that policies changed on its way, and what the server says of it then. */
export interface MutatedObject {
  readonly converted: ConvertedObject;
  /** `old`: what the resource replaces; undefined on creation. */
  validity(old: Resource | undefined): ObjectValidity;
}

export interface ObjectConverter {
  /** How patches are applied to objects of a kind that nothing else is known of than its name. */
  patchTarget(kind: GroupVersionKind): PatchTarget;
  /** Like `convert`, with `mutate` between admission plugins and storing; asked again for each of the possible objects. */
  mutated(resource: Resource, mapping: ResourceMapping, namespace: string, mutate: Mutate): MutatedObject;
  convert(resource: Resource, mapping: ResourceMapping, namespace: string): ConvertedObject;
  /** `old`: what the resource replaces; undefined on creation. */
  validate(resource: Resource, old: Resource | undefined, mapping: ResourceMapping, namespace: string): ObjectValidity;
}

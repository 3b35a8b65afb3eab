// Interface to typed conversion: turns a manifest into the object that the API server passes to policies.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import type { Mutate } from '../../kubernetes/patch/mutation-stage.ts';
import type { PatchTarget } from '../../kubernetes/patch/patch-target.ts';
import type { OpenReason } from '../../kubernetes/request/open-reason.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export interface ConvertedObject {
  readonly object: JsonObject;
  /** Errors and warnings that the server reports when it decodes the object. */
  readonly diagnostics: readonly Diagnostic[];
  /** True if the server cannot decode the manifest, so that no policy sees the object. */
  readonly refused: boolean;
  /** A placeholder, for example `${PORT}`, in a field that the server cannot decode before substitution. */
  readonly placeholder?: string;
  /** Fields with values that the repository does not contain, and fields that depend on them. */
  readonly open: readonly FieldPath[];
  /** Absent if there are no open fields. */
  readonly reasonOf?: (path: FieldPath) => OpenReason | undefined;
  /** Fields that are always present on a server, with values that only the server knows. */
  readonly invented: readonly FieldPath[];
  /** The object as a client sends it, after mutating admission; undefined for kinds that are not built in. */
  requested(): JsonObject | undefined;
  /** True if controllers, not the person who applies the object, write its `status`. */
  readonly hasServerStatus: boolean;
  isDefaulted(path: FieldPath): boolean;
  /** Variants of the object, with different values in the invented fields. Every call builds new ones. */
  possible(): readonly JsonObject[];
}

/** Result of the server's validation of a decoded object, between mutating and validating admission. */
export interface ObjectValidity {
  /** The object is refused if there are any. */
  readonly refusals: readonly Diagnostic[];
  /** What the server answers if no policy denies the object. */
  readonly lateRefusals?: readonly Diagnostic[];
  /** The server's `Warning` headers, also for refused objects. */
  readonly warnings?: readonly Diagnostic[];
  /** The server's validation did not end, so refusals may be missing. */
  readonly stopped?: Diagnostic;
  /** Facts that could not be determined, one sentence each. */
  readonly unknowns: readonly string[];
  /** Kinds of the objects that it names and that the repository does not contain; the server forbids it if they do not exist. */
  readonly missing?: readonly string[];
  /** True if validation stopped at the work limit, so that refusals may be missing. */
  readonly isUnfinished?: true;
}

/** The object that an update replaces. */
export interface ReplacedObject {
  readonly resource: Resource;
  /** As it was stored on its creation; computed on demand. */
  readonly stored: () => ConvertedObject;
}

/** An object after mutating policies, with its validation. */
export interface MutatedObject {
  readonly converted: ConvertedObject;
  /** `old` is undefined on creation. */
  validity(old: ReplacedObject | undefined): ObjectValidity;
}

export interface ObjectConverter {
  /** How to apply patches to objects of a kind. Also works for kinds without a known schema. */
  patchTarget(kind: GroupVersionKind): PatchTarget;
  /** Like `convert`, with `mutate` between the in-tree admission plugins and storage. Calls `mutate` again for each variant. */
  mutated(resource: Resource, mapping: ResourceMapping, namespace: string, mutate: Mutate): MutatedObject;
  convert(resource: Resource, mapping: ResourceMapping, namespace: string): ConvertedObject;
  /** `old` is undefined on creation. */
  validate(
    resource: Resource,
    old: ReplacedObject | undefined,
    mapping: ResourceMapping,
    namespace: string,
  ): ObjectValidity;
}

// How to apply patches to the kinds of one target. Caches the result per kind for one run.

import { type GroupVersionKind, kindKey } from '../api/group-version.ts';
import type { CustomResourceKind } from '../custom-resource/custom-resource-kind.ts';
import type { AdmissionObjects } from '../schema/admission-object.ts';
import { BuiltinMergeTypes } from './builtin-merge-type.ts';
import { customMergeType } from './custom-merge-type.ts';
import { type MergeType, UNTYPED_DEDUCED } from './merge-type.ts';
import type { PatchTarget } from './patch-target.ts';
import { typedPatchTarget } from './typed-patch-target.ts';
import { untypedPatchTarget } from './untyped-patch-target.ts';

export class PatchTargets {
  readonly #objects: AdmissionObjects;
  readonly #mergeTypes = new BuiltinMergeTypes();
  readonly #builtin = new Map<string, PatchTarget | undefined>();
  readonly #custom = new Map<CustomResourceKind, PatchTarget>();
  #metadata: MergeType | undefined;
  #unknown: PatchTarget | undefined;

  constructor(objects: AdmissionObjects) {
    this.#objects = objects;
  }

  /** Undefined for kinds that are not built in. */
  ofBuiltin(gvk: GroupVersionKind): PatchTarget | undefined {
    const key = kindKey(gvk);
    if (this.#builtin.has(key)) return this.#builtin.get(key);
    const completion = this.#objects.completion(gvk);
    const target =
      completion && typedPatchTarget({ gvk, ...completion, mergeType: this.#mergeTypes.of(completion.struct) });
    this.#builtin.set(key, target);
    return target;
  }

  ofCustom(kind: CustomResourceKind): PatchTarget {
    const known = this.#custom.get(kind);
    if (known !== undefined) return known;
    const mergeType = customMergeType(kind.structural, this.#metadataType());
    const target = untypedPatchTarget(mergeType, (object) => kind.complete(object));
    this.#custom.set(kind, target);
    return target;
  }

  /** For kinds without a definition, only the metadata has a schema; other fields are merged by their values. */
  get ofUnknown(): PatchTarget {
    const field = { type: this.#metadataType(), default: undefined };
    const map = {
      isAtomic: false,
      field: (name: string) => (name === 'metadata' ? field : undefined),
      element: UNTYPED_DEDUCED,
    };
    this.#unknown ??= untypedPatchTarget({ map }, () => {}, true);
    return this.#unknown;
  }

  #metadataType(): MergeType {
    const struct = this.#objects.metadata;
    this.#metadata ??= struct === undefined ? {} : this.#mergeTypes.of(struct);
    return this.#metadata;
  }
}

// How to apply patches to the kinds of one target. Caches the result per kind for one run.

import { type GroupVersionKind, kindKey } from '../api/group-version.ts';
import type { CustomResourceKind } from '../custom-resource/custom-resource-kind.ts';
import type { AdmissionObjects } from '../schema/admission-object.ts';
import { MergeTypes } from './merge-types.ts';
import type { PatchTarget } from './patch-target.ts';
import { typedPatchTarget } from './typed-patch-target.ts';
import { untypedPatchTarget } from './untyped-patch-target.ts';

export class PatchTargets {
  readonly #objects: AdmissionObjects;
  readonly #mergeTypes: MergeTypes;
  readonly #builtin = new Map<string, PatchTarget | undefined>();
  readonly #custom = new Map<CustomResourceKind, PatchTarget>();
  #unknown: PatchTarget | undefined;

  constructor(objects: AdmissionObjects, mergeTypes = new MergeTypes(objects)) {
    this.#objects = objects;
    this.#mergeTypes = mergeTypes;
  }

  /** Undefined for kinds that are not built in. */
  ofBuiltin(gvk: GroupVersionKind): PatchTarget | undefined {
    const key = kindKey(gvk);
    if (this.#builtin.has(key)) return this.#builtin.get(key);
    const completion = this.#objects.completion(gvk);
    const mergeType = this.#mergeTypes.ofBuiltin(gvk);
    const target = completion && mergeType && typedPatchTarget({ gvk, ...completion, mergeType });
    this.#builtin.set(key, target);
    return target;
  }

  ofCustom(kind: CustomResourceKind): PatchTarget {
    const known = this.#custom.get(kind);
    if (known !== undefined) return known;
    const target = untypedPatchTarget(this.#mergeTypes.ofCustom(kind), (object) => kind.complete(object));
    this.#custom.set(kind, target);
    return target;
  }

  get ofUnknown(): PatchTarget {
    this.#unknown ??= untypedPatchTarget(this.#mergeTypes.ofUnknown, () => {}, true);
    return this.#unknown;
  }
}

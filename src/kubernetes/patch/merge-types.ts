// The merge types of a target's kinds. Reads each kind once per run.
import { type GroupVersionKind, kindKey } from '../api/group-version.ts';
import type { CustomResourceKind } from '../custom-resource/custom-resource-kind.ts';
import type { AdmissionObjects } from '../schema/admission-object.ts';
import { BuiltinMergeTypes } from './builtin-merge-type.ts';
import { customMergeType } from './custom-merge-type.ts';
import { type MergeType, UNTYPED_DEDUCED } from './merge-type.ts';

export class MergeTypes {
  readonly #objects: AdmissionObjects;
  readonly #structs = new BuiltinMergeTypes();
  readonly #builtin = new Map<string, MergeType | undefined>();
  readonly #custom = new Map<CustomResourceKind, MergeType>();
  #metadata: MergeType | undefined;
  #unknown: MergeType | undefined;

  constructor(objects: AdmissionObjects) {
    this.#objects = objects;
  }

  /** Undefined for kinds that are not built in. */
  ofBuiltin(gvk: GroupVersionKind): MergeType | undefined {
    const key = kindKey(gvk);
    if (this.#builtin.has(key)) return this.#builtin.get(key);
    const completion = this.#objects.completion(gvk);
    const type = completion && this.#structs.of(completion.struct);
    this.#builtin.set(key, type);
    return type;
  }

  ofCustom(kind: CustomResourceKind): MergeType {
    let type = this.#custom.get(kind);
    if (type === undefined) {
      type = customMergeType(kind.structural, this.#metadataType());
      this.#custom.set(kind, type);
    }
    return type;
  }

  /** For kinds without a definition, only the metadata has a schema; other fields are merged by their values. */
  get ofUnknown(): MergeType {
    if (this.#unknown !== undefined) return this.#unknown;
    const field = { type: this.#metadataType(), default: undefined };
    const map = {
      isAtomic: false,
      field: (name: string) => (name === 'metadata' ? field : undefined),
      element: UNTYPED_DEDUCED,
    };
    this.#unknown = { map };
    return this.#unknown;
  }

  #metadataType(): MergeType {
    const struct = this.#objects.metadata;
    this.#metadata ??= struct === undefined ? {} : this.#structs.of(struct);
    return this.#metadata;
  }
}

// Converts a manifest of a built-in kind to the object that the API server holds: the entry point of this folder.
import { append } from '../../go/slices/append.ts';
import { copyJson } from '../../source/json/copy-json.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { type Admitted, Creation, type CreationRequest, NOTHING_ADDED } from './creation/creation.ts';
import type { ServerFacts } from './creation/creation-function.ts';
import type { MetadataError } from './creation/metadata-errors.ts';
import { PLACEHOLDER_FACTS } from './creation/server-facts.ts';
import { decodeTyped } from './decode.ts';
import type { DecodeError } from './decode-failures.ts';
import { Defaulter } from './defaults/defaulter.ts';
import { lossOf } from './defaults/round-trip.ts';
import type { PluginFindings } from './plugins/in-tree-admission.ts';
import { type AdmissionPlugin, type KnownObjects, NO_OBJECTS, type PluginRefusal } from './plugins/plugin-request.ts';
import { type BuiltinResources, builtinResources } from './resources.ts';
import { SchemaCatalog } from './schema-catalog.ts';
import type { Struct } from './struct.ts';
import { childObject, type MutableObject } from './typed-field.ts';

export interface AdmissionObjectOptions {
  readonly facts?: ServerFacts;
  /** Objects that admission plugins look up; default: none. */
  readonly known?: KnownObjects;
  /** Admission plugins that are disabled on the server. */
  readonly disabledPlugins?: readonly AdmissionPlugin[];
}

/** An object at one stage of its creation. */
export interface AdmissionObject {
  readonly object: JsonObject;
  /** True if the server sets the field, because the manifest lacks it or leaves it empty. */
  isDefaulted(path: FieldPath): boolean;
  /** Fields that are always present, with values that only a server knows: the uid or an allocated address, for example. */
  readonly invented: readonly FieldPath[];
}

export type AdmissionObjectResult =
  | {
      /** The object that validating policies see: decoded, defaulted, changed by admission plugins, prepared for storage. */
      readonly validating: AdmissionObject;
      /** The object that mutating policies see, built on demand. Their result is converted like a manifest. */
      mutating(): AdmissionObject;
      /** The object after mutating admission, before it is prepared for storage. */
      readonly requested: JsonObject;
      /** Unknown fields: refused with kubectl's default `--validate=strict`, else dropped. */
      readonly strictErrors: readonly DecodeError[];
      /** Metadata errors between mutating and validating admission; other fields are not validated. */
      metadataErrors(operation: 'CREATE' | 'UPDATE'): readonly MetadataError[];
      /** What admission plugins answer before mutating policies, when the object is created. */
      readonly plugins: PluginFindings;
      /** What admission plugins answer after the object's validation. `old`: the stored object that an update replaces. */
      forbidden(old: JsonObject | undefined): readonly PluginRefusal[];
    }
  /** The server cannot decode this manifest. */
  | { readonly error: DecodeError };

/**
 * Receives the object after the admission plugins and returns the object after mutating policies, or the same object if
 * nothing changed. `admitAgain` runs the plugins again.
 */
export type MutateAdmitted = (object: JsonObject, admitAgain: (object: JsonObject) => JsonObject) => JsonObject;

export interface KindCompletion {
  readonly struct: Struct;
  /** Completes an object from `decodeTyped` in place. Parts shared with `completed` are already complete and stay unchanged. */
  complete(object: MutableObject, completed?: JsonObject): void;
  /** Keys that completion may remove from this field of the struct; `anything`: any key; undefined: none. */
  lossOf(struct: Struct, field: string): ReadonlySet<string> | 'anything' | undefined;
  /** True for objects that `complete` has completed. */
  isComplete(object: JsonObject): boolean;
}

/** Limit for callers that never clear the set. Forgotten objects are completed again. */
const MOST_COMPLETE = 10_000;

/** Conversion for one Kubernetes release and one run. Expands kinds on first use. */
export class AdmissionObjects {
  readonly #catalog: SchemaCatalog;
  readonly #resources: BuiltinResources;
  readonly #defaulter: Defaulter;
  readonly #creation: Creation;
  /** Complete objects of the current request. Not a WeakSet, because that slows garbage collection. */
  readonly #complete = new Set<JsonObject>();

  constructor(
    version: KubernetesVersion,
    { facts = PLACEHOLDER_FACTS, known = NO_OBJECTS, disabledPlugins = [] }: AdmissionObjectOptions = {},
  ) {
    this.#catalog = new SchemaCatalog(version.minor);
    this.#resources = builtinResources(version.minor);
    this.#defaulter = new Defaulter({ minor: version.minor, now: facts.now });
    this.#creation = new Creation(version.minor, facts, { known, disabled: new Set(disabledPlugins) });
  }

  /**
   * Undefined for kinds that are not built in. `namespace` is the request's, empty for cluster-scoped kinds. `mutate`
   * applies mutating policies after the admission plugins.
   */
  convert(
    manifest: JsonObject,
    gvk: GroupVersionKind,
    namespace: string,
    mutate?: MutateAdmitted,
  ): AdmissionObjectResult | undefined {
    const struct = this.#catalog.structForKind(gvk);
    if (struct === undefined) return undefined;
    const decoded = decodeTyped(manifest, struct);
    if ('error' in decoded) return decoded;
    const { strictErrors } = decoded;
    const resource = this.#resources.resourceForKind(gvk);
    const request = resource && { resource, namespace };
    const admitted = this.#admit(decoded.object, gvk, struct, request);
    const { object, invented } =
      mutate === undefined || request === undefined
        ? { object: decoded.object, invented: admitted.invented }
        : this.#mutated(decoded.object, struct, request, admitted.invented, mutate);
    // Preparation changes the object in place.
    const requested = copyJson(object);
    const stored = request === undefined ? [] : this.#creation.store(object, struct, request);
    return {
      validating: admissionObject(manifest, object, [...invented, ...stored]),
      mutating: () => this.#mutating(manifest, gvk, struct, request),
      requested,
      strictErrors,
      metadataErrors: (operation) =>
        request === undefined ? [] : this.#creation.metadataErrors(object, request, operation, stored),
      plugins: admitted.findings,
      forbidden: (old) => (request === undefined ? [] : this.#creation.forbidden(object, old, request)),
    };
  }

  /** The Go struct of a kind and the functions that complete its objects; undefined for kinds that are not built in. */
  completion(gvk: GroupVersionKind): KindCompletion | undefined {
    const struct = this.#catalog.structForKind(gvk);
    if (struct === undefined) return undefined;
    return {
      struct,
      complete: (object, completed) => {
        this.#defaulter.complete(object, struct, completed);
        if (this.#complete.size >= MOST_COMPLETE) this.#complete.clear();
        this.#complete.add(object);
      },
      lossOf,
      isComplete: (object) => this.#complete.has(object),
    };
  }

  /** The struct of `metadata` in every kind. */
  get metadata(): Struct | undefined {
    return this.#catalog.struct('meta/v1.ObjectMeta');
  }

  /** The caller owns the result. */
  #mutated(
    admitted: MutableObject,
    struct: Struct,
    request: CreationRequest,
    invented: readonly FieldPath[],
    mutate: MutateAdmitted,
  ): { readonly object: MutableObject; readonly invented: readonly FieldPath[] } {
    const again: FieldPath[] = [];
    if (this.#staysAsAdmitted(admitted, request)) this.#complete.add(admitted);
    const mutated = mutate(admitted, (object) => {
      if (!this.#creation.hasPlugins(request)) return object;
      const copy = this.#copyOf(object, struct);
      append(again, this.#creation.admitAgain(copy, request));
      return copy;
    });
    if (mutated === admitted) {
      this.#complete.clear();
      return { object: admitted, invented };
    }
    const stays = (path: FieldPath): boolean => {
      const value = valueAt(mutated, path);
      return path[0] === 'metadata' || (value !== undefined && value === valueAt(admitted, path));
    };
    const object = this.#copyOf(mutated, struct);
    this.#complete.clear();
    return {
      object,
      invented: [...invented.filter(stays), ...again.filter((path) => valueAt(mutated, path) !== undefined)],
    };
  }

  /** True if another conversion has no effect: no plugin applies, and every field that Go always writes is present. */
  #staysAsAdmitted(admitted: MutableObject, request: CreationRequest): boolean {
    if (this.#creation.hasPlugins(request)) return false;
    const metadata = childObject(admitted, 'metadata');
    return this.metadata?.alwaysWritten.every(({ name }) => metadata?.has(name)) === true;
  }

  /** Skips decoding if the object was already decoded. */
  #copyOf(object: JsonObject, struct: Struct): MutableObject {
    if (this.#complete.has(object)) return copyJson(object);
    const decoded = decodeTyped(object, struct);
    return 'error' in decoded ? new Map(object) : decoded.object;
  }

  #mutating(
    manifest: JsonObject,
    gvk: GroupVersionKind,
    struct: Struct,
    request: CreationRequest | undefined,
  ): AdmissionObject {
    const decoded = decodeTyped(manifest, struct);
    const object = 'error' in decoded ? new Map() : decoded.object;
    return admissionObject(manifest, object, this.#admit(object, gvk, struct, request).invented);
  }

  /**
   * List items without apiVersion and kind inherit them from the list. Kinds without a resource are bodies of
   * subresources and create nothing.
   */
  #admit(object: MutableObject, gvk: GroupVersionKind, struct: Struct, request: CreationRequest | undefined): Admitted {
    object.set('apiVersion', formatApiVersion(gvk.group, gvk.version));
    object.set('kind', gvk.kind);
    this.#defaulter.complete(object, struct);
    return request === undefined ? NOTHING_ADDED : this.#creation.admit(object, request);
  }
}

/** The server's message for a manifest that it cannot decode, strictly or at all (`transformDecodeError`). */
export function refusalMessage({ kind, version }: GroupVersionKind, message: string): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}: ${message}`;
}

function admissionObject(manifest: JsonObject, object: MutableObject, invented: readonly FieldPath[]): AdmissionObject {
  return {
    object,
    isDefaulted: (path) => isUnset(valueAt(manifest, path)) && !isUnset(valueAt(object, path)),
    invented,
  };
}

/** True if absent, or if Go treats the value as absent. */
function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false || value === 0n;
}

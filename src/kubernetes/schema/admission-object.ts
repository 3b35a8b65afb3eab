// From a manifest of a built-in kind to the object the API server would hold: the one entry to everything in this folder.
import { append } from '../../go/slices/append.ts';
import { copyJson } from '../../source/json/copy-json.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesVersion } from '../api/version.ts';
import { Creation, type CreationRequest } from './creation/creation.ts';
import type { ServerFacts } from './creation/creation-function.ts';
import type { AdmissionPlugin, KnownObjects } from './creation/in-tree-admission.ts';
import type { MetadataError } from './creation/metadata-errors.ts';
import { PLACEHOLDER_FACTS } from './creation/server-facts.ts';
import { decodeTyped } from './decode.ts';
import type { DecodeError } from './decode-failures.ts';
import { Defaulter } from './defaults/defaulter.ts';
import { lossOf } from './defaults/round-trip.ts';
import { type BuiltinResources, builtinResources } from './resources.ts';
import { SchemaCatalog } from './schema-catalog.ts';
import type { Struct } from './struct.ts';
import { childObject, type MutableObject } from './typed-field.ts';

export interface AdmissionObjectOptions {
  readonly facts?: ServerFacts;
  /** ServiceAccounts and PriorityClasses the cluster is known to hold; none if absent. */
  readonly known?: KnownObjects;
  /** Of the admission plugins that change objects, those that the server runs without. */
  readonly disabledPlugins?: readonly AdmissionPlugin[];
}

/** An object at one stage of its creation. */
export interface AdmissionObject {
  readonly object: JsonObject;
  /** True if the server has set the field: the manifest lacks it, or has it empty. */
  isDefaulted(path: FieldPath): boolean;
  /** Fields that are certain to be there but with values that only a server knows, as uid or an allocated address. */
  readonly invented: readonly FieldPath[];
}

export type AdmissionObjectResult =
  | {
      /** What validating policies see: decoded, defaulted, changed by admission plugins, prepared for storing. */
      readonly validating: AdmissionObject;
      /** What mutating policies see, made when asked for; what they make of it is converted like a manifest. */
      mutating(): AdmissionObject;
      /** Unknown fields: refused by kubectl's default `--validate=strict`, else dropped. */
      readonly strictErrors: readonly DecodeError[];
      /** What is refused between mutating and validating admission, as far as metadata goes: the rest is not validated here. */
      metadataErrors(operation: 'CREATE' | 'UPDATE'): readonly MetadataError[];
    }
  /** No server takes this manifest. */
  | { readonly error: DecodeError };

/**
 * Gets an object once admission plugins have changed it, and gives what policies make of it: the same object if nothing.
 * `admitAgain` runs the plugins once more.
 */
export type MutateAdmitted = (object: JsonObject, admitAgain: (object: JsonObject) => JsonObject) => JsonObject;

export interface KindCompletion {
  readonly struct: Struct;
  /** Changes the object, which is as `decodeTyped` made it, but not what it shares with `completed`, which is complete. */
  complete(object: MutableObject, completed?: JsonObject): void;
  /** What a struct may lose of such a field when the object is completed: these keys, or anything; undefined for nothing. */
  lossOf(struct: Struct, field: string): ReadonlySet<string> | 'anything' | undefined;
  /** True for what `complete` has completed. */
  isComplete(object: JsonObject): boolean;
}

/** Where nobody says that a request is answered; what is not known to be complete is completed again. */
const MOST_COMPLETE = 10_000;

/** Conversion for one Kubernetes release and one run; kinds are expanded as they come up. */
export class AdmissionObjects {
  readonly #catalog: SchemaCatalog;
  readonly #resources: BuiltinResources;
  readonly #defaulter: Defaulter;
  readonly #creation: Creation;
  /** Of the request that is being answered: a set that held them weakly would cost the collector much. */
  readonly #complete = new Set<JsonObject>();

  constructor(
    version: KubernetesVersion,
    { facts = PLACEHOLDER_FACTS, known = () => [], disabledPlugins = [] }: AdmissionObjectOptions = {},
  ) {
    this.#catalog = new SchemaCatalog(version.minor);
    this.#resources = builtinResources(version.minor);
    this.#defaulter = new Defaulter({ minor: version.minor, now: facts.now });
    this.#creation = new Creation(version.minor, facts, { known, disabled: new Set(disabledPlugins) });
  }

  /**
   * Undefined for kinds that are not built in. `namespace` is the request's, empty for cluster-scoped kinds. `mutate`: what policies
   * make of the object once admission plugins have changed it.
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
        ? { object: decoded.object, invented: admitted }
        : this.#mutated(decoded.object, struct, request, admitted, mutate);
    const stored = request === undefined ? [] : this.#creation.store(object, struct, request);
    return {
      validating: admissionObject(manifest, object, [...invented, ...stored]),
      mutating: () => this.#mutating(manifest, gvk, struct, request),
      strictErrors,
      metadataErrors: (operation) =>
        request === undefined ? [] : this.#creation.metadataErrors(object, request, operation, stored),
    };
  }

  /** Go's structure of a kind and what the server completes objects of it by; undefined for kinds that are not built in. */
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

  /** The structure that metadata has, whatever the kind. */
  get metadata(): Struct | undefined {
    return this.#catalog.struct('meta/v1.ObjectMeta');
  }

  /** The object is nobody else's afterwards. */
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

  /** Converting it again would change nothing: plugins add nothing to it, and no field is gone that Go always writes. */
  #staysAsAdmitted(admitted: MutableObject, request: CreationRequest): boolean {
    if (this.#creation.hasPlugins(request)) return false;
    const metadata = childObject(admitted, 'metadata');
    return this.metadata?.alwaysWritten.every(({ name }) => metadata?.has(name)) === true;
  }

  /** What was decoded before would be decoded again without loss. */
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
    return admissionObject(manifest, object, this.#admit(object, gvk, struct, request));
  }

  /**
   * Items of a list may leave apiVersion and kind to the list. Kinds without a resource of their own are bodies of
   * subresources: nothing is created.
   */
  #admit(
    object: MutableObject,
    gvk: GroupVersionKind,
    struct: Struct,
    request: CreationRequest | undefined,
  ): readonly FieldPath[] {
    object.set('apiVersion', formatApiVersion(gvk.group, gvk.version));
    object.set('kind', gvk.kind);
    this.#defaulter.complete(object, struct);
    return request === undefined ? [] : this.#creation.admit(object, request);
  }
}

/** The server's message for a manifest it cannot decode, strictly or at all (`transformDecodeError`). */
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

/** Absent, or what Go takes for absent. */
function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false || value === 0n;
}

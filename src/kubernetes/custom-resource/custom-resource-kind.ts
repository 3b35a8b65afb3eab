// One version of a custom resource kind: converts manifests to the objects that the server holds.
import { append } from '../../go/slices/append.ts';
import { copyJson } from '../../source/json/copy-json.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Spender } from '../request/run-budget.ts';
import type { AdmissionObject } from '../schema/admission-object.ts';
import type { ServerFacts } from '../schema/creation/creation-function.ts';
import { strictPath } from '../schema/decode.ts';
import type { DecodeError } from '../schema/decode-failures.ts';
import type { MutableObject } from '../schema/typed-field.ts';
import { generatedName } from '../validation/generated-name.ts';
import type { CustomResourceVersion } from './custom-resource-version.ts';
import { applyDefaults, removeNulls } from './object/default.ts';
import { coerceMetadata } from './object/object-meta.ts';
import { prune } from './object/prune.ts';
import { ObjectValidator, type Validity } from './object-validator.ts';
import type { CustomResourceSchema } from './schema/custom-resource-schema.ts';
import type { Schema } from './schema/schema.ts';
import type { CustomResourceServer } from './server.ts';

export interface AdmitOptions {
  /** The request's namespace; empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly facts: ServerFacts;
  /** Applies the mutating policies. */
  readonly mutate?: ((object: JsonObject) => JsonObject) | undefined;
}

export type CustomResourceResult =
  | {
      /** The object that validating policies see. */
      readonly validating: AdmissionObject;
      /** The object that mutating policies see; built on demand. */
      mutating(): AdmissionObject;
      /** Unknown fields: refused with kubectl's default `--validate=strict`, else dropped. */
      readonly strictErrors: readonly DecodeError[];
      /** Fields that the server dropped. */
      readonly pruned: readonly FieldPath[];
      /** The server's own validation between mutating and validating admission; computed on demand. */
      validity(): Validity;
    }
  /** The server cannot decode this manifest. */
  | { readonly error: DecodeError };

export type UpdateResult = Validity | { readonly error: DecodeError };

/** Metadata fields that the server sets; it ignores the manifest's values (`WipeObjectMetaSystemFields`). */
const SYSTEM_FIELDS: readonly string[] = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'uid',
];

export class CustomResourceKind {
  readonly version: CustomResourceVersion;
  readonly #server: CustomResourceServer;
  readonly #spender: Spender;
  readonly #schema: CustomResourceSchema;
  readonly #validator: ObjectValidator;

  constructor(
    version: CustomResourceVersion,
    schema: CustomResourceSchema,
    server: CustomResourceServer,
    spender: Spender,
  ) {
    this.version = version;
    this.#server = server;
    this.#spender = spender;
    this.#schema = schema;
    this.#validator = new ObjectValidator(version, schema, server);
  }

  admit(manifest: JsonObject, options: AdmitOptions): CustomResourceResult {
    this.#server.work.begin(this.#spender);
    const decoded = this.#decode(manifest);
    if ('error' in decoded) return decoded;
    const { unknown } = decoded;
    const object = this.#mutated(this.#wipe(decoded.object, options), options.mutate);
    if (this.version.hasStatus) object.delete('status');
    const invented = this.#store(object, options.facts);
    const hasGeneratedName = invented.some(([, field]) => field === 'name');
    return {
      validating: admissionObject(manifest, object, invented),
      mutating: () => this.#mutating(manifest, options),
      strictErrors: unknown.map(({ text, path }) => ({ message: `unknown field "${text}"`, path })),
      pruned: unknown.map(({ path }) => path),
      validity: () => {
        this.#server.work.begin(this.#spender);
        return this.#validator.validate(object, hasGeneratedName);
      },
    };
  }

  /** The schema for pruning and defaulting; undefined if the structure of objects is unknown. */
  get structural(): Schema | undefined {
    return this.#schema.structural;
  }

  /** Sets the schema's defaults in place, so the caller must own the object. */
  complete(object: MutableObject): void {
    applyDefaults(object, this.#schema.structural, this.#server.work);
  }

  /** The caller owns the result. Unknown fields are still present; the server drops them when it stores the object. */
  #mutated(object: MutableObject, mutate: AdmitOptions['mutate']): MutableObject {
    const mutated = mutate === undefined ? object : mutate(object);
    return mutated === object ? object : copyJson(mutated);
  }

  /** Validates an update. `before` is the manifest of the stored object. */
  validateUpdate(manifest: JsonObject, before: JsonObject, { namespace, facts }: AdmitOptions): UpdateResult {
    const decoded = this.#decode(manifest);
    if ('error' in decoded) return decoded;
    const old = this.#decode(before);
    if ('error' in old) return old;
    for (const { object } of [decoded, old]) this.#store(this.#wipe(object, { namespace, facts }), facts);
    if (this.version.hasStatus) {
      old.object.delete('status');
      applyDefaults(old.object, this.#schema.structural, this.#server.work);
      replaceField(decoded.object, 'status', old.object.get('status'));
    }
    return this.#validator.validateUpdate(decoded.object, old.object);
  }

  /** Decoded, pruned and defaulted (apiextensions `customresource_handler.go: unstructuredSchemaCoercer`). */
  #decode(manifest: JsonObject): DecodedObject | { readonly error: DecodeError } {
    const { structural, hasEmbeddedResources } = this.#schema;
    const decoded = this.#server.metadata.decode(manifest.get('metadata') ?? null);
    if ('error' in decoded) return { error: at(['metadata'], decoded.error) };
    const object = copyJson(manifest);
    const unknown: UnknownField[] = decoded.unknown.map((path) => unknownField(['metadata', ...path]));
    if (structural !== undefined && !this.version.preserveUnknownFields) {
      append(unknown, prune(object, structural, true).map(unknownField));
      removeNulls(object, structural);
    }
    if (structural !== undefined && hasEmbeddedResources) {
      const { metadata, errors } = this.#server;
      const coerced = coerceMetadata(object, structural, false, 'refuse', metadata, errors);
      if ('error' in coerced) return coerced;
      append(unknown, coerced.unknown);
    }
    for (const field of ['apiVersion', 'kind']) object.set(field, manifest.get(field) as JsonValue);
    if (manifest.has('metadata')) object.set('metadata', decoded.metadata);
    applyDefaults(object, structural, this.#server.work);
    return { object, unknown };
  }

  #mutating(manifest: JsonObject, options: AdmitOptions): AdmissionObject {
    const decoded = this.#decode(manifest);
    const object: MutableObject = 'error' in decoded ? new Map() : decoded.object;
    this.#wipe(object, options);
    return admissionObject(manifest, object, [['metadata', 'managedFields']]);
  }

  #wipe(object: MutableObject, { namespace }: AdmitOptions): MutableObject {
    const metadata = new Map(objectOrEmpty(object.get('metadata')));
    for (const field of SYSTEM_FIELDS) metadata.delete(field);
    if (!this.version.namespaced) metadata.delete('namespace');
    else if (namespace !== '') metadata.set('namespace', namespace);
    object.set('metadata', metadata);
    return object;
  }

  /** Returns the paths of fields with values that only a server knows. */
  #store(object: MutableObject, facts: ServerFacts): readonly FieldPath[] {
    const metadata = new Map(objectOrEmpty(object.get('metadata')));
    const invented: FieldPath[] = ['managedFields', 'uid', 'creationTimestamp'].map((field) => ['metadata', field]);
    const prefix = textField(metadata, 'generateName');
    if (prefix !== '' && textField(metadata, 'name') === '') {
      metadata.set('name', generatedName(prefix, facts.nameSuffix));
      invented.push(['metadata', 'name']);
    }
    metadata.set('uid', facts.uid).set('creationTimestamp', facts.now).set('generation', 1n);
    object.set('metadata', metadata);
    return invented;
  }
}

function replaceField(object: MutableObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined) object.delete(name);
  else object.set(name, value);
}

interface UnknownField {
  readonly path: FieldPath;
  readonly text: string;
}

interface DecodedObject {
  readonly object: MutableObject;
  readonly unknown: readonly UnknownField[];
}

function unknownField(path: FieldPath): UnknownField {
  return { path, text: strictPath(path) };
}

function at(path: FieldPath, { message, path: inside }: DecodeError): DecodeError {
  return { message, path: [...path, ...inside] };
}

function admissionObject(manifest: JsonObject, object: JsonObject, invented: readonly FieldPath[]): AdmissionObject {
  return {
    object,
    isDefaulted: (path) => (valueAt(manifest, path) ?? null) === null && valueAt(object, path) !== undefined,
    invented,
  };
}

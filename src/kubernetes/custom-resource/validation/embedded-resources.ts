// Validates apiVersion, kind and metadata of resources embedded in a custom resource (apiextensions `schema/objectmeta/validation.go`).
import { append } from '../../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { isAtLeast, type KubernetesVersion } from '../../api/version.ts';
import { dns1035Label } from '../../validation/name-format.ts';
import { pathSegmentFormat, validateObjectMeta } from '../../validation/object-meta.ts';
import type { ObjectMetaDecoder } from '../object/object-meta.ts';
import { additionalSchema, asResource, type Schema } from '../schema/schema.ts';
import type { ServerError, ServerErrors } from '../server-error.ts';
import { ServerPath } from '../server-path.ts';

/** In the order of the value, because Go's map order is random. */
export class EmbeddedResourceValidator {
  readonly #decoder: ObjectMetaDecoder;
  readonly #errors: ServerErrors;
  /** The message for a missing apiVersion or kind. */
  readonly #missing: string;

  constructor(version: KubernetesVersion, decoder: ObjectMetaDecoder, errors: ServerErrors) {
    this.#decoder = decoder;
    this.#errors = errors;
    this.#missing = isAtLeast(version, '1.34') ? '' : 'must not be empty';
  }

  /** `base` is the path of the value. */
  validate(
    value: JsonValue,
    schema: Schema,
    isResourceRoot: boolean,
    base: ServerPath = ServerPath.root,
  ): readonly ServerError[] {
    return this.#visit(value, isResourceRoot ? asResource(schema) : schema, base);
  }

  #visit(value: JsonValue, schema: Schema | undefined, path: ServerPath): readonly ServerError[] {
    if (schema === undefined) return [];
    if (isJsonArray(value)) {
      return value.flatMap((item, index) => this.#visit(item, schema.items, path.index(index)));
    }
    if (!isJsonObject(value)) return [];
    const found = schema.embeddedResource ? [...this.#resource(value, path)] : [];
    for (const [key, item] of value) {
      const property = schema.properties?.get(key);
      if (property !== undefined) append(found, this.#visit(item, property, path.child(key)));
      else append(found, this.#visit(item, additionalSchema(schema), path.key(key)));
    }
    return found;
  }

  #resource(resource: JsonObject, path: ServerPath): readonly ServerError[] {
    const missing = ['apiVersion', 'kind'].filter((field) => !resource.has(field));
    return [
      ...missing.map((field) => this.#errors.required(path.child(field), this.#missing)),
      ...this.#typeField(resource, 'apiVersion', path, apiVersionProblem),
      ...this.#typeField(resource, 'kind', path, kindProblem),
      ...this.#metadata(resource.get('metadata'), path.child('metadata')),
    ];
  }

  #typeField(
    resource: JsonObject,
    field: string,
    path: ServerPath,
    problemOf: (value: string) => string | undefined,
  ): readonly ServerError[] {
    const value = resource.get(field);
    if (value === undefined) return [];
    const problem = typeof value === 'string' ? (value === '' ? 'must not be empty' : problemOf(value)) : NO_STRING;
    return problem === undefined ? [] : [this.#errors.invalid(path.child(field), value, problem)];
  }

  #metadata(metadata: JsonValue | undefined, path: ServerPath): readonly ServerError[] {
    if (metadata === undefined) return [];
    const decoded = this.#decoder.decode(metadata);
    if ('error' in decoded) return [this.#errors.invalid(path, metadata, decoded.error.message)];
    const meta: JsonObject = decoded.metadata;
    const named = (meta.get('name') ?? '') === '' ? new Map([...meta, ['name', 'fakename']]) : meta;
    const namespaced = (meta.get('namespace') ?? '') !== '';
    return validateObjectMeta(named, namespaced, pathSegmentFormat, []).map((error) =>
      this.#errors.ofField(error, path),
    );
  }
}

const NO_STRING = 'must be a string';

function apiVersionProblem(apiVersion: string): string | undefined {
  return parseApiVersion(apiVersion) === undefined ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

function kindProblem(kind: string): string | undefined {
  const problems = dns1035Label(kind.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}

// Validates policies against the CRDs of Kyverno's kinds: unknown fields, wrong types and values (`config/crds/kyverno`).
import { similarName } from '../../../diagnostic/nearest-name.ts';
import { type GroupVersionKind, kindKey, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { CustomResourceKind } from '../../../kubernetes/custom-resource/custom-resource-kind.ts';
import { customResourceSchema } from '../../../kubernetes/custom-resource/schema/custom-resource-schema.ts';
import { CustomResourceServer } from '../../../kubernetes/custom-resource/server.ts';
import { PLACEHOLDER_FACTS } from '../../../kubernetes/schema/creation/server-facts.ts';
import { FieldPlaces, type PlacedField } from '../../../kubernetes/validation/field-places.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import DEFINITIONS from './definitions.generated.json' with { type: 'json' };

export interface DefinitionError {
  /** The server's text. */
  readonly message: string;
  readonly path: FieldPath;
  /** True if the CRD does not define the field. */
  readonly isUnknownField: boolean;
  readonly nearest: string | undefined;
  /** Location of a field with this name elsewhere. Empty for the top level. */
  readonly elsewhere?: string;
}

/** Fields of old releases, with their current names. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['overlay', 'patchStrategicMerge'],
  ['patches', 'patchesJson6902'],
]);

type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

interface PlainKind {
  readonly isNamespaced: boolean;
  readonly schema: PlainJson;
}

const KINDS: Readonly<Record<string, PlainKind>> = DEFINITIONS.kinds;
const PARTS: readonly PlainJson[] = DEFINITIONS.parts;

/** For one release. Each kind is built on first use and cached. */
export class KyvernoDefinitions {
  readonly #server: CustomResourceServer;
  readonly #kinds = new Map<string, CustomResourceKind | undefined>();
  readonly #schemas = new Map<string, JsonObject>();
  readonly #parts = new Map<number, JsonValue>();
  readonly #places = new FieldPlaces<JsonObject>(fieldsOf);

  constructor(version: KubernetesVersion) {
    this.#server = new CustomResourceServer(version);
  }

  /** For reuse with other policies: resets the work limit. */
  renewed(): KyvernoDefinitions {
    this.#server.work.renew();
    return this;
  }

  /** Empty for kinds and versions without a CRD here. */
  errorsOf(document: JsonObject): readonly DefinitionError[] {
    const groupVersion = parseApiVersion(textField(document, 'apiVersion'));
    if (groupVersion === undefined) return [];
    const gvk: GroupVersionKind = { ...groupVersion, kind: textField(document, 'kind') };
    const kind = this.#kind(gvk);
    if (kind === undefined) return [];
    const namespace = textField(objectOrEmpty(document.get('metadata')), 'namespace') || 'default';
    const result = kind.admit(document, { namespace, facts: PLACEHOLDER_FACTS });
    const problem = (message: string, path: FieldPath): DefinitionError => {
      return { message, path, isUnknownField: false, nearest: undefined };
    };
    if ('error' in result) return [problem(result.error.message, result.error.path)];
    const unknown = result.strictErrors.map(({ message, path }) => {
      return { message, path, isUnknownField: true, ...this.#meant(gvk, path) };
    });
    return [...unknown, ...result.validity().errors.map(({ message, path }) => problem(message, path))];
  }

  #meant(gvk: GroupVersionKind, path: FieldPath): Pick<DefinitionError, 'nearest' | 'elsewhere'> {
    let schema: JsonValue | undefined = this.#schemas.get(kindKey(gvk));
    const parts: { part: JsonObject; path: FieldPath }[] = [];
    for (const [index, step] of path.entries()) {
      if (!isJsonObject(schema)) return { nearest: undefined };
      if (isJsonObject(schema.get('properties'))) parts.push({ part: schema, path: path.slice(0, index) });
      if (index === path.length - 1) break;
      const properties: JsonValue | undefined = schema.get('properties');
      if (typeof step === 'number') schema = schema.get('items');
      else schema = isJsonObject(properties) ? properties.get(step) : schema.get('additionalProperties');
    }
    const properties = isJsonObject(schema) ? schema.get('properties') : undefined;
    const name = String(path.at(-1));
    const names = isJsonObject(properties) ? [...properties.keys()] : [];
    const nearest = RENAMED.get(name) ?? similarName(name, names);
    const elsewhere = nearest === undefined ? this.#places.placeFor(name, parts) : undefined;
    return { nearest, ...(elsewhere !== undefined && { elsewhere }) };
  }

  #kind(gvk: GroupVersionKind): CustomResourceKind | undefined {
    const key = kindKey(gvk);
    if (!this.#kinds.has(key)) this.#kinds.set(key, this.#make(gvk));
    return this.#kinds.get(key);
  }

  #make(gvk: GroupVersionKind): CustomResourceKind | undefined {
    const name = `${gvk.group}/${gvk.version}/${gvk.kind}`;
    const plain = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    const schema = plain && this.#expand(plain.schema);
    if (plain === undefined || !isJsonObject(schema)) return undefined;
    this.#schemas.set(kindKey(gvk), schema);
    const version = {
      gvk,
      namespaced: plain.isNamespaced,
      schema,
      schemaPath: [],
      schemaName: '',
      preserveUnknownFields: false,
      hasStatus: true,
      scale: undefined,
    };
    const read = customResourceSchema(version, this.#server);
    return 'problems' in read
      ? undefined
      : new CustomResourceKind(version, read, this.#server, this.#server.work.spender('definitions of Kyverno'));
  }

  #expand(value: PlainJson): JsonValue {
    if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: PlainJson) => this.#expand(item));
    const fields = value as { readonly [key: string]: PlainJson };
    const part = fields['$'];
    if (typeof part === 'number') {
      const expanded = this.#parts.get(part) ?? this.#expand(PARTS[part] as PlainJson);
      this.#parts.set(part, expanded);
      return expanded;
    }
    return new Map(Object.entries(fields).map(([key, item]): [string, JsonValue] => [key, this.#expand(item)]));
  }
}

function* fieldsOf(schema: JsonObject): Iterable<PlacedField<JsonObject>> {
  for (const [name, value] of objectOrEmpty(schema.get('properties'))) {
    const inner = objectOrEmpty(value);
    const isList = inner.has('items');
    const part = isList ? objectOrEmpty(inner.get('items')) : inner;
    yield { name, isList, part: part.has('properties') ? part : undefined };
  }
}

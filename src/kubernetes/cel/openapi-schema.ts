// Schemas of an OpenAPI v3 document, with resolved references (apiserver `pkg/cel/openapi`).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, optionalTextField, textField } from '../../source/json/json-field.ts';
import type { TypedSchema } from './schema-types.ts';

const REF_PREFIX = '#/components/schemas/';
const OBJECT: JsonObject = new Map([['type', 'object']]);

/** `components` are the document's schemas by name. */
export class OpenApiSchema implements TypedSchema {
  readonly #components: JsonObject;
  readonly #schema: JsonObject;
  /** The chain of references to this schema. */
  readonly #refs: readonly string[];

  /** A reference back to an enclosing schema becomes an object without properties (`resolver.PopulateRefs`). */
  constructor(components: JsonObject, schema: JsonObject, refs: readonly string[] = []) {
    const ref = refOf(schema);
    const isCycle = ref !== undefined && refs.includes(ref);
    this.#components = components;
    this.#schema = ref === undefined ? schema : isCycle ? OBJECT : objectOrEmpty(components.get(componentName(ref)));
    this.#refs = ref === undefined || isCycle ? refs : [...refs, ref];
  }

  /** If there are several types, the first one applies. */
  get type(): string {
    const type = this.#schema.get('type');
    const first = isJsonArray(type) ? type[0] : type;
    return typeof first === 'string' ? first : '';
  }

  get values(): { readonly format: string } {
    return { format: textField(this.#schema, 'format') };
  }

  get properties(): ReadonlyMap<string, TypedSchema> {
    const properties = [...objectOrEmpty(this.#schema.get('properties'))];
    return new Map(properties.map(([name, schema]) => [name, this.#inner(objectOrEmpty(schema))]));
  }

  get additionalProperties(): TypedSchema | undefined {
    const schema = objectField(this.#schema, 'additionalProperties');
    return schema && this.#inner(schema);
  }

  get items(): TypedSchema | undefined {
    const schema = objectField(this.#schema, 'items');
    return schema && this.#inner(schema);
  }

  get embeddedResource(): boolean {
    return this.#schema.get('x-kubernetes-embedded-resource') === true;
  }

  /** Built-in kinds use a format for this, custom kinds an extension. */
  get intOrString(): boolean {
    return this.#schema.get('x-kubernetes-int-or-string') === true || this.values.format === 'int-or-string';
  }

  get preserveUnknownFields(): boolean {
    return this.#schema.get('x-kubernetes-preserve-unknown-fields') === true;
  }

  #inner(schema: JsonObject): OpenApiSchema {
    return new OpenApiSchema(this.#components, schema, this.#refs);
  }
}

/** Its own reference, or one in `allOf`, which allows a description or default beside it. */
function refOf(schema: JsonObject): string | undefined {
  const wrapped = objectItems(schema.get('allOf')).map((item) => optionalTextField(item, '$ref'));
  return optionalTextField(schema, '$ref') ?? wrapped.find((ref) => ref !== undefined);
}

function componentName(ref: string): string {
  return ref.startsWith(REF_PREFIX) ? ref.slice(REF_PREFIX.length) : ref;
}

// Built-in kinds as the server publishes them in OpenAPI, as far as that decides about the types of expressions.
import type { TypedSchema } from '../cel/schema-types.ts';
import type { CustomType, FieldType, Struct } from './struct.ts';

/** What is not published is absent. */
class PublishedSchema implements TypedSchema {
  readonly type: string;
  readonly values: { readonly format: string };
  readonly embeddedResource = false;
  readonly preserveUnknownFields = false;
  readonly intOrString: boolean;
  readonly #type: FieldType;
  /** Structs that led here. */
  readonly #path: readonly string[];

  constructor(type: FieldType, path: readonly string[]) {
    const [name, format] = published(type);
    this.type = name;
    this.values = { format };
    this.intOrString = format === 'int-or-string';
    this.#type = type;
    this.#path = path;
  }

  /** A struct inside itself is published as a reference, which type checking takes for an object without properties. */
  get properties(): ReadonlyMap<string, TypedSchema> | undefined {
    if (this.#type.form !== 'struct') return undefined;
    const { name, fields } = this.#type.struct;
    if (this.#path.includes(name)) return undefined;
    const path = [...this.#path, name];
    return new Map([...fields.values()].map((field) => [field.name, new PublishedSchema(field.type, path)]));
  }

  get additionalProperties(): TypedSchema | undefined {
    return this.#type.form === 'map' ? new PublishedSchema(this.#type.value, this.#path) : undefined;
  }

  get items(): TypedSchema | undefined {
    return this.#type.form === 'list' ? new PublishedSchema(this.#type.element, this.#path) : undefined;
  }
}

export function publishedSchema(struct: Struct): TypedSchema {
  return new PublishedSchema({ form: 'struct', goName: struct.name, struct }, []);
}

type TypeAndFormat = readonly [type: string, format: string];

function published(type: FieldType): TypeAndFormat {
  return type.form === 'custom' ? CUSTOM_TYPES[type.custom] : TYPES[type.form];
}

const TYPES: Readonly<Record<Exclude<FieldType['form'], 'custom'>, TypeAndFormat>> = {
  string: ['string', ''],
  bool: ['boolean', ''],
  float: ['number', ''],
  bytes: ['string', 'byte'],
  integer: ['integer', ''],
  list: ['array', ''],
  map: ['object', ''],
  struct: ['object', ''],
};

const CUSTOM_TYPES: Readonly<Record<CustomType, TypeAndFormat>> = {
  'resource.Quantity': ['', ''],
  'intstr.IntOrString': ['string', 'int-or-string'],
  'meta/v1.Time': ['string', 'date-time'],
  'meta/v1.MicroTime': ['string', 'date-time'],
  'meta/v1.FieldsV1': ['object', ''],
  'runtime.RawExtension': ['object', ''],
  JSON: ['', ''],
  JSONSchemaPropsOrArray: ['', ''],
  JSONSchemaPropsOrBool: ['', ''],
  JSONSchemaPropsOrStringArray: ['', ''],
};

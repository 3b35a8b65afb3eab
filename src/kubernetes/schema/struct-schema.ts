// Built-in kinds in the server's published OpenAPI schema, limited to the parts that determine CEL types.
import type { TypedSchema } from '../cel/schema-types.ts';
import type { CustomType, FieldType, Struct } from './struct.ts';

/** Keywords that the server does not publish are absent. */
class PublishedSchema implements TypedSchema {
  readonly type: string;
  readonly values: { readonly format: string };
  readonly embeddedResource = false;
  readonly preserveUnknownFields = false;
  readonly intOrString: boolean;
  readonly #type: FieldType;
  /** The enclosing structs. */
  readonly #path: readonly string[];

  constructor(type: FieldType, path: readonly string[]) {
    const [name, format] = published(type);
    this.type = name;
    this.values = { format };
    this.intOrString = format === 'int-or-string';
    this.#type = type;
    this.#path = path;
  }

  /** A recursive struct is published as a reference, which the type checker treats as an object without properties. */
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

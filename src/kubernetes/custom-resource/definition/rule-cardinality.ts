// The number of values that a rule can apply to in one object, and their types (apiextensions `validation/cel_validation.go: CELSchemaContext`).
import { escapeFieldName } from '../../cel/field-name.ts';
import { withTypeAndObjectMeta } from '../rule/resource-schema.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { sizeOfSchema } from './schema-sizes.ts';

/** The schema that defines the CEL type of a value. */
export interface DeclaredSchema {
  readonly schema: Schema;
  readonly isResourceRoot: boolean;
}

export type SchemaStep = { readonly property: string } | 'items' | 'additionalProperties';

/** The error for rules on values without a CEL type. */
export interface Undeclared {
  readonly reason: string;
}

/** A node of the schema that may have rules. */
export class RulePlace {
  readonly schema: Schema;
  /** Maximum number of values, from the limits of the enclosing lists and maps; undefined if one of them has no limit. */
  readonly cardinality: bigint | undefined;
  readonly #parent: RulePlace | undefined;
  readonly #step: SchemaStep | undefined;
  /** True if this node or an enclosing one has rules. */
  readonly isInRules: boolean;

  private constructor(
    schema: Schema,
    cardinality: bigint | undefined,
    parent: RulePlace | undefined,
    step: SchemaStep | undefined,
  ) {
    this.schema = schema;
    this.cardinality = cardinality;
    this.#parent = parent;
    this.#step = step;
    this.isInRules = schema.rules.length > 0 || parent?.isInRules === true;
  }

  static root(schema: Schema): RulePlace {
    return new RulePlace(schema, 1n, undefined, undefined);
  }

  child(schema: Schema, step: SchemaStep): RulePlace {
    const factor = maxElements(this.schema);
    const isBounded = this.cardinality !== undefined && factor !== undefined;
    return new RulePlace(schema, isBounded ? this.cardinality * factor : undefined, this, step);
  }

  /** If an enclosing node has rules, the type is a part of its type. */
  get declared(): DeclaredSchema | Undeclared {
    const around = this.#parent?.isInRules ? this.#parent.declared : undefined;
    if (around === undefined || this.#step === undefined) return this.#ownTypes();
    if ('reason' in around) return around;
    if (typeof this.#step === 'object') {
      const property = propertyOf(around, this.#step.property);
      return property === undefined ? this.#ownTypes() : part(property);
    }
    const element = elementOf(around.schema, this.#step);
    return element === undefined ? { reason: 'failed to convert to declType for CEL validation rules' } : part(element);
  }

  #ownTypes(): DeclaredSchema | Undeclared {
    const declared = {
      schema: this.schema,
      isResourceRoot: this.#parent === undefined || this.schema.embeddedResource,
    };
    return sizeOfSchema(declared.schema, declared.isResourceRoot) === undefined ? UNCONVERTIBLE : declared;
  }
}

const UNCONVERTIBLE: Undeclared = {
  reason:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
};

function part(schema: Schema): DeclaredSchema {
  return { schema, isResourceRoot: schema.embeddedResource };
}

/** Undefined if enclosing rules cannot access the field. */
function propertyOf({ schema, isResourceRoot }: DeclaredSchema, name: string): Schema | undefined {
  if (schema.type !== 'object' || schema.intOrString || escapeFieldName(name) === undefined) return undefined;
  const { properties } = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  const property = properties?.get(name);
  return property && sizeOfSchema(property, property.embeddedResource) && property;
}

/** Undefined if enclosing rules cannot access the list or map. */
function elementOf(schema: Schema, step: 'items' | 'additionalProperties'): Schema | undefined {
  if (schema.intOrString || schema.type !== (step === 'items' ? 'array' : 'object')) return undefined;
  const element = step === 'items' ? schema.items : additionalSchema(schema);
  return element && sizeOfSchema(element, element.embeddedResource) && element;
}

/** Maximum number of children of one value; undefined without a limit. */
function maxElements({ type, additionalProperties, values: { maxItems, maxProperties } }: Schema): bigint | undefined {
  if (type === 'array') return limitOf(maxItems);
  if (type === 'object' && additionalProperties !== undefined) return limitOf(maxProperties);
  return 1n;
}

function limitOf(limit: bigint | undefined): bigint | undefined {
  return limit !== undefined && limit < 0n ? 0n : limit;
}

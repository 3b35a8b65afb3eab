// Size limits of a schema's values, for cost estimates (apiserver `pkg/cel/common/schemas.go: SchemaDeclType`).
import type { ValuePath } from '../../../cel/estimate/cost-model.ts';
import type { Range } from '../../../cel/estimate/range.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { escapeFieldName } from '../../cel/field-name.ts';
import { withTypeAndObjectMeta } from '../rule/resource-schema.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';

/** Request limit of the server, in bytes. */
const MAX_REQUEST = 3n * 1024n * 1024n;
/** Without the quotes. */
const MAX_TEXT = MAX_REQUEST - 2n;

/** A schema node that expressions can access. */
export interface SchemaSize {
  /** Length of the shortest JSON value, in bytes. */
  readonly minBytes: bigint;
  /** Characters, bytes, elements or entries; zero for values of a fixed size. */
  readonly maxElements: bigint;
  /** For lists and maps. */
  readonly elements?: SchemaSize;
  readonly isMap?: boolean;
  /** By their names in expressions. */
  readonly fields?: ReadonlyMap<string, SchemaSize>;
}

/** Undefined if expressions cannot access the schema. */
export function sizeOfSchema(schema: Schema, isResourceRoot: boolean): SchemaSize | undefined {
  if (schema.intOrString) return { minBytes: 1n, maxElements: maxTextOf(schema) ?? MAX_TEXT };
  switch (schema.type) {
    case 'array':
      return sizeOfList(schema);
    case 'object': {
      const values = additionalSchema(schema);
      return values === undefined ? sizeOfObject(schema, isResourceRoot) : sizeOfMap(schema, values);
    }
    case 'string':
      return sizeOfText(schema);
    case 'boolean':
      return { minBytes: 4n, maxElements: 0n };
    case 'number':
    case 'integer':
      return { minBytes: 1n, maxElements: 0n };
    default:
      return undefined;
  }
}

/** `sizeEstimator.EstimateSize` of schema/cel/compilation.go; the first step of a path is the variable. */
export function sizeAtPath(root: SchemaSize, path: ValuePath): Range | undefined {
  if (path.length === 0) return undefined;
  let size: SchemaSize | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') size = size.elements;
    else if (step === '@keys') size = size.isMap ? KEY : undefined;
    else size = size.fields?.get(step);
    if (size === undefined) return undefined;
  }
  return { min: 0n, max: size.maxElements };
}

/** Maximum number of shortest values in one request. */
export function maxCardinality({ minBytes }: SchemaSize): bigint {
  return MAX_REQUEST / (minBytes + 1n);
}

const KEY: SchemaSize = { minBytes: 2n, maxElements: 0n };

function sizeOfList({ items, values: { maxItems } }: Schema): SchemaSize | undefined {
  const elements = items && sizeOfSchema(items, items.embeddedResource);
  if (elements === undefined) return undefined;
  return { minBytes: 2n, maxElements: atLeastZero(maxItems) ?? MAX_TEXT / (elements.minBytes + 1n), elements };
}

function sizeOfMap({ values: { maxProperties } }: Schema, values: Schema): SchemaSize | undefined {
  const elements = sizeOfSchema(values, values.embeddedResource);
  if (elements === undefined) return undefined;
  const maxElements = atLeastZero(maxProperties) ?? MAX_TEXT / (elements.minBytes + 6n);
  return { minBytes: 2n, maxElements, elements, isMap: true };
}

/** The size includes required fields without a default. */
function sizeOfObject(schema: Schema, isResourceRoot: boolean): SchemaSize {
  const { properties, values } = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  const fields = new Map<string, SchemaSize>();
  let minBytes = 2n;
  for (const [name, property] of properties ?? []) {
    const size = sizeOfSchema(property, property.embeddedResource);
    if (size === undefined) continue;
    const field = escapeFieldName(name);
    if (field !== undefined) fields.set(field, size);
    const isWritten = values.required.includes(name) && property.default === undefined;
    if (isWritten) minBytes += byteLength(name) + size.minBytes + 4n;
  }
  return { minBytes, maxElements: 0n, fields };
}

/** Durations and times have a fixed maximum length. */
function sizeOfText(schema: Schema): SchemaSize {
  const { format, maxLength, enum: members } = schema.values;
  switch (format) {
    case 'byte':
      return { minBytes: 2n, maxElements: atLeastZero(maxLength) ?? MAX_TEXT };
    case 'duration':
      return { minBytes: 3n, maxElements: 32n };
    case 'date':
      return { minBytes: 12n, maxElements: 12n };
    case 'date-time':
      return { minBytes: 21n, maxElements: 32n };
  }
  const longestMember =
    members.length === 0
      ? undefined
      : members.reduce<number>((longest, member) => Math.max(longest, Number(byteLength(member))), 0);
  const maxElements = maxTextOf(schema) ?? (longestMember === undefined ? MAX_TEXT : BigInt(longestMember));
  return { minBytes: 2n, maxElements };
}

/** A character takes up to four bytes. */
function maxTextOf({ values: { maxLength } }: Schema): bigint | undefined {
  return maxLength === undefined ? undefined : (atLeastZero(maxLength) ?? 0n) * 4n;
}

function atLeastZero(value: bigint | undefined): bigint | undefined {
  return value !== undefined && value < 0n ? 0n : value;
}

/** Zero if the value is not a string. */
function byteLength(value: JsonValue): bigint {
  return typeof value === 'string' ? BigInt(new TextEncoder().encode(value).length) : 0n;
}

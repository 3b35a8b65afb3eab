// Provides the protobuf messages of cel-spec's tests to expressions, under the names in cel-go's tests.
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { BOOL, BYTES, DOUBLE, INT, listOf, mapOf, STRING, struct, type Type, UINT } from '../../src/cel/check/type.ts';
import type { TypeProvider } from '../../src/cel/check/type-provider.ts';
import { WELL_KNOWN_TYPES } from '../../src/cel/check/well-known-types.ts';

type Registry = ReturnType<typeof getTestRegistry>;
type Field = NonNullable<ReturnType<Registry['getMessage']>>['fields'][number];

/** By the numbers of `google.protobuf.FieldDescriptorProto.Type`. */
const SCALARS: Readonly<Record<number, Type>> = {
  1: DOUBLE,
  2: DOUBLE,
  3: INT,
  4: UINT,
  5: INT,
  6: UINT,
  7: UINT,
  8: BOOL,
  9: STRING,
  12: BYTES,
  13: UINT,
  15: INT,
  16: INT,
  17: INT,
  18: INT,
};

function inRegistry(name: string): string {
  return name.replace(/^google\.expr\.proto([23])\.test\./, 'cel.expr.conformance.proto$1.');
}

function inTests(name: string): string {
  return name.replace(/^cel\.expr\.conformance\.proto([23])\./, 'google.expr.proto$1.test.');
}

export function messageType(name: string): Type {
  return WELL_KNOWN_TYPES.findStruct(name) ?? struct(inTests(name));
}

function fieldType(field: Field): Type {
  switch (field.fieldKind) {
    case 'scalar':
      return SCALARS[field.scalar] as Type;
    case 'enum':
      return INT;
    case 'message':
      return messageType(field.message.typeName);
    case 'list':
      return listOf(elementType(field.listKind, field.scalar, field.message?.typeName));
    case 'map':
      return mapOf(SCALARS[field.mapKey] as Type, elementType(field.mapKind, field.scalar, field.message?.typeName));
  }
}

function elementType(
  kind: 'scalar' | 'enum' | 'message',
  scalar: number | undefined,
  message: string | undefined,
): Type {
  if (kind === 'message') return messageType(message as string);
  return kind === 'enum' ? INT : (SCALARS[scalar as number] as Type);
}

/** cel-go's copy of the messages uses another name for this field. */
const RENAMED_FIELDS: Readonly<Record<string, string>> = { nested_id: 'single_id' };

export function testMessages(): TypeProvider {
  const registry = getTestRegistry();
  return {
    findStruct: (name) => (registry.getMessage(inRegistry(name)) ? messageType(name) : undefined),
    findField: (message, name) => {
      const field = registry
        .getMessage(inRegistry(message.name))
        ?.fields.find((one) => one.name === (RENAMED_FIELDS[name] ?? name));
      return field && fieldType(field);
    },
    fieldNames: (message) => registry.getMessage(inRegistry(message.name))?.fields.map((field) => field.name),
    findIdentifier: (name) => {
      const dot = name.lastIndexOf('.');
      const values = registry.getEnum(inRegistry(name.slice(0, Math.max(dot, 0))))?.values;
      const value = values?.find((one) => one.name === name.slice(dot + 1));
      return value && { type: INT, value: BigInt(value.number) };
    },
  };
}

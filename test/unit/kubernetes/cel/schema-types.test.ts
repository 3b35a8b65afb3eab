// Types that schemas declare, and their field names in expressions.
import { describe, expect, it } from 'vitest';
import type { Type } from '../../../../src/cel/check/type.ts';
import { DeclaredTypes } from '../../../../src/kubernetes/cel/declared-types.ts';
import { escapeFieldName } from '../../../../src/kubernetes/cel/field-name.ts';
import { OpenApiSchema } from '../../../../src/kubernetes/cel/openapi-schema.ts';
import { declareSchema } from '../../../../src/kubernetes/cel/schema-types.ts';
import { SchemaCatalog } from '../../../../src/kubernetes/schema/schema-catalog.ts';
import { publishedSchema } from '../../../../src/kubernetes/schema/struct-schema.ts';
import type { JsonObject } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

function json(value: unknown): JsonObject {
  const parsed = parseJson(JSON.stringify(value));
  return ('value' in parsed ? parsed.value : new Map()) as JsonObject;
}

/** The type of `X`, and of its fields by their path. */
function declare(schema: unknown, isResourceRoot = false, components: unknown = {}): Record<string, string> {
  const types = new DeclaredTypes();
  const root = declareSchema(types, 'X', new OpenApiSchema(json(components), json(schema)), isResourceRoot);
  const found: Record<string, string> = {};
  const visit = (path: string, type: Type): void => {
    found[path] = String(type);
    for (const name of types.fieldNames(type) ?? []) visit(`${path}.${name}`, types.findField(type, name) as Type);
  };
  if (root !== undefined) visit('', root);
  return found;
}

describe('escaping', () => {
  it.each([
    ['name', 'name'],
    ['_', '_'],
    ['a__b', 'a__underscores__b'],
    ['___', '__underscores___'],
    ['a.b-c/d', 'a__dot__b__dash__c__slash__d'],
    ['.', '__dot__'],
    ['namespace', '__namespace__'],
    ['true', '__true__'],
    ['in', '__in__'],
    ['while', '__while__'],
    ['namespaces', 'namespaces'],
    ['1st', undefined],
    ['', undefined],
    ['a b', undefined],
    ['$ref', undefined],
    ['é', undefined],
  ])('%s', (name, escaped) => {
    expect(escapeFieldName(name)).toBe(escaped);
  });
});

describe('scalars', () => {
  it.each<[unknown, string | undefined]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ type: 'string', format: 'duration' }, 'google.protobuf.Duration'],
    [{ type: 'string', format: 'date' }, 'google.protobuf.Timestamp'],
    [{ type: 'string', format: 'date-time' }, 'google.protobuf.Timestamp'],
    [{ type: 'string', format: 'email' }, 'string'],
    [{ type: 'integer', format: 'int64' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'string', format: 'int-or-string' }, 'dyn'],
    [{ 'x-kubernetes-int-or-string': true }, 'dyn'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, undefined],
    [{}, undefined],
  ])('%j', (schema, type) => {
    expect(declare(schema)['']).toBe(type);
  });
});

describe('containers', () => {
  it('are named by their path', () => {
    const item = { type: 'object', properties: { a: { type: 'string' } } };
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: item },
        map: { type: 'object', additionalProperties: item },
        'my-nested': { type: 'array', items: { type: 'array', items: item } },
      },
    };
    expect(declare(schema)).toEqual({
      '': 'X',
      '.list': 'list(X.list.@idx)',
      '.map': 'map(string, X.map.@elem)',
      '.my__dash__nested': 'list(list(X.my__dash__nested.@idx.@idx))',
    });
  });

  it('are omitted if their elements have no type', () => {
    const properties = {
      list: { type: 'array' },
      untyped: { type: 'array', items: {} },
      map: { type: 'object', additionalProperties: {} },
      anything: { type: 'object', additionalProperties: true },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      '1st': { type: 'string' },
    };
    expect(declare({ type: 'object', properties })).toEqual({ '': 'X', '.anything': 'X.anything', '.open': 'X.open' });
  });

  it('have no type beyond the maximum depth', () => {
    let schema: unknown = { type: 'string' };
    for (let depth = 0; depth < 100; depth++) schema = { type: 'array', items: schema };
    expect(declare({ type: 'object', properties: { deep: schema } })).toEqual({ '': 'X' });
  });
});

describe('resources', () => {
  const metadata = { type: 'object', properties: { name: { type: 'string' } } };

  it('have a kind and a name, also if embedded', () => {
    const own = { apiVersion: 'string', kind: 'string', metadata: 'X.metadata' };
    const schema = {
      type: 'object',
      properties: { metadata, template: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    };
    const found = declare(schema, true);
    for (const [name, type] of Object.entries(own)) expect(found[`.${name}`]).toBe(type);
    expect(found['.metadata.generateName']).toBe('string');
    expect(found['.template.metadata.name']).toBe('string');
  });

  it('are unchanged if their schema declares both', () => {
    const complete = {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: {
          ...metadata,
          properties: { name: { type: 'string' }, generateName: { type: 'string' }, x: { type: 'integer' } },
        },
      },
    };
    expect(declare(complete, true)['.metadata.x']).toBe('int');
  });
});

describe('references', () => {
  const components = {
    Node: {
      type: 'object',
      properties: {
        value: { type: 'string' },
        next: { allOf: [{ $ref: '#/components/schemas/Node' }], default: {} },
        all: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    },
  };

  it('cyclic references are objects without fields', () => {
    const schema = { type: 'object', properties: { one: { $ref: '#/components/schemas/Node' }, two: { $ref: '#/x' } } };
    expect(declare(schema, false, components)).toEqual({
      '': 'X',
      '.one': 'X.one',
      '.one.value': 'string',
      '.one.next': 'X.one.next',
      '.one.all': 'list(X.one.all.@idx)',
    });
  });
});

describe('built-in kinds', () => {
  it('match the published OpenAPI types', () => {
    const types = new DeclaredTypes();
    const catalog = new SchemaCatalog(36);
    const pod = catalog.structForKind({ group: '', version: 'v1', kind: 'Pod' });
    const secret = catalog.structForKind({ group: '', version: 'v1', kind: 'Secret' });
    if (pod === undefined || secret === undefined) throw new Error('no such kinds');
    const at = (type: Type | undefined, ...path: string[]): string => {
      let found = type;
      for (const step of path) found = found && (types.findField(found, step) ?? found.parameters[0]);
      return String(found);
    };
    const declared = declareSchema(types, 'Pod1', publishedSchema(pod), true);
    expect(at(declared, 'metadata', 'creationTimestamp')).toBe('google.protobuf.Timestamp');
    expect(at(declared, 'spec', 'containers')).toBe('list(Pod1.spec.containers.@idx)');
    expect(
      types.fieldNames(types.findField(types.findField(declared as Type, 'spec') as Type, 'resources') as Type),
    ).toEqual(['claims']);
    expect(at(declareSchema(types, 'Secret2', publishedSchema(secret), true), 'data')).toBe('map(string, bytes)');
  });
});

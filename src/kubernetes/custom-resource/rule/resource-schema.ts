// Schemas of resources as rules see them, with the fields of every resource (apiextensions `schema/cel/model/schemas.go: WithTypeAndObjectMeta`).
import { hasTypeAndObjectMeta } from '../../cel/schema-types.ts';
import { parseSchema } from '../schema/parse-schema.ts';
import type { Schema } from '../schema/schema.ts';

/** Replaces incomplete declarations of kind, apiVersion and metadata. */
export function withTypeAndObjectMeta(schema: Schema): Schema {
  const properties = schema.properties ?? new Map<string, Schema>();
  if (hasTypeAndObjectMeta(properties)) return schema;
  const complete = new Map(properties).set('kind', TEXT).set('apiVersion', TEXT).set('metadata', METADATA);
  return { ...schema, items: undefined, properties: complete };
}

const TEXT: Schema = parseSchema(new Map([['type', 'string']])).schema;

const METADATA: Schema = {
  ...TEXT,
  type: 'object',
  properties: new Map([
    ['name', TEXT],
    ['generateName', TEXT],
  ]),
};

// Checks that a schema is structural, which the server requires (apiextensions `schema/validation.go`, `schema/complete.go`).
import { compareUtf8, type JsonValue } from '../../../source/json/json.ts';
import type { ServerError, ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';
import { additionalSchema, type Schema, type ValueValidation } from './schema.ts';

type Level = 'root' | 'item' | 'field';

const NO_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Sorted by text, like the server. */
export function structuralErrors(
  schema: Schema,
  path: ServerPath,
  errors: ServerErrors,
  patternError: (pattern: string) => string | undefined,
): readonly ServerError[] {
  const check = new StructuralCheck(errors, patternError);
  check.invariants(schema, 'root', path);
  check.completeness(schema, schema, path, path);
  return check.found.sort((a, b) => compareUtf8(a.message, b.message));
}

class StructuralCheck {
  readonly found: ServerError[] = [];
  readonly #errors: ServerErrors;
  /** Go's error for an invalid pattern. */
  readonly #patternError: (pattern: string) => string | undefined;

  constructor(errors: ServerErrors, patternError: (pattern: string) => string | undefined) {
    this.#errors = errors;
    this.#patternError = patternError;
  }

  invariants(schema: Schema, level: Level, path: ServerPath): void {
    if (schema.type === 'array' && schema.items === undefined) this.#require(path.child('items'), 'must be specified');
    if (schema.items !== undefined) this.invariants(schema.items, 'item', path.child('items'));
    for (const [name, property] of schema.properties ?? []) {
      this.invariants(property, 'field', path.child('properties').key(name));
    }
    this.#additionalProperties(schema, level, path);
    this.#extensions(schema, path);
    const intOrString = intOrStringPatterns(schema);
    this.#values(schema, intOrString, path);
    this.#type(schema, level, path);
    this.#metaFields(schema, level, path);
    const isBare = !schema.preserveUnknownFields && schema.properties === undefined;
    if (schema.embeddedResource && isBare) {
      const detail =
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
      this.#require(path.child('properties'), detail);
    }
  }

  #additionalProperties(schema: Schema, level: Level, path: ServerPath): void {
    if (schema.additionalProperties === undefined) return;
    const place = path.child('additionalProperties');
    if (level === 'root') this.#forbid(place, 'must not be used at the root');
    const values = additionalSchema(schema);
    if (values !== undefined) this.invariants(values, 'field', place);
    if (schema.embeddedResource) this.#forbid(place, 'must not be used if x-kubernetes-embedded-resource is set');
  }

  #extensions({ intOrString, preserveUnknownFields, embeddedResource }: Schema, path: ServerPath): void {
    if (!intOrString) return;
    const detail = 'must be false if x-kubernetes-int-or-string is true';
    if (preserveUnknownFields) this.#refuse(path.child('x-kubernetes-preserve-unknown-fields'), true, detail);
    if (embeddedResource) this.#refuse(path.child('x-kubernetes-embedded-resource'), true, detail);
  }

  #type(schema: Schema, level: Level, path: ServerPath): void {
    const { type, embeddedResource, intOrString, preserveUnknownFields } = schema;
    const place = path.child('type');
    if (embeddedResource && type !== 'object') {
      const detail = 'must be object if x-kubernetes-embedded-resource is true';
      if (type === '') this.#require(place, detail);
      else this.#refuse(place, type, detail);
    } else if (type === '' && !intOrString && !preserveUnknownFields) {
      this.#require(place, NO_TYPE[level]);
    }
    if (level === 'root' && type !== '' && type !== 'object') this.#refuse(place, type, 'must be object at the root');
  }

  #metaFields(schema: Schema, level: Level, path: ServerPath): void {
    const isResource = level === 'root' || schema.embeddedResource;
    const fieldPath = (name: string) => path.child('properties').key(name);
    for (const name of ['kind', 'apiVersion']) {
      const type = schema.properties?.get(name)?.type ?? 'string';
      if (isResource && type !== 'string') this.#refuse(fieldPath(name).child('type'), type, 'must be string');
    }
    const metadata = schema.properties?.get('metadata');
    if (metadata === undefined) return;
    if (isResource && metadata.type !== 'object') {
      this.#refuse(fieldPath('metadata').child('type'), metadata.type, 'must be object');
    }
    if (level === 'root' && !isPlainMetadata(metadata)) {
      const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      this.#forbid(fieldPath('metadata'), detail);
    }
  }

  #values({ values }: Schema, intOrString: IntOrStringPatterns, path: ServerPath): void {
    if (!intOrString.anyOf) this.#nestedAll(values.anyOf, path.child('anyOf'), false);
    this.#nestedAll(values.allOf, path.child('allOf'), intOrString.firstAllOf);
    this.#nestedAll(values.oneOf, path.child('oneOf'), false);
    if (values.not !== undefined) this.#nested(values.not, path.child('not'), false);
    const error = values.pattern === '' ? undefined : this.#patternError(values.pattern);
    if (error !== undefined) {
      const detail = `must be a valid regular expression, but isn't: ${error}`;
      this.#refuse(path.child('pattern'), values.pattern, detail);
    }
  }

  #nestedAll(schemas: readonly Schema[], path: ServerPath, skipFirstAnyOf: boolean): void {
    for (const [index, schema] of schemas.entries()) {
      this.#nested(schema, path.index(index), skipFirstAnyOf && index === 0);
    }
  }

  /** A schema under `allOf` or a similar keyword may restrict values but must not define structure. */
  #nested(schema: Schema, path: ServerPath, skipAnyOf: boolean): void {
    this.#values(schema, { anyOf: skipAnyOf, firstAllOf: false }, path);
    if (schema.items !== undefined) this.#nested(schema.items, path.child('items'), false);
    for (const [name, property] of schema.properties ?? []) {
      this.#nested(property, path.child('properties').key(name), false);
    }
    for (const [keyword, isSet, state] of STRUCTURE) {
      if (isSet(schema)) this.#forbid(path.child(keyword), `must be ${state} to be structural`);
    }
    if (schema.properties?.has('metadata')) {
      this.#forbid(path.child('properties').key('metadata'), 'must not be specified in a nested context');
    }
  }

  /** Every field that `values` mentions must exist in the structure. */
  completeness(values: Schema, structure: Schema | undefined, structurePath: ServerPath, valuesPath: ServerPath): void {
    const { allOf, anyOf, oneOf, not } = values.values;
    const nested = (schema: Schema, path: ServerPath) =>
      this.#nestedCompleteness(schema, structure, structurePath, path);
    if (not !== undefined) nested(not, valuesPath.child('not'));
    for (const [index, schema] of allOf.entries()) nested(schema, valuesPath.child('allOf').index(index));
    for (const [index, schema] of anyOf.entries()) nested(schema, valuesPath.child('anyOf').index(index));
    for (const [index, schema] of oneOf.entries()) nested(schema, valuesPath.child('oneOf').index(index));
  }

  #nestedCompleteness(
    values: Schema,
    structure: Schema | undefined,
    structurePath: ServerPath,
    valuesPath: ServerPath,
  ): void {
    if (structure === undefined) {
      this.#require(structurePath, `because it is defined in ${valuesPath}`);
      return;
    }
    this.completeness(values, structure, structurePath, valuesPath);
    if (values.items !== undefined) {
      const path = structurePath.child('items');
      this.#nestedCompleteness(values.items, structure.items, path, valuesPath.child('items'));
    }
    for (const [name, property] of values.properties ?? []) {
      const path = structurePath.child('properties').key(name);
      const from = valuesPath.child('properties').key(name);
      this.#nestedCompleteness(property, structure.properties?.get(name), path, from);
    }
  }

  #require(place: ServerPath, detail: string): void {
    this.found.push(this.#errors.required(place, detail));
  }

  #refuse(place: ServerPath, value: JsonValue, detail: string): void {
    this.found.push(this.#errors.invalid(place, value, detail));
  }

  #forbid(place: ServerPath, detail: string): void {
    this.found.push(this.#errors.forbidden(place, detail));
  }
}

/** Keywords of structure, a check whether a schema sets them, and the required state in the server's words. */
const STRUCTURE: readonly (readonly [keyword: string, isSet: (schema: Schema) => boolean, state: string])[] = [
  ['type', ({ type }) => type !== '', 'empty'],
  ['additionalProperties', ({ additionalProperties }) => (additionalProperties ?? false) !== false, 'undefined'],
  ['default', (schema) => schema.default !== undefined, 'undefined'],
  ['title', ({ hasTitle }) => hasTitle, 'empty'],
  ['description', ({ hasDescription }) => hasDescription, 'empty'],
  ['nullable', ({ nullable }) => nullable, 'false'],
  ['x-kubernetes-preserve-unknown-fields', ({ preserveUnknownFields }) => preserveUnknownFields, 'false'],
  ['x-kubernetes-embedded-resource', ({ embeddedResource }) => embeddedResource, 'false'],
  ['x-kubernetes-int-or-string', ({ intOrString }) => intOrString, 'false'],
  ['x-kubernetes-list-map-keys', ({ listMapKeys }) => listMapKeys.length > 0, 'empty'],
  ['x-kubernetes-list-type', ({ listType }) => listType !== '', 'undefined'],
  ['x-kubernetes-map-type', ({ mapType }) => mapType !== '', 'undefined'],
  ['x-kubernetes-validations', ({ rules }) => rules.length > 0, 'empty'],
];

interface IntOrStringPatterns {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

/** `anyOf: [{type: integer}, {type: string}]`, which int-or-string fields may set directly or first in `allOf`. */
function intOrStringPatterns({ values }: Schema): IntOrStringPatterns {
  const first = values.allOf[0];
  return { anyOf: isIntOrString(values.anyOf), firstAllOf: first !== undefined && isIntOrString(first.values.anyOf) };
}

function isIntOrString(alternatives: readonly Schema[]): boolean {
  const [integer, text] = alternatives;
  if (integer === undefined || text === undefined || alternatives.length !== 2) return false;
  return integer.type === 'integer' && isBare(integer, ['type']) && text.type === 'string' && isBare(text, ['type']);
}

/** True if the metadata schema restricts only name and generateName. */
function isPlainMetadata(metadata: Schema): boolean {
  const names = [...(metadata.properties?.keys() ?? [])];
  const isPlain = names.every((name) => name === 'name' || name === 'generateName');
  return isBare(isPlain ? { ...metadata, properties: undefined } : metadata, ['type', 'default']);
}

/** True if a schema sets nothing except the given keywords of structure. */
function isBare(schema: Schema, except: readonly string[]): boolean {
  if (schema.properties !== undefined || schema.items !== undefined) return false;
  if (schema.additionalProperties !== undefined) return false;
  if (STRUCTURE.some(([keyword, isSet]) => !except.includes(keyword) && isSet(schema))) return false;
  return Object.values(schema.values).every(isAbsent);
}

function isAbsent(value: ValueValidation[keyof ValueValidation]): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

// Building blocks of configuration files. Each one reads a value, reports its problems, and describes itself as JSON Schema.
import type { Code } from '../diagnostic/code-table.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { nearestName } from '../diagnostic/nearest-name.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../source/node/field-path.ts';
import type { SourceLocation } from '../source/text/source-file.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** Undefined if the value is invalid; the problem is then already reported. */
  read(value: JsonValue, path: FieldPath, problems: Problems): T | undefined;
}

export type ShapeType<S> = S extends Shape<infer T> ? T : never;

/** Collects problems with their locations in the file. */
export class Problems {
  readonly diagnostics: Diagnostic[] = [];
  /** Name of the file in messages, e.g. `the configuration`. */
  readonly subject: string;
  readonly #locate: (path: FieldPath, part: 'key' | 'value') => SourceLocation;

  constructor(locate: (path: FieldPath, part: 'key' | 'value') => SourceLocation, subject = 'the configuration') {
    this.#locate = locate;
    this.subject = subject;
  }

  nameOf(path: FieldPath): string {
    return path.length === 0 ? this.subject : `\`${shorten(formatFieldPath(path))}\``;
  }

  report(code: Code, path: FieldPath, part: 'key' | 'value', message: string, help?: string): undefined {
    const primary = this.#locate(path, part);
    this.diagnostics.push({
      code,
      severity: 'error',
      message,
      primary,
      related: [],
      ...(help === undefined ? {} : { help }),
    });
    return undefined;
  }

  repeated(path: FieldPath, later: SourceLocation, first: SourceLocation | undefined): void {
    this.diagnostics.push({
      code: 'configuration-repeated-key',
      severity: 'error',
      message: `${this.nameOf(path)} is written twice`,
      primary: later,
      related: first === undefined ? [] : [{ message: 'first written here', location: first }],
    });
  }

  wrongType(value: JsonValue, path: FieldPath, expected: string, help?: string): undefined {
    const message = `${this.nameOf(path)} must be ${expected}, not ${typeName(value)}`;
    return this.report('configuration-wrong-type', path, value === null ? 'key' : 'value', message, help);
  }

  wrongValue(path: FieldPath, message: string, help?: string): undefined {
    return this.report('configuration-wrong-value', path, 'value', message, help);
  }
}

/** `check` describes a problem with the value as a predicate; undefined if it is valid. */
export function textShape(
  description: string,
  check?: (value: string) => string | undefined,
  schema: JsonSchema = {},
): Shape<string> {
  return {
    schema: { description, type: 'string', ...schema },
    read(value, path, problems) {
      if (typeof value !== 'string') {
        const help = typeof value === 'number' || typeof value === 'bigint' ? 'put it in quotes' : undefined;
        return problems.wrongType(value, path, 'a string', help);
      }
      const problem = check?.(value);
      return problem === undefined ? value : problems.wrongValue(path, `\`${shorten(value)}\` ${problem}`);
    },
  };
}

export function flagShape(description: string): Shape<boolean> {
  return {
    schema: { description, type: 'boolean' },
    read(value, path, problems) {
      return typeof value === 'boolean' ? value : problems.wrongType(value, path, '`true` or `false`');
    },
  };
}

export function wholeNumber(description: string, minimum: number): Shape<number> {
  return {
    schema: { description, type: 'integer', minimum },
    read(value, path, problems) {
      if (typeof value !== 'bigint' && typeof value !== 'number')
        return problems.wrongType(value, path, 'a whole number');
      const plain = Number(value);
      if (Number.isSafeInteger(plain) && plain >= minimum) return plain;
      return problems.wrongValue(path, `\`${String(value)}\` is not a whole number of at least ${minimum}`);
    },
  };
}

export function choice<const T extends string | number>(description: string, values: readonly T[]): Shape<T> {
  const list = expectedOneOf(values.map(String));
  return {
    schema: { description, enum: values },
    read(value, path, problems) {
      // Without quotes, `on` and `off` are booleans in YAML 1.1.
      const scalar = typeof value === 'boolean' ? (value ? 'on' : 'off') : value;
      const plain = typeof scalar === 'bigint' ? Number(scalar) : scalar;
      const known = values.find((candidate) => candidate === plain);
      if (known !== undefined) return known;
      if (isJsonArray(value) || isJsonObject(value)) return problems.wrongType(value, path, 'a single value', list);
      return problems.wrongValue(
        path,
        `\`${shorten(String(value))}\` is not a valid value of ${problems.nameOf(path)}`,
        list,
      );
    },
  };
}

export function listShape<T>(description: string, item: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { description, type: 'array', items: item.schema },
    read(value, path, problems) {
      if (!isJsonArray(value)) return problems.wrongType(value, path, 'a list');
      const items = value.map((entry, index) => item.read(entry, [...path, index], problems));
      return items.every((entry) => entry !== undefined) ? (items as readonly T[]) : undefined;
    },
  };
}

/** An object with user-defined keys. */
export function mapShape<T>(
  description: string,
  item: Shape<T>,
  checkName?: (name: string) => string | undefined,
): Shape<ReadonlyMap<string, T>> {
  return {
    schema: { description, type: 'object', additionalProperties: item.schema },
    read(value, path, problems) {
      if (!isJsonObject(value)) return problems.wrongType(value, path, 'an object');
      const entries = new Map<string, T>();
      let complete = true;
      for (const [name, entry] of value) {
        const problem = checkName?.(name);
        if (problem !== undefined)
          problems.report('configuration-wrong-value', [...path, name], 'key', `\`${shorten(name)}\` ${problem}`);
        const read = item.read(entry, [...path, name], problems);
        if (read === undefined || problem !== undefined) complete = false;
        else entries.set(name, read);
      }
      return complete ? entries : undefined;
    },
  };
}

/**
 * A shape whose parts depend on each other. `problem` describes an invalid combination as a predicate; `schema` is the
 * same rule as JSON Schema.
 */
export function together<T>(shape: Shape<T>, problem: (value: T) => string | undefined, schema: JsonSchema): Shape<T> {
  return {
    schema: { ...shape.schema, ...schema },
    read(value, path, problems) {
      const read = shape.read(value, path, problems);
      const wrong = read === undefined ? undefined : problem(read);
      if (wrong === undefined) return read;
      return problems.report('configuration-wrong-value', path, 'key', `${problems.nameOf(path)} ${wrong}`);
    },
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Read<F extends Fields, Required extends keyof F> = {
  readonly [K in Exclude<keyof F, Required>]?: ShapeType<F[K]>;
} & { readonly [K in Required]: ShapeType<F[K]> };

/** An object with a fixed set of keys. */
export function object<F extends Fields, Required extends keyof F & string = never>(
  description: string,
  fields: F,
  required: readonly Required[] = [],
): Shape<Read<F, Required>> {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, shape.schema]));
  return {
    schema: {
      description,
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    read(value, path, problems) {
      if (!isJsonObject(value)) return problems.wrongType(value, path, 'an object');
      const before = problems.diagnostics.length;
      for (const name of required) if (!value.has(name)) reportMissing(name, path, problems);
      const read = readFields(value, fields, path, problems);
      return problems.diagnostics.length === before ? (read as Read<F, Required>) : undefined;
    },
  };
}

function readFields(value: JsonObject, fields: Fields, path: FieldPath, problems: Problems): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, entry] of value) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (shape === undefined) reportUnknown(name, Object.keys(fields), path, problems);
    else read[name] = shape.read(entry, [...path, name], problems);
  }
  return read;
}

function reportMissing(name: string, path: FieldPath, problems: Problems): void {
  problems.report('configuration-missing-key', path, 'value', `${problems.nameOf(path)} needs \`${name}\``);
}

function reportUnknown(name: string, known: readonly string[], path: FieldPath, problems: Problems): void {
  const nearest = nearestName(name, known);
  const help = nearest === undefined ? expectedOneOf(known) : `did you mean \`${nearest}\`?`;
  problems.report(
    'configuration-unknown-key',
    [...path, name],
    'key',
    `${problems.nameOf(path)} has no key \`${shorten(name)}\``,
    help,
  );
}

function expectedOneOf(values: readonly string[]): string {
  return `expected one of ${values.map((value) => `\`${value}\``).join(', ')}`;
}

/** Shortens a value for messages, and removes the user and password of a URL. */
function shorten(text: string): string {
  const shown = text.replace(/\/\/[^/@\s]*@/g, '//…@');
  return shown.length <= 100 ? shown : `${shown.slice(0, 100)}…`;
}

function typeName(value: JsonValue): string {
  if (value === null) return 'empty';
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'boolean') return `the boolean \`${value}\``;
  return typeof value === 'string' ? 'a string' : `the number \`${value}\``;
}

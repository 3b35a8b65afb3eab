// Validates a value against a schema, with the server's errors (kube-openapi `pkg/validation/validate`, apiextensions `pkg/apiserver/validation`).
import { Meter } from '../../../go/meter.ts';
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { codePointLength } from '../../../go/strings/string-order.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../source/json/json.ts';
import { isAtLeast, type KubernetesVersion } from '../../api/version.ts';
import type { RunBudget } from '../../request/run-budget.ts';
import type { Correlation } from '../object/correlation.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import type { ServerError, ServerErrors } from '../server-error.ts';
import { ServerPath } from '../server-path.ts';
import { EnumTexts, findInEnum } from './enum-values.ts';
import { goNumberText, numberFaults } from './number-limits.ts';
import { SchemaFailures } from './schema-failures.ts';
import type { StringFormats } from './string-format.ts';
import { formatOf, typeFault, typesOf } from './value-type.ts';

/** Maximum steps of one validation; the server has no limit. */
const MAX_WORK = 100_000_000;
/** Steps for each schema applied to a value. Each character read or written costs one more. */
const STEPS_FOR_SCHEMA = 15;

export interface ValidatorOptions {
  readonly version: KubernetesVersion;
  readonly errors: ServerErrors;
  readonly formats: StringFormats;
  readonly regexes: RegexCache;
  readonly work: RunBudget;
}

export class SchemaValidator {
  readonly #options: ValidatorOptions;
  readonly #enumTexts = new EnumTexts();

  constructor(options: ValidatorOptions) {
    this.#options = options;
  }

  /**
   * Distinct errors, with map entries in the order of the value, because Go's map order is random. Throws
   * `WorkExceeded` at the work limit.
   */
  validate(value: JsonValue, schema: Schema, options: ValueOptions = {}): readonly ServerError[] {
    const { correlation, base = ServerPath.root, isStructural = false } = options;
    const validation = new Validation(this.#options, this.#enumTexts, isStructural);
    const failures = new SchemaFailures();
    validation.validate(value, schema, failures, correlation);
    if (correlation?.isUnchanged && !failures.isEmpty) return [];
    const isMapKey = (step: string | number | undefined): boolean =>
      typeof step === 'string' && isJsonObject(value) && schema.properties?.has(step) !== true;
    return failures.errors(this.#options.errors, { base, isMapKey }, validation.meter);
  }
}

export interface ValueOptions {
  /** Pairs the value with its previous version; errors in unchanged parts are ignored. */
  readonly correlation?: Correlation | undefined;
  /** Path of the value. */
  readonly base?: ServerPath;
  /** Checks formats for every type and accepts any value for int-or-string. The server does so if it has only the structural schema. */
  readonly isStructural?: boolean;
}

/** One validation. Counts passed checks, which decide the closest of several alternatives in the server. */
class Validation {
  readonly #options: ValidatorOptions;
  readonly #enumTexts: EnumTexts;
  readonly #isStructural: boolean;
  readonly meter: Meter;
  readonly #isRanged: boolean;
  readonly #path: (string | number)[] = [];

  constructor(options: ValidatorOptions, enumTexts: EnumTexts, isStructural: boolean) {
    this.#options = options;
    this.meter = new Meter(MAX_WORK, options.work);
    this.#isRanged = isAtLeast(options.version, '1.36');
    this.#enumTexts = enumTexts;
    this.#isStructural = isStructural;
  }

  /** Adds failures and returns the number of passed checks. */
  validate(value: JsonValue, schema: Schema, failures: SchemaFailures, correlation?: Correlation): number {
    this.meter.spend(STEPS_FOR_SCHEMA);
    const format = this.#isStructural ? schema.values.format : formatOf(schema, this.#options.formats);
    const types = typesOf(this.#isStructural && schema.intOrString ? { ...schema, intOrString: false } : schema);
    let matches = 0;
    if (types.length > 0 || format !== '') {
      const fault = typeFault(value, types, format, schema.nullable);
      if (fault !== undefined) failures.type(this.#path, fault.expected, fault.found);
      matches += fault === undefined ? 2 : 1;
    }
    if (value === null) {
      this.#enum(value, schema, failures);
      return failures.isEmpty ? 1 : 0;
    }
    matches += this.#alternatives(value, schema, failures) + 1;
    if (typeof value === 'string') matches += this.#text(value, schema, format, failures);
    else if (typeof value === 'bigint' || typeof value === 'number') {
      matches += this.#number(value, schema, types, failures);
    } else if (isJsonArray(value)) matches += this.#list(value, schema, failures, correlation) + 1;
    this.#enum(value, schema, failures);
    if (isJsonObject(value)) matches += this.#object(value, schema, failures, correlation) + 1;
    return matches + 2;
  }

  /** `anyOf`, `oneOf`, `allOf`, `not`. */
  #alternatives(value: JsonValue, { values }: Schema, failures: SchemaFailures): number {
    let matches = 1;
    if (values.anyOf.length > 0) matches += this.#anyOf(value, values.anyOf, failures);
    if (values.oneOf.length > 0) matches += this.#oneOf(value, values.oneOf, failures);
    if (values.allOf.length > 0) matches += this.#allOf(value, values.allOf, failures);
    if (values.not !== undefined && this.#try(value, values.not).failures.isEmpty) {
      failures.composite(this.#path, 'must not validate the schema (not)');
    }
    return matches;
  }

  #anyOf(value: JsonValue, schemas: readonly Schema[], failures: SchemaFailures): number {
    let closest: Attempt | undefined;
    for (const schema of schemas) {
      const attempt = this.#try(value, schema);
      if (attempt.failures.isEmpty) return attempt.matches;
      if (closest === undefined || attempt.matches > closest.matches) closest = attempt;
    }
    failures.composite(this.#path, 'must validate at least one schema (anyOf)');
    return closest === undefined ? 0 : failures.take(closest);
  }

  #oneOf(value: JsonValue, schemas: readonly Schema[], failures: SchemaFailures): number {
    let closest: Attempt | undefined;
    const valid: Attempt[] = [];
    for (const schema of schemas) {
      const attempt = this.#try(value, schema);
      if (attempt.failures.isEmpty) valid.push(attempt);
      else if (closest === undefined || attempt.matches > closest.matches) closest = attempt;
    }
    const [only] = valid;
    if (only !== undefined && valid.length === 1) return only.matches;
    const found = only === undefined ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    failures.composite(this.#path, `must validate one and only one schema (oneOf). ${found}`);
    return only === undefined && closest !== undefined ? failures.take(closest) : 0;
  }

  #allOf(value: JsonValue, schemas: readonly Schema[], failures: SchemaFailures): number {
    let matches = 0;
    let valid = 0;
    for (const schema of schemas) {
      const attempt = this.#try(value, schema);
      if (attempt.failures.isEmpty) valid += 1;
      matches += failures.take(attempt);
    }
    if (valid < schemas.length) {
      failures.composite(this.#path, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
    return matches;
  }

  #try(value: JsonValue, schema: Schema): Attempt {
    const failures = new SchemaFailures();
    const matches = this.validate(value, schema, failures);
    return { failures, matches };
  }

  #text(value: string, { values }: Schema, format: string, failures: SchemaFailures): number {
    const { maxLength, minLength, pattern } = values;
    this.meter.spend(value.length);
    const length = maxLength === undefined && minLength === undefined ? 0 : codePointLength(value);
    if (maxLength !== undefined && length > maxLength) failures.tooLong(this.#path, maxLength);
    else if (minLength !== undefined && length < minLength) {
      failures.invalid(this.#path, value, `should be at least ${minLength} chars long`);
    } else if (pattern !== '') this.#pattern(value, pattern, failures);
    const check = format === '' ? undefined : this.#options.formats.check(format);
    if (check === undefined) return 1;
    if (!check(value)) failures.type(this.#path, format, value);
    return 2;
  }

  #pattern(value: string, pattern: string, failures: SchemaFailures): void {
    const regex = this.#options.regexes.compile(pattern);
    if ('error' in regex) {
      failures.invalid(this.#path, value, `should match '${pattern}, but pattern is invalid: ${regex.error}'`);
    } else if (!regex.matches(value)) failures.invalid(this.#path, value, `should match '${pattern}'`);
  }

  #number(value: bigint | number, schema: Schema, types: readonly string[], failures: SchemaFailures): number {
    const [only] = types;
    const isRanged = this.#isRanged && (only === 'integer' || only === 'number');
    const type = isRanged && types.length === 1 ? only : '';
    const format = formatOf(schema, this.#options.formats);
    for (const fault of numberFaults(value, schema.values, { type, format })) {
      if (fault.kind === 'limit') failures.invalid(this.#path, fault.value, fault.text);
      else if (fault.kind === 'factor') failures.factor(this.#path, fault.value, goNumberText(fault.value));
      else failures.range(this.#path, fault.what, type, format);
    }
    return 2;
  }

  #list(value: JsonArray, { items, values }: Schema, failures: SchemaFailures, correlation?: Correlation): number {
    let matches = 1;
    if (items !== undefined) {
      for (const [index, item] of value.entries()) {
        matches += this.#child(index, item, items, failures, correlation?.index(index));
      }
    }
    const { minItems, maxItems } = values;
    const size = BigInt(value.length);
    if (minItems !== undefined && size < minItems) {
      failures.invalid(this.#path, size, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && size > maxItems) failures.tooMany(this.#path, value.length, maxItems);
    return matches;
  }

  #object(value: JsonObject, schema: Schema, failures: SchemaFailures, correlation?: Correlation): number {
    const { minProperties, maxProperties, required } = schema.values;
    const size = BigInt(value.size);
    if (minProperties !== undefined && size < minProperties) {
      failures.invalid(this.#path, size, `should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && size > maxProperties) failures.tooMany(this.#path, value.size, maxProperties);
    const matches = this.#fields(value, schema, failures, correlation);
    for (const name of required) if (!value.has(name)) failures.required([...this.#path, name]);
    return matches;
  }

  #fields(value: JsonObject, schema: Schema, failures: SchemaFailures, correlation?: Correlation): number {
    let matches = 0;
    for (const [key, item] of value) {
      const property = schema.properties?.get(key);
      const field = property ?? additionalSchema(schema);
      // The server does not match the apiVersion and kind of the object itself.
      const isTypeMeta = this.#path.length === 0 && (key === 'apiVersion' || key === 'kind');
      const before = isTypeMeta ? undefined : correlation?.field(key);
      if (field !== undefined) matches += this.#child(key, item, field, failures, before);
      else if (schema.additionalProperties === false) failures.forbiddenProperty(this.#path, key);
    }
    return matches;
  }

  /** A part that is unchanged is valid. */
  #child(
    step: string | number,
    value: JsonValue,
    schema: Schema,
    failures: SchemaFailures,
    correlation: Correlation | undefined,
  ): number {
    this.#path.push(step);
    const known = failures.count;
    const matches = this.validate(value, schema, failures, correlation);
    if (failures.count > known && correlation?.isUnchanged) failures.forget(known);
    this.#path.pop();
    return matches;
  }

  #enum(value: JsonValue, { values }: Schema, failures: SchemaFailures): void {
    if (values.enum.length > 0 && !findInEnum(value, values.enum, this.#enumTexts, this.meter))
      failures.notSupported(this.#path, value, values.enum);
  }
}

interface Attempt {
  readonly failures: SchemaFailures;
  readonly matches: number;
}

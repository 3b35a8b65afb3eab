// Collects the failures of one validation until they are reported or discarded.
import type { Meter } from '../../../go/meter.ts';
import { goQuoteBytes } from '../../../go/strconv/quote.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { strictPath } from '../../schema/decode.ts';
import type { ErrorPlace, ServerError, ServerErrors } from '../server-error.ts';
import { ServerPath } from '../server-path.ts';

type Failure = (errors: ServerErrors, value: ValidatedValue) => ServerError;

/** The value that the failure paths are relative to. */
export interface ValidatedValue {
  readonly base: ServerPath;
  /** True if the value is a map with this key; the server prints these keys with a leading dot. */
  isMapKey(step: string | number | undefined): boolean;
}

/** Copies paths, and formats only the errors that are reported. */
export class SchemaFailures {
  #failures: Failure[] = [];

  get isEmpty(): boolean {
    return this.#failures.length === 0;
  }

  get count(): number {
    return this.#failures.length;
  }

  /** Keeps only the first `kept` failures. */
  forget(kept: number): void {
    this.#failures.length = kept;
  }

  take<T extends { readonly failures: SchemaFailures; readonly matches: number }>({ failures, matches }: T): number {
    for (const failure of failures.#failures) this.#failures.push(failure);
    return matches;
  }

  /** Distinct messages, like the server. Formatting costs work, because a long value can fail in many ways. */
  errors(errors: ServerErrors, value: ValidatedValue, meter: Meter): readonly ServerError[] {
    const byMessage = new Map<string, ServerError>();
    for (const failure of this.#failures) {
      const error = failure(errors, value);
      meter.spend(error.message.length);
      if (!byMessage.has(error.message)) byMessage.set(error.message, error);
    }
    return [...byMessage.values()];
  }

  type(path: FieldPath, expected: string, found: string): void {
    this.#add(path, (errors, place, name) =>
      errors.typeInvalid(place, found, `${name} in body must be of type ${expected}: ${goQuoteBytes(found)}`),
    );
  }

  /** `text` follows the field's name. */
  invalid(path: FieldPath, value: JsonValue, text: string): void {
    this.#add(path, (errors, place, name) => errors.invalid(place, value, `${name} in body ${text}`));
  }

  required(path: FieldPath): void {
    this.#add(path, (errors, place) => errors.required(place));
  }

  tooLong(path: FieldPath, maximum: bigint): void {
    this.#add(path, (errors, place) => errors.tooLong(place, maximum));
  }

  tooMany(path: FieldPath, actual: number, maximum: bigint): void {
    this.#add(path, (errors, place) => errors.tooMany(place, actual, maximum));
  }

  notSupported(path: FieldPath, value: JsonValue, supported: readonly JsonValue[]): void {
    this.#add(path, (errors, place) => errors.notSupported(place, value, supported.map(enumText)));
  }

  forbiddenProperty(path: FieldPath, key: string): void {
    this.#add(path, (errors, place, name) =>
      errors.invalid(place, key, `${name}.${key} in body is a forbidden property`),
    );
  }

  factor(path: FieldPath, value: JsonValue, text: string): void {
    this.#add(path, (errors, place, name) =>
      errors.invalid(place, value, `factor MultipleOf declared for ${name} must be positive: ${text}`),
    );
  }

  range(path: FieldPath, what: string, type: string, format: string): void {
    const wanted = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
    this.#unplaced(path, (name) => `${what} value must be of type ${wanted} in ${name}`);
  }

  /** For `anyOf` and similar keywords. */
  composite(path: FieldPath, text: string): void {
    this.#unplaced(path, (name) => `${goQuoteBytes(name)} ${text}`);
  }

  #add(path: FieldPath, write: (errors: ServerErrors, place: ErrorPlace, name: string) => ServerError): void {
    const steps = [...path];
    this.#failures.push((errors, value) => write(errors, placeBelow(value.base, steps), nameOf(steps, value)));
  }

  /** The server prints no field and an empty value for these errors. */
  #unplaced(path: FieldPath, detail: (name: string) => string): void {
    const steps = [...path];
    this.#failures.push((errors, value) => {
      const { base } = value;
      const place = { steps: [...base.steps, ...steps], toString: () => String(base) };
      return errors.invalid(place, '', detail(nameOf(steps, value)));
    });
  }
}

function nameOf(steps: FieldPath, { isMapKey }: ValidatedValue): string {
  return `${isMapKey(steps[0]) ? '.' : ''}${strictPath(steps)}`;
}

function placeBelow(base: ServerPath, steps: FieldPath): ErrorPlace {
  const name = strictPath(steps);
  if (name === '') return base;
  const text = base === ServerPath.root ? name : `${base}.${name}`;
  return { steps: [...base.steps, ...steps], toString: () => text };
}

/** Strings unquoted, other values as JSON. */
function enumText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  const isContainer = isJsonArray(value) || isJsonObject(value);
  return stringifyJson(value, { sortKeys: isContainer, escapeHtml: true });
}

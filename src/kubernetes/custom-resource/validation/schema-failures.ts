// What one validation against a schema found wrong, until it is known to count.
import type { FieldPath } from '../../../source/field-path.ts';
import { goQuoteBytes } from '../../../source/go-quote.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../../source/json.ts';
import { strictPath } from '../../schema/decode.ts';
import type { ErrorPlace, ServerError, ServerErrors } from '../server-error.ts';

type Failure = (errors: ServerErrors) => ServerError;

/** Paths are copied; errors are written out only for what is reported. */
export class SchemaFailures {
  #failures: Failure[] = [];

  get isEmpty(): boolean {
    return this.#failures.length === 0;
  }

  get count(): number {
    return this.#failures.length;
  }

  /** Keeps only the first so many. */
  forget(kept: number): void {
    this.#failures.length = kept;
  }

  take<T extends { readonly failures: SchemaFailures; readonly matches: number }>({ failures, matches }: T): number {
    for (const failure of failures.#failures) this.#failures.push(failure);
    return matches;
  }

  /** Each text once, as the server has it. */
  errors(errors: ServerErrors): readonly ServerError[] {
    const byMessage = new Map<string, ServerError>();
    for (const failure of this.#failures) {
      const error = failure(errors);
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

  /** Of `anyOf` and the like. */
  composite(path: FieldPath, text: string): void {
    this.#unplaced(path, (name) => `${goQuoteBytes(name)} ${text}`);
  }

  #add(path: FieldPath, write: (errors: ServerErrors, place: ErrorPlace, name: string) => ServerError): void {
    const steps = [...path];
    this.#failures.push((errors) => {
      const name = strictPath(steps);
      return write(errors, { steps, toString: () => (name === '' ? '<nil>' : name) }, name);
    });
  }

  /** The server names no field for these and prints an empty value. */
  #unplaced(path: FieldPath, detail: (name: string) => string): void {
    const steps = [...path];
    const place = { steps, toString: () => '<nil>' };
    this.#failures.push((errors) => errors.invalid(place, '', detail(strictPath(steps))));
  }
}

/** Texts as they are, everything else as JSON. */
function enumText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  const isContainer = isJsonArray(value) || isJsonObject(value);
  return stringifyJson(value, { sortKeys: isContainer, escapeHtml: true });
}

// Errors about fields of a custom resource, in the words of one server release.
import { formatDouble } from '../../go/strconv/float-text.ts';
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import { compareUtf8, isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { isAtLeast, type KubernetesVersion } from '../api/version.ts';
import type { FieldError, FieldErrorType } from '../validation/field-error.ts';

export interface ServerError extends FieldError {
  /** The server's full message: `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`. */
  readonly message: string;
  /** The server skips the rules of an object with this error (`hasBlockingErr` of customresource/strategy.go). */
  readonly blocksRules: boolean;
  /** Path of the violated rule from the schema's root: `x-kubernetes-validations`, 0. */
  readonly rule?: FieldPath;
}

/** Location of an error: the steps, and the path in the server's notation, which depends on the validator. */
export interface ErrorPlace {
  readonly steps: FieldPath;
  toString(): string;
}

export class ServerErrors {
  readonly #marshalsValues: boolean;
  readonly #countsOne: boolean;
  readonly #countsBytes: boolean;

  constructor(version: KubernetesVersion) {
    this.#marshalsValues = isAtLeast(version, '1.34');
    this.#countsOne = isAtLeast(version, '1.34');
    this.#countsBytes = isAtLeast(version, '1.32');
  }

  required(place: ErrorPlace, detail = ''): ServerError {
    return this.#error('Required value', place, undefined, detail, true);
  }

  invalid(place: ErrorPlace, value: JsonValue | undefined, detail: string): ServerError {
    return this.#error('Invalid value', place, value, detail, false);
  }

  typeInvalid(place: ErrorPlace, value: JsonValue, detail: string): ServerError {
    return this.#error('Invalid value', place, value, detail, true);
  }

  /** For Go structs, which have a field order. */
  invalidStruct(place: ErrorPlace, value: JsonValue, detail: string): ServerError {
    return this.#error('Invalid value', place, value, detail, false, false);
  }

  internal(place: ErrorPlace, detail: string): ServerError {
    return this.#error('Internal error', place, undefined, detail, false);
  }

  duplicate(place: ErrorPlace, value: JsonValue | undefined): ServerError {
    return this.#error('Duplicate value', place, value, '', false);
  }

  forbidden(place: ErrorPlace, detail: string): ServerError {
    return this.#error('Forbidden', place, undefined, detail, false);
  }

  notSupported(place: ErrorPlace, value: JsonValue, supported: readonly string[]): ServerError {
    const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuoteBytes).join(', ')}`;
    return this.#error('Unsupported value', place, value, detail, true);
  }

  tooLong(place: ErrorPlace, maximum: bigint): ServerError {
    const bytes = maximum === 1n && this.#countsOne ? 'byte' : 'bytes';
    const bound = this.#countsBytes ? `may not be more than ${maximum} ${bytes}` : `may not be longer than ${maximum}`;
    return this.#error('Too long', place, undefined, maximum < 0n ? 'value is too long' : bound, true);
  }

  tooMany(place: ErrorPlace, actual: number, maximum: bigint): ServerError {
    const items = maximum === 1n && this.#countsOne ? 'item' : 'items';
    const detail = maximum < 0n ? 'has too many items' : `must have at most ${maximum} ${items}`;
    return this.#error('Too many', place, BigInt(actual), detail, true);
  }

  /** Converts a field error below a location. Objects in its value are Go structs, which have a field order. */
  ofField({ type, path, value, detail }: FieldError, base: ErrorPlace): ServerError {
    const text = [String(base), ...path].join('.');
    const place = { steps: [...base.steps, ...path], toString: () => text };
    return this.#error(type, place, value, detail, type === 'Required value' || type === 'Too long', false);
  }

  #error(
    type: FieldErrorType,
    place: ErrorPlace,
    value: JsonValue | undefined,
    detail: string,
    blocksRules: boolean,
    sortKeys = true,
  ): ServerError {
    const shown = value === undefined ? type : `${type}: ${this.#printed(value, sortKeys)}`;
    const message = `${place}: ${detail === '' ? shown : `${shown}: ${detail}`}`;
    return { type, path: place.steps, value, detail, message, blocksRules };
  }

  #printed(value: JsonValue, sortKeys: boolean): string {
    if (typeof value === 'string') return goQuoteBytes(value);
    if (typeof value === 'number') return formatDouble(value);
    if (this.#marshalsValues) return stringifyJson(value, { sortKeys, escapeHtml: true });
    return value === null ? '"null"' : goSyntax(value);
  }
}

/** Go's `%#v`, the format of containers in releases before 1.34. */
function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuoteBytes(value);
  if (typeof value === 'number') return formatDouble(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = [...value].sort(([a], [b]) => compareUtf8(a, b));
  return `map[string]interface {}{${entries.map(([key, item]) => `${goQuoteBytes(key)}:${goSyntax(item)}`).join(', ')}}`;
}

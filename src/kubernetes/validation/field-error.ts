// The API server's errors about invalid fields (apimachinery `util/validation/field`).
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import { type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';

export type FieldErrorType =
  | 'Required value'
  | 'Invalid value'
  | 'Unsupported value'
  | 'Duplicate value'
  | 'Forbidden'
  | 'Too long'
  | 'Too many'
  | 'Internal error';

export interface FieldError {
  readonly type: FieldErrorType;
  readonly path: FieldPath;
  /** The value as the server prints it; undefined if it prints none. */
  readonly value: JsonValue | undefined;
  /** True for enumeration members: the server formats these Go types with json.Marshal instead of Go quoting. */
  readonly isEnum?: true;
  readonly detail: string;
}

/** Quotes a name or value like the server's messages. */
export function quotedInMessage(text: string): string {
  return goQuoteBytes(text);
}

export function required(path: FieldPath, detail = ''): FieldError {
  return { type: 'Required value', path, value: undefined, detail };
}

export function invalid(path: FieldPath, value: JsonValue, detail: string): FieldError {
  return { type: 'Invalid value', path, value, detail };
}

export function duplicate(path: FieldPath, value: JsonValue): FieldError {
  return { type: 'Duplicate value', path, value, detail: '' };
}

export function forbidden(path: FieldPath, detail: string): FieldError {
  return { type: 'Forbidden', path, value: undefined, detail };
}

export function internal(path: FieldPath, detail: string): FieldError {
  return { type: 'Internal error', path, value: undefined, detail };
}

/** `supported` is in the server's order, which is usually alphabetical. */
export function notSupported(path: FieldPath, value: JsonValue, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map(goQuoteBytes).join(', ')}`;
  return { type: 'Unsupported value', path, value, isEnum: true, detail };
}

/** `maximum` in bytes of UTF-8. */
export function tooLong(path: FieldPath, maximum: number): FieldError {
  return { type: 'Too long', path, value: undefined, detail: `may not be more than ${maximum} bytes` };
}

export function tooMany(path: FieldPath, actual: number, maximum: number): FieldError {
  const items = maximum === 1 ? 'item' : 'items';
  return { type: 'Too many', path, value: BigInt(actual), detail: `must have at most ${maximum} ${items}` };
}

/** `spec.reason: Unsupported value: "X": supported values: …`. */
export function formatFieldError(error: FieldError): string {
  return `${formatFieldPath(error.path)}: ${fieldErrorBody(error)}`;
}

export function fieldErrorBody({ type, value, isEnum, detail }: FieldError): string {
  const shown = value === undefined ? type : `${type}: ${printed(value, isEnum)}`;
  return detail === '' ? shown : `${shown}: ${detail}`;
}

function printed(value: JsonValue, isEnum: true | undefined): string {
  if (typeof value === 'string' && isEnum === undefined) return goQuoteBytes(value);
  return stringifyJson(value, { sortKeys: false, escapeHtml: true });
}

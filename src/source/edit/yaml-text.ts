// Writes values in the YAML style of a person: in blocks or braces, quoted only where necessary.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/json.ts';

/** The style of new text. */
export interface WritingStyle {
  /** Indentation of a nested mapping, in columns. */
  readonly step: number;
  /** Indentation of a list's `-` relative to its key, in columns. */
  readonly dash: number;
}

export type QuoteStyle = 'plain' | 'single' | 'double';

/** Words that some YAML version reads as a boolean or null. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Every YAML parser reads these alike, in blocks and in braces. */
const PLAIN = /^[A-Za-z_/][\w./@+ :=-]*$/;
/** Characters that a single-quoted scalar on one line cannot contain. */
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]/;

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !RESERVED.test(text) && !/[: ]$|: | {2}/.test(text);
}

/** Writes on one line. `like`: the quotes of the previous value, kept where possible. */
export function inlineScalar(value: JsonValue, like: QuoteStyle = 'plain'): string {
  if (typeof value !== 'string') return stringifyJson(value, { sortKeys: false, escapeHtml: false });
  if (like === 'plain' && isPlain(value)) return value;
  if (like === 'single' && !CONTROL.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return quoted(value);
}

/** Escapes characters that JSON permits but YAML forbids or reads as line breaks. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes in braces on one line. `like` applies to keys and strings. */
export function flowText(value: JsonValue, like: QuoteStyle): string {
  if (isJsonArray(value)) return `[${value.map((item) => flowText(item, like)).join(', ')}]`;
  if (!isJsonObject(value)) return inlineScalar(value, like);
  return `{${[...value].map(([key, item]) => `${inlineScalar(key, like)}: ${flowText(item, like)}`).join(', ')}}`;
}

/** True for a value that takes lines of its own in a block. */
export function isBlock(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) ? value.size > 0 : isLiteral(value);
}

/** True if a literal block scalar reproduces the lines exactly. */
function isLiteral(value: JsonValue): value is string {
  if (typeof value !== 'string' || !value.includes('\n') || /^[\s]/.test(value)) return false;
  if (CONTROL.test(value.replaceAll('\n', ''))) return false;
  return !/\n\n$/.test(value) && !/[ \t](?:\n|$)/.test(value);
}

/** `key: value`; a block value follows on further lines. The first line begins at column `column`. */
export function entryLines(key: string, value: JsonValue, column: number, style: WritingStyle): readonly string[] {
  const name = `${' '.repeat(column)}${inlineScalar(key)}:`;
  if (!isBlock(value)) return [`${name} ${flowText(value, 'plain')}`];
  if (isLiteral(value)) return [`${name} ${literalHeader(value)}`, ...literalLines(value, column + style.step)];
  return [name, ...blockLines(value, isJsonArray(value) ? column + style.dash : column + style.step, style)];
}

/** The lines of a block: entries, items or text, each starting at column `column`. */
export function blockLines(value: JsonValue, column: number, style: WritingStyle): readonly string[] {
  if (isJsonArray(value)) return value.flatMap((item) => itemLines(item, column, style));
  if (isJsonObject(value)) return mappingLines(value, column, style);
  return isLiteral(value) ? literalLines(value, column) : [`${' '.repeat(column)}${inlineScalar(value)}`];
}

/** `- value`; a block value continues on the lines below. */
export function itemLines(value: JsonValue, column: number, style: WritingStyle): readonly string[] {
  const dash = `${' '.repeat(column)}-`;
  if (!isBlock(value)) return [`${dash} ${flowText(value, 'plain')}`];
  if (isLiteral(value)) return [`${dash} ${literalHeader(value)}`, ...literalLines(value, column + 2)];
  const [first = '', ...rest] = blockLines(value, column + 2, style);
  return [`${dash} ${first.slice(column + 2)}`, ...rest];
}

function mappingLines(value: JsonObject, column: number, style: WritingStyle): readonly string[] {
  return [...value].flatMap(([key, item]) => entryLines(key, item, column, style));
}

/** The indicator after the key of a literal block scalar. */
export function literalHeader(text: string): string {
  return text.endsWith('\n') ? '|' : '|-';
}

function literalLines(text: string, column: number): readonly string[] {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  return lines.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(column)}${line}`));
}

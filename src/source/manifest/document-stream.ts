// Splits a file into documents as kubectl does: apimachinery's `NewYAMLOrJSONDecoder(reader, 4096)`.
import { type JsonProblem, readJsonValue } from '../json/json-reader.ts';
import type { Node } from '../node/node.ts';

/** Number of bytes that kubectl searches for the `{` that makes a file a JSON stream. */
const PEEK_BYTES = 4096;

/** Size of kubectl's line buffer, in bytes. */
const LINE_BUFFER_BYTES = 4096;

const SEPARATOR = '---';

/** Go's `unicode.IsSpace`. */
const GO_SPACE = /[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export type DocumentPart =
  | {
      readonly kind: 'yaml';
      readonly start: number;
      readonly end: number;
      /** The error that kubectl reports if the document is not valid YAML either. */
      readonly jsonError: JsonProblem | undefined;
      /** True if kubectl drops the document: the line that ends it starts with `---` but is neither a separator nor content. */
      readonly isLost: boolean;
    }
  | { readonly kind: 'json'; readonly start: number; readonly end: number; readonly root: Node }
  /** Text that is not JSON, or a line that begins with `---` but is not a separator; `message` is kubectl's error. */
  | { readonly kind: 'syntax' | 'separator'; readonly start: number; readonly end: number; readonly message: string }
  /** A last line without a line break that kubectl drops because its length is a multiple of the buffer size. */
  | { readonly kind: 'dropped'; readonly start: number; readonly end: number };

/**
 * Yields the parts of a text from `start` on, in order. kubectl stops at the first problem; this function continues at
 * the next `---` so that every document is read.
 */
export function* splitDocuments(text: string, start: number): Generator<DocumentPart> {
  if (isJsonStream(text, start)) yield* splitJson(text, start);
  else yield* splitYaml(text, start, undefined);
}

/** True if the first non-space character within `PEEK_BYTES` is a `{`. */
function isJsonStream(text: string, start: number): boolean {
  let bytes = 0;
  let position = start;
  while (bytes < PEEK_BYTES && GO_SPACE.test(text.charAt(position))) {
    bytes += utf8Length(text.charCodeAt(position));
    position++;
  }
  return bytes < PEEK_BYTES && text.charAt(position) === '{';
}

/** Reads consecutive JSON values. If one of the first two fails, the rest is read as YAML. */
function* splitJson(text: string, start: number): Generator<DocumentPart> {
  let position = start;
  for (let count = 0; ; count++) {
    const read = readJsonValue(text, position, false);
    if ('problem' in read) {
      const yamlStart = count > 1 ? undefined : startOfYaml(text, position);
      const error = count > 1 ? read.problem : withOffset(text, start, read.problem);
      if (yamlStart !== undefined) {
        yield* splitYaml(text, yamlStart, error);
        return;
      }
      const at = Math.min(read.problem.start, text.length - 1);
      yield { kind: 'syntax', start: at, end: at + 1, message: error.message };
      const next = nextSeparator(text, position);
      if (next !== undefined) yield* splitYaml(text, next, undefined);
      return;
    }
    if (read.end === 'none') return;
    yield { kind: 'json', start: read.root.start, end: read.end, root: read.root };
    position = read.end;
  }
}

/** kubectl's message for invalid JSON. Offsets are in bytes of the stream and include the invalid character. */
function withOffset(text: string, start: number, problem: JsonProblem): JsonProblem {
  if (problem.isUnfinished === true) return problem;
  const bytes = new TextEncoder().encode(text.slice(start, problem.start)).length + 1;
  return { message: `json: offset ${bytes}: ${problem.message}`, start: problem.start };
}

/**
 * Start of the YAML after JSON: skips white space up to and including the first line break. Undefined if fewer than
 * four bytes are left at any step, or a character is not UTF-8: kubectl then does not try YAML (`consumeWhitespace`).
 */
function startOfYaml(text: string, start: number): number | undefined {
  for (let position = start; ; position++) {
    let bytes = 0;
    for (let index = position; index < text.length && bytes < 4; index++) bytes += utf8Length(text.charCodeAt(index));
    if (bytes < 4) return undefined;
    const character = text.charAt(position);
    if (character === '\ufffd') return undefined;
    if (!GO_SPACE.test(character)) return position;
    if (character === '\n') return position + 1;
  }
}

/** Splits at lines that begin with `---` (`YAMLReader`). Only LF ends a line. */
function* splitYaml(text: string, start: number, jsonError: JsonProblem | undefined): Generator<DocumentPart> {
  let documentStart = start;
  let pendingError = jsonError;
  let lineEnd = start;
  for (let lineStart = start; lineStart < text.length; lineStart = lineEnd) {
    const lineBreak = text.indexOf('\n', lineStart);
    lineEnd = lineBreak < 0 ? text.length : lineBreak + 1;
    if (!text.startsWith(SEPARATOR, lineStart)) {
      if (lineBreak >= 0 || !isDroppedLine(text, lineStart)) continue;
      if (lineStart > documentStart) {
        yield { kind: 'yaml', start: documentStart, end: lineStart, jsonError: pendingError, isLost: false };
      }
      yield { kind: 'dropped', start: lineStart, end: lineEnd };
      return;
    }
    const rest = trimGoSpace(text.slice(lineStart + SEPARATOR.length, lineEnd));
    const isSeparator = rest === '' || rest.startsWith('#');
    // A separator with nothing before it belongs to the document that it starts.
    if (isSeparator && lineStart === documentStart) continue;
    if (lineStart > documentStart) {
      yield { kind: 'yaml', start: documentStart, end: lineStart, jsonError: pendingError, isLost: !isSeparator };
    }
    if (!isSeparator) {
      const message = pendingError?.message ?? `invalid Yaml document separator: ${rest}`;
      yield { kind: 'separator', start: lineStart, end: lineStart + SEPARATOR.length, message };
    }
    pendingError = undefined;
    documentStart = lineEnd;
  }
  if (documentStart < text.length) {
    yield { kind: 'yaml', start: documentStart, end: text.length, jsonError: pendingError, isLost: false };
  }
}

function nextSeparator(text: string, start: number): number | undefined {
  const at = text.indexOf(`\n${SEPARATOR}`, start);
  return at < 0 ? undefined : at + 1;
}

/** Go's `bufio.Reader.ReadLine` returns long lines in pieces, and fails at the end of the text if no bytes are left. */
function isDroppedLine(text: string, lineStart: number): boolean {
  if (text.length - lineStart < LINE_BUFFER_BYTES / 3) return false;
  const bytes = new TextEncoder().encode(text.slice(lineStart));
  let position = 0;
  while (bytes.length - position >= LINE_BUFFER_BYTES) {
    position += LINE_BUFFER_BYTES;
    // Go puts back a CR at the end of the buffer because an LF may follow.
    if (bytes[position - 1] === 0x0d) position--;
  }
  return position > 0 && position === bytes.length;
}

function trimGoSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && GO_SPACE.test(text.charAt(start))) start++;
  while (end > start && GO_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Number of UTF-8 bytes of a UTF-16 unit; each half of a surrogate pair adds two. */
function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) return 2;
  return 3;
}

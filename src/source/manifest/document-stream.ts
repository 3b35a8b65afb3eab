// Cuts a file into documents as kubectl does: apimachinery's `NewYAMLOrJSONDecoder(reader, 4096)`.
import { type JsonProblem, readJsonValue } from '../json/json-reader.ts';
import type { Node } from '../node/node.ts';

/** How far kubectl looks for the `{` that makes a file a JSON stream, in bytes. */
const PEEK_BYTES = 4096;

/** Size of the buffer kubectl reads lines through, in bytes. */
const LINE_BUFFER_BYTES = 4096;

const SEPARATOR = '---';

/** Go's `unicode.IsSpace` beyond ASCII's tab, line breaks and space. */
const GO_SPACE = /[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export type DocumentPart =
  | {
      readonly kind: 'yaml';
      readonly start: number;
      readonly end: number;
      /** What kubectl reports instead, should the document not be YAML: that it was not JSON either. */
      readonly jsonError: JsonProblem | undefined;
      /** kubectl does not hand the document on: the line that ends it is not a separator and not text either. */
      readonly isLost: boolean;
    }
  | { readonly kind: 'json'; readonly start: number; readonly end: number; readonly root: Node }
  /** Text that is no JSON, or a line that begins with `---` and is no separator; `message` is kubectl's error. */
  | { readonly kind: 'syntax' | 'separator'; readonly start: number; readonly end: number; readonly message: string }
  /** A last line that kubectl's reader drops because its length is a multiple of its buffer's and no break ends it. */
  | { readonly kind: 'dropped'; readonly start: number; readonly end: number };

/**
 * The parts of a text from `start` on, in order. kubectl stops at the first problem; here reading goes on with the next
 * `---`, so that nothing is lost.
 */
export function* splitDocuments(text: string, start: number): Generator<DocumentPart> {
  if (isJsonStream(text, start)) yield* splitJson(text, start);
  else yield* splitYaml(text, start, undefined);
}

/** Whether the first thing within reach that is not white space is a `{`. */
function isJsonStream(text: string, start: number): boolean {
  let bytes = 0;
  let position = start;
  while (bytes < PEEK_BYTES && GO_SPACE.test(text.charAt(position))) {
    bytes += utf8Length(text.charCodeAt(position));
    position++;
  }
  return bytes < PEEK_BYTES && text.charAt(position) === '{';
}

/** JSON values one after the other; after a failure among the first two the rest is taken for YAML. */
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

/** kubectl's words for JSON that cannot be read: offsets are bytes of the stream and count the character that is wrong. */
function withOffset(text: string, start: number, problem: JsonProblem): JsonProblem {
  if (problem.isUnfinished === true) return problem;
  const bytes = new TextEncoder().encode(text.slice(start, problem.start)).length + 1;
  return { message: `json: offset ${bytes}: ${problem.message}`, start: problem.start };
}

/**
 * Where YAML begins after JSON: white space up to the first line break is passed over. Undefined if fewer than four bytes
 * are left at any step, or a character is no UTF-8: then kubectl does not try (`consumeWhitespace`).
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

/** Documents between lines that begin with `---` (`YAMLReader`); lines end with LF only. */
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
    // A separator with nothing before it is part of the document it begins.
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

/** Go's `bufio.Reader.ReadLine` hands out long lines in pieces, and the end of the text with none left is an error. */
function isDroppedLine(text: string, lineStart: number): boolean {
  if (text.length - lineStart < LINE_BUFFER_BYTES / 3) return false;
  const bytes = new TextEncoder().encode(text.slice(lineStart));
  let position = 0;
  while (bytes.length - position >= LINE_BUFFER_BYTES) {
    position += LINE_BUFFER_BYTES;
    // A CR at the buffer's end is put back, as an LF may follow.
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

/** UTF-8 bytes of a UTF-16 unit; the halves of a pair count two each. */
function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) return 2;
  return 3;
}

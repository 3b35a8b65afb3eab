// Reads a stream of JSON values, one per line or concatenated, as it arrives. An invalid value does not end the stream.
import type { JsonValue } from './json.ts';
import { readJsonValue, unfinished } from './json-reader.ts';
import { decodeJson } from './parse-json.ts';

/** Maximum length of one value in UTF-16 units. */
const MAX_LENGTH = 64 * 1024 * 1024;
/** Deeper values are rejected, because the evaluation recurses into values. */
const MAX_DEPTH = 1000;
/** Up to this length an incomplete value is parsed again with every chunk; above it, each time its length has doubled. */
const EAGER_LENGTH = 256 * 1024;

/** `line` is 1-based: the start of the value, or the location of the problem. */
export type StreamItem =
  | { readonly line: number; readonly value: JsonValue }
  | { readonly line: number; readonly problem: string };

export class JsonStream {
  #text = '';
  /** Line number at the start of the buffered text. */
  #line = 1;
  /** Length of the buffered text when it was last found incomplete. */
  #triedAt = 0;
  /** Set after an invalid value: text is skipped up to the first occurrence of this string. */
  #skipTo: string | undefined = undefined;

  /** Returns the values that are complete now. */
  push(chunk: string): readonly StreamItem[] {
    this.#text += chunk;
    if (this.#text.length > EAGER_LENGTH && this.#text.length < 2 * this.#triedAt) return [];
    return this.#read(false);
  }

  end(): readonly StreamItem[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): readonly StreamItem[] {
    const items: StreamItem[] = [];
    for (let item = this.#next(isEnd); item !== undefined; item = this.#next(isEnd)) items.push(item);
    this.#triedAt = this.#text.length;
    return items;
  }

  /** Undefined if the buffer holds no complete value. */
  #next(isEnd: boolean): StreamItem | undefined {
    if (!this.#skip()) return undefined;
    const text = this.#text;
    const start = skipWhiteSpace(text);
    if (start === text.length) return undefined;
    const read = readJsonValue(text, start, false);
    const line = this.#line + linesBetween(text, 0, start);
    if ('root' in read) {
      // A number at the end of the chunk may continue in the next chunk.
      if (read.end === text.length && !isEnd && !/["\]}]$/.test(text)) return undefined;
      this.#drop(read.end);
      return { line, ...decoded(read.root) };
    }
    const problem = 'problem' in read ? read.problem : unfinished(text);
    if (problem.isUnfinished === true && !isEnd && text.length - start < MAX_LENGTH) return undefined;
    const isOnFirstLine = linesBetween(text, start, problem.start) === 0;
    // An error on the value's first line skips that line. An error on a later line skips to the next line that starts with `{`.
    this.#skipTo = isOnFirstLine ? '\n' : '\n{';
    this.#drop(start);
    return { line: line + linesBetween(text, start, problem.start), problem: problem.message };
  }

  /** False while the end of the skipped text has not arrived. */
  #skip(): boolean {
    if (this.#skipTo === undefined) return true;
    const found = this.#text.indexOf(this.#skipTo);
    if (found < 0) {
      // Keep the line break: the end marker may start with it and continue in the next chunk.
      this.#drop(this.#text.endsWith('\n') ? this.#text.length - 1 : this.#text.length);
      return false;
    }
    this.#skipTo = undefined;
    this.#drop(found + 1);
    return true;
  }

  #drop(end: number): void {
    this.#line += linesBetween(this.#text, 0, end);
    this.#text = this.#text.slice(end);
  }
}

function decoded(root: Parameters<typeof decodeJson>[0]): { readonly value: JsonValue } | { readonly problem: string } {
  const result = decodeJson(root);
  if ('problem' in result) return { problem: result.problem.message };
  return result.depth > MAX_DEPTH ? { problem: 'nested too deeply' } : { value: result.value };
}

function skipWhiteSpace(text: string): number {
  let position = 0;
  while (position < text.length && ' \t\r\n\ufeff'.includes(text[position] as string)) position++;
  return position;
}

function linesBetween(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

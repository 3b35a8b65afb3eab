// A stream of JSON values, one a line or one after another, read as it comes in; a broken value does not end it.
import type { JsonValue } from './json.ts';
import { readJsonValue, unfinished } from './json-reader.ts';
import { decodeJson } from './parse-json.ts';

/** What is longer than this is no value anybody meant. UTF-16 units. */
const MAX_LENGTH = 64 * 1024 * 1024;
/** Deeper values are not evaluated, as nothing past reading could walk them safely. */
const MAX_DEPTH = 1000;
/** Up to this size a value that is not complete yet is tried again with every chunk, above it when it has doubled. */
const EAGER_LENGTH = 256 * 1024;

/** `line` counts from 1: where the value begins, or where the problem is. */
export type StreamItem =
  | { readonly line: number; readonly value: JsonValue }
  | { readonly line: number; readonly problem: string };

export class JsonStream {
  #text = '';
  /** Line the text at hand begins with. */
  #line = 1;
  /** Length of the text when it was last found incomplete. */
  #triedAt = 0;
  /** What follows a broken value and is passed over, up to the first text that ends it. */
  #skipTo: string | undefined = undefined;

  /** The values that are complete now. */
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

  /** Undefined if there is no complete value at hand. */
  #next(isEnd: boolean): StreamItem | undefined {
    if (!this.#skip()) return undefined;
    const text = this.#text;
    const start = skipWhiteSpace(text);
    if (start === text.length) return undefined;
    const read = readJsonValue(text, start, false);
    const line = this.#line + linesBetween(text, 0, start);
    if ('root' in read) {
      // A number at the end may go on in the next chunk.
      if (read.end === text.length && !isEnd && !/["\]}]$/.test(text)) return undefined;
      this.#drop(read.end);
      return { line, ...decoded(read.root) };
    }
    const problem = 'problem' in read ? read.problem : unfinished(text);
    if (problem.isUnfinished === true && !isEnd && text.length - start < MAX_LENGTH) return undefined;
    const isOnFirstLine = linesBetween(text, start, problem.start) === 0;
    // On its first line a broken value is that line; a longer one ends where the next object begins a line.
    this.#skipTo = isOnFirstLine ? '\n' : '\n{';
    this.#drop(start);
    return { line: line + linesBetween(text, start, problem.start), problem: problem.message };
  }

  /** False while what is to be passed over has not ended. */
  #skip(): boolean {
    if (this.#skipTo === undefined) return true;
    const found = this.#text.indexOf(this.#skipTo);
    if (found < 0) {
      // The end of the line may be what the next chunk goes on from.
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

// Finds what a YAML text may not contain, and how far ahead go-yaml's reader would have noticed it (`readerc.go`).
import type { YamlProblem } from './cursor.ts';

/** go-yaml reads and checks its input in blocks of this many bytes. */
const BLOCK = 512;

export interface ForbiddenCharacter {
  readonly problem: YamlProblem;
  /** Offset of the character. */
  readonly start: number;
  /** Offset of the first character of the block that holds it: what is wrong well before that is reported instead. */
  readonly blockStart: number;
}

/** Control characters, U+FFFE, U+FFFF and lone surrogates; undefined for a clean text. */
export function findForbiddenCharacter(text: string): ForbiddenCharacter | undefined {
  const start = text.search(/[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  if (start < 0) return undefined;
  const code = text.charCodeAt(start);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  const message = isSurrogate ? 'invalid Unicode character' : 'control characters are not allowed';
  const problem = { message, line: 0, start, end: start + 1, context: undefined };
  return { problem, start, blockStart: findBlockStart(text, start) };
}

/** Whether a block was read: the scanner looks four characters ahead for a token and one ahead inside of one. */
export function wasRead(text: string, blockStart: number, lastFetch: number, position: number): boolean {
  let ahead = lastFetch;
  for (let count = 0; count < 4 && ahead < text.length; count++) {
    ahead += (text.codePointAt(ahead) as number) > 0xffff ? 2 : 1;
  }
  return Math.max(ahead, position + 1) > blockStart;
}

/** Offset where the block that holds the character at `target` begins; a character cut by a block's end goes to the next. */
function findBlockStart(text: string, target: number): number {
  let blockEnd = BLOCK;
  let bytes = 0;
  let start = 0;
  for (let index = 0; index < target; ) {
    const code = text.codePointAt(index) as number;
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    while (bytes + width > blockEnd) {
      // The octets left over stay in the buffer and count against the next block.
      start = index;
      blockEnd = bytes + BLOCK;
    }
    bytes += width;
    index += code > 0xffff ? 2 : 1;
  }
  const code = text.charCodeAt(target);
  const width = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  return bytes + width > blockEnd ? target : start;
}

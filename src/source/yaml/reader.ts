// Finds forbidden characters in a YAML text, and how far ahead go-yaml's reader detects them (`readerc.go`).
import { BYTE_ORDER_MARK, END } from './character.ts';
import type { YamlProblem } from './cursor.ts';

/** go-yaml reads and checks its input in blocks of this many bytes. */
const BLOCK = 512;

export interface ForbiddenCharacter {
  readonly problem: YamlProblem;
  /** Offset of the character. */
  readonly start: number;
  /** Offset of the first character of the block with that character. A problem far enough before this offset is reported instead. */
  readonly blockStart: number;
}

/**
 * Finds control characters, U+FFFE, U+FFFF and lone surrogates; undefined if there are none. U+DC80 to U+DCFF represent
 * the octets 80 to FF where these are not UTF-8.
 */
export function findForbiddenCharacter(text: string): ForbiddenCharacter | undefined {
  const start = text.search(/[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  if (start < 0) return undefined;
  const { message, isIncomplete = false } = faultAt(text, start);
  const problem = { message, line: 0, start, end: start + 1, context: undefined };
  // go-yaml detects missing octets only when it reads on.
  const blockStart = isIncomplete ? start : findBlockStart(text, start);
  return { problem, start, blockStart };
}

const INVALID_CHARACTER: Fault = { message: 'invalid Unicode character' };

interface Fault {
  readonly message: string;
  readonly isIncomplete?: boolean;
}

function faultAt(text: string, start: number): Fault {
  const code = text.charCodeAt(start);
  if (!isOctet(code)) return isSurrogate(code) ? INVALID_CHARACTER : { message: 'control characters are not allowed' };
  const octets = octetsAt(text, start);
  const width = sequenceWidth(code);
  if (width === 0) return { message: 'invalid leading UTF-8 octet' };
  if (octets.length < width) return { message: 'incomplete UTF-8 octet sequence', isIncomplete: true };
  let value = (octets[0] as number) & (0x7f >> width);
  for (const octet of octets.slice(1, width)) {
    if ((octet & 0xc0) !== 0x80) return { message: 'invalid trailing UTF-8 octet' };
    value = (value << 6) | (octet & 0x3f);
  }
  const isTooLong = value < (width === 2 ? 0x80 : width === 3 ? 0x800 : 0x10000);
  return isTooLong ? { message: 'invalid length of a UTF-8 sequence' } : INVALID_CHARACTER;
}

/** The octets from an offset on, from at most four code units. */
function octetsAt(text: string, start: number): number[] {
  return [...text.slice(start, start + 4)].flatMap((character) =>
    isOctet(character.charCodeAt(0)) ? [character.charCodeAt(0) - 0xdc00] : [...new TextEncoder().encode(character)],
  );
}

/** Sequence length according to the first octet; 0 if the octet cannot start a sequence. */
function sequenceWidth(standIn: number): 0 | 2 | 3 | 4 {
  const octet = standIn - 0xdc00;
  if (octet < 0xc0 || octet >= 0xf8) return 0;
  return octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4;
}

function utf8Width(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** Call with a code unit that is not part of a surrogate pair. */
function isOctet(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** True if go-yaml has read the block: the scanner looks four characters ahead for a token and one ahead within a token. */
export function wasRead(text: string, blockStart: number, lastFetch: number, position: number): boolean {
  let ahead = lastFetch;
  for (let count = 0; count < 4 && ahead < text.length; count++) {
    ahead += (text.codePointAt(ahead) as number) > 0xffff ? 2 : 1;
  }
  return Math.max(ahead, position + 1) > blockStart;
}

/**
 * End of the first block of a NUL-terminated text that begins with two byte-order marks; otherwise 0. The first mark
 * gives the encoding. While the second is at the start of the reader's buffer, go-yaml assumes that every line begins
 * with a mark and skips its first character (`is_bom` checks the start of the buffer).
 */
export function doublyMarkedEnd(text: string): number {
  if (text.charCodeAt(0) !== BYTE_ORDER_MARK || text.charCodeAt(1) !== BYTE_ORDER_MARK) return 0;
  let bytes = 0;
  let end = 0;
  while (text.charCodeAt(end) !== END) {
    const code = text.codePointAt(end) as number;
    bytes += utf8Width(code);
    if (bytes > BLOCK) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

/** Start of the block with the character at `target`. A character that a block boundary would split belongs to the next block. */
function findBlockStart(text: string, target: number): number {
  let blockEnd = BLOCK;
  let bytes = 0;
  let start = 0;
  for (let index = 0; index < target; ) {
    const code = text.codePointAt(index) as number;
    const width = utf8Width(code);
    while (bytes + width > blockEnd) {
      // The leftover octets stay in the buffer and are part of the next block.
      start = index;
      blockEnd = bytes + BLOCK;
    }
    bytes += width;
    index += code > 0xffff ? 2 : 1;
  }
  const code = text.charCodeAt(target);
  const width = isOctet(code) ? sequenceWidth(code) : utf8Width(code);
  return bytes + width > blockEnd ? target : start;
}

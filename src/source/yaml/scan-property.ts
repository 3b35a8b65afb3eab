// Reads anchors, aliases, tags and directives (libyaml `yaml_parser_scan_anchor`, `_tag`, `_directive`).
import { hexValue, isBlank, isBlankOrEnd, isBreakOrEnd, isDigit, isWord } from './character.ts';
import type { Cursor } from './cursor.ts';
import type { TokenKind, YamlToken } from './token.ts';

const EXCLAMATION = 0x21;
const PERCENT = 0x25;

/** Characters that may follow an anchor's name, besides white space and the end. */
const AFTER_ANCHOR = '?:,]}%@`';

/** Characters permitted in a tag besides letters, digits, `_` and `-`; `%` begins an escaped octet. */
const IN_TAG = ";/?:@&=+$,.!~*'()[]%";

const MAX_VERSION_DIGITS = 2;

/** Like all functions in this file, returns undefined after a problem. */
export function scanAnchor(cursor: Cursor, kind: 'anchor' | 'alias'): YamlToken | undefined {
  const { text, line, position: start } = cursor;
  cursor.position++;
  skipWord(cursor);
  const end = cursor.position;
  const next = text.charCodeAt(end);
  if (end === start + 1 || !(isBlankOrEnd(next) || AFTER_ANCHOR.includes(text.charAt(end)))) {
    const context = kind === 'anchor' ? 'while scanning an anchor' : 'while scanning an alias';
    return cursor.fail('did not find expected alphabetic or numeric character', context, start);
  }
  return token(kind, start, end, line, text.slice(start + 1, end), '');
}

/** Splits a tag into handle and suffix: `!!str` is (`!!`, `str`), `!local` is (`!`, `local`), `!<uri>` is (empty, uri). */
export function scanTag(cursor: Cursor): YamlToken | undefined {
  const { text, line, position: start } = cursor;
  let handle = '';
  let suffix: string | undefined;
  if (text.charAt(start + 1) === '<') {
    cursor.position += 2;
    suffix = scanTagUri(cursor, false, '', start);
    if (suffix === undefined) return undefined;
    if (text.charAt(cursor.position) !== '>') {
      return cursor.fail("did not find the expected '>'", 'while scanning a tag', start);
    }
    cursor.position++;
  } else {
    const scanned = scanTagHandle(cursor, false, start);
    if (scanned === undefined) return undefined;
    const isHandle = scanned.length > 1 && scanned.endsWith('!');
    suffix = scanTagUri(cursor, false, isHandle ? '' : scanned, start);
    if (suffix === undefined) return undefined;
    handle = isHandle ? scanned : '!';
    // `!` alone is the tag `!` without a handle.
    if (!isHandle && suffix === '') [handle, suffix] = [suffix, handle];
  }
  if (!isBlankOrEnd(text.charCodeAt(cursor.position))) {
    return cursor.fail('did not find expected whitespace or line break', 'while scanning a tag', start);
  }
  return token('tag', start, cursor.position, line, handle, suffix);
}

/** Reads a `%YAML` or `%TAG` line including its line break. */
export function scanDirective(cursor: Cursor): YamlToken | undefined {
  const { text, line, position: start } = cursor;
  const context = 'while scanning a directive';
  cursor.position++;
  const nameStart = cursor.position;
  skipWord(cursor);
  const name = text.slice(nameStart, cursor.position);
  if (name === '') return cursor.fail('could not find expected directive name', context, start);
  if (!isBlankOrEnd(text.charCodeAt(cursor.position))) {
    return cursor.fail('found unexpected non-alphabetical character', context, start);
  }
  let scanned: YamlToken | undefined;
  if (name === 'YAML') scanned = scanVersion(cursor, start, line);
  else if (name === 'TAG') scanned = scanTagDirective(cursor, start, line);
  else return cursor.fail('found unknown directive name', context, start);
  if (scanned === undefined) return undefined;

  skipBlanks(cursor);
  if (text.charAt(cursor.position) === '#') {
    while (!isBreakOrEnd(text.charCodeAt(cursor.position))) cursor.position++;
  }
  if (!isBreakOrEnd(text.charCodeAt(cursor.position))) {
    return cursor.fail('did not find expected comment or line break', context, start);
  }
  cursor.skipBreak();
  return scanned;
}

function scanVersion(cursor: Cursor, start: number, line: number): YamlToken | undefined {
  skipBlanks(cursor);
  const major = scanVersionNumber(cursor, start);
  if (major === undefined) return undefined;
  if (cursor.text.charAt(cursor.position) !== '.') {
    return cursor.fail("did not find expected digit or '.' character", 'while scanning a %YAML directive', start);
  }
  cursor.position++;
  const minor = scanVersionNumber(cursor, start);
  if (minor === undefined) return undefined;
  return token('version-directive', start, cursor.position, line, `${major}.${minor}`, '');
}

function scanVersionNumber(cursor: Cursor, start: number): number | undefined {
  let value = 0;
  let digits = 0;
  for (; isDigit(cursor.text.charCodeAt(cursor.position)); cursor.position++) {
    digits++;
    if (digits > MAX_VERSION_DIGITS) {
      return cursor.fail('found extremely long version number', 'while scanning a %YAML directive', start);
    }
    value = value * 10 + cursor.text.charCodeAt(cursor.position) - 0x30;
  }
  if (digits > 0) return value;
  return cursor.fail('did not find expected version number', 'while scanning a %YAML directive', start);
}

function scanTagDirective(cursor: Cursor, start: number, line: number): YamlToken | undefined {
  const { text } = cursor;
  const context = 'while scanning a %TAG directive';
  skipBlanks(cursor);
  const handle = scanTagHandle(cursor, true, start);
  if (handle === undefined) return undefined;
  if (!isBlank(text.charCodeAt(cursor.position))) {
    return cursor.fail('did not find expected whitespace', context, start);
  }
  skipBlanks(cursor);
  const prefix = scanTagUri(cursor, true, '', start);
  if (prefix === undefined) return undefined;
  if (!isBlankOrEnd(text.charCodeAt(cursor.position))) {
    return cursor.fail('did not find expected whitespace or line break', context, start);
  }
  return token('tag-directive', start, cursor.position, line, handle, prefix);
}

/** Reads `!`, `!!` or `!name!`. Outside directives also `!name`, which is then the start of a suffix. */
function scanTagHandle(cursor: Cursor, inDirective: boolean, start: number): string | undefined {
  const { text, position: handleStart } = cursor;
  if (text.charCodeAt(handleStart) !== EXCLAMATION)
    return failTag(cursor, inDirective, start, "did not find expected '!'");
  cursor.position++;
  skipWord(cursor);
  if (text.charCodeAt(cursor.position) === EXCLAMATION) cursor.position++;
  else if (inDirective && cursor.position > handleStart + 1) {
    return failTag(cursor, inDirective, start, "did not find expected '!'");
  }
  return text.slice(handleStart, cursor.position);
}

/** Reads the rest of a tag. `head` was read as a handle but is not one; its `!` is dropped. */
function scanTagUri(cursor: Cursor, inDirective: boolean, head: string, start: number): string | undefined {
  const { text } = cursor;
  let uri = head.slice(1);
  let copyStart = cursor.position;
  const uriStart = cursor.position;
  for (;;) {
    const code = text.charCodeAt(cursor.position);
    if (code === PERCENT) {
      uri += text.slice(copyStart, cursor.position);
      const decoded = scanUriEscape(cursor, inDirective, start);
      if (decoded === undefined) return undefined;
      uri += decoded;
      copyStart = cursor.position;
    } else if (isWord(code) || IN_TAG.includes(String.fromCharCode(code))) {
      cursor.position++;
    } else break;
  }
  if (head === '' && cursor.position === uriStart) {
    return failTag(cursor, inDirective, start, 'did not find expected tag URI');
  }
  return uri + text.slice(copyStart, cursor.position);
}

/** Reads the `%xx` octets of one UTF-8 character. */
function scanUriEscape(cursor: Cursor, inDirective: boolean, start: number): string | undefined {
  const { text } = cursor;
  const octets: number[] = [];
  let width = 1;
  for (; octets.length < width; cursor.position += 3) {
    const high = hexValue(text.charCodeAt(cursor.position + 1));
    const low = hexValue(text.charCodeAt(cursor.position + 2));
    if (text.charCodeAt(cursor.position) !== PERCENT || high < 0 || low < 0) {
      return failTag(cursor, inDirective, start, 'did not find URI escaped octet');
    }
    const octet = high * 16 + low;
    if (octets.length === 0) {
      width = utf8Width(octet);
      if (width === 0) return failTag(cursor, inDirective, start, 'found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) {
      return failTag(cursor, inDirective, start, 'found an incorrect trailing UTF-8 octet');
    }
    octets.push(octet);
  }
  return new TextDecoder().decode(Uint8Array.from(octets));
}

function utf8Width(octet: number): number {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

function failTag(cursor: Cursor, inDirective: boolean, start: number, message: string): undefined {
  return cursor.fail(message, inDirective ? 'while parsing a %TAG directive' : 'while parsing a tag', start);
}

function skipWord(cursor: Cursor): void {
  while (isWord(cursor.text.charCodeAt(cursor.position))) cursor.position++;
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.text.charCodeAt(cursor.position))) cursor.position++;
}

function token(kind: TokenKind, start: number, end: number, line: number, text: string, suffix: string): YamlToken {
  return { kind, start, end, line, text, suffix, scalar: undefined };
}

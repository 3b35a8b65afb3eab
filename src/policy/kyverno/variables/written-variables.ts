// Parses the variables in a text (`pkg/engine/variables/vars.go`).
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { bytesOf, textOfBytes } from '../jmespath/functions/byte-text.ts';
import { findVariables, variableEnd } from './find-variables.ts';

export interface WrittenVariable {
  /** The text to replace: the variable with its braces. */
  readonly written: string;
  /** The character before the variable, which Kyverno's match includes and keeps. Empty at the start of the text. */
  readonly prefix: string;
  readonly query: string;
  /** For `{{- … }}`: variables inside the value are not resolved. */
  readonly isShallow: boolean;
}

export function writtenVariables(text: string): readonly WrittenVariable[] {
  return findVariables(text).map((match) => {
    const isFirst = variableEnd(match, 0) !== undefined;
    const written = isFirst ? match : withoutFirstByte(match);
    const inner = trimSpace(written.replaceAll('{{', '').replaceAll('}}', ''));
    const isShallow = inner.startsWith('-');
    const query = isShallow ? trimSpace(inner.slice(1)) : inner;
    return { written, prefix: isFirst ? '' : firstByte(match), query, isShallow };
  });
}

/**
 * Kyverno removes one byte instead of one character. The rest of a non-ASCII character then becomes part of the query
 * and makes it invalid.
 */
function withoutFirstByte(text: string): string {
  return text.charCodeAt(0) < 0x80 ? text.slice(1) : textOfBytes(bytesOf(text).slice(1));
}

/** The first byte as a character. */
function firstByte(text: string): string {
  return text.charCodeAt(0) < 0x80 ? text.charAt(0) : bytesOf(text).charAt(0);
}

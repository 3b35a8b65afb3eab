// The variables in a text as they are written, taken apart (`pkg/engine/variables/vars.go`).
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { bytesOf, textOfBytes } from '../jmespath/functions/byte-text.ts';
import { findVariables, variableEnd } from './find-variables.ts';

export interface WrittenVariable {
  /** What is replaced: the variable with its braces. */
  readonly written: string;
  /** What stands before it as Kyverno finds it, and stays; empty at the beginning of the text. */
  readonly prefix: string;
  readonly query: string;
  /** `{{- … }}`: what the value brings is not looked through. */
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
 * Kyverno cuts off one byte where it means one character, so that the rest of a character that is not ASCII gets into the query,
 * which then cannot be read.
 */
function withoutFirstByte(text: string): string {
  return text.charCodeAt(0) < 0x80 ? text.slice(1) : textOfBytes(bytesOf(text).slice(1));
}

/** The first byte as a character. */
function firstByte(text: string): string {
  return text.charCodeAt(0) < 0x80 ? text.charAt(0) : bytesOf(text).charAt(0);
}

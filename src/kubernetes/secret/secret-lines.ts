// Finds the secret values in a file's text. It reads lines, not values, because templates and broken documents have no values.
import type { SourceFile } from '../../source/text/source-file.ts';
import { type DocumentLine, documentLines } from './document-lines.ts';
import { secretKeys } from './secret-key-lines.ts';

/** A line with a secret. */
export interface SecretLine {
  readonly shown: string;
  /** The part of the line that `shown` lacks. */
  readonly hidden: string;
}

const DOCUMENT_START = /^---(?:\s|$)/;
const OWN_KEY = /^(\s*(?:-\s+)*(?:"[^"]*"|'[^']*'|[^\s"'#:{}[\],]+)\s*:\s).*$/;
const HIDDEN = '…';

/** By line, from 1. */
export function secretLines(file: SourceFile): ReadonlyMap<number, SecretLine> {
  const found = new Map<number, SecretLine>();
  const count = file.lineStarts.length;
  for (let start = 1; start <= count; ) {
    let end = start + 1;
    while (end <= count && !DOCUMENT_START.test(file.lineText(end))) end += 1;
    maskDocument(documentLines(file, start, end), found);
    start = end;
  }
  return found;
}

function maskDocument(lines: readonly DocumentLine[], found: Map<number, SecretLine>): void {
  const secrets = secretKeys(lines);
  if (secrets.size === 0) return;
  const hide = ({ number, text }: DocumentLine, shown: string, from: number): void => {
    found.set(number, { shown, hidden: text.slice(from) });
  };
  /** Indentation of the key whose values are hidden. */
  let indentation: number | undefined;
  /** Where the keys of these values begin. Text further to the right is part of a value. */
  let children: number | undefined;
  /** Unclosed brackets of a flow collection. */
  let open = 0;
  for (const line of lines) {
    const { text, indent, isItem } = line;
    const isBelow = indentation !== undefined && (indent > indentation || (isItem && indent >= indentation));
    if (open > 0 || (isBelow && text.trim() !== '')) {
      open = Math.max(0, open + balance(text));
      children ??= indent;
      const shown = hiddenLine(text, indent === children);
      if (shown !== text) hide(line, shown, shown.length - HIDDEN.length);
      continue;
    }
    if (text.trim() === '') continue;
    indentation = undefined;
    const secret = secrets.get(line.number);
    if (secret === undefined) continue;
    indentation = secret.column;
    children = undefined;
    open = Math.max(0, balance(text.slice(secret.after)));
    const value = text.slice(secret.after).trim();
    if (value !== '' && value !== '{' && value !== '[' && value !== '{}' && !value.startsWith('#')) {
      hide(line, `${text.slice(0, secret.after)} ${HIDDEN}`, secret.after);
    }
  }
}

/** The key of a line stays. A line without a key is hidden as a whole. */
function hiddenLine(line: string, mayHaveKey: boolean): string {
  if (/^[\s{}[\],]*$/.test(line)) return line;
  const [, key] = (mayHaveKey ? OWN_KEY.exec(line) : null) ?? [];
  return (key ?? line.slice(0, line.length - line.trimStart().length)) + HIDDEN;
}

function balance(text: string): number {
  let open = 0;
  for (const character of text) {
    if (character === '{' || character === '[') open += 1;
    else if (character === '}' || character === ']') open -= 1;
  }
  return open;
}

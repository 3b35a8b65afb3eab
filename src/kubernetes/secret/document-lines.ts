// The lines of one document of a YAML or JSON file, with the key that each begins with.
import type { SourceFile } from '../../source/text/source-file.ts';

export interface DocumentLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly indent: number;
  /** True for an item of a list. */
  readonly isItem: boolean;
  /** The key that the line begins with, and its value on the same line. */
  readonly entry: LineEntry | undefined;
}

export interface LineEntry {
  readonly key: string;
  /** Of the key, behind the dashes of list items. */
  readonly column: number;
  /** Offset behind the colon. */
  readonly after: number;
  /** Without quotes and a trailing comma. */
  readonly value: string;
}

const ENTRY = /^(\s*(?:-\s+)*)("[^"]{1,200}"|'[^']{1,200}'|[^\s"'#{}[\],:][^\s"'#{}[\],:]{0,200})\s*:(?=\s|$|["{[])/;

/** `end` is the line after the last. */
export function documentLines(file: SourceFile, start: number, end: number): readonly DocumentLine[] {
  return Array.from({ length: end - start }, (_, index) => {
    const text = file.lineText(start + index);
    const content = text.trimStart();
    const indent = text.length - content.length;
    return { number: start + index, text, indent, isItem: /^-(?:\s|$)/.test(content), entry: entryOf(text) };
  });
}

function entryOf(text: string): LineEntry | undefined {
  const match = ENTRY.exec(text);
  if (match === null) return undefined;
  const [whole, lead = '', name = ''] = match;
  const [value = ''] = text.slice(whole.length).split(' #', 1);
  const key = unquoted(name);
  return { key, column: lead.length, after: whole.length, value: unquoted(value.trim().replace(/,$/, '')) };
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

/** Finds the lines of mappings; each mapping once, so that repeated keys cost linear time. */
export class Mappings {
  readonly #lines: readonly DocumentLine[];
  readonly #seen = new Set<DocumentLine>();

  constructor(lines: readonly DocumentLine[]) {
    this.#lines = lines;
  }

  /** Lines of the mapping that has its keys in this column, around the line at this index. Undefined if it was returned before. */
  around(at: number, column: number): readonly DocumentLine[] | undefined {
    const lines = this.#lines;
    const line = (index: number): DocumentLine => lines[index] as DocumentLine;
    if (this.#seen.has(line(at))) return undefined;
    let from = at;
    while (from > 0 && !isFirst(line(from), column) && !isOutside(line(from - 1), column)) from -= 1;
    let to = at + 1;
    while (to < lines.length && !isFirst(line(to), column) && !isOutside(line(to), column)) to += 1;
    const found = lines.slice(from, to);
    for (const each of found) if (each.entry?.column === column) this.#seen.add(each);
    return found;
  }
}

function isFirst({ indent, isItem, entry }: DocumentLine, column: number): boolean {
  return isItem && indent < column && entry?.column === column;
}

function isOutside(line: DocumentLine, column: number): boolean {
  return line.text.trim() !== '' && line.indent < column && !isFirst(line, column);
}

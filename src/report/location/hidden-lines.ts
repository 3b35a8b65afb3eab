// Hides secret values and URL passwords in code frames, which end up in logs and comments.
import { Derivation, type SourceFile } from '../../source/text/source-file.ts';

const SECRET = /\bSecret(?:List)?\b/;
const DOCUMENT_START = /^---(?:\s|$)/;
/** `data` or `stringData` as a key, in any YAML or JSON notation, also inside a quoted copy of an object. */
const DATA_KEY = /(?:^|[\s{,?\\"'])(?:data|stringData)\\?["']?\s*:/;
const OWN_KEY = /^(\s*(?:-\s+)*(?:"[^"]*"|'[^']*'|[^\s"'#:{}[\],]+)\s*:\s).*$/;
const HIDDEN = '…';
/** User and password in a URL; bounded, so that a long line takes linear time. */
const PASSWORD = /\/\/[^/@\s:]{0,200}:[^/@\s]{1,500}@/g;

const HIDDEN_LINES = new Derivation(hiddenLines);

/** Text of a line (from 1) with secrets masked. */
export function shownLine(file: SourceFile, line: number): string {
  return file.derived(HIDDEN_LINES).get(line) ?? withoutPasswords(file.lineText(line));
}

/** Keeps the length, so that carets below the line still point to the right column. */
function withoutPasswords(line: string): string {
  return line.replace(PASSWORD, (found) => `//${'*'.repeat(found.length - 3)}@`);
}

/**
 * Works on text instead of parsed values, so that it also covers invalid documents: in a document that mentions a Secret, hides everything
 * below a `data` or `stringData` key. Prefers to hide too much.
 */
function hiddenLines(file: SourceFile): ReadonlyMap<number, string> {
  const masked = new Map<number, string>();
  if (!SECRET.test(file.text)) return masked;
  const count = file.lineStarts.length;
  for (let start = 1; start <= count; ) {
    let end = start + 1;
    while (end <= count && !DOCUMENT_START.test(file.lineText(end))) end += 1;
    maskDocument(file, start, end, masked);
    start = end;
  }
  return masked;
}

/** `end`: the line after the last. */
function maskDocument(file: SourceFile, start: number, end: number, masked: Map<number, string>): void {
  const text = file.text.slice(file.lineStarts[start - 1], file.lineStarts[end - 1] ?? file.text.length);
  if (!SECRET.test(text)) return;
  /** Indentation of the key whose values are hidden. */
  let indentation: number | undefined;
  /** Indentation of its child keys; text further right belongs to a value. */
  let children: number | undefined;
  /** Number of open brackets of a flow collection. */
  let open = 0;
  for (let line = start; line < end; line++) {
    const content = file.lineText(line);
    const indent = content.length - content.trimStart().length;
    const isItem = content.trimStart().startsWith('-');
    const isBelow = indentation !== undefined && (indent > indentation || (isItem && indent >= indentation));
    if (open > 0 || (isBelow && content.trim() !== '')) {
      open = Math.max(0, open + balance(content));
      children ??= indent;
      masked.set(line, hide(content, indent === children));
      continue;
    }
    if (content.trim() === '') continue;
    indentation = undefined;
    const found = DATA_KEY.exec(content);
    if (found === null) continue;
    const after = found.index + found[0].length;
    indentation = keyIndentation(content, found.index);
    children = undefined;
    open = Math.max(0, balance(content.slice(after)));
    const value = content.slice(after).trim();
    if (value !== '' && value !== '{' && value !== '{}' && !value.startsWith('#')) {
      masked.set(line, `${content.slice(0, after)} ${HIDDEN}`);
    }
  }
}

/** Keeps a key of the line; hides a line without a key completely. */
function hide(line: string, mayHaveKey: boolean): string {
  if (/^[\s{}[\],]*$/.test(line)) return line;
  const [, key] = (mayHaveKey ? OWN_KEY.exec(line) : null) ?? [];
  const indent = line.slice(0, line.length - line.trimStart().length);
  return key === undefined ? indent + HIDDEN : key + HIDDEN;
}

/** For a mapping that starts on a list item's line, nested lines are right of its first key. */
function keyIndentation(line: string, at: number): number {
  const [lead = ''] = /^\s*(?:-\s+)*/.exec(line) ?? [];
  return Math.min(lead.length, at === 0 ? 0 : at + 1);
}

function balance(text: string): number {
  let open = 0;
  for (const character of text) {
    if (character === '{' || character === '[') open += 1;
    else if (character === '}' || character === ']') open -= 1;
  }
  return open;
}

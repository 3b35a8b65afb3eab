// Parses the lines of a chart's template into nested keys and items, as far as possible without rendering.
import type { SourceFile, SourceRange } from '../../source/text/source-file.ts';

export interface TemplateToken {
  /** `code`: a line with only template code. `inline`: template code in the value of the preceding key. */
  readonly kind: 'key' | 'item' | 'code' | 'inline';
  /** 0-based. */
  readonly column: number;
  /** Name of a key, else empty. */
  readonly name: string;
  readonly range: SourceRange;
  /** The rest of the line: a value, possibly with template code. */
  readonly rest: string;
  readonly restRange: SourceRange;
}

/** One document of a template, or the body of a named template. */
export interface TemplatePart {
  readonly file: SourceFile;
  readonly tokens: readonly TemplateToken[];
}

export interface TemplateFile {
  readonly documents: readonly TemplatePart[];
  readonly definitions: ReadonlyMap<string, TemplatePart>;
}

const MAXIMUM_LINE = 2000;
const DEFINE = /^\s*\{\{-?\s*define\s+"([^"]+)"\s*-?\}\}/;

export function isCode({ kind }: TemplateToken): boolean {
  return kind === 'code' || kind === 'inline';
}

export function readTemplate(file: SourceFile): TemplateFile {
  const documents: TemplateToken[][] = [[]];
  const definitions = new Map<string, TemplatePart>();
  let definition: TemplateToken[] | undefined;
  let depth = 0;
  const { lineStarts } = file;
  for (let line = 1; line <= lineStarts.length; line++) {
    const text = file.lineText(line).slice(0, MAXIMUM_LINE);
    const start = lineStarts[line - 1] as number;
    const define = DEFINE.exec(text);
    if (define !== null && definition === undefined) {
      definition = [];
      depth = 1 + blockDepth(text.slice(define[0].length));
      definitions.set(define[1] as string, { file, tokens: definition });
      const rest = text.slice(define[0].length);
      if (rest.trim() !== '') addTokens(definition, rest, start + define[0].length);
      if (depth <= 0) definition = undefined;
      continue;
    }
    if (definition !== undefined) {
      depth += blockDepth(text);
      if (depth <= 0) definition = undefined;
      else addTokens(definition, text, start);
      continue;
    }
    if (/^---(?:\s|$)/.test(text)) documents.push([]);
    else addTokens(documents.at(-1) as TemplateToken[], text, start);
  }
  return { documents: documents.map((tokens) => ({ file, tokens })), definitions };
}

function blockDepth(text: string): number {
  const opened = text.match(/\{\{-?\s*(?:if|range|with|define|block)\b/g)?.length ?? 0;
  const closed = text.match(/\{\{-?\s*end\b/g)?.length ?? 0;
  return opened - closed;
}

function addTokens(tokens: TemplateToken[], text: string, start: number): void {
  const content = text.trimStart();
  if (content === '' || content.startsWith('#')) return;
  let column = text.length - content.length;
  if (content.startsWith('{{')) {
    if (!content.startsWith('{{/*') && !content.startsWith('{{- /*')) tokens.push(codeToken(content, column, start));
    return;
  }
  let rest = content;
  for (let dash = /^-(?:\s+|$)/.exec(rest); dash !== null; dash = /^-(?:\s+|$)/.exec(rest)) {
    const after = rest.slice(dash[0].length);
    tokens.push(token('item', '', column, 1, after, start, dash[0].length));
    column += dash[0].length;
    rest = after;
  }
  const key = /^(?:"([^"]*)"|'([^']*)'|([^\s"'{}[\]&*!|>%@`#][^\s:{}]*))\s*:(?:\s+|$)/.exec(rest);
  if (key === null) return;
  const name = (key[1] ?? key[2] ?? key[3]) as string;
  const value = rest.slice(key[0].length);
  const written = key[1] === undefined && key[2] === undefined ? name.length : name.length + 2;
  tokens.push(token('key', name, column, written, value, start, key[0].length));
  if (/\{\{-?\s*(?:include|template|toYaml|tpl)\b|\|\s*(?:n?indent|toYaml)\b/.test(value)) {
    tokens.push({ ...codeToken(value, column + key[0].length, start), kind: 'inline' });
  }
}

function token(
  kind: 'key' | 'item',
  name: string,
  column: number,
  length: number,
  rest: string,
  start: number,
  offset: number,
): TemplateToken {
  const restStart = start + column + offset;
  const trimmed = rest.trimEnd();
  return {
    kind,
    column,
    name,
    range: { start: start + column, end: start + column + length },
    rest: trimmed,
    restRange: { start: restStart, end: restStart + trimmed.length },
  };
}

function codeToken(content: string, column: number, start: number): TemplateToken {
  const text = content.trimEnd();
  const range = { start: start + column, end: start + column + text.length };
  return { kind: 'code', column, name: '', range, rest: text, restRange: range };
}

// Finds the template line behind a field of a rendered document, by nested keys and through included templates.

import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceLocation } from '../../source/text/source-file.ts';
import { isCode, type TemplatePart, type TemplateToken } from './template-lines.ts';

/** Limit for included templates of one field, because templates may include each other. */
const MAXIMUM_INCLUDES = 100;

export interface TemplateField {
  readonly key: SourceLocation;
  readonly value: SourceLocation;
  /** Number of path steps that the template has as keys and items. */
  readonly depth: number;
  /** The template text that decides: the value of the key, or the line that inserts the block. */
  readonly code: string;
  /** True if a block inserts the value as a whole. */
  readonly isBlock: boolean;
}

export type Definitions = ReadonlyMap<string, TemplatePart>;

export function findInTemplate(
  part: TemplatePart,
  path: FieldPath,
  object: JsonValue,
  definitions: Definitions,
): TemplateField | undefined {
  const { tokens } = part;
  return walk({
    part,
    from: 0,
    to: tokens.length,
    column: -1,
    parent: undefined,
    path,
    depth: 0,
    object,
    definitions,
    includes: { left: MAXIMUM_INCLUDES },
  });
}

interface Step {
  readonly part: TemplatePart;
  readonly from: number;
  readonly to: number;
  /** Column of the parent. Its content starts further right. */
  readonly column: number;
  readonly parent: TemplateToken | undefined;
  readonly path: FieldPath;
  readonly depth: number;
  readonly object: JsonValue;
  readonly definitions: Definitions;
  readonly includes: { left: number };
}

function walk(step: Step): TemplateField | undefined {
  const { part, path, depth, parent } = step;
  const wanted = path[depth];
  if (wanted === undefined) return parent && found(part, parent, depth, false);
  const next = typeof wanted === 'string' ? keyIn(step, wanted) : itemIn(step, wanted);
  if (next !== undefined) {
    const token = part.tokens[next.from - 1] as TemplateToken;
    return walk({ ...step, ...next, column: token.column, parent: token, depth: depth + 1 });
  }
  return throughCode(step) ?? (parent && found(part, parent, depth, false));
}

function found({ file }: TemplatePart, token: TemplateToken, depth: number, isBlock: boolean): TemplateField {
  const hasValue = token.rest !== '' && token.kind !== 'item';
  return {
    key: { file, range: token.kind === 'item' ? { start: token.range.start, end: token.restRange.end } : token.range },
    value: { file, range: hasValue ? token.restRange : token.range },
    depth,
    code: token.rest,
    isBlock,
  };
}

type Inside = Pick<Step, 'from' | 'to'>;

function keyIn({ part: { tokens }, from, to, column }: Step, name: string): Inside | undefined {
  let own: number | undefined;
  for (let index = from; index < to; index++) {
    const token = tokens[index] as TemplateToken;
    if (isCode(token) || token.column <= column) continue;
    own ??= token.column;
    if (token.kind === 'key' && token.column === own && token.name === name) {
      return { from: index + 1, to: endOf(tokens, index, to, token.column) };
    }
  }
  return undefined;
}

/** Items of a list may be indented as little as its key. */
function itemIn(step: Step, wanted: number): Inside | undefined {
  const { part, from, to, column, path, depth, object } = step;
  const { tokens } = part;
  const items: Inside[] = [];
  let own: number | undefined;
  /** Items before the first condition or loop occur exactly once. */
  let certain = Number.POSITIVE_INFINITY;
  let isLoop = false;
  for (let index = from; index < to; index++) {
    const token = tokens[index] as TemplateToken;
    if (token.kind === 'code' && (own === undefined || token.column <= own)) {
      if (/\{\{-?\s*(?:range|if|with)\b/.test(token.rest)) certain = Math.min(certain, items.length);
      if (/\{\{-?\s*range\b/.test(token.rest)) isLoop = true;
    }
    if (token.kind !== 'item' || token.column < column) continue;
    own ??= token.column;
    if (token.column === own) items.push({ from: index + 1, to: endOf(tokens, index, to, token.column) });
  }
  const list = valueAt(object, path.slice(0, depth));
  const rendered = isJsonArray(list) ? list : [];
  const named = namedItems(items, tokens, nameOf(rendered[wanted]));
  const namesakes = rendered.flatMap((each, index) => (nameOf(each) === nameOf(rendered[wanted]) ? [index] : []));
  const isAll = !isLoop && rendered.length === items.length;
  const isCertain = wanted < certain || isAll;
  // Equal names say nothing about the order of items that only some values produce.
  if (named.length > 0 && named.length === namesakes.length) return named[namesakes.indexOf(wanted)];
  if (named.length > 0 && !(namesakes.length > 1 && isCertain)) return named[0];
  if (isCertain) return items[wanted];
  return items.length === 1 ? items[0] : undefined;
}

function nameOf(item: JsonValue | undefined): string | undefined {
  const name = isJsonObject(item) ? item.get('name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Items with this name in the template itself. */
function namedItems(
  items: readonly Inside[],
  tokens: readonly TemplateToken[],
  name: string | undefined,
): readonly Inside[] {
  if (name === undefined) return [];
  return items.filter(({ from, to }) => {
    const key = tokens.slice(from, to).find((token) => token.kind === 'key' && token.name === 'name');
    return key?.rest.replace(/^["']|["']$/g, '') === name;
  });
}

/** Index of the first token outside the given one: the next token at the same column or further left. */
function endOf(tokens: readonly TemplateToken[], index: number, to: number, column: number): number {
  const isItem = tokens[index]?.kind === 'item';
  for (let next = index + 1; next < to; next++) {
    const token = tokens[next] as TemplateToken;
    if (isCode(token) || token.column > column) continue;
    if (!isItem && token.kind === 'item' && token.column === column) continue;
    return next;
  }
  return to;
}

/** The field inside a template block: in an included template if that has the field, else the line itself. */
function throughCode(step: Step): TemplateField | undefined {
  const { part, from, to, definitions, includes, depth, path } = step;
  let block: TemplateToken | undefined;
  const own = ownColumn(step);
  for (let index = from; index < to; index++) {
    const token = part.tokens[index] as TemplateToken;
    if (token.kind !== 'code' && !(token.kind === 'inline' && index === from)) continue;
    for (const [, name] of token.rest.matchAll(/\b(?:include|template)\s+"([^"]+)"/g)) {
      const definition = definitions.get(name as string);
      if (definition === undefined || includes.left-- <= 0) continue;
      const inside = { part: definition, from: 0, to: definition.tokens.length, column: -1, parent: undefined };
      const field = walk({ ...step, ...inside });
      if (field !== undefined && field.depth > depth) return field;
    }
    const isInPlace = indentOf(token) === undefined || own === undefined || indentOf(token) === own;
    const isEntry = /^\{\{[^}]*\}\}\s*:/.test(token.rest);
    if (!(isEntry || (/\b(?:include|template|toYaml|tpl)\b/.test(token.rest) && isInPlace))) continue;
    if (block === undefined || token.rest.includes(`.${path[depth]}`)) block = token;
  }
  return block && found(part, block, depth, true);
}

function ownColumn({ part, from, to, column }: Step): number | undefined {
  return part.tokens.slice(from, to).find((token) => !isCode(token) && token.column >= column)?.column;
}

function indentOf({ rest }: TemplateToken): number | undefined {
  const indent = /\bn?indent\s+(\d+)/.exec(rest)?.[1];
  return indent === undefined ? undefined : Number(indent);
}

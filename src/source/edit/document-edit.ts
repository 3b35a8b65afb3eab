// Turns edits of a value into edits of its text that touch only the lines that must change.
import { trimRight } from '../../go/strings/trim.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { MappingNode, Node, ScalarNode, SequenceNode } from '../node/node.ts';
import { entriesOf } from '../yaml/entries.ts';
import type { JsonEdit } from './json-edit.ts';
import type { TextSplice } from './text-edit.ts';
import {
  blockLines,
  entryLines,
  flowText,
  inlineScalar,
  isBlock,
  itemLines,
  literalHeader,
  type QuoteStyle,
  type WritingStyle,
} from './yaml-text.ts';

/** The reason why a text cannot be edited. */
export class Unwritable extends Error {}

export interface EditedDocument {
  /** Line endings are LF only. */
  readonly text: string;
  readonly root: Node;
}

interface Found {
  /** Undefined for the root and for items. */
  readonly key: Node | undefined;
  /** Offset of the `-` of an item of a block sequence. */
  readonly dash: number | undefined;
  readonly node: Node;
  /** The mappings and sequences around the node, outermost first. */
  readonly parents: readonly (MappingNode | SequenceNode)[];
  /** The node is written elsewhere (alias or merge key), where other fields use it too. */
  readonly isShared: boolean;
}

/** Throws Unwritable. Callers must parse the result and compare it, because only the common styles of YAML are supported. */
export function documentSplices(document: EditedDocument, edits: readonly JsonEdit[]): readonly TextSplice[] {
  const writer = new DocumentWriter(document);
  for (const { kind, path } of edits) if (kind === 'remove') writer.announceRemoval(path);
  return edits.flatMap((edit) => writer.splices(edit));
}

class DocumentWriter {
  readonly #text: string;
  readonly #root: Node;
  readonly #style: WritingStyle;
  /** Indices of entries that will be removed, by container. */
  readonly #removed = new Map<MappingNode | SequenceNode, Set<number>>();

  constructor({ text, root }: EditedDocument) {
    this.#text = text;
    this.#root = root;
    this.#style = styleOf(root, text);
  }

  announceRemoval(path: FieldPath): void {
    const found = this.#find(path);
    const parent = found.parents.at(-1);
    if (parent === undefined) return;
    const indices = this.#removed.get(parent) ?? new Set();
    this.#removed.set(parent, indices.add(indexIn(parent, found)));
  }

  splices(edit: JsonEdit): readonly TextSplice[] {
    switch (edit.kind) {
      case 'set':
        return this.#set(this.#find(edit.path), edit.value);
      case 'add':
        return this.#add(edit.path, edit.value);
      case 'insert':
        return this.#insert(this.#find(edit.path), edit.at, edit.value);
      case 'remove':
        return this.#remove(edit.path);
    }
  }

  #find(path: FieldPath): Found {
    let found: Found = { key: undefined, dash: undefined, node: this.#root, parents: [], isShared: false };
    for (const step of path) {
      const parent = this.#container(found);
      const parents = [...found.parents, parent];
      if (parent.kind === 'mapping') {
        const entry = entriesOf(parent).get(String(step));
        if (entry === undefined) throw new Unwritable('the document does not contain the field');
        const isShared = found.isShared || entry.aliases.length > 0;
        found = { key: entry.key, dash: undefined, node: entry.value, parents, isShared };
      } else {
        const item = parent.items[Number(step)];
        if (item === undefined) throw new Unwritable('the document does not contain the list item');
        found = { ...found, key: undefined, dash: parent.dashes[Number(step)], node: item, parents };
      }
    }
    return found;
  }

  #container({ node, isShared }: Found): MappingNode | SequenceNode {
    if (isShared || node.kind === 'alias') throw new Unwritable('its anchor is also used by other fields');
    if (node.kind === 'scalar') throw new Unwritable('the document does not contain the field');
    return node;
  }

  #set(found: Found, value: JsonValue): readonly TextSplice[] {
    const { node, key } = found;
    if (found.isShared) {
      const mapping = found.parents.at(-1);
      if (mapping?.kind !== 'mapping' || key === undefined)
        throw new Unwritable('its anchor is also used by other fields');
      throw new Unwritable('it comes from a merge key together with other fields');
    }
    if (this.#isInFlow(found)) return [{ start: node.start, end: node.end, text: this.#flow(node, value) }];
    if (!isBlock(value)) return this.#setInline(found, value);
    if (typeof value === 'string') return this.#setLiteral(found, value);
    return this.#setBlock(found, value);
  }

  #setInline(found: Found, value: JsonValue): readonly TextSplice[] {
    const { node } = found;
    const text = flowText(value, node.kind === 'scalar' ? quotesOf(node) : 'plain');
    const isOwnLines = node.kind !== 'alias' && isBlockContainer(node);
    if (!isOwnLines) {
      const place = this.#valuePlace(found);
      return [{ ...place, text: place.start === place.end ? ` ${text}` : text }];
    }
    const after = this.#afterMarker(found);
    return [
      { start: after, end: after, text: ` ${text}` },
      { start: this.#lineEnd(after), end: this.#lineEnd(this.#contentEnd(node)), text: '' },
    ];
  }

  #setLiteral(found: Found, value: string): readonly TextSplice[] {
    const { node } = found;
    if (node.kind !== 'scalar') throw new Unwritable('multi-line text would replace a list or a mapping');
    const lines = blockLines(value, this.#childColumn(found, value), this.#style);
    const place = this.#valuePlace(found);
    const text = `${place.start === place.end ? ' ' : ''}${literalHeader(value)}\n${lines.join('\n')}`;
    return [{ ...place, text }];
  }

  /** Keep the rest of the key's line: it may hold a comment. */
  #setBlock(found: Found, value: JsonValue): readonly TextSplice[] {
    const { node } = found;
    const text = `\n${blockLines(value, this.#childColumn(found, value), this.#style).join('\n')}`;
    if (node.kind !== 'alias' && isBlockContainer(node)) {
      const from = this.#lineEnd(this.#afterMarker(found));
      return [{ start: from, end: this.#lineEnd(this.#contentEnd(node)), text }];
    }
    if (found.dash !== undefined) throw new Unwritable('a list or a mapping would replace a single list item');
    const place = this.#valuePlace(found);
    const before = this.#text.slice(0, place.start);
    const start = place.start - (before.length - trimRight(before, ' \t').length);
    const end = this.#lineEnd(place.end);
    return [
      { start, end: place.end, text: '' },
      { start: end, end, text },
    ];
  }

  #add(path: FieldPath, value: JsonValue): readonly TextSplice[] {
    const key = String(path.at(-1));
    const found = this.#find(path.slice(0, -1));
    const mapping = this.#container(found);
    if (mapping.kind !== 'mapping') throw new Unwritable('the document does not contain the mapping');
    if (mapping.flow) return [this.#addToFlow(mapping, mapping.values.length, (like) => flowEntry(key, value, like))];
    const [first] = mapping.keys;
    if (first === undefined) throw new Unwritable('the indentation of the new field is unknown');
    const lines = entryLines(key, value, this.#column(first.start), this.#style);
    return [this.#below(this.#contentEnd(mapping), lines)];
  }

  #insert(found: Found, at: number, value: JsonValue): readonly TextSplice[] {
    const list = this.#container(found);
    if (list.kind !== 'sequence') throw new Unwritable('the document does not contain the list');
    if (list.flow) return [this.#addToFlow(list, at, (like) => flowText(value, like))];
    const [first] = list.dashes;
    if (first === undefined) throw new Unwritable('the indentation of the new list item is unknown');
    const column = this.#column(first);
    const lines = itemLines(value, column, this.#style);
    const before = list.items[Math.min(at, list.items.length) - 1];
    if (before !== undefined) return [this.#below(this.#contentEnd(before), lines)];
    if (found.key === undefined || this.#lineEnd(found.key.end) > first) {
      throw new Unwritable('the list does not start on its own line');
    }
    return [this.#below(found.key.end, lines)];
  }

  #remove(path: FieldPath): readonly TextSplice[] {
    const found = this.#find(path);
    if (found.isShared) throw new Unwritable('it comes from a merge key together with other fields');
    const parent = found.parents.at(-1);
    if (parent === undefined) throw new Unwritable('the document would be empty');
    const index = indexIn(parent, found);
    if (parent.flow) return this.#removeFromFlow(parent, index);
    const start = found.key?.start ?? found.dash ?? found.node.start;
    const lineStart = this.#lineStart(start);
    if (this.#text.slice(lineStart, start).trim() === '') {
      const end = this.#lineEnd(this.#contentEnd(found.node));
      // Remove the line break before, because lines added below start with one.
      if (lineStart > 0) return [{ start: lineStart - 1, end, text: '' }];
      return [{ start: 0, end: Math.min(end + 1, this.#text.length), text: '' }];
    }
    // The first of several entries after a `-`.
    const next = parent.kind === 'mapping' ? parent.keys[index + 1]?.start : parent.dashes[index + 1];
    if (next === undefined) throw new Unwritable('the list item would be empty');
    return [{ start, end: next, text: '' }];
  }

  #addToFlow(container: MappingNode | SequenceNode, at: number, textOf: (like: QuoteStyle) => string): TextSplice {
    const starts = container.kind === 'mapping' ? container.keys : container.items;
    const ends = container.kind === 'mapping' ? container.values : container.items;
    const text = textOf(this.#quotesIn(container));
    if (starts.length === 0) return { start: container.start + 1, end: container.end - 1, text };
    const [before, after] = [ends[at - 1], starts[at]];
    if (before !== undefined) {
      const first = starts[at - 1] as Node;
      const end = Math.max(before.end, first.end);
      const lead = this.#text.slice(this.#lineStart(first.start), first.start);
      const isOwnLine = lead.trim() === '';
      return { start: end, end, text: isOwnLine ? `,\n${lead}${text}` : `, ${text}` };
    }
    const { start } = after as Node;
    const lead = this.#text.slice(this.#lineStart(start), start);
    return { start, end: start, text: lead.trim() === '' ? `${text},\n${lead}` : `${text}, ` };
  }

  /** Removes the surplus comma as well. Of consecutive entries at the end, the first removes all of them. */
  #removeFromFlow(container: MappingNode | SequenceNode, index: number): readonly TextSplice[] {
    const starts = container.kind === 'mapping' ? container.keys : container.items;
    const ends = container.kind === 'mapping' ? container.values : container.items;
    const removed = this.#removed.get(container) ?? new Set([index]);
    const start = (starts[index] as Node).start;
    const isLast = !starts.some((_, other) => other > index && !removed.has(other));
    if (!isLast) return [{ start, end: (starts[index + 1] as Node).start, text: '' }];
    if (removed.has(index - 1)) return [];
    const endOf = (at: number): number => Math.max(starts[at]?.end ?? 0, ends[at]?.end ?? 0);
    return [{ start: index === 0 ? start : endOf(index - 1), end: endOf(starts.length - 1), text: '' }];
  }

  /** Inserts whole lines below the line of `offset`. */
  #below(offset: number, lines: readonly string[]): TextSplice {
    const end = this.#lineEnd(offset);
    return { start: end, end, text: `\n${lines.join('\n')}` };
  }

  /** Range of a single value, or the empty range where it would be written. */
  #valuePlace(found: Found): { readonly start: number; readonly end: number } {
    const { node } = found;
    if (node.end > node.start) return { start: node.start, end: node.end };
    const after = this.#afterMarker(found);
    return { start: after, end: after };
  }

  /** Offset after the `:` of the key or the `-` of the item. */
  #afterMarker({ key, dash }: Found): number {
    if (dash !== undefined && key === undefined) return dash + 1;
    const from = key?.end ?? 0;
    const colon = /\s*:/y;
    colon.lastIndex = from;
    const match = key === undefined ? null : colon.exec(this.#text);
    if (match === null) throw new Unwritable('the start of its value is unknown');
    return from + match[0].length;
  }

  /** Column of the lines below a key or a `-`. */
  #childColumn({ key, dash }: Found, value: JsonValue): number {
    if (key !== undefined) return this.#column(key.start) + (isJsonArray(value) ? this.#style.dash : this.#style.step);
    if (dash !== undefined) return this.#column(dash) + 2;
    throw new Unwritable('the indentation of its value is unknown');
  }

  /** End of the last character with content. An absent value ends at its key. */
  #contentEnd(node: Node): number {
    if (node.kind === 'alias' || node.kind === 'scalar' || node.flow) return node.end;
    const [value, key] =
      node.kind === 'mapping' ? [node.values.at(-1), node.keys.at(-1)] : [node.items.at(-1), undefined];
    const inner = value === undefined ? node.end : this.#contentEnd(value);
    return Math.max(inner, key?.end ?? 0, node.kind === 'sequence' ? (node.dashes.at(-1) ?? 0) + 1 : 0);
  }

  #flow(node: Node, value: JsonValue): string {
    const like = node.kind === 'scalar' && node.style !== 'plain' ? quotesOf(node) : this.#quotesIn(node);
    return isJsonObject(value) || isJsonArray(value)
      ? flowText(value, this.#quotesIn(node))
      : inlineScalar(value, like);
  }

  /** A JSON-style document keeps double quotes everywhere; otherwise new keys follow their neighbours. */
  #quotesIn(node: Node): QuoteStyle {
    if (/^\s*[{[]/.test(this.#text)) return 'double';
    const names = node.kind === 'mapping' ? node.keys : node.kind === 'sequence' ? node.items : [];
    const scalar = names.find((name): name is ScalarNode => name.kind === 'scalar');
    return scalar !== undefined && scalar.style === 'double' ? 'double' : 'plain';
  }

  #isInFlow({ parents }: Found): boolean {
    return parents.some(({ flow }) => flow);
  }

  #column(offset: number): number {
    return offset - this.#lineStart(offset);
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf('\n', offset - 1) + 1;
  }

  #lineEnd(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    return end < 0 ? this.#text.length : end;
  }
}

function flowEntry(key: string, value: JsonValue, like: QuoteStyle): string {
  return `${inlineScalar(key, like)}: ${flowText(value, like)}`;
}

function indexIn(parent: MappingNode | SequenceNode, { key, node }: Found): number {
  return parent.kind === 'mapping' ? parent.keys.indexOf(key as Node) : parent.items.indexOf(node);
}

function isBlockContainer(node: Node): boolean {
  return node.kind !== 'scalar' && node.kind !== 'alias' && !node.flow;
}

function quotesOf({ style }: ScalarNode): QuoteStyle {
  return style === 'single' || style === 'double' ? style : 'plain';
}

/** The style of the first occurrence in the text; two columns if the text shows none. */
function styleOf(root: Node, text: string): WritingStyle {
  let step: number | undefined;
  let dash: number | undefined;
  const column = (offset: number): number => offset - text.lastIndexOf('\n', offset - 1) - 1;
  const open: Node[] = [root];
  for (const node of open) {
    if (step !== undefined && dash !== undefined) break;
    if (node.kind === 'sequence') for (const item of node.items) open.push(item);
    if (node.kind !== 'mapping') continue;
    for (const [index, value] of node.values.entries()) {
      open.push(value);
      const key = node.keys[index] as Node;
      if (value.kind === 'alias' || value.kind === 'scalar' || value.flow || node.flow) continue;
      const indented =
        column(value.kind === 'sequence' ? (value.dashes[0] ?? value.start) : value.start) - column(key.start);
      if (value.kind === 'sequence') dash ??= indented;
      else if (indented > 0) step ??= indented;
    }
  }
  return { step: step ?? 2, dash: Math.max(0, dash ?? step ?? 2) };
}

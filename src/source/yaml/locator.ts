// Finds the nodes of a field path, through aliases and merge keys.

import type { FieldPath } from '../node/field-path.ts';
import type { AliasNode, ContentNode, MappingNode, Node, ScalarNode, SequenceNode } from '../node/node.ts';
import type { SourceRange } from '../text/source-file.ts';
import { type Entry, entriesOf } from '../yaml/entries.ts';

/** The deepest existing node along a path. */
export interface Found {
  /** Number of steps of the path that exist. */
  readonly depth: number;
  /** The key as written, for an entry of a mapping. */
  readonly key: Node | undefined;
  /** Start of the entry: the key, the `-` of an item, otherwise the value. */
  readonly start: number;
  /** The node as written there; possibly an alias. */
  readonly written: Node;
  /** The value after aliases are followed. */
  readonly value: ContentNode;
  /** The aliases followed on the way, outermost first. */
  readonly aliases: readonly AliasNode[];
}

export class Locator {
  readonly #root: Node;
  readonly #entries = new Map<MappingNode, ReadonlyMap<string, Entry>>();

  constructor(root: Node) {
    this.#root = root;
  }

  find(path: FieldPath): Found {
    let found = place(undefined, this.#root.start, this.#root, [], 0);
    for (const step of path) {
      const next = this.#descend(found, step);
      if (next === undefined) return found;
      found = next;
    }
    return found;
  }

  /**
   * The scalar at an offset with its path. The end of the scalar and the blanks after it belong to it. The content of
   * an alias is found at its anchor. `text` is the document's text.
   */
  scalarAt(offset: number, text: string): { readonly path: FieldPath; readonly node: ScalarNode } | undefined {
    const path: (string | number)[] = [];
    let node: Node | undefined = this.#root;
    while (node !== undefined && node.kind !== 'scalar') {
      if (node.kind === 'alias') return undefined;
      const next: Step | undefined = node.kind === 'mapping' ? entryAt(node, offset) : itemAt(node, offset);
      if (next === undefined) return undefined;
      path.push(next.step);
      node = next.node;
    }
    if (node === undefined || offset < node.start) return undefined;
    if (!/^[ \t]*$/.test(text.slice(node.end, offset))) return undefined;
    return { path, node };
  }

  #descend(from: Found, step: string | number): Found | undefined {
    const { value: parent, aliases } = from;
    const depth = from.depth + 1;
    if (parent.kind === 'mapping' && typeof step === 'string') {
      const entry = this.#entriesOf(parent).get(step);
      if (entry === undefined) return undefined;
      return place(entry.key, entry.key.start, entry.value, [...aliases, ...entry.aliases], depth);
    }
    if (parent.kind === 'sequence' && typeof step === 'number') {
      const item = parent.items[step];
      return item && place(undefined, parent.dashes[step] ?? item.start, item, aliases, depth);
    }
    return undefined;
  }

  #entriesOf(mapping: MappingNode): ReadonlyMap<string, Entry> {
    const known = this.#entries.get(mapping);
    if (known !== undefined) return known;
    const entries = entriesOf(mapping);
    this.#entries.set(mapping, entries);
    return entries;
  }
}

interface Step {
  readonly step: string | number;
  readonly node: Node;
}

/** The last entry whose value begins before the offset. */
function entryAt({ keys, values }: MappingNode, offset: number): Step | undefined {
  for (let index = values.length - 1; index >= 0; index--) {
    const [key, node] = [keys[index], values[index]];
    if (key?.kind !== 'scalar' || node === undefined || node.start > offset) continue;
    return { step: key.value, node };
  }
  return undefined;
}

function itemAt({ items }: SequenceNode, offset: number): Step | undefined {
  const index = items.findLastIndex(({ start }) => start <= offset);
  const node = items[index];
  return node && { step: index, node };
}

function place(
  key: Node | undefined,
  start: number,
  written: Node,
  aliases: readonly AliasNode[],
  depth: number,
): Found {
  if (written.kind !== 'alias') return { depth, key, start, written, value: written, aliases };
  return { depth, key, start, written, value: written.target, aliases: [...aliases, written] };
}

/** Range of a found entry, from its key or `-` to the end of its value. */
export function entryRange(found: Found): SourceRange {
  return { start: found.start, end: Math.max(found.key?.end ?? found.start, found.written.end) };
}

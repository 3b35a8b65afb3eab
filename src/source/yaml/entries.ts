// The effective entries of a mapping: for every key the winning pair after duplicates and merge keys.
import type { AliasNode, MappingNode, Node } from '../node/node.ts';
import { isMergeKey, jsonKey } from './key.ts';
import { type GoScalar, resolveScalar } from './resolve.ts';

export interface Entry {
  readonly key: Node;
  readonly value: Node;
  /** The key as Go holds it, before conversion to a string. */
  readonly goKey: GoScalar;
  /** The aliases after `<<` that the pair came through, outermost first. */
  readonly aliases: readonly AliasNode[];
}

interface Work {
  readonly mapping: MappingNode;
  readonly aliases: readonly AliasNode[];
  next: number;
}

/**
 * Pairs by JSON key, in order of first appearance. The winner is go-yaml's: the last pair set, where `<<` sets its
 * pairs at its own position and the first mapping of a list wins. The tree must be decodable.
 */
export function entriesOf(mapping: MappingNode): ReadonlyMap<string, Entry> {
  return entriesBy(mapping, jsonKey);
}

/** Like `entriesOf`, but keyed by Go's notion of equality: 1, 1.0 and "1" are three keys, and each NaN is distinct. */
export function typedEntriesOf(mapping: MappingNode): ReadonlyMap<unknown, Entry> {
  return entriesBy(mapping, (goKey) => (Number.isNaN(goKey) ? Symbol() : goKey));
}

function entriesBy<Key>(mapping: MappingNode, identityOf: (goKey: GoScalar) => Key): ReadonlyMap<Key, Entry> {
  const entries = new Map<Key, Entry>();
  const stack: Work[] = [{ mapping, aliases: [], next: 0 }];
  for (let work = stack.at(-1); work !== undefined; work = stack.at(-1)) {
    const { keys, values } = work.mapping;
    const index = work.next++;
    const key = keys[index];
    const value = values[index];
    if (key === undefined || value === undefined) {
      stack.pop();
      continue;
    }
    if (isMergeKey(key)) {
      // The stack processes the last source first, so the first source of a list overrides the others.
      const sources = value.kind === 'sequence' ? value.items : [value];
      for (const source of sources) pushSource(stack, source, work.aliases);
      continue;
    }
    const goKey = scalarKey(key);
    if (goKey !== undefined) entries.set(identityOf(goKey), { key, value, goKey, aliases: work.aliases });
  }
  return entries;
}

/** The first key of each name that is written in the mapping itself. */
export function entryNames(mapping: MappingNode): ReadonlyMap<string, Node> {
  const names = new Map<string, Node>();
  for (const key of mapping.keys) {
    const goKey = isMergeKey(key) ? undefined : scalarKey(key);
    const name = goKey === undefined ? undefined : jsonKey(goKey);
    if (name !== undefined && !names.has(name)) names.set(name, key);
  }
  return names;
}

function pushSource(stack: Work[], source: Node, aliases: readonly AliasNode[]): void {
  if (source.kind === 'mapping') stack.push({ mapping: source, aliases, next: 0 });
  else if (source.kind === 'alias' && source.target.kind === 'mapping') {
    stack.push({ mapping: source.target, aliases: [...aliases, source], next: 0 });
  }
}

function scalarKey(node: Node): GoScalar | undefined {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind !== 'scalar') return undefined;
  const resolved = resolveScalar(target);
  return 'value' in resolved ? resolved.value : undefined;
}

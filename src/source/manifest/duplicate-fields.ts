// Adds location and field path to keys that are written twice in one mapping.
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { MappingNode, Node } from '../node/node.ts';
import type { DocumentText } from '../text/document-text.ts';
import type { DuplicateKey } from '../yaml/decode.ts';
import { entryNames } from '../yaml/entries.ts';
import type { DuplicateField } from './manifest.ts';

/** `document` translates offsets to the file. JSON trees pass undefined: their offsets are those of the file already. */
export function findDuplicates(
  root: Node,
  duplicates: readonly DuplicateKey[],
  document: DocumentText | undefined,
): readonly DuplicateField[] {
  if (duplicates.length === 0) return [];
  const paths = pathsOf(root, new Set(duplicates.map(({ mapping }) => mapping)));
  const firstKeys = new Map<MappingNode, ReadonlyMap<string, Node>>();
  const toFile = ({ start, end }: Node) => document?.rangeInFile(start, end) ?? { start, end };
  const fields = new Map<Node, DuplicateField>();
  for (const { kind, name, message, mapping, index, isMerged } of duplicates) {
    const firsts = firstKeys.get(mapping) ?? entryNames(mapping);
    firstKeys.set(mapping, firsts);
    const key = mapping.keys[index] as Node;
    const first = firsts.get(name);
    const firstRange = first === undefined || first === key ? undefined : toFile(first);
    const path = [...(paths.get(mapping) ?? []), name];
    // A mapping reached through several aliases has one duplicate for each alias, but is written only once.
    if (fields.has(key)) continue;
    const text = document === undefined ? `duplicate field ${goQuoteBytes(jsonPath(path))}` : message;
    fields.set(key, { path, kind, message: text, range: toFile(key), firstRange, isMerged });
  }
  return [...fields.values()].sort((a, b) => a.range.start - b.range.start);
}

/** Paths of the wanted mappings where they are written. A mapping under a key that is a collection has no path. */
function pathsOf(root: Node, wanted: ReadonlySet<MappingNode>): ReadonlyMap<MappingNode, FieldPath> {
  const paths = new Map<MappingNode, FieldPath>();
  const parents = new Map<Node, { readonly node: Node; readonly step: string | number }>();
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'mapping') {
      if (wanted.has(node)) paths.set(node, pathTo(node, parents));
      for (let index = 0; index < node.values.length; index++) {
        const child = node.values[index] as Node;
        const key = node.keys[index] as Node;
        parents.set(child, { node, step: key.kind === 'scalar' ? key.value : '' });
        stack.push(child);
      }
    } else if (node.kind === 'sequence') {
      for (const [step, child] of node.items.entries()) {
        parents.set(child, { node, step });
        stack.push(child);
      }
    }
  }
  return paths;
}

function pathTo(
  node: Node,
  parents: ReadonlyMap<Node, { readonly node: Node; readonly step: string | number }>,
): FieldPath {
  const path: (string | number)[] = [];
  for (let parent = parents.get(node); parent !== undefined; parent = parents.get(parent.node))
    path.unshift(parent.step);
  return path;
}

/** Formats a path as sigs.k8s.io/json does: keys are not quoted. */
function jsonPath(path: FieldPath): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

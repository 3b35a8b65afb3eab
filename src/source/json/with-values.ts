// Replaces fields of a JSON value.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

interface Replacement {
  readonly path: FieldPath;
  readonly leaf: JsonValue;
}

/** A copy with other values at the paths, which shares the rest. Paths that do not exist are ignored. Copies each container once. */
export function withValues(value: JsonValue, replacements: readonly Replacement[]): JsonValue {
  const root: Node = { below: new Map(), leaf: undefined };
  for (const { path, leaf } of replacements) {
    let node = root;
    for (const step of path) {
      const next: Node = node.below.get(step) ?? { below: new Map(), leaf: undefined };
      node.below.set(step, next);
      node = next;
    }
    node.leaf = leaf;
  }
  return replaced(value, root);
}

interface Node {
  readonly below: Map<string | number, Node>;
  leaf: JsonValue | undefined;
}

function replaced(value: JsonValue, { below, leaf }: Node): JsonValue {
  if (leaf !== undefined) return leaf;
  if (below.size === 0) return value;
  if (isJsonArray(value)) {
    const copy = [...value];
    for (const [step, node] of below) {
      const item = typeof step === 'number' ? value[step] : undefined;
      if (item !== undefined) copy[step as number] = replaced(item, node);
    }
    return copy;
  }
  if (!isJsonObject(value)) return value;
  const copy = new Map(value);
  for (const [step, node] of below) {
    const item = value.get(String(step));
    if (item !== undefined) copy.set(String(step), replaced(item, node));
  }
  return copy;
}

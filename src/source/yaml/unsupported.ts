// Finds values in a decoded document that JSON cannot hold: null and uint64 keys, infinities, NaN.
import type { AliasNode, Node } from '../node/node.ts';
import { entriesOf } from './entries.ts';
import { goSyntax, scalarGoSyntax } from './go-syntax.ts';
import { isSupportedKey } from './key.ts';
import { resolveScalar } from './resolve.ts';

export interface Unsupported {
  /** The error of sigs.k8s.io/yaml or of Go's JSON encoder. */
  readonly problem: string;
  readonly node: Node;
}

/**
 * The error that Kubernetes reports: a key error precedes a number error. Among several of one kind, Go reports a
 * random one because its maps are unordered; this function reports the first in the text.
 */
export function findUnsupported(root: Node): Unsupported | undefined {
  let number: Unsupported | undefined;
  const stack: (Node | AliasNode)[] = [root];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const node = item.kind === 'alias' ? item.target : item;
    if (node.kind === 'sequence') {
      for (let index = node.items.length - 1; index >= 0; index--) stack.push(node.items[index] as Node);
    } else if (node.kind === 'mapping') {
      const entries = [...entriesOf(node).values()];
      for (const { key, goKey, value } of entries) {
        if (isSupportedKey(goKey)) continue;
        const type = goKey === null ? '%!s(<nil>)' : 'uint64';
        const name = scalarGoSyntax(goKey);
        return { problem: `unsupported map key of type: ${type}, key: ${name}, value: ${goSyntax(value)}`, node: key };
      }
      for (const { value } of entries.reverse()) stack.push(value);
    } else {
      const resolved = resolveScalar(node);
      if (number !== undefined || !('value' in resolved) || typeof resolved.value !== 'number') continue;
      if (Number.isFinite(resolved.value)) continue;
      const name = Number.isNaN(resolved.value) ? 'NaN' : resolved.value > 0 ? '+Inf' : '-Inf';
      number = { problem: `json: unsupported value: ${name}`, node: item };
    }
  }
  return number;
}

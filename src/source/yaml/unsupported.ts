// Finds what a decoded document holds that JSON cannot: null and uint64 keys, infinities, NaN.
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
 * The error Kubernetes gives: that of a key comes before that of a number. Where there are several of a sort, Go names
 * any key, as the order of its maps is random; here it is the first that is written.
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

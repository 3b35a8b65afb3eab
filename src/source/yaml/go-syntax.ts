// Formats values like Go's `%#v`, which go-yaml and sigs.k8s.io/yaml use for keys in error messages.
import { formatFloatGo } from '../../go/strconv/number.ts';
import { goQuoteBytes } from '../../go/strconv/quote.ts';
import { compareUtf8 } from '../json/json.ts';
import type { Node } from '../node/node.ts';
import { type Entry, typedEntriesOf } from './entries.ts';
import { type GoScalar, resolveScalar } from './resolve.ts';

/** Aliases can make a small document expand enormously, so the output stops at this many characters. */
const MAX_LENGTH = 1 << 20;

export function scalarGoSyntax(value: GoScalar): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return goQuoteBytes(value);
  if (typeof value === 'number') return formatFloatGo(value);
  if (typeof value === 'bigint' && value >= 2n ** 63n) return `0x${value.toString(16)}`;
  return String(value);
}

/** Formats a tree, which must be decodable. */
export function goSyntax(root: Node): string {
  let text = '';
  const stack: (string | Node)[] = [root];
  for (let item = stack.pop(); item !== undefined && text.length < MAX_LENGTH; item = stack.pop()) {
    if (typeof item === 'string') {
      text += item;
      continue;
    }
    const node = item.kind === 'alias' ? item.target : item;
    if (node.kind === 'scalar') {
      const resolved = resolveScalar(node);
      const value = 'value' in resolved ? resolved.value : null;
      text += value === null && item !== root ? 'interface {}(nil)' : scalarGoSyntax(value);
    } else if (node.kind === 'sequence') {
      text += '[]interface {}{';
      stack.push('}');
      for (let index = node.items.length - 1; index >= 0; index--) {
        stack.push(node.items[index] as Node);
        if (index > 0) stack.push(', ');
      }
    } else {
      text += 'map[interface {}]interface {}{';
      stack.push('}');
      const entries = [...typedEntriesOf(node).values()].sort(compareKeys);
      for (let index = entries.length - 1; index >= 0; index--) {
        const { goKey, value } = entries[index] as Entry;
        stack.push(value, `${goKey === null ? 'interface {}(nil)' : scalarGoSyntax(goKey)}:`);
        if (index > 0) stack.push(', ');
      }
    }
  }
  return text;
}

/** Go's `fmt` sorts map keys: by type in Go 1.26's type order, then by value. */
function compareKeys(a: Entry, b: Entry): number {
  const left = a.goKey;
  const right = b.goKey;
  const byType = typeOrder(left) - typeOrder(right);
  if (byType !== 0 || left === null || right === null) return byType;
  if (typeof left === 'string' && typeof right === 'string') return compareUtf8(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

function typeOrder(key: GoScalar): number {
  if (key === null) return 0;
  if (typeof key === 'string') return 1;
  if (typeof key === 'bigint') return key >= 2n ** 63n ? 2 : 3;
  return typeof key === 'number' ? 4 : 5;
}

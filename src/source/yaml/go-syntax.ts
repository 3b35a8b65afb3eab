// Values as Go's `%#v` prints them, which is how go-yaml and sigs.k8s.io/yaml name a key they refuse.
import { quoteGo } from '../go-quote.ts';
import type { Node } from '../node.ts';
import { type Entry, entriesOf } from './entries.ts';
import { formatFloatGo } from './go-number.ts';
import { type GoScalar, resolveScalar } from './resolve.ts';

/** Aliases can make a small document print as a huge one; beyond this many characters nothing more is added. */
const MAX_LENGTH = 1 << 20;

export function scalarGoSyntax(value: GoScalar): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quoteGo(value);
  if (typeof value === 'number') return formatFloatGo(value);
  if (typeof value === 'bigint' && value >= 2n ** 63n) return `0x${value.toString(16)}`;
  return String(value);
}

/** A whole tree; it has to be one that decodes. */
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
      const entries = [...entriesOf(node).values()].sort(compareKeys);
      for (let index = entries.length - 1; index >= 0; index--) {
        const { goKey, value } = entries[index] as Entry;
        stack.push(value, `${goKey === null ? 'interface {}(nil)' : scalarGoSyntax(goKey)}:`);
        if (index > 0) stack.push(', ');
      }
    }
  }
  return text;
}

/** `fmt` sorts the keys of a map: null first, values of one type by size; how types sort is not defined. */
function compareKeys(a: Entry, b: Entry): number {
  const left = a.goKey;
  const right = b.goKey;
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  if (typeof left !== typeof right) return typeof left < typeof right ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

// Formats values like Go's `%v`, for Kyverno's error messages.
import { formatDouble } from '../../../go/strconv/float-text.ts';
import { compareUtf8, isJsonArray, isJsonObject } from '../../../source/json/json.ts';
import { ExpressionReference, type SearchValue } from './search-value.ts';
import type { SyntaxNode } from './syntax.ts';

/** Longer texts are cut. Kyverno's own messages are never this long. */
const MAX_TEXT = 1 << 20;

/** `map[a:1 b:[x y]]`, `<nil>`, `1e+06`. */
export function valueText(value: SearchValue): string {
  const parts: string[] = [];
  let length = 0;
  const write = (some: SearchValue): void => {
    if (length > MAX_TEXT) return;
    if (isJsonArray(some as never)) {
      parts.push('[');
      (some as readonly SearchValue[]).forEach((item, index) => {
        if (index > 0) parts.push(' ');
        write(item);
      });
      parts.push(']');
    } else if (isJsonObject(some as never)) {
      const members = some as ReadonlyMap<string, SearchValue>;
      parts.push('map[');
      [...members.keys()].sort(compareUtf8).forEach((key, index) => {
        parts.push(index > 0 ? ' ' : '', key, ':');
        write(members.get(key) as SearchValue);
      });
      parts.push(']');
    } else {
      const text = scalarText(some);
      length += text.length;
      parts.push(text);
    }
  };
  write(value);
  return parts.join('');
}

function scalarText(value: SearchValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return formatDouble(value);
  return value instanceof ExpressionReference ? `{${nodeText(value.node)}}` : String(value);
}

/** Numbers of the node kinds in kyverno/go-jmespath (`parser.go`). `%v` prints them for expression references. */
const NODE_NUMBERS: Readonly<Record<SyntaxNode['kind'], number>> = {
  empty: 0,
  comparator: 1,
  current: 2,
  reference: 3,
  call: 4,
  field: 5,
  filter: 6,
  flatten: 7,
  identity: 8,
  index: 9,
  indexExpression: 10,
  literal: 12,
  hash: 13,
  list: 14,
  or: 15,
  and: 16,
  not: 17,
  pipe: 18,
  projection: 19,
  subexpression: 20,
  slice: 21,
  valueProjection: 22,
};
const COMPARISON_NUMBERS = { '<': 18, '<=': 19, '>': 20, '>=': 21, '==': 22, '!=': 23 } as const;

/** A node, printed as the Go struct: kind number, value, children. */
function nodeText(node: SyntaxNode): string {
  const number = NODE_NUMBERS[node.kind];
  const show = (value: string, ...children: readonly SyntaxNode[]): string =>
    `{${number} ${value} [${children.map(nodeText).join(' ')}]}`;
  switch (node.kind) {
    case 'comparator':
      return show(String(COMPARISON_NUMBERS[node.operator]), node.left, node.right);
    case 'reference':
    case 'not':
    case 'flatten':
      return show('<nil>', node.operand);
    case 'call':
      return show(node.name ?? '<nil>', ...node.operands);
    case 'field':
      return show(node.name);
    case 'index':
      return show(String(node.index));
    case 'literal':
      return show(valueText(node.value));
    case 'hash':
      return `{${number} <nil> [${node.entries.map(([key, value]) => `{11 ${key} [${nodeText(value)}]}`).join(' ')}]}`;
    case 'list':
      return show('<nil>', ...node.operands);
    case 'or':
    case 'and':
    case 'pipe':
    case 'subexpression':
    case 'indexExpression':
    case 'projection':
    case 'valueProjection':
      return show('<nil>', node.left, node.right);
    case 'filter':
      return show('<nil>', node.left, node.right, ...(node.condition === undefined ? [] : [node.condition]));
    default:
      return show('<nil>');
  }
}

// Prints trees like cel-go's `common/debug`, with a remark after every node.
import type { ComprehensionExpr, Expr } from '../../src/cel/syntax/ast.ts';
import { Bytes, Uint } from '../../src/cel/value/scalar.ts';
import { goQuote } from '../../src/go/strconv/quote.ts';

/** `entry`: an entry of a map or struct literal. */
export type Adorn = (node: Expr | 'entry') => string;

/** cel-go's debug tests print the protobuf type of every node. */
export const kindRemark: Adorn = (node) => {
  if (node === 'entry') return '^#*expr.Expr_CreateStruct_Entry#';
  return `^#*expr.${node.kind === 'literal' ? constantKind(node.value) : EXPR_KINDS[node.kind]}#`;
};

const EXPR_KINDS: Readonly<Record<Exclude<Expr['kind'], 'literal'>, string>> = {
  ident: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  comprehension: 'Expr_ComprehensionExpr',
};

function constantKind(value: null | boolean | bigint | number | string | Uint | Bytes): string {
  if (value === null) return 'Constant_NullValue';
  if (value instanceof Uint) return 'Constant_Uint64Value';
  if (value instanceof Bytes) return 'Constant_BytesValue';
  const names: Record<string, string> = { boolean: 'Bool', bigint: 'Int64', number: 'Double', string: 'String' };
  return `Constant_${names[typeof value]}Value`;
}

export function debugString(expr: Expr, adorn: Adorn): string {
  return `${bare(expr, adorn)}${adorn(expr)}`;
}

function bare(expr: Expr, adorn: Adorn): string {
  const show = (child: Expr): string => debugString(child, adorn);
  switch (expr.kind) {
    case 'literal':
      return literal(expr.value);
    case 'ident':
      return expr.name;
    case 'select':
      return `${show(expr.operand)}.${expr.field}${expr.testOnly ? '~test-only~' : ''}`;
    case 'call': {
      const target = expr.target === undefined ? '' : `${show(expr.target)}.`;
      return `${target}${expr.function}(${lines(expr.args.map(show))})`;
    }
    case 'list':
      return `[${lines(expr.elements.map(show))}]`;
    case 'map': {
      const entries = expr.entries.map(
        ({ key, value, optional }) => `${optional ? '?' : ''}${show(key)}:${show(value)}${adorn('entry')}`,
      );
      return `{${lines(entries)}}`;
    }
    case 'struct': {
      const fields = expr.fields.map(
        ({ name, value, optional }) => `${optional ? '?' : ''}${name}:${show(value)}${adorn('entry')}`,
      );
      return `${expr.typeName}{${lines(fields)}}`;
    }
    case 'comprehension':
      return comprehension(expr, show);
  }
}

function comprehension(expr: ComprehensionExpr, show: (child: Expr) => string): string {
  const parts = [
    `// Variable\n${expr.iterVar}`,
    `// Target\n${show(expr.iterRange)}`,
    `// Accumulator\n${expr.accuVar}`,
    `// Init\n${show(expr.accuInit)}`,
    `// LoopCondition\n${show(expr.loopCondition)}`,
    `// LoopStep\n${show(expr.loopStep)}`,
    `// Result\n${show(expr.result)}`,
  ];
  return `__comprehension__(\n${indent(parts.join(',\n'))})`;
}

function lines(items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${indent(items.join(',\n'))}\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function literal(value: null | boolean | bigint | number | string | Uint | Bytes): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return double(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Bytes) return `b${goQuote(new TextDecoder().decode(value.data))}`;
  return String(value);
}

/** Go's `%v`, except for the threshold between the two notations. */
function double(value: number): string {
  return Math.abs(value) < 1e6 ? String(value) : value.toExponential().replace(/e\+(\d)$/, 'e+0$1');
}

// Formats the answer of an expression as lines of text: type, value, cost, and the trace.
import type { Expr } from '../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../cel/syntax/children.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import { type ExpressionAnswer, type ObservedAnswer, tagValue } from './answer.ts';

/** Adds the evaluated parts if the answer has a trace. */
export function describeAnswer(answer: ObservedAnswer, expression: string): readonly string[] {
  const lines = describeResult(answer);
  return answer.trace === undefined ? lines : [...lines, '', ...describeTrace(answer.trace, answer, expression)];
}

function describeResult(answer: ExpressionAnswer): string[] {
  if (answer.compileError !== undefined) return [answer.compileError];
  const rows: [string, string | undefined][] = [
    ['type', answer.type],
    ['value', answer.value === undefined ? undefined : JSON.stringify(answer.value)],
    ['error', answer.error ?? answer.programError],
    ['cost', answer.cost?.toString()],
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(6)} ${text}`]));
}

const MAX_TRACE_LINES = 200;
const MAX_VALUE_LENGTH = 60;

/** Each evaluated part of the expression, indented under its parent, with type and value. */
function describeTrace(trace: TraceEvent, { ast }: ObservedAnswer, expression: string): string[] {
  if (ast === undefined) return [];
  const characters = [...expression];
  const places = new Map<number, Expr>();
  visitPostOrder(ast.expr, (node) => places.set(node.id, node));
  const lines: string[] = [];
  const describe = (event: TraceEvent, depth: number, outer: string): void => {
    const place = places.get(event.nodeId);
    const text = place === undefined ? '' : characters.slice(place.start, place.end).join('').replace(/\s+/g, ' ');
    const isOwn = text !== '' && text !== outer;
    if (isOwn) {
      const value = JSON.stringify(tagValue(event.value)) ?? '';
      const shown = value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
      lines.push(`${'  '.repeat(depth)}${text}  ${ast.types.get(event.nodeId) ?? ''}  ${shown}`);
    }
    for (const child of event.children) describe(child, depth + (isOwn ? 1 : 0), isOwn ? text : outer);
  };
  describe(trace, 0, '');
  if (lines.length <= MAX_TRACE_LINES) return lines;
  return [...lines.slice(0, MAX_TRACE_LINES), `… ${lines.length - MAX_TRACE_LINES} more`];
}

// The evaluated parts of an expression, each with its text and value, for display.
import type { CheckedAst } from '../../cel/check/checked-ast.ts';
import type { Expr } from '../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../cel/syntax/children.ts';
import { isMap } from '../../cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../cel/value/scalar.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import { ErrorValue, OpaqueValue, Optional, StructValue, TypeValue, type Value } from '../../cel/value/value.ts';
import { tagValue } from './answer.ts';
import { JsonPatchValue } from './mutation-types.ts';

/** A part of an expression with its value. Parts that were not evaluated are absent. */
export interface ObservedValue {
  /** The source text on one line; `name = element` for a step of a comprehension. */
  readonly text: string;
  /** JSON if the value has a JSON form; long values are truncated. */
  readonly value: string;
  readonly isError: boolean;
  readonly parts: readonly ObservedValue[];
}

export interface ObservedText {
  readonly expression: string;
  readonly ast: CheckedAst;
}

/** Limits for readable output. */
const MAX_PARTS = 200;
const MAX_TEXT_LENGTH = 200;
const MAX_VALUE_LENGTH = 80;

/** `variable` returns the expression of a policy variable; its parts are listed at the first use only. */
export function observedValue(
  observed: ObservedText & { readonly trace: TraceEvent },
  variable: (name: string) => ObservedText | undefined,
): ObservedValue {
  const reader = new TraceReader(variable);
  const [whole] = reader.parts(observed.trace, new PlacedNodes(observed), new Set());
  return whole ?? { text: oneLine(observed.expression), ...shown(observed.trace.value), parts: [] };
}

/** Maps the AST nodes of one expression to its text. */
class PlacedNodes {
  readonly #characters: readonly string[];
  readonly #byId = new Map<number, Expr>();

  constructor({ expression, ast }: ObservedText) {
    this.#characters = [...expression];
    visitPostOrder(ast.expr, (node) => this.#byId.set(node.id, node));
  }

  node(id: number): Expr | undefined {
    return this.#byId.get(id);
  }

  textOf(node: Expr): string {
    return oneLine(this.#characters.slice(node.start, node.end).join(''));
  }
}

class TraceReader {
  readonly #variable: (name: string) => ObservedText | undefined;
  readonly #printed = new Set<string>();
  #left = MAX_PARTS;

  constructor(variable: (name: string) => ObservedText | undefined) {
    this.#variable = variable;
  }

  /**
   * `around`: texts of the enclosing parts. Macro expansions have no source text, so only their parts are listed. In a
   * chain of fields, only the last field is listed.
   */
  parts(event: TraceEvent, nodes: PlacedNodes, around: ReadonlySet<string>): readonly ObservedValue[] {
    const node = nodes.node(event.nodeId);
    const inner = (within: ReadonlySet<string>): readonly ObservedValue[] => [
      ...this.#ofVariable(event),
      ...event.children.flatMap((child) => this.parts(child, nodes, within)),
    ];
    if (event.element !== undefined) {
      if (this.#left-- <= 0) return [];
      const { key, value } = event.element;
      return [{ text: `[${shown(key).value}] ${shown(value).value}`, ...shown(event.value), parts: inner(around) }];
    }
    if (node === undefined || node.kind === 'literal' || node.kind === 'ident') return inner(around);
    const text = nodes.textOf(node);
    if (text === '' || around.has(text)) return inner(around);
    if (this.#left-- <= 0) return [];
    const isField = node.kind === 'select' && !node.testOnly;
    const parts = isField ? this.#beyondFields(event, nodes) : inner(new Set([...around, text]));
    return [{ text, ...shown(event.value), parts }];
  }

  /** The parts before a chain of fields, unless they are plain names; and the variables in it. */
  #beyondFields(event: TraceEvent, nodes: PlacedNodes): readonly ObservedValue[] {
    const own = this.#ofVariable(event);
    const operands = event.children.flatMap((child) => {
      const kind = nodes.node(child.nodeId)?.kind;
      return kind === 'select' || kind === 'ident'
        ? this.#beyondFields(child, nodes)
        : this.parts(child, nodes, new Set());
    });
    return [...own, ...operands];
  }

  #ofVariable({ variable }: TraceEvent): readonly ObservedValue[] {
    if (variable === undefined || this.#printed.has(variable.name)) return [];
    const text = this.#variable(variable.name);
    if (text === undefined) return [];
    this.#printed.add(variable.name);
    return this.parts(variable.event, new PlacedNodes(text), new Set());
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}

function shown(value: Value): Pick<ObservedValue, 'value' | 'isError'> {
  if (value instanceof ErrorValue) return { value: `error: ${oneLine(value.message)}`, isError: true };
  const text = writeValue(value, MAX_VALUE_LENGTH);
  return { value: text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text, isError: false };
}

/** Stops shortly after `room` characters, because an object may be large. */
function writeValue(value: Value, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1));
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return writeItems('[', value.values(), ']', room, (item) => writeValue(item, room));
  if (isMap(value)) {
    const entry = ([key, item]: readonly [Value, Value]): string =>
      `${writeValue(key, room)}: ${writeValue(item, room)}`;
    return writeItems('{', value.entries(), '}', room, entry);
  }
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional.of(${writeValue(value.value, room)})`;
  if (value instanceof TypeValue) return String(value.type);
  if (value instanceof StructValue) return writeMessage(value.type.name, value.fields, room);
  if (value instanceof JsonPatchValue) {
    const { op, from, path } = value;
    const fields = Object.entries({ op, from, path, value: value.value }).filter(([, field]) => (field ?? '') !== '');
    return writeMessage('JSONPatch', fields as [string, Value][], room);
  }
  if (
    value instanceof Bytes ||
    value instanceof Duration ||
    value instanceof Timestamp ||
    value instanceof OpaqueValue
  ) {
    return scalarText(tagValue(value));
  }
  return '…';
}

function writeMessage(type: string, fields: Iterable<readonly [string, Value]>, room: number): string {
  return writeItems(`${type}{`, fields, '}', room, ([name, field]) => `${name}: ${writeValue(field, room)}`);
}

function writeItems<Item>(
  open: string,
  items: Iterable<Item>,
  close: string,
  room: number,
  write: (item: Item) => string,
): string {
  let text = open;
  for (const item of items) {
    if (text.length > room) return `${text}…`;
    text += `${text === open ? '' : ', '}${write(item)}`;
  }
  return text + close;
}

/** The only value of an object like `{"quantity": "12Mi"}`. */
function scalarText(tagged: unknown): string {
  const [text] = Object.values(tagged as Record<string, unknown>);
  return String(text);
}

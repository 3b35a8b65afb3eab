// A location in an expression that is being edited, with its context: the operand before the dot, and the variables of surrounding macros.
import { DYN, INT, type Type } from '../check/type.ts';
import type { Environment } from '../environment.ts';
import { Token } from '../syntax/token.ts';
import {
  type OpenCall,
  openCalls,
  operandEnding,
  type TextRange,
  type WrittenToken,
  writtenTokens,
} from './written-tokens.ts';

/** Longer expressions take too long to compile while the user waits. */
const MAX_LENGTH = 20_000;

export interface ExpressionCursor {
  readonly text: string;
  readonly tokens: readonly WrittenToken[];
  /** Index of the token at the location, or of the next token. */
  readonly index: number;
  /** The name at the location; an empty range if there is none. */
  readonly name: TextRange;
  /** The operand before the dot; undefined if there is no dot. */
  readonly operand: TextRange | undefined;
  readonly isAfterDot: boolean;
  /** True inside a string or number, which cannot contain a name. */
  readonly isInLiteral: boolean;
  /** Outermost first. */
  readonly calls: readonly OpenCall[];
}

/** `offset` in UTF-16 units. */
export function cursorAt(text: string, offset: number): ExpressionCursor {
  const tokens = writtenTokens(text);
  const touching = tokens.findIndex(({ start, end, type }) =>
    isName(type) ? start <= offset && offset <= end : start < offset && offset < end,
  );
  const next = tokens.findIndex(({ start }) => start >= offset);
  const index = touching >= 0 ? touching : next < 0 ? tokens.length : next;
  const token = touching < 0 ? undefined : tokens[touching];
  const isNamed = token !== undefined && isName(token.type);
  const before =
    tokens[index - 1]?.type === Token.QUESTION && tokens[index - 2]?.type === Token.DOT ? index - 2 : index - 1;
  const isAfterDot = tokens[before]?.type === Token.DOT && (tokens[before]?.end ?? 0) <= offset;
  return {
    text,
    tokens,
    index,
    name: isNamed ? token : { start: offset, end: offset },
    operand: isAfterDot ? operandEnding(tokens, before - 1) : undefined,
    isAfterDot,
    isInLiteral: token !== undefined && !isNamed,
    calls: openCalls(text, tokens, index),
  };
}

function isName(type: number): boolean {
  return (
    type === Token.IDENTIFIER || type === Token.IN || type === Token.TRUE || type === Token.FALSE || type === Token.NULL
  );
}

/** Adds the variables of the macros around the location to the environment, with their types. */
export function environmentAt({ text, calls }: ExpressionCursor, environment: Environment): Environment {
  let inner = environment;
  for (const { name, receiver, argument, names } of calls) {
    if (receiver === undefined || argument === 0 || !COMPREHENSIONS.has(name)) continue;
    const of = typeOfText(text.slice(receiver.start, receiver.end), inner);
    const types = of === undefined ? [] : elementTypes(of);
    const [first, second] = names.slice(0, argument);
    if (first === undefined) continue;
    const isPair = second !== undefined && argument > 1 && PAIRS.has(name);
    const [key, value] = types;
    const own = of?.kind === 'map' ? key : value;
    const variables = isPair ? [variable(first, key), variable(second, value)] : [variable(first, own)];
    inner = inner.extend({ variables });
  }
  return inner;
}

function variable(name: string, type: Type | undefined): { name: string; type: Type } {
  return { name, type: type ?? DYN };
}

/** Types of the first and second variable of a two-variable macro. */
function elementTypes(type: Type): readonly Type[] {
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return [INT, first];
  if (type.kind === 'map' && first !== undefined && second !== undefined) return [first, second];
  return [];
}

/** Undefined if the text does not compile. */
export function typeOfText(text: string, environment: Environment): Type | undefined {
  return text.length > MAX_LENGTH ? undefined : environment.compile(text).ast?.outputType;
}

const COMPREHENSIONS: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'sortBy',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);
const PAIRS: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

// Parses a JMESPath query: a Pratt parser with the binding powers of kyverno/go-jmespath (`parser.go`).
import { goQuote } from '../../../go/strconv/quote.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import { asDoubles } from './as-doubles.ts';
import { type QueryToken, type QueryTokenKind, tokenize } from './lexer.ts';
import { QueryError, syntaxError } from './query-error.ts';
import { functionNameOf, type QueryComparison, type SliceParts, type SyntaxNode, syntaxNode } from './syntax.ts';

/** Other kinds have binding power 0. */
const BINDING_POWERS: Readonly<Partial<Record<QueryTokenKind, number>>> = {
  tPipe: 1,
  tOr: 2,
  tAnd: 3,
  tEQ: 5,
  tLT: 5,
  tLTE: 5,
  tGT: 5,
  tGTE: 5,
  tNE: 5,
  tFlatten: 9,
  tStar: 20,
  tFilter: 21,
  tDot: 40,
  tNot: 45,
  tLbrace: 50,
  tLbracket: 55,
  tLparen: 60,
};
const PIPE = 1;
const OR = 2;
const AND = 3;
const FLATTEN = 9;
const STAR = 20;
const FILTER = 21;
const DOT = 40;
const NOT = 45;

const COMPARISONS: Readonly<Partial<Record<QueryTokenKind, QueryComparison>>> = {
  tEQ: '==',
  tNE: '!=',
  tGT: '>',
  tGTE: '>=',
  tLT: '<',
  tLTE: '<=',
};

/** Handwritten queries nest about ten levels. The stack allows many more than this limit. */
const MAX_NESTING = 200;
const MAX_DEPTH = 1000;
const MAX_LENGTH = 1 << 20;
const TOO_DEEP = 'the query is nested too deeply to be evaluated';

const IDENTITY = syntaxNode({ kind: 'identity' });
const CURRENT = syntaxNode({ kind: 'current' });
const EMPTY = syntaxNode({ kind: 'empty' });

export function parseQuery(query: string): SyntaxNode | QueryError {
  if (query.length > MAX_LENGTH) return new QueryError('the query is too long to be evaluated', 0, true);
  const tokens = tokenize(query);
  if (tokens instanceof QueryError) return tokens;
  try {
    return new Parser(tokens).parse();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Throws `QueryError`, which this file always catches. */
class Parser {
  readonly #tokens: readonly QueryToken[];
  #index = 0;
  #nesting = 0;

  constructor(tokens: readonly QueryToken[]) {
    this.#tokens = tokens;
  }

  parse(): SyntaxNode {
    const parsed = this.#expression(0);
    if (this.#current !== 'tEOF') this.#fail(`Unexpected token at the end of the expression: ${this.#current}`);
    return parsed;
  }

  get #token(): QueryToken {
    return this.#tokenAt(0);
  }

  get #current(): QueryTokenKind {
    return this.#token.kind;
  }

  #tokenAt(ahead: number): QueryToken {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)] as QueryToken;
  }

  #fail(message: string): never {
    throw syntaxError(message, this.#token.offset);
  }

  #match(kind: QueryTokenKind): void {
    if (this.#current !== kind) this.#fail(`Expected ${kind}, received: ${this.#current}`);
    this.#index++;
  }

  #expression(bindingPower: number): SyntaxNode {
    const first = this.#token;
    if (++this.#nesting > MAX_NESTING) throw new QueryError(TOO_DEEP, first.offset, true);
    this.#index++;
    let left = this.#prefix(first);
    while (bindingPower < powerOf(this.#current)) {
      const { kind, offset } = this.#token;
      this.#index++;
      left = this.#infix(kind, left);
      if (left.depth > MAX_DEPTH) throw new QueryError(TOO_DEEP, offset, true);
    }
    this.#nesting--;
    return left;
  }

  #prefix(token: QueryToken): SyntaxNode {
    switch (token.kind) {
      case 'tJSONLiteral':
        return syntaxNode({ kind: 'literal', value: readLiteral(token) });
      case 'tStringLiteral':
        return syntaxNode({ kind: 'literal', value: token.text });
      case 'tUnquotedIdentifier':
        return syntaxNode({ kind: 'field', name: token.text });
      case 'tQuotedIdentifier':
        if (this.#current === 'tLparen') {
          throw syntaxError("Can't have quoted identifier as function Name.", token.offset);
        }
        return syntaxNode({ kind: 'field', name: token.text });
      case 'tStar': {
        const right = this.#current === 'tRbracket' ? IDENTITY : this.#projected(STAR);
        return syntaxNode({ kind: 'valueProjection', left: IDENTITY, right }, right);
      }
      case 'tFilter':
        return this.#filter(IDENTITY);
      case 'tLbrace':
        return this.#hash();
      case 'tFlatten':
        return this.#flatten(IDENTITY);
      case 'tLbracket':
        return this.#bracketFirst();
      case 'tCurrent':
        return CURRENT;
      case 'tExpref': {
        const operand = this.#expression(0);
        return syntaxNode({ kind: 'reference', operand }, operand);
      }
      case 'tNot': {
        const operand = this.#expression(NOT);
        return syntaxNode({ kind: 'not', operand }, operand);
      }
      case 'tLparen': {
        const expression = this.#expression(0);
        this.#match('tRparen');
        return expression;
      }
      case 'tEOF':
        throw syntaxError('Incomplete expression', token.offset);
      default:
        throw syntaxError(`Invalid token: ${token.kind}`, token.offset);
    }
  }

  #infix(kind: QueryTokenKind, left: SyntaxNode): SyntaxNode {
    const operator = COMPARISONS[kind];
    if (operator !== undefined) {
      const right = this.#expression(powerOf(kind));
      return syntaxNode({ kind: 'comparator', operator, left, right }, left, right);
    }
    switch (kind) {
      case 'tDot': {
        if (this.#current !== 'tStar') return this.#binary('subexpression', left, this.#afterDot(DOT));
        this.#index++;
        return this.#binary('valueProjection', left, this.#projected(DOT));
      }
      case 'tPipe':
        return this.#binary('pipe', left, this.#expression(PIPE));
      case 'tOr':
        return this.#binary('or', left, this.#expression(OR));
      case 'tAnd':
        return this.#binary('and', left, this.#expression(AND));
      case 'tLparen':
        return this.#call(left);
      case 'tFilter':
        return this.#filter(left);
      case 'tFlatten':
        return this.#flatten(left);
      case 'tLbracket': {
        if (this.#current === 'tNumber' || this.#current === 'tColon') {
          return this.#projectIfSlice(left, this.#indexOrSlice());
        }
        this.#match('tStar');
        this.#match('tRbracket');
        return this.#binary('projection', left, this.#projected(STAR));
      }
      default:
        return this.#fail(`Unexpected token: ${kind}`);
    }
  }

  #binary(
    kind: 'or' | 'and' | 'pipe' | 'subexpression' | 'indexExpression' | 'projection' | 'valueProjection',
    left: SyntaxNode,
    right: SyntaxNode,
  ): SyntaxNode {
    return syntaxNode({ kind, left, right }, left, right);
  }

  /** Commas are optional, as in Kyverno. */
  #call(left: SyntaxNode): SyntaxNode {
    const operands: SyntaxNode[] = [];
    while (this.#current !== 'tRparen') {
      operands.push(this.#expression(0));
      if (this.#current === 'tComma') this.#index++;
    }
    this.#match('tRparen');
    return syntaxNode({ kind: 'call', name: functionNameOf(left), operands }, ...operands);
  }

  #flatten(operand: SyntaxNode): SyntaxNode {
    const flattened = syntaxNode({ kind: 'flatten', operand }, operand);
    return this.#binary('projection', flattened, this.#projected(FLATTEN));
  }

  #filter(left: SyntaxNode): SyntaxNode {
    const condition = this.#expression(0);
    this.#match('tRbracket');
    const right = this.#current === 'tFlatten' ? IDENTITY : this.#projected(FILTER);
    return syntaxNode({ kind: 'filter', left, right, condition }, left, right, condition);
  }

  /** Kyverno's parser ignores the error of an index at the start of a query and continues with an empty node. */
  #bracketFirst(): SyntaxNode {
    if (this.#current === 'tNumber' || this.#current === 'tColon') {
      let index: SyntaxNode;
      try {
        index = this.#indexOrSlice();
      } catch (error) {
        if (error instanceof QueryError) return EMPTY;
        throw error;
      }
      return this.#projectIfSlice(IDENTITY, index);
    }
    if (this.#current === 'tStar' && this.#tokenAt(1).kind === 'tRbracket') {
      this.#index += 2;
      return this.#binary('projection', IDENTITY, this.#projected(STAR));
    }
    return this.#list();
  }

  #indexOrSlice(): SyntaxNode {
    if (this.#current === 'tColon' || this.#tokenAt(1).kind === 'tColon') return this.#slice();
    const index = this.#integer();
    this.#index++;
    this.#match('tRbracket');
    return syntaxNode({ kind: 'index', index });
  }

  #slice(): SyntaxNode {
    const parts: [number | undefined, number | undefined, number | undefined] = [undefined, undefined, undefined];
    let part = 0;
    while (this.#current !== 'tRbracket' && part < 3) {
      if (this.#current === 'tColon') part++;
      else if (this.#current === 'tNumber') parts[part] = this.#integer();
      else this.#fail(`Expected tColon or tNumber, received: ${this.#current}`);
      this.#index++;
    }
    this.#match('tRbracket');
    return syntaxNode({ kind: 'slice', parts: parts as SliceParts });
  }

  /** Go `strconv.Atoi`. */
  #integer(): number {
    const { text, offset } = this.#token;
    const fail = (reason: string): never => {
      throw new QueryError(`strconv.Atoi: parsing ${goQuote(text)}: ${reason}`, offset);
    };
    if (!/^-?[0-9]+$/.test(text)) return fail('invalid syntax');
    const significant = text.replace(/^(-?)0+(?=[0-9])/, '$1');
    if (significant.length > 20 || BigInt.asIntN(64, BigInt(significant)) !== BigInt(significant)) {
      return fail('value out of range');
    }
    return Number(significant);
  }

  #projectIfSlice(left: SyntaxNode, right: SyntaxNode): SyntaxNode {
    const indexed = this.#binary('indexExpression', left, right);
    return right.kind === 'slice' ? this.#binary('projection', indexed, this.#projected(STAR)) : indexed;
  }

  #list(): SyntaxNode {
    const operands = [this.#expression(0)];
    while (this.#current !== 'tRbracket') {
      this.#match('tComma');
      operands.push(this.#expression(0));
    }
    this.#index++;
    return syntaxNode({ kind: 'list', operands }, ...operands);
  }

  /** Commas are optional here, too. */
  #hash(): SyntaxNode {
    const entries: (readonly [string, SyntaxNode])[] = [];
    for (;;) {
      const { kind, text } = this.#token;
      if (kind !== 'tUnquotedIdentifier' && kind !== 'tQuotedIdentifier') {
        this.#fail('Expected tQuotedIdentifier or tUnquotedIdentifier');
      }
      this.#index++;
      this.#match('tColon');
      entries.push([text, this.#expression(0)]);
      if (this.#current === 'tComma') this.#index++;
      else if (this.#current === 'tRbrace') {
        this.#index++;
        return syntaxNode({ kind: 'hash', entries }, ...entries.map(([, value]) => value));
      }
    }
  }

  #afterDot(bindingPower: number): SyntaxNode {
    switch (this.#current) {
      case 'tQuotedIdentifier':
      case 'tUnquotedIdentifier':
      case 'tStar':
        return this.#expression(bindingPower);
      case 'tLbracket':
        this.#index++;
        return this.#list();
      case 'tLbrace':
        this.#index++;
        return this.#hash();
      default:
        return this.#fail('Expected identifier, lbracket, or lbrace');
    }
  }

  /** The right side of a projection. */
  #projected(bindingPower: number): SyntaxNode {
    if (powerOf(this.#current) < 10) return IDENTITY;
    switch (this.#current) {
      case 'tLbracket':
      case 'tFilter':
        return this.#expression(bindingPower);
      case 'tDot':
        this.#index++;
        return this.#afterDot(bindingPower);
      default:
        return this.#fail('Error');
    }
  }
}

function powerOf(kind: QueryTokenKind): number {
  return BINDING_POWERS[kind] ?? 0;
}

function readLiteral({ text, offset }: QueryToken): JsonValue {
  const parsed = parseJson(text);
  if ('problem' in parsed) throw new QueryError(parsed.problem.message, offset);
  if (parsed.depth > MAX_DEPTH) throw new QueryError(TOO_DEEP, offset, true);
  return asDoubles(parsed.value);
}

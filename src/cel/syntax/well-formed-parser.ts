// Fast parser for expressions that follow the grammar and its limits; other texts are left to `syntax/recovery`.
import type { Expr, MapEntry, StructField } from './ast.ts';
import type { AstBuilder } from './ast-builder.ts';
import { LEXER_ERROR, Lexer } from './lexer.ts';
import type { ParserLimits } from './limits.ts';
import { LogicalChain } from './logical-chain.ts';
import { BINARY_OPERATORS, calcPrecedence, isRelationOperator } from './operator.ts';
import type { SourceText } from './source-text.ts';
import { RESERVED_WORDS, Token } from './token.ts';

export interface SyntaxOptions {
  readonly optionalSyntax: boolean;
  readonly escapedIdentifiers: boolean;
  readonly limits: ParserLimits;
}

/**
 * Recursive descent over CEL.g4 with one token of lookahead, except for `a.b.C{…}`. Every method returns undefined if the text does not
 * follow the grammar; the partial result is then discarded. Ids are taken from the builder in the order of cel-go's visitor.
 */
export class WellFormedParser {
  readonly #source: SourceText;
  readonly #builder: AstBuilder;
  readonly #options: SyntaxOptions;
  readonly #maxDepth: number;
  readonly #types: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #at = 0;
  /** Open rules of each kind: cel-go's `recursionListener` limits each kind separately. */
  #expressions = 0;
  #relations = 0;
  #calcs = 0;
  /** Nesting of calls, selections and operators in the last parsed expression, which cel-go's visitor limits. */
  #height = 0;

  constructor(source: SourceText, builder: AstBuilder, options: SyntaxOptions) {
    this.#source = source;
    this.#builder = builder;
    this.#options = options;
    this.#maxDepth = options.limits.recursionDepth;
  }

  parse(): Expr | undefined {
    if (!this.#scan()) return undefined;
    const expr = this.#expression();
    if (expr === undefined || this.#types[this.#at] !== Token.EOF) return undefined;
    return this.#height > this.#maxDepth ? undefined : expr;
  }

  #scan(): boolean {
    const lexer = new Lexer(this.#source.text);
    for (;;) {
      const type = lexer.next();
      if (type === LEXER_ERROR) return false;
      if (type === Token.WHITESPACE || type === Token.COMMENT) continue;
      this.#types.push(type);
      this.#starts.push(lexer.start);
      this.#ends.push(lexer.end);
      if (type === Token.EOF) return true;
    }
  }

  #expression(): Expr | undefined {
    if (++this.#expressions > this.#maxDepth) return undefined;
    const first = this.#at;
    const condition = this.#disjunction();
    if (condition === undefined || this.#types[this.#at] !== Token.QUESTION) {
      this.#expressions--;
      return condition;
    }
    let height = this.#height;
    const operator = this.#at++;
    const id = this.#builder.id();
    const whenTrue = this.#disjunction();
    height = Math.max(height, this.#height);
    if (whenTrue === undefined || !this.#skip(Token.COLON)) return undefined;
    const whenFalse = this.#expression();
    if (whenFalse === undefined) return undefined;
    this.#height = Math.max(height, this.#height) + 1;
    this.#expressions--;
    return this.#operation(id, '_?_:_', operator, first, [condition, whenTrue, whenFalse]);
  }

  #disjunction(): Expr | undefined {
    const first = this.#at;
    const term = this.#conjunction();
    if (term === undefined || this.#types[this.#at] !== Token.LOGICAL_OR) return term;
    return this.#logicalChain(Token.LOGICAL_OR, '_||_', first, term);
  }

  #conjunction(): Expr | undefined {
    const first = this.#at;
    const term = this.#relation();
    if (term === undefined || this.#types[this.#at] !== Token.LOGICAL_AND) return term;
    return this.#logicalChain(Token.LOGICAL_AND, '_&&_', first, term);
  }

  #logicalChain(type: number, name: string, first: number, term: Expr): Expr | undefined {
    const chain = new LogicalChain(name, term, this.#startOf(first), this.#lastEnd());
    let height = this.#height;
    while (this.#types[this.#at] === type) {
      const operator = this.#at++;
      const start = this.#startOf(this.#at);
      const next = type === Token.LOGICAL_OR ? this.#conjunction() : this.#relation();
      if (next === undefined) return undefined;
      height = Math.max(height, this.#height);
      chain.add(this.#builder.id(), this.#startOf(operator), next, start, this.#lastEnd());
    }
    this.#height = height;
    return chain.tree();
  }

  #relation(): Expr | undefined {
    if (++this.#relations > this.#maxDepth) return undefined;
    const first = this.#at;
    let left = this.#calc(0);
    while (left !== undefined && isRelationOperator(this.#types[this.#at] as number)) {
      const operator = this.#at++;
      const height = this.#height;
      const id = this.#builder.id();
      if (++this.#relations > this.#maxDepth) return undefined;
      const right = this.#calc(0);
      this.#relations--;
      left = right && this.#binary(id, operator, first, left, right, height);
    }
    this.#relations--;
    return left;
  }

  /** `precedence` is the lowest precedence of operators that may follow: 1 for `+` and `-`, 2 for `*`, `/` and `%`. */
  #calc(precedence: number): Expr | undefined {
    if (++this.#calcs > this.#maxDepth) return undefined;
    const first = this.#at;
    let left = this.#unary();
    while (left !== undefined) {
      const binding = calcPrecedence(this.#types[this.#at] as number);
      if (binding === 0 || binding < precedence) break;
      const operator = this.#at++;
      const height = this.#height;
      const id = this.#builder.id();
      const right = this.#calc(binding + 1);
      left = right && this.#binary(id, operator, first, left, right, height);
    }
    this.#calcs--;
    return left;
  }

  #binary(id: number, operator: number, first: number, left: Expr, right: Expr, leftHeight: number): Expr {
    this.#height = Math.max(leftHeight, this.#height) + 1;
    return this.#operation(id, BINARY_OPERATORS[this.#types[operator] as number] as string, operator, first, [
      left,
      right,
    ]);
  }

  #unary(): Expr | undefined {
    const type = this.#types[this.#at];
    const isSign = type === Token.MINUS && !isSignedNumber(this.#types[this.#at + 1] as number);
    if (type !== Token.EXCLAM && !isSign) return this.#member();
    const first = this.#at;
    while (this.#types[this.#at] === type) this.#at++;
    if ((this.#at - first) % 2 === 0) return this.#member();
    const id = this.#builder.id();
    const operand = this.#member();
    return operand && this.#operation(id, type === Token.EXCLAM ? '!_' : '-_', first, first, [operand]);
  }

  #member(): Expr | undefined {
    const first = this.#at;
    let operand = this.#primary();
    while (operand !== undefined) {
      const type = this.#types[this.#at];
      if (type === Token.DOT) operand = this.#memberOf(operand, first);
      else if (type === Token.LBRACKET) operand = this.#indexOf(operand, first);
      else break;
    }
    return operand;
  }

  #memberOf(operand: Expr, first: number): Expr | undefined {
    const dot = this.#at++;
    const optional = this.#types[this.#at] === Token.QUESTION;
    if (optional && (!this.#options.optionalSyntax || !this.#skip(Token.QUESTION))) return undefined;
    const name = this.#at++;
    const field = this.#fieldName(name);
    if (field === undefined) return undefined;
    if (optional) {
      this.#height++;
      const key = this.#builder.string(field, this.#place(name, name));
      return this.#operation(this.#builder.id(), '_?._', dot, first, [operand, key]);
    }
    if (this.#types[this.#at] === Token.LPAREN && this.#types[name] === Token.IDENTIFIER) {
      const open = this.#at;
      const id = this.#builder.id();
      const height = this.#height;
      const args = this.#arguments();
      this.#height = Math.max(height, this.#height) + 1;
      return args && this.#builder.call(id, field, operand, args, this.#place(open, first));
    }
    this.#height++;
    const { offset, start, end } = this.#place(dot, first);
    return { kind: 'select', id: this.#builder.id(), offset, start, end, operand, field, testOnly: false };
  }

  #fieldName(token: number): string | undefined {
    const type = this.#types[token];
    if (type === Token.IDENTIFIER) return this.#textOf(token);
    if (type !== Token.ESCAPED_IDENTIFIER || !this.#options.escapedIdentifiers) return undefined;
    return this.#textOf(token).slice(1, -1);
  }

  #indexOf(operand: Expr, first: number): Expr | undefined {
    const height = this.#height;
    const open = this.#at++;
    const id = this.#builder.id();
    const optional = this.#skip(Token.QUESTION);
    if (optional && !this.#options.optionalSyntax) return undefined;
    const index = this.#expression();
    if (index === undefined || !this.#skip(Token.RBRACKET)) return undefined;
    this.#height = Math.max(height, this.#height) + 1;
    return this.#operation(id, optional ? '_[?_]' : '_[_]', open, first, [operand, index]);
  }

  #primary(): Expr | undefined {
    const first = this.#at;
    this.#height = 0;
    switch (this.#types[first]) {
      case Token.DOT:
        if (this.#types[first + 1] !== Token.IDENTIFIER) return undefined;
        return this.#name(first, first + 1);
      case Token.IDENTIFIER:
        return this.#name(first, first);
      case Token.LPAREN: {
        this.#at++;
        const inner = this.#expression();
        return inner !== undefined && this.#skip(Token.RPAREN) ? inner : undefined;
      }
      case Token.LBRACKET:
        return this.#list(first);
      case Token.LBRACE:
        return this.#map(first);
      case Token.MINUS:
        if (!isSignedNumber(this.#types[first + 1] as number)) return undefined;
        this.#at += 2;
        return this.#builder.literal(
          this.#types[first + 1] as number,
          this.#textOf(first + 1),
          true,
          this.#place(first, first),
        );
      case Token.INT:
      case Token.UINT:
      case Token.FLOAT:
      case Token.STRING:
      case Token.BYTES:
      case Token.TRUE:
      case Token.FALSE:
      case Token.NULL:
        this.#at++;
        return this.#builder.literal(
          this.#types[first] as number,
          this.#textOf(first),
          false,
          this.#place(first, first),
        );
      default:
        return undefined;
    }
  }

  /** A variable, a call or a message; `first` is the leading dot, or the name itself without one. */
  #name(first: number, name: number): Expr | undefined {
    const brace = this.#messageBrace(name);
    if (brace > 0) return this.#message(first, brace);
    this.#at = name + 1;
    const word = this.#textOf(name);
    if (RESERVED_WORDS.has(word)) return undefined;
    const text = first === name ? word : `.${word}`;
    if (this.#types[this.#at] !== Token.LPAREN) return this.#builder.ident(text, this.#place(name, first));
    const open = this.#at;
    const id = this.#builder.id();
    const args = this.#arguments();
    return args && this.#builder.call(id, text, undefined, args, this.#place(open, first));
  }

  /** Index of the `{` after `a.b.C`; 0 if the name is not the name of a message literal. */
  #messageBrace(name: number): number {
    let at = name + 1;
    while (this.#types[at] === Token.DOT && this.#types[at + 1] === Token.IDENTIFIER) at += 2;
    return this.#types[at] === Token.LBRACE ? at : 0;
  }

  /** The current token must be the parenthesis. */
  #arguments(): Expr[] | undefined {
    this.#at++;
    const args: Expr[] = [];
    let height = 0;
    if (this.#types[this.#at] !== Token.RPAREN) {
      do {
        const arg = this.#expression();
        if (arg === undefined) return undefined;
        args.push(arg);
        height = Math.max(height, this.#height);
      } while (this.#skip(Token.COMMA));
    }
    this.#height = height;
    return this.#skip(Token.RPAREN) ? args : undefined;
  }

  #list(open: number): Expr | undefined {
    const id = this.#builder.id();
    this.#at++;
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    while (this.#hasItem(elements.length, Token.RBRACKET)) {
      if (this.#skip(Token.QUESTION)) optionalIndices.push(elements.length);
      const element = this.#expression();
      if (element === undefined) return undefined;
      elements.push(element);
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    if (!this.#close(Token.RBRACKET)) return undefined;
    if (optionalIndices.length > 0 && !this.#options.optionalSyntax) return undefined;
    const { offset, start, end } = this.#place(open, open);
    return { kind: 'list', id, offset, start, end, elements, optionalIndices };
  }

  #map(open: number): Expr | undefined {
    const id = this.#builder.id();
    this.#at++;
    const entries: MapEntry[] = [];
    let height = 0;
    while (this.#hasItem(entries.length, Token.RBRACE)) {
      const entryId = this.#builder.id();
      const optional = this.#skip(Token.QUESTION);
      if (optional && !this.#options.optionalSyntax) return undefined;
      const key = this.#expression();
      height = Math.max(height, this.#height);
      const colon = this.#at;
      if (key === undefined || !this.#skip(Token.COLON)) return undefined;
      const value = this.#expression();
      if (value === undefined) return undefined;
      height = Math.max(height, this.#height);
      entries.push({ id: entryId, offset: this.#startOf(colon), key, value, optional });
    }
    this.#height = height;
    if (!this.#close(Token.RBRACE)) return undefined;
    const { offset, start, end } = this.#place(open, open);
    return { kind: 'map', id, offset, start, end, entries };
  }

  #message(first: number, open: number): Expr | undefined {
    let typeName = '';
    for (let token = first; token < open; token++) typeName += this.#textOf(token);
    const id = this.#builder.id();
    this.#at = open + 1;
    const fields: StructField[] = [];
    let height = 0;
    while (this.#hasItem(fields.length, Token.RBRACE)) {
      const optional = this.#skip(Token.QUESTION);
      if (optional && !this.#options.optionalSyntax) return undefined;
      const name = this.#fieldName(this.#at++);
      const colon = this.#at;
      if (name === undefined || !this.#skip(Token.COLON)) return undefined;
      const fieldId = this.#builder.id();
      const value = this.#expression();
      if (value === undefined) return undefined;
      height = Math.max(height, this.#height);
      fields.push({ id: fieldId, offset: this.#startOf(colon), name, value, optional });
    }
    this.#height = height;
    if (!this.#close(Token.RBRACE)) return undefined;
    const { offset, start, end } = this.#place(open, first);
    return { kind: 'struct', id, offset, start, end, typeName, fields };
  }

  /** True if another item follows; moves past the comma before it. `[,]` is an empty list in CEL.g4. */
  #hasItem(soFar: number, close: number): boolean {
    const type = this.#types[this.#at];
    const beforeClose = type === Token.COMMA && this.#types[this.#at + 1] === close;
    if (soFar === 0) return type !== close && !beforeClose;
    return !beforeClose && this.#skip(Token.COMMA);
  }

  #close(bracket: number): boolean {
    this.#skip(Token.COMMA);
    return this.#skip(bracket);
  }

  #skip(type: number): boolean {
    if (this.#types[this.#at] !== type) return false;
    this.#at++;
    return true;
  }

  /** The call of an operator, which is never a macro. */
  #operation(id: number, name: string, operator: number, first: number, args: Expr[]): Expr {
    const { offset, start, end } = this.#place(operator, first);
    return { kind: 'call', id, offset, start, end, function: name, target: undefined, args };
  }

  /** Range from the token `first` to the last consumed token, reported at token `at`. */
  #place(at: number, first: number): { offset: number; start: number; end: number } {
    return { offset: this.#startOf(at), start: this.#startOf(first), end: this.#lastEnd() };
  }

  #startOf(token: number): number {
    return this.#source.offsetOf(this.#starts[token] as number);
  }

  #lastEnd(): number {
    return this.#source.offsetOf(this.#ends[this.#at - 1] as number);
  }

  #textOf(token: number): string {
    return this.#source.text.slice(this.#starts[token], this.#ends[token]);
  }
}

/** A minus before such a token is part of the literal. */
function isSignedNumber(type: number): boolean {
  return type === Token.INT || type === Token.FLOAT;
}

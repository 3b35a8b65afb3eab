// Creates tree nodes in parsing order: assigns ids, parses literals, expands macros and records problems.
import type { Issue } from '../issue/issue.ts';
import type { Bytes, Uint } from '../value/scalar.ts';
import type { CallExpr, Expr } from './ast.ts';
import { bytesLiteral, doubleLiteral, type EscapeProblem, intLiteral, stringLiteral, uintLiteral } from './literal.ts';
import { MacroExprFactory } from './macro-expr-factory.ts';
import { findMacro, type MacroTable } from './macro-table.ts';
import { Token } from './token.ts';

/** Code-point offsets: the reported location of a node, and the text that it covers. */
export interface ExprPlace {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/**
 * `optMap` copies its receiver, so chains of it grow exponentially; cel-go continues until memory runs out. Without
 * copies, a text of the permitted length cannot have this many nodes.
 */
const MAX_NODES = 200_000;

export class AstBuilder {
  readonly issues: Issue[] = [];
  readonly macroCalls = new Map<number, CallExpr>();
  readonly #macros: MacroTable;
  #nextId = 1;

  constructor(macros: MacroTable) {
    this.#macros = macros;
  }

  /** A new id. Nodes are numbered in the order of these calls (cel-go `parserHelper.id`). */
  id(): number {
    return this.#nextId++;
  }

  get isFull(): boolean {
    return this.#nextId > MAX_NODES;
  }

  report(offset: number, message: string): void {
    this.issues.push({ kind: 'syntax', offset, message });
  }

  /** Records a problem and returns a placeholder node. As in cel-go, the placeholder takes an id. */
  fault(place: ExprPlace, message: string): Expr {
    this.report(place.offset, message);
    return this.nothing(place);
  }

  /** Placeholder for a missing expression; macros do not accept it as any specific kind. */
  nothing(place: ExprPlace): Expr {
    return this.#constant(null, place);
  }

  ident(name: string, place: ExprPlace): Expr {
    return { kind: 'ident', id: this.id(), offset: place.offset, start: place.start, end: place.end, name };
  }

  /** `token` is the text of a literal token without its sign. */
  literal(type: number, token: string, negative: boolean, place: ExprPlace): Expr {
    switch (type) {
      case Token.INT: {
        const value = intLiteral(token, negative);
        return value === undefined ? this.fault(place, 'invalid int literal') : this.#constant(value, place);
      }
      case Token.UINT: {
        const value = uintLiteral(token);
        return value === undefined ? this.fault(place, 'invalid uint literal') : this.#constant(value, place);
      }
      case Token.FLOAT: {
        const value = doubleLiteral(token, negative);
        return value === undefined ? this.fault(place, 'invalid double literal') : this.#constant(value, place);
      }
      case Token.STRING:
        return this.#text(stringLiteral(token), place);
      case Token.BYTES:
        return this.#text(bytesLiteral(token), place);
      case Token.TRUE:
        return this.#constant(true, place);
      case Token.FALSE:
        return this.#constant(false, place);
      default:
        return this.#constant(null, place);
    }
  }

  string(value: string, place: ExprPlace): Expr {
    return this.#constant(value, place);
  }

  /** `id` was taken at the operator or parenthesis. Expands macro calls. */
  call(id: number, name: string, target: Expr | undefined, args: readonly Expr[], place: ExprPlace): Expr {
    const call: CallExpr = {
      kind: 'call',
      id,
      offset: place.offset,
      start: place.start,
      end: place.end,
      function: name,
      target,
      args,
    };
    const macro = findMacro(this.#macros, name, args.length, target !== undefined);
    if (macro === undefined || this.isFull) return call;
    const factory = new MacroExprFactory(this, place);
    const expanded = macro.expand(factory, target, args);
    if (factory.problem !== undefined) {
      this.#giveBack(id);
      return this.fault({ ...place, offset: factory.problem.at.offset }, factory.problem.message);
    }
    if (expanded === undefined) return call;
    this.macroCalls.set(expanded.id, { ...call, id: 0 });
    this.#giveBack(id);
    return expanded;
  }

  /** cel-go `parserHelper.deleteID`. */
  #giveBack(id: number): void {
    if (id === this.#nextId - 1) this.#nextId--;
  }

  #text(value: string | Bytes | EscapeProblem, place: ExprPlace): Expr {
    if (typeof value !== 'string' && 'problem' in value) this.fault(place, value.problem);
    return this.#constant(typeof value === 'string' || 'data' in value ? value : '', place);
  }

  #constant(value: null | boolean | bigint | number | string | Uint | Bytes, place: ExprPlace): Expr {
    return { kind: 'literal', id: this.id(), offset: place.offset, start: place.start, end: place.end, value };
  }
}

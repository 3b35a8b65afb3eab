// Makes the nodes of a tree in the order the parser meets them: gives out ids, reads literals, expands macros, notes problems.
import type { Issue } from '../issue/issue.ts';
import type { Bytes, Uint } from '../value/scalar.ts';
import type { CallExpr, Expr } from './ast.ts';
import { bytesLiteral, doubleLiteral, type EscapeProblem, intLiteral, stringLiteral, uintLiteral } from './literal.ts';
import { MacroExprFactory } from './macro-expr-factory.ts';
import { findMacro, type MacroTable } from './macro-table.ts';
import { Token } from './token.ts';

/** Code-point offsets: where errors about a node are shown, and the text that the node covers. */
export interface ExprPlace {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/**
 * `optMap` copies its receiver, so chains of it grow exponentially; cel-go goes on until memory is gone. Without copies, text of
 * the allowed length cannot hold this many nodes.
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

  /** A fresh id; nodes are numbered in the order of these calls (cel-go `parserHelper.id`). */
  id(): number {
    return this.#nextId++;
  }

  get isFull(): boolean {
    return this.#nextId > MAX_NODES;
  }

  report(offset: number, message: string): void {
    this.issues.push({ kind: 'syntax', offset, message });
  }

  /** Notes a problem and stands in for the node that could not be made; as in cel-go the stand-in takes an id. */
  fault(place: ExprPlace, message: string): Expr {
    this.report(place.offset, message);
    return this.nothing(place);
  }

  /** Stands in for an expression that is missing; macros take it for none of the kinds they ask for. */
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

  /** `id` was taken when the operator or parenthesis was met. Calls of macros are expanded. */
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

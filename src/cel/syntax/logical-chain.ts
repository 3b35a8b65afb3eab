// Builds a balanced tree from the terms of `a && b && c …`, so that long chains do not nest deeply.
import type { CallExpr, Expr } from './ast.ts';

interface Term {
  readonly expr: Expr;
  /** Text range, including parentheses. */
  readonly start: number;
  readonly end: number;
}

interface Operator {
  readonly id: number;
  readonly offset: number;
}

/** cel-go `parser.logicManager`. */
export class LogicalChain {
  readonly #name: string;
  readonly #terms: Term[];
  readonly #operators: Operator[] = [];

  constructor(name: string, expr: Expr, start: number, end: number) {
    this.#name = name;
    this.#terms = [{ expr, start, end }];
  }

  /** `id` belongs to the operator and was taken after the ids of the term. */
  add(id: number, offset: number, expr: Expr, start: number, end: number): void {
    this.#operators.push({ id, offset });
    this.#terms.push({ expr, start, end });
  }

  tree(): Expr {
    return this.#operators.length === 0 ? (this.#terms[0] as Term).expr : this.#balance(0, this.#operators.length - 1);
  }

  #balance(low: number, high: number): CallExpr {
    const middle = Math.floor((low + high + 1) / 2);
    const { id, offset } = this.#operators[middle] as Operator;
    const left = middle === low ? (this.#terms[middle] as Term).expr : this.#balance(low, middle - 1);
    const right = middle === high ? (this.#terms[middle + 1] as Term).expr : this.#balance(middle + 1, high);
    const { start } = this.#terms[low] as Term;
    const { end } = this.#terms[high + 1] as Term;
    return { kind: 'call', id, offset, start, end, function: this.#name, target: undefined, args: [left, right] };
  }
}

// Tracks the known sizes of values during a cost estimate (cel-go `checker/cost.go`).
import { codePointLength } from '../../go/strings/string-order.ts';
import type { CheckedAst } from '../check/checked-ast.ts';
import { DYN, type Type } from '../check/type.ts';
import type { Expr, IdentExpr } from '../syntax/ast.ts';
import { Bytes } from '../value/scalar.ts';
import type { CostModel, EstimatedValue, ValuePath } from './cost-model.ts';
import { ANYTHING, exactly, ONE, type Range, union } from './range.ts';

/** Sizes of the elements of a list or map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface LocalVariable {
  readonly path: ValuePath;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The part of the range that a comprehension's variable holds. */
export type IterationPart = 'key' | 'value' | 'element';

const ACCUMULATORS: ReadonlySet<string | undefined> = new Set(['__result__', '@result']);

export class ValueSizes {
  readonly #ast: CheckedAst;
  readonly #model: CostModel;
  readonly #paths = new Map<number, ValuePath>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #variables = new Map<string, LocalVariable[]>();

  constructor(ast: CheckedAst, model: CostModel) {
    this.#ast = ast;
    this.#model = model;
  }

  typeOf(expr: Expr): Type {
    return this.#ast.types.get(expr.id) ?? DYN;
  }

  pathOf(expr: Expr): ValuePath {
    const variable = expr.kind === 'ident' ? this.#variable(expr.name) : undefined;
    return variable?.path ?? this.#paths.get(expr.id) ?? [];
  }

  /** A name that is not bound in the expression is a variable of the environment. */
  readVariable(expr: IdentExpr): void {
    this.setPath(expr, this.#variable(expr.name)?.path ?? [expr.name]);
  }

  setPath(expr: Expr, path: ValuePath): void {
    this.#paths.set(expr.id, path);
  }

  setSize(expr: Expr, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expr.id, size);
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(expr.id, entries);
  }

  copy(from: Expr, to: Expr): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntries(to, this.entriesOf(from));
  }

  /** Undefined if unknown. A size from the model is cached, even if the path changes its meaning later. */
  sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? writtenSize(expr);
    if (known !== undefined) return known;
    const declared = this.#model.sizeAt(this.pathOf(expr));
    if (declared !== undefined) {
      this.#sizes.set(expr.id, declared);
      return declared;
    }
    if (isScalar(this.typeOf(expr))) return ONE;
    return expr.kind === 'ident' ? this.#variable(expr.name)?.size : undefined;
  }

  sizeOrAnything(expr: Expr): Range {
    return this.sizeOf(expr) ?? ANYTHING;
  }

  entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === 'ident' ? this.#variable(expr.name)?.entries : undefined);
  }

  /** The expression as an argument of a function. An accumulator has no path. */
  valueOf(expr: Expr): EstimatedValue {
    const path = this.pathOf(expr);
    return {
      path: ACCUMULATORS.has(path[0]) ? [] : path,
      type: this.typeOf(expr),
      expr,
      size: this.sizeOf(expr),
    };
  }

  /** Until `forget`, the name has the size of the expression. */
  bind(name: string, value: Expr): void {
    const entries = this.entriesOf(value);
    this.#push(name, { path: this.pathOf(value), size: this.sizeOf(value), entries });
  }

  /** Until `forget`, the name has the size of every key, value or element of a range. */
  iterate(name: string, range: Expr, part: IterationPart): void {
    const entries = this.entriesOf(range);
    const isList = (entries?.container ?? this.typeOf(range).kind) === 'list';
    const isValue = part === 'value' || (part === 'element' && isList);
    const step = isValue ? (isList ? '@items' : '@values') : isList ? '@indices' : '@keys';
    const size = isValue ? entries?.value : entries?.key;
    this.#push(name, { path: [...this.pathOf(range), step], size, entries: undefined });
  }

  forget(name: string): void {
    this.#variables.get(name)?.pop();
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#variables.get(name);
    if (stack === undefined) this.#variables.set(name, [variable]);
    else stack.push(variable);
  }

  #variable(name: string): LocalVariable | undefined {
    return this.#variables.get(name)?.at(-1);
  }
}

export function unionOfEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  if (left === undefined || right === undefined) return undefined;
  return { container: left.container, key: union(left.key, right.key), value: union(left.value, right.value) };
}

/** Size of literals, list literals and map literals. */
function writtenSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.elements.length);
  if (expr.kind === 'map') return exactly(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (typeof expr.value === 'string') return exactly(codePointLength(expr.value));
  return expr.value instanceof Bytes ? exactly(expr.value.data.length) : ONE;
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** True for types whose values all have the same size. */
function isScalar(type: Type): boolean {
  const [content] = type.parameters;
  if (type.kind === 'opaque' && type.name === 'optional_type' && content !== undefined) return isScalar(content);
  return SCALARS.has(type.kind);
}

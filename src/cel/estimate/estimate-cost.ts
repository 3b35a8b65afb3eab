// Estimates the minimum and maximum cost of an expression before evaluation (cel-go `checker.Cost`).
import type { CheckedAst } from '../check/checked-ast.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts';
import type { CallEstimate, CostModel, EstimatedValue } from './cost-model.ts';
import { ANYTHING, exactly, NO_RANGE, NOTHING, ONE, product, type Range, sum, union } from './range.ts';
import { unionOfEntries, ValueSizes } from './value-sizes.ts';

const NEW_LIST = exactly(10);
const NEW_MAP = exactly(30);
const NEW_STRUCT = exactly(40);

/** Presence tests cost nothing in Kubernetes. */
export function estimateCost(ast: CheckedAst, model: CostModel): Range {
  return new CostEstimation(ast, model).cost(ast.expr);
}

/** Visits the tree once, as cel-go does, so that results for a part are available to later parts. */
class CostEstimation {
  readonly #ast: CheckedAst;
  readonly #model: CostModel;
  readonly #sizes: ValueSizes;

  constructor(ast: CheckedAst, model: CostModel) {
    this.#ast = ast;
    this.#model = model;
    this.#sizes = new ValueSizes(ast, model);
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return NOTHING;
      case 'ident':
        this.#sizes.readVariable(expr);
        return ONE;
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return sum(...expr.fields.map(({ value }) => this.cost(value)), NEW_STRUCT);
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#comprehension(expr);
    }
  }

  #select(expr: SelectExpr): Range {
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#sizes.setPath(expr, [...this.#sizes.pathOf(expr.operand), expr.field]);
    return SELECTABLE.has(this.#sizes.typeOf(expr.operand).kind) ? sum(operand, ONE) : operand;
  }

  #call(expr: CallExpr): Range {
    const [first] = expr.args;
    if (expr.function === 'dyn' && first !== undefined) {
      const cost = this.cost(first);
      this.#sizes.copy(first, expr);
      return sum(ONE, cost);
    }
    const args: EstimatedValue[] = [];
    const argCosts = expr.args.map((arg) => {
      const cost = this.cost(arg);
      args.push(this.#sizes.valueOf(arg));
      return cost;
    });
    const overloadIds = this.#ast.references.get(expr.id)?.overloadIds ?? [];
    if (overloadIds.length === 0) return NOTHING;
    const targetCost = expr.target === undefined ? NOTHING : this.cost(expr.target);
    const target = expr.target && this.#sizes.valueOf(expr.target);
    let cost = NO_RANGE;
    let resultSize: Range | undefined;
    for (const overloadId of overloadIds) {
      const estimate = this.#overload(expr, overloadId, target, args, argCosts);
      cost = union(cost, estimate.cost);
      const size = estimate.resultSize;
      if (size !== undefined) resultSize = resultSize === undefined ? size : union(resultSize, size);
      const step = first && INDEXING.get(overloadId);
      if (step !== undefined) {
        resultSize = this.#sizes.entriesOf(first as Expr)?.value;
        this.#sizes.setPath(expr, [...this.#sizes.pathOf(first as Expr), step]);
      }
      resultSize ??= this.#sizes.sizeOf(expr);
    }
    this.#sizes.setSize(expr, resultSize);
    return sum(targetCost, cost);
  }

  /** Includes the cost of the arguments. */
  #overload(
    expr: CallExpr,
    overloadId: string,
    target: EstimatedValue | undefined,
    args: readonly EstimatedValue[],
    argCosts: readonly Range[],
  ): CallEstimate {
    const call = { overloadId, target, args };
    const withArgs = (estimate: CallEstimate): CallEstimate => ({ ...estimate, cost: sum(estimate.cost, ...argCosts) });
    const named = this.#model.functions.get(expr.function)?.(call, this.#model);
    if (named !== undefined) return withArgs(named);
    const [left = NOTHING, right = NOTHING, third = NOTHING] = argCosts;
    if (overloadId === 'logical_or' || overloadId === 'logical_and') {
      return { cost: { min: left.min, max: sum(left, right).max } };
    }
    const sizes = args.map(({ size }) => size ?? ANYTHING);
    const [, thenSize = NOTHING, otherwiseSize = NOTHING] = sizes;
    const [first, second, otherwise] = expr.args;
    if (overloadId === 'conditional' && second !== undefined && otherwise !== undefined) {
      this.#sizes.setEntries(expr, unionOfEntries(this.#sizes.entriesOf(second), this.#sizes.entriesOf(otherwise)));
      return { cost: sum(left, union(right, third)), resultSize: union(thenSize, otherwiseSize) };
    }
    if (JOINING.has(overloadId) && first !== undefined && second !== undefined) {
      this.#sizes.setEntries(expr, unionOfEntries(this.#sizes.entriesOf(first), this.#sizes.entriesOf(second)));
    }
    return withArgs(this.#model.overloads.get(overloadId)?.(call, this.#model) ?? { cost: ONE });
  }

  #list(expr: ListExpr): Range {
    let cost = NOTHING;
    let elementSize = expr.elements.length === 0 ? NOTHING : NO_RANGE;
    for (const element of expr.elements) {
      cost = sum(cost, this.cost(element));
      elementSize = union(elementSize, this.#sizes.sizeOrAnything(element));
    }
    this.#sizes.setEntries(expr, { container: 'list', key: ONE, value: elementSize });
    return sum(cost, NEW_LIST);
  }

  #map(expr: MapExpr): Range {
    let cost = NOTHING;
    let keySize = expr.entries.length === 0 ? NOTHING : NO_RANGE;
    let valueSize = keySize;
    for (const { key, value } of expr.entries) {
      cost = sum(cost, this.cost(key), this.cost(value));
      keySize = union(keySize, this.#sizes.sizeOrAnything(key));
      valueSize = union(valueSize, this.#sizes.sizeOrAnything(value));
    }
    this.#sizes.setEntries(expr, { container: 'map', key: keySize, value: valueSize });
    return sum(cost, NEW_MAP);
  }

  #comprehension(expr: ComprehensionExpr): Range {
    const { iterRange, accuInit, accuVar, iterVar, iterVar2 } = expr;
    const rangeCost = this.cost(iterRange);
    const initCost = this.cost(accuInit);
    this.#sizes.bind(accuVar, accuInit);
    this.#sizes.iterate(iterVar, iterRange, iterVar2 === undefined ? 'element' : 'key');
    if (iterVar2 !== undefined) this.#sizes.iterate(iterVar2, iterRange, 'value');
    const conditionCost = this.cost(expr.loopCondition);
    const stepCost = this.cost(expr.loopStep);
    this.#sizes.forget(iterVar);
    if (iterVar2 !== undefined) this.#sizes.forget(iterVar2);
    const resultCost = this.cost(expr.result);
    this.#sizes.forget(accuVar);
    const count = this.#sizes.sizeOrAnything(iterRange);
    if (accuInit.kind === 'literal') this.#sizes.setSize(expr, this.#sizes.sizeOf(accuInit));
    if (accuInit.kind === 'list' || accuInit.kind === 'map') {
      this.#sizes.setSize(expr, count);
      this.#sizes.setEntries(expr, this.#sizes.entriesOf(expr.loopStep));
    }
    return sum(rangeCost, initCost, resultCost, product(count, sum(stepCost, conditionCost)));
  }

  /** `cel.bind`, and expansions of other macros with the same shape. */
  #binding(expr: ComprehensionExpr): Range {
    const rangeCost = this.cost(expr.iterRange);
    const initCost = this.cost(expr.accuInit);
    this.#sizes.bind(expr.accuVar, expr.accuInit);
    const resultCost = this.cost(expr.result);
    this.#sizes.forget(expr.accuVar);
    this.#sizes.copy(expr.result, expr);
    return sum(rangeCost, initCost, resultCost);
  }
}

const SELECTABLE: ReadonlySet<string> = new Set(['map', 'struct', 'param']);

const INDEXING: ReadonlyMap<string, string> = new Map([
  ['index_list', '@items'],
  ['index_map', '@values'],
]);

const JOINING: ReadonlySet<string> = new Set(['add_string', 'add_bytes', 'add_list']);

function isBinding({ iterRange, loopCondition, accuVar }: ComprehensionExpr): boolean {
  const isEmpty = iterRange.kind === 'list' && iterRange.elements.length === 0;
  const isNeverLooped = loopCondition.kind === 'literal' && loopCondition.value === false;
  return isEmpty && isNeverLooped && accuVar !== '__result__';
}

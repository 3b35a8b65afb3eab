// Compiles the checked tree to closures (cel-go `interpreter/planner.go`, with the decorators of `OptOptimize`).
import type { CheckedAst } from '../check/checked-ast.ts';
import type { Environment } from '../environment.ts';
import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, SelectExpr } from '../syntax/ast.ts';
import { toMutable } from '../value/mutable.ts';
import { Panic } from '../value/panic.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { type Attribute, evaluateAttribute, type Qualifier, resolveAttribute } from './attribute.ts';
import { hookFor } from './call-cost.ts';
import { resolveCallee, unknownCallee } from './callee.ts';
import { planEquality } from './comparison.ts';
import { planFieldChain } from './field-chain.ts';
import { planFold } from './fold.ts';
import { Frame, type Run } from './frame.ts';
import { type Plan, planFunctionCall } from './function-call.ts';
import { planList, planMap, planStruct } from './literal.ts';
import { planLogical } from './logic.ts';
import { planCollection, planExistsOne, planQuantifier } from './macro-fold.ts';
import { type MacroShape, macroShapeOf } from './macro-shape.ts';
import type { Observer } from './observer.ts';
import { partialArguments, partialContainment, partialEquality, partialRange } from './partial.ts';
import type { PlanOptions } from './program.ts';
import { invalidQualifier, isQualifier } from './qualify.ts';

interface SlotVariable {
  readonly slot: number;
  readonly init: Run | undefined;
}

type Scope = ReadonlyMap<string, SlotVariable>;

export class Planner {
  /** The first part that cannot be planned, in cel-go's words. */
  failure: string | undefined;
  slots = 0;
  readonly #environment: Environment;
  readonly #ast: CheckedAst;
  readonly #options: PlanOptions;
  readonly #observer: Observer | undefined;

  constructor(environment: Environment, ast: CheckedAst, options: PlanOptions, observer: Observer | undefined) {
    this.#environment = environment;
    this.#ast = ast;
    this.#options = options;
    this.#observer = observer;
  }

  planProgram(): Run {
    return this.#run(this.#ast.expr, new Map());
  }

  #run(expr: Expr, scope: Scope): Run {
    return this.#runOf(expr, this.#plan(expr, scope));
  }

  #runOf({ id }: Expr, plan: Plan): Run {
    switch (plan.kind) {
      case 'attribute':
        return this.#evaluateAttribute(plan.attribute);
      case 'constant': {
        const { value } = plan;
        return this.#observed(id, () => value);
      }
      case 'computed':
        return this.#observed(id, plan.run);
    }
  }

  #evaluateAttribute(attribute: Attribute): Run {
    const general = evaluateAttribute(attribute, this.#observer);
    if (this.#observer !== undefined || this.#options.fallibleMembers) return general;
    return planFieldChain(attribute, general) ?? general;
  }

  #observed(id: number, run: Run): Run {
    return this.#observer?.observe(id, run) ?? run;
  }

  #plan(expr: Expr, scope: Scope): Plan {
    switch (expr.kind) {
      case 'literal':
        return { kind: 'constant', value: expr.value };
      case 'ident':
        return this.#planIdent(expr, scope);
      case 'select':
        return this.#planSelect(expr, scope);
      case 'call':
        return this.#planCall(expr, scope);
      case 'list': {
        const elements = expr.elements.map((element) => this.#plan(element, scope));
        const runs = expr.elements.map((element, index) => ({
          value: this.#runOf(element, elements[index] as Plan),
          optional: expr.optionalIndices.includes(index),
        }));
        return this.#foldLiteral(planList(runs), elements);
      }
      case 'map': {
        const keys = expr.entries.map(({ key }) => this.#plan(key, scope));
        const values = expr.entries.map(({ value }) => this.#plan(value, scope));
        const entries = expr.entries.map(({ key, value, optional }, index) => ({
          key: this.#runOf(key, keys[index] as Plan),
          value: this.#runOf(value, values[index] as Plan),
          optional,
        }));
        return this.#foldLiteral(planMap(entries), [...keys, ...values]);
      }
      case 'struct': {
        const type = this.#environment.types.findStruct(expr.typeName);
        if (type === undefined) return this.#fail(`unknown type: ${expr.typeName}`);
        const fields = expr.fields.map(({ name, value, optional }) => ({
          name,
          value: this.#run(value, scope),
          optional,
        }));
        return { kind: 'computed', run: planStruct(expr.typeName, type, fields, this.#environment.types) };
      }
      case 'comprehension':
        return this.#planComprehension(expr, scope);
    }
  }

  #fail(message: string): Plan {
    this.failure ??= message;
    return { kind: 'constant', value: new ErrorValue(message) };
  }

  /** Evaluates a constant expression at plan time. */
  #runConstant(run: Run): Value {
    const frame = new Frame(0, Number.POSITIVE_INFINITY);
    try {
      return run(frame);
    } catch (reason) {
      if (!(reason instanceof Panic)) return frame.stopped(reason);
      this.failure ??= reason.message;
      return null;
    }
  }

  #foldLiteral(run: Run, parts: readonly Plan[]): Plan {
    if (!parts.every(({ kind }) => kind === 'constant')) return { kind: 'computed', run };
    return { kind: 'constant', value: this.#runConstant(run) };
  }

  #planIdent(expr: IdentExpr, scope: Scope): Plan {
    const reference = this.#ast.references.get(expr.id);
    if (reference?.value !== undefined) return { kind: 'constant', value: reference.value };
    const name = reference?.name || expr.name;
    // cel-go treats every name whose type is a type as a type name, even a comprehension's variable.
    if (this.#ast.types.get(expr.id)?.kind === 'type') return this.#planTypeName(name);
    const local = scope.get(name);
    const root =
      local === undefined
        ? ({ kind: 'variable', id: expr.id, name } as const)
        : ({ kind: 'slot', id: expr.id, ...local } as const);
    return { kind: 'attribute', attribute: { root, qualifiers: [] } };
  }

  #planTypeName(name: string): Plan {
    const found = this.#environment.types.findIdentifier?.(name);
    if (found === undefined) return this.#fail(`reference to undefined type: ${name}`);
    return { kind: 'constant', value: found.value };
  }

  #planSelect(expr: SelectExpr, scope: Scope): Plan {
    return this.#qualified(expr.operand, this.#plan(expr.operand, scope), {
      id: expr.id,
      key: { constant: expr.field },
      optional: false,
      presenceTest: expr.testOnly,
      typed: this.#isStruct(expr.operand),
    });
  }

  #isStruct(expr: Expr): boolean {
    return this.#ast.types.get(expr.id)?.kind === 'struct';
  }

  #qualified(operand: Expr, plan: Plan, qualifier: Qualifier): Plan {
    const { root, qualifiers } = this.#attributeOf(operand, plan);
    return { kind: 'attribute', attribute: { root, qualifiers: [...qualifiers, qualifier] } };
  }

  /** Constants and computed values become attribute roots. */
  #attributeOf(expr: Expr, plan: Plan): Attribute {
    if (plan.kind === 'attribute') return plan.attribute;
    return { root: { kind: 'operand', run: this.#runOf(expr, plan) }, qualifiers: [] };
  }

  #planCall(expr: CallExpr, scope: Scope): Plan {
    const argExprs = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const plans = argExprs.map((argument) => this.#plan(argument, scope));
    if (expr.function === '_?_:_') return this.#planConditional(expr, argExprs, plans);
    if (INDEX_OPERATORS.has(expr.function)) return this.#planIndex(expr, argExprs, plans);
    const plain = argExprs.map((argument, index) => this.#runOf(argument, plans[index] as Plan));
    const args = this.#options.partial === true ? partialArguments(expr.function, plain) : plain;
    const operator = this.#planOperator(expr.function, plans, args);
    if (operator !== undefined) {
      const isPartial = args !== plain && EQUALITY.has(expr.function);
      return {
        kind: 'computed',
        run: isPartial ? partialEquality(plain, expr.function === '_!=_', operator) : operator,
      };
    }
    const planned = this.#planFunction(expr, plans, args);
    if (expr.function !== '@in' || args === plain || planned.kind !== 'computed') return planned;
    const [element, container] = plain as [Run, Run];
    return { kind: 'computed', run: partialContainment(element, container, planned.run) };
  }

  #planOperator(name: string, plans: readonly Plan[], args: readonly Run[]): Run | undefined {
    const [left, right] = args as [Run, Run];
    switch (name) {
      case '_&&_':
        return planLogical(false, args);
      case '_||_':
        return planLogical(true, args);
      case '_==_':
      case '_!=_':
        return planEquality(name, left, right, this.#literalOf(plans[1]), hookFor(name, this.#options));
      default:
        return undefined;
    }
  }

  /** A literal that needs no separate node at run time. */
  #literalOf(plan: Plan | undefined): Value | undefined {
    return this.#observer === undefined && plan?.kind === 'constant' ? plan.value : undefined;
  }

  #planFunction(expr: CallExpr, plans: readonly Plan[], args: readonly Run[]): Plan {
    const declaration = this.#environment.findFunction(expr.function);
    const signatures = this.#environment.declaredFunction(expr.function)?.overloads;
    const overloadIds = this.#ast.references.get(expr.id)?.overloadIds ?? [];
    const callee =
      declaration === undefined || signatures === undefined
        ? unknownCallee(expr.function)
        : resolveCallee(declaration, signatures, overloadIds, args.length);
    const planned = planFunctionCall(callee, plans, args, this.#options);
    return planned instanceof ErrorValue ? this.#fail(planned.message) : planned;
  }

  #planConditional(expr: CallExpr, args: readonly Expr[], plans: readonly Plan[]): Plan {
    const [condition, truthy, falsy] = args as [Expr, Expr, Expr];
    const root = {
      kind: 'conditional',
      id: expr.id,
      condition: this.#runOf(condition, plans[0] as Plan),
      truthy: this.#attributeOf(truthy, plans[1] as Plan),
      falsy: this.#attributeOf(falsy, plans[2] as Plan),
    } as const;
    return { kind: 'attribute', attribute: { root, qualifiers: [] } };
  }

  #planIndex(expr: CallExpr, args: readonly Expr[], plans: readonly Plan[]): Plan {
    const [operand, index] = args as [Expr, Expr];
    const plan = plans[1] as Plan;
    if (plan.kind === 'constant' && !isQualifier(plan.value)) {
      return this.#fail(invalidQualifier(plan.value, false).message);
    }
    return this.#qualified(operand, plans[0] as Plan, {
      id: expr.id,
      key: plan.kind === 'constant' ? { constant: plan.value } : this.#computedKey(index, plan),
      optional: expr.function !== '_[_]',
      presenceTest: false,
      // cel-go recognizes struct fields only in plain selections.
      typed: false,
    });
  }

  /** Reading an attribute as a key does not cost the unit of an evaluation. */
  #computedKey(index: Expr, plan: Plan): Qualifier['key'] {
    const attribute = this.#attributeOf(index, plan);
    return { computed: resolveAttribute(attribute, this.#observer), variable: variableOf(attribute) };
  }

  #planComprehension(expr: ComprehensionExpr, scope: Scope): Plan {
    const plain = this.#observer === undefined && expr.iterVar2 === undefined && this.#foldsCostUnits();
    const macro = plain ? macroShapeOf(expr) : undefined;
    if (macro !== undefined) return { kind: 'computed', run: this.#planMacro(expr, macro, scope) };
    const init = this.#plan(expr.accuInit, scope);
    const range = this.#range(expr, scope);
    const accumulator = this.#planAccumulator(expr, init);
    const outer = new Map([...scope, [expr.accuVar, accumulator] as const]);
    const element = this.slots++;
    const inner = new Map([...outer, [expr.iterVar, { slot: element, init: undefined }] as const]);
    const second = expr.iterVar2 === undefined ? undefined : this.slots++;
    if (second !== undefined) inner.set(expr.iterVar2 as string, { slot: second, init: undefined });
    // The accumulator hides an element variable of the same name.
    inner.set(expr.accuVar, accumulator);
    const condition = this.#run(expr.loopCondition, inner);
    const step = this.#run(expr.loopStep, inner);
    const result = this.#run(expr.result, outer);
    const initial = accumulator.init === undefined && init.kind === 'constant' ? init.value : undefined;
    const fold = { range, accumulator: { slot: accumulator.slot, initial }, element, second, condition, step, result };
    return { kind: 'computed', run: planFold(fold, this.#observer?.observeElement) };
  }

  #range({ iterRange }: ComprehensionExpr, scope: Scope): Run {
    const range = this.#run(iterRange, scope);
    return this.#options.partial === true ? partialRange(range) : range;
  }

  /** True if the functions in macro expansions cost what the macro loops charge. */
  #foldsCostUnits(): boolean {
    return FOLD_FUNCTIONS.every((name) => hookFor(name, this.#options) === undefined);
  }

  #planMacro(expr: ComprehensionExpr, macro: MacroShape, scope: Scope): Run {
    const range = this.#range(expr, scope);
    const element = this.slots++;
    const inner = new Map([...scope, [expr.iterVar, { slot: element, init: undefined }] as const]);
    const predicate = macro.predicate && this.#run(macro.predicate, inner);
    if (macro.kind === 'collect') {
      const transform = this.#plan(macro.transform, inner);
      const constant = transform.kind === 'constant';
      return planCollection(range, element, predicate, this.#runOf(macro.transform, transform), constant);
    }
    if (macro.kind === 'exists-one') return planExistsOne(range, element, predicate as Run);
    return planQuantifier(range, element, macro.decisive, predicate as Run);
  }

  /** Scalars are created at the start; other values on first read. */
  #planAccumulator(expr: ComprehensionExpr, init: Plan): SlotVariable {
    const slot = this.slots++;
    if (init.kind === 'constant' && (typeof init.value !== 'object' || init.value === null))
      return { slot, init: undefined };
    const run = this.#runOf(expr.accuInit, init);
    return { slot, init: (frame) => toMutable(run(frame)) };
  }
}

/** Name of the variable that the attribute reads from. For a conditional, the first branch's variable if both have one. */
function variableOf({ root }: Attribute): string | undefined {
  if (root.kind === 'variable') return root.name;
  if (root.kind !== 'conditional' || variableOf(root.falsy) === undefined) return undefined;
  return variableOf(root.truthy);
}

/** The hook sees `_==_` only for an opaque first argument, which the count of `exists_one` is not. */
const FOLD_FUNCTIONS: readonly string[] = ['@not_strictly_false', '!_', '_+_'];

const EQUALITY: ReadonlySet<string> = new Set(['_==_', '_!=_']);

const INDEX_OPERATORS: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

// Plans function calls, including the optimizations of cel-go for constant arguments (cel-go `decorators.go`, `OptOptimize`).
import { ErrorValue, Optional, type Value } from '../value/value.ts';
import type { Attribute } from './attribute.ts';
import { planAddition, planContainment, planInvocation, planVariadic } from './call.ts';
import { chargeOf } from './call-cost.ts';
import type { Callee } from './callee.ts';
import { planOrdering } from './comparison.ts';
import type { Run } from './frame.ts';
import type { PlanOptions } from './program.ts';
import { planSetMembership } from './set-membership.ts';

/** The kinds of cel-go's `Interpretable` that other nodes distinguish. */
export type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  | { readonly kind: 'computed'; readonly run: Run };

/** Evaluated at plan time for a constant argument. An error then makes program instantiation fail. */
const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** `args` are the runs of `plans`. An ErrorValue makes program instantiation fail. */
export function planFunctionCall(
  callee: Callee,
  plans: readonly Plan[],
  args: readonly Run[],
  options: PlanOptions,
): Plan | ErrorValue {
  return (
    planChoice(callee, args) ??
    planMembership(callee, plans, args) ??
    foldConversion(callee, plans) ??
    compilePattern(callee, plans, args, options) ??
    computed(planCall(callee, args, options))
  );
}

function computed(run: Run): Plan {
  return { kind: 'computed', run };
}

function planCall(callee: Callee, args: readonly Run[], options: PlanOptions): Run {
  const { name, overloadId, evaluate, price } = callee;
  const charge = chargeOf(name, overloadId, price, options);
  const [first, second] = args as [Run, Run];
  if (name === '_+_') return planAddition(first, second, charge);
  if (name === '@in') return planContainment(evaluate, first, second, charge);
  const ordering = charge.kind === 'unit' ? planOrdering(name, evaluate, first, second) : undefined;
  const run = ordering ?? planInvocation(callee, args, charge);
  return callee.textWork > 0 ? meterText(run, callee.textWork) : run;
}

/** Assumed length of a text whose construction failed, possibly near its end. */
const UNFINISHED_LENGTH = 2000;

function meterText(run: Run, textWork: number): Run {
  return (frame) => {
    const value = run(frame);
    frame.meter.spend((typeof value === 'string' ? value.length : UNFINISHED_LENGTH) * textWork);
    return value;
  };
}

/** `x.or(y)` and `x.orValue(y)` evaluate `y` only if needed, and cost nothing. The library answers for a receiver that is not an optional. */
function planChoice({ name, overloadId, evaluate }: Callee, [left, right]: readonly Run[]): Plan | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (name === 'or' && (overloadId === '' || overloadId === 'optional_or_optional')) {
    return computed((frame) => {
      const value = left(frame);
      if (!(value instanceof Optional)) return value instanceof ErrorValue ? value : evaluate(value);
      return value.hasValue ? value : right(frame);
    });
  }
  if (name !== 'orValue' || (overloadId !== '' && overloadId !== 'optional_orValue_value')) return undefined;
  return computed((frame) => {
    const value = left(frame);
    if (!(value instanceof Optional)) return value instanceof ErrorValue ? value : evaluate(value);
    return value.value === undefined ? right(frame) : value.value;
  });
}

/** `x in [literals]`. The result for an empty list is false without evaluating `x`. */
function planMembership(callee: Callee, plans: readonly Plan[], [element]: readonly Run[]): Plan | undefined {
  const list = plans[1];
  if (callee.overloadId !== 'in_list' || element === undefined) return undefined;
  if (list?.kind !== 'constant' || !Array.isArray(list.value)) return undefined;
  if (list.value.length === 0) return { kind: 'constant', value: false };
  const run = planSetMembership(element, list.value);
  return run && computed(run);
}

function foldConversion({ name, evaluate }: Callee, plans: readonly Plan[]): Plan | ErrorValue | undefined {
  const [argument] = plans;
  if (!CONVERSIONS.has(name) || plans.length !== 1 || argument?.kind !== 'constant') return undefined;
  const value = argument.value instanceof ErrorValue ? argument.value : evaluate(argument.value);
  return value instanceof ErrorValue ? value : { kind: 'constant', value };
}

function compilePattern(
  { name, overloadId, price, literalPattern }: Callee,
  plans: readonly Plan[],
  args: readonly Run[],
  options: PlanOptions,
): Plan | ErrorValue | undefined {
  const pattern = literalPattern && plans[literalPattern.index];
  if (pattern?.kind !== 'constant' || typeof pattern.value !== 'string') return undefined;
  const evaluate = literalPattern?.compile(pattern.value);
  if (evaluate === undefined || evaluate instanceof ErrorValue) return evaluate;
  return computed(planVariadic(evaluate, args, chargeOf(name, overloadId, price, options)));
}

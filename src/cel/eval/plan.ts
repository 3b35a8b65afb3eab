// Turns a checked expression into a program.
import type { CheckedAst } from '../check/checked-ast.ts';
import type { Environment } from '../environment.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { COST_EXCEEDED, Frame, type Run, WORK_EXCEEDED } from './frame.ts';
import { Observer } from './observer.ts';
import { Planner } from './planner.ts';
import {
  type Activation,
  type EvaluateOptions,
  type PlanOptions,
  type Program,
  ProgramError,
  type ProgramResult,
} from './program.ts';

/** `environment` must be the environment in which the expression was compiled. */
export function plan(environment: Environment, ast: CheckedAst, options: PlanOptions = {}): Program | ProgramError {
  const makePlan = (observer?: Observer, partial?: PlanOptions): Plan | ProgramError => {
    const planner = new Planner(environment, ast, { ...options, ...partial }, observer);
    try {
      const run = planner.planProgram();
      return planner.failure === undefined ? { run, slots: planner.slots } : new ProgramError(planner.failure);
    } catch (reason) {
      // The expression is nested too deeply for the stack.
      if (reason instanceof RangeError) return new ProgramError(WORK_EXCEEDED);
      throw reason;
    }
  };
  const planned = makePlan();
  if (planned instanceof ProgramError) return planned;
  const others = {
    observed: () => makePlan(new Observer()),
    partial: () => makePlan(undefined, { partial: true, fallibleMembers: true }),
  };
  return new PlannedProgram(planned, others, options.costLimit, ast.expr.id);
}

interface Plan {
  readonly run: Run;
  readonly slots: number;
}

/** Plans that few programs need. */
interface OtherPlans {
  readonly observed: () => Plan | ProgramError;
  readonly partial: () => Plan | ProgramError;
}

class PlannedProgram implements Program {
  readonly #plan: Plan;
  /** Created on first use. */
  #observedPlan: Plan | undefined;
  #partialPlan: Plan | undefined;
  readonly #others: OtherPlans;
  readonly #limit: number;
  readonly #rootId: number;
  /** Reused between runs; undefined during a run. */
  #idle: Frame | undefined;

  constructor(planned: Plan, others: OtherPlans, costLimit: number | undefined, rootId: number) {
    this.#plan = planned;
    this.#others = others;
    this.#limit = costLimit ?? Number.POSITIVE_INFINITY;
    this.#rootId = rootId;
  }

  evaluate(activation: Activation, options?: EvaluateOptions): ProgramResult {
    if (options?.trace === true) return this.#evaluateObserved(activation);
    if (activation.isPartial === true) return this.#evaluatePartial(activation);
    const frame = this.#idle ?? new Frame(this.#plan.slots, this.#limit);
    this.#idle = undefined;
    const value = runIn(frame, activation, this.#plan.run);
    const { cost } = frame;
    frame.end();
    this.#idle = frame;
    return { value, cost };
  }

  #evaluatePartial(activation: Activation): ProgramResult {
    const planned = this.#partialPlan ?? this.#others.partial();
    if (planned instanceof ProgramError) return { value: new ErrorValue(planned.message), cost: 0 };
    this.#partialPlan = planned;
    const frame = new Frame(planned.slots, this.#limit);
    return { value: runIn(frame, activation, planned.run), cost: frame.cost };
  }

  #evaluateObserved(activation: Activation): ProgramResult {
    if (this.#observedPlan === undefined) {
      const planned = this.#others.observed();
      if (planned instanceof ProgramError) return this.evaluate(activation);
      this.#observedPlan = planned;
    }
    const frame = new Frame(this.#observedPlan.slots, this.#limit);
    const events: TraceEvent[] = [];
    frame.events = events;
    const value = runIn(frame, activation, this.#observedPlan.run);
    const [trace = { nodeId: this.#rootId, value, children: [] }] = events;
    return { value, cost: frame.cost, trace: trace.value === value ? trace : { ...trace, value } };
  }
}

function runIn(frame: Frame, activation: Activation, run: Run): Value {
  frame.begin(activation);
  try {
    const value = run(frame);
    if (frame.cost <= frame.limit) return value;
    frame.cost = frame.limit + 1;
    return new ErrorValue(COST_EXCEEDED, 'cost-exceeded');
  } catch (reason) {
    return frame.stopped(reason);
  }
}

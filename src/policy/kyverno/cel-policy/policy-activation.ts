// The variables of Kyverno's CEL expressions in one evaluation.
import { BOOL } from '../../../cel/check/type.ts';
import type { Activation, EvaluateOptions, Program, ProgramResult } from '../../../cel/eval/program.ts';
import type { TraceEvent } from '../../../cel/value/trace.ts';
import { typeOf } from '../../../cel/value/type-of.ts';
import { ErrorValue, OpaqueValue, UnknownValue, type Value } from '../../../cel/value/value.ts';
import { Meter } from '../../../go/meter.ts';
import { unescapeFieldName } from '../../../kubernetes/cel/field-name.ts';
import type { ObservedExpression, TracedText } from '../../explanation/explanation.ts';
import { KYVERNO_VARIABLES } from './kyverno-environment.ts';
import { HOST_VARIABLES, HostValue } from './library/host-values.ts';
import type { CelProgram } from './program-compiler.ts';
import type { CelSources } from './sources.ts';

/** Fixed cost per expression, in steps. */
const STEPS_FOR_EXPRESSION = 20;

export interface AllowedByExceptions {
  readonly allowedImages: readonly string[];
  readonly allowedValues: readonly string[];
}

function allowedBy(allowedImages: readonly string[], allowedValues: readonly string[]): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ['allowedImages', allowedImages],
    ['allowedValues', allowedValues],
  ]);
}

const NONE_ALLOWED = allowedBy([], []);

/** The values of `object`, `oldObject`, `request` and `namespaceObject`. */
export type PolicyData = ReadonlyMap<string, Value>;

export class PolicyActivation implements Activation {
  readonly meter: Meter;
  readonly isPartial: boolean;
  readonly #data: PolicyData;
  /** Values that override the data, and host variables created on demand. */
  readonly #own = new Map<string, Value>();
  readonly #sources: CelSources;
  readonly #generate: HostValue['generate'] | undefined;
  readonly #isTraced: boolean;
  #variables: ReadonlyMap<string, CelProgram> = new Map();
  #variablesCost = 0;

  /** `isPartial`: values of `data` can be unknown. */
  constructor(
    data: PolicyData,
    sources: CelSources,
    isTraced = false,
    generate?: HostValue['generate'],
    isPartial = false,
  ) {
    this.isPartial = isPartial;
    this.#data = data;
    this.#sources = sources;
    this.meter = new Meter(undefined, sources.work);
    this.#isTraced = isTraced || sources.watch !== undefined;
    this.#generate = generate;
  }

  resolve(name: string): Value | undefined {
    const own = this.#own.get(name);
    const value = own === undefined ? this.#data.get(name) : own;
    if (value !== undefined || !HOST_VARIABLES.has(name)) return value;
    const host = new HostValue(name, this.#sources, this.#generate);
    this.#own.set(name, host);
    return host;
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }

  /** Evaluates a program and charges its cost. */
  run(program: Program, options?: EvaluateOptions): ProgramResult {
    const result = program.evaluate(this, options);
    this.#sources.work?.spend(result.cost + STEPS_FOR_EXPRESSION);
    return result;
  }

  /** Evaluates an expression that affects the result. */
  ask(asked: CelProgram): Value {
    const { watch } = this.#sources;
    return watch === undefined ? this.run(asked.program).value : watch(asked, () => this.#observe(asked));
  }

  #observe({ program, text, ast }: CelProgram): ObservedExpression {
    this.#variablesCost = 0;
    const { value, trace, cost } = this.run(program, { trace: true });
    const variable = (name: string): TracedText | undefined => {
      const own = this.#variables.get(name);
      return own && { expression: own.text, ast: own.ast };
    };
    const whole = trace ?? { nodeId: ast.expr.id, value, children: [] };
    return { expression: text, ast, trace: whole, cost: cost + this.#variablesCost, variable };
  }

  /** Evaluates a variable. Its cost is added to the expression that read it. */
  runVariable(program: Program): ProgramResult {
    const result = this.run(program, { trace: this.#isTraced });
    this.#variablesCost += result.cost;
    return result;
  }

  bindVariables(variables: ReadonlyMap<string, CelProgram>): void {
    this.#variables = variables;
    this.set('variables', new PolicyVariables(variables, this));
  }

  bindExceptions({ allowedImages, allowedValues }: AllowedByExceptions): void {
    const isNone = allowedImages.length === 0 && allowedValues.length === 0;
    this.set('exceptions', isNone ? NONE_ALLOWED : allowedBy(allowedImages, allowedValues));
  }
}

/** Each variable runs once, on first access. Its error becomes the error of the expression that read it. */
class PolicyVariables extends OpaqueValue {
  readonly type = KYVERNO_VARIABLES;
  readonly #variables: ReadonlyMap<string, CelProgram>;
  readonly #activation: PolicyActivation;
  #values: Map<string, Value> | undefined;
  #traces: Map<string, TraceEvent> | undefined;

  constructor(variables: ReadonlyMap<string, CelProgram>, activation: PolicyActivation) {
    super();
    this.#variables = variables;
    this.#activation = activation;
  }

  override get(field: string): Value | undefined {
    const name = unescapeFieldName(field);
    const variable = name === undefined ? undefined : this.#variables.get(name);
    if (name === undefined || variable === undefined) return undefined;
    this.#values ??= new Map();
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    // Only the second of two variables with the same name can depend on itself.
    this.#values.set(name, new ErrorValue(`variable ${name} depends on itself`));
    const { value, trace } = this.#activation.runVariable(variable.program);
    if (trace !== undefined) {
      this.#traces ??= new Map();
      this.#traces.set(name, trace);
    }
    this.#values.set(name, value);
    return value;
  }

  override has(field: string): boolean {
    const name = unescapeFieldName(field);
    return name !== undefined && this.#variables.has(name);
  }

  override traceOf(name: string): TraceEvent | undefined {
    return this.#traces?.get(name);
  }

  override get goType(): string {
    return '*lazy.MapValue';
  }

  override equals(other: Value): boolean {
    return this === other;
  }
}

/** The result of a condition or validation. A value other than a boolean is an error. */
export function evaluateBoolean(program: CelProgram, activation: PolicyActivation): boolean | ErrorValue {
  const value = activation.ask(program);
  if (typeof value === 'boolean' || value instanceof ErrorValue) return value;
  return new ErrorValue(`type conversion error from '${typeOf(value)}' to '${BOOL}'`);
}

/**
 * The first false condition decides, even after errors. Without one, all errors are joined. `unknown`: a condition
 * depends on an open field.
 */
export function evaluateCelConditions(
  conditions: readonly CelProgram[],
  activation: PolicyActivation,
): boolean | { readonly error: string; readonly index: number; readonly unknown?: UnknownValue } {
  const errors: string[] = [];
  let unknown: UnknownValue | undefined;
  let firstError = 0;
  for (const [index, condition] of conditions.entries()) {
    const answer = evaluateBoolean(condition, activation);
    if (answer === false) return false;
    if (answer === true) continue;
    if (answer instanceof UnknownValue) unknown ??= answer;
    if (errors.length === 0) firstError = index;
    errors.push(answer.message);
  }
  if (unknown !== undefined) return { error: unknown.message, index: firstError, unknown };
  return errors.length === 0 ? true : { error: errors.join('; '), index: firstError };
}

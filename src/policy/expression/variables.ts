// The variables of a policy: types, programs and lazy values (apiserver `plugin/cel/composition.go`).
import { DYN, listOf, mapOf, struct, type Type } from '../../cel/check/type.ts';
import type { TypeProvider } from '../../cel/check/type-provider.ts';
import type { Activation } from '../../cel/eval/program.ts';
import { noSuchOverload } from '../../cel/library/no-such-overload.ts';
import type { TraceEvent } from '../../cel/value/trace.ts';
import { ErrorValue, OpaqueValue, UnknownValue, type Value } from '../../cel/value/value.ts';
import { goQuote } from '../../go/strconv/quote.ts';
import { unescapeFieldName } from '../../kubernetes/cel/field-name.ts';
import { type CompiledExpression, compileExpression, type ExpressionContext } from './compiled-expression.ts';

export const VARIABLES_TYPE: Type = struct('kubernetes.variables');

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/**
 * Compiled in order: each variable sees the earlier ones. If two share a name, the later one replaces the earlier, for
 * later expressions and at run time.
 */
export class CompiledVariables implements TypeProvider {
  readonly #compiled = new Map<string, CompiledExpression>();
  readonly #types = new Map<string, Type>();
  /** In the policy's order, duplicates included. Undefined for variables that were not declared. */
  readonly all: readonly (CompiledExpression | undefined)[];

  /**
   * `contextWith` returns the compilation environment, with this object as the provider of type `kubernetes.variables`.
   * On creation, a variable without an expression is reported separately and declares nothing.
   */
  constructor(
    variables: readonly NamedExpression[],
    contextWith: (types: TypeProvider) => ExpressionContext,
    isDeclared: (variable: NamedExpression) => boolean = () => true,
  ) {
    const context = contextWith(this);
    this.all = variables.map((variable) => {
      if (!isDeclared(variable)) return undefined;
      const { name, expression } = variable;
      const compiled = compileExpression(expression, [], context);
      this.#types.set(name, declaredType(compiled.outputType));
      this.#compiled.set(name, compiled);
      return compiled;
    });
  }

  get(name: string): CompiledExpression | undefined {
    return this.#compiled.get(name);
  }

  findStruct(name: string): Type | undefined {
    return name === VARIABLES_TYPE.name ? VARIABLES_TYPE : undefined;
  }

  findField(type: Type, field: string): Type | undefined {
    return type.name === VARIABLES_TYPE.name ? this.#types.get(field) : undefined;
  }

  fieldNames(type: Type): readonly string[] | undefined {
    return type.name === VARIABLES_TYPE.name ? [...this.#types.keys()] : undefined;
  }
}

const PLAIN_KINDS: ReadonlySet<Type['kind']> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

/** `convertCelTypeToDeclType`: scalars, lists and maps keep their type. Everything else becomes dyn. */
export function declaredType(type: Type | undefined): Type {
  if (type === undefined) return DYN;
  if (PLAIN_KINDS.has(type.kind)) return type;
  const [first, second] = type.parameters.map(declaredType);
  if (type.kind === 'list' && first !== undefined) return listOf(first);
  if (type.kind === 'map' && first !== undefined && second !== undefined) return mapOf(first, second);
  return DYN;
}

/** Receives the cost and the value of each variable. */
interface VariablesActivation extends Activation {
  spend(cost: number): void;
  observe(value: Value): void;
}

/**
 * The value of `variables` in one activation. Each variable runs once, on first access. Its cost is charged to the
 * expression that accessed it, in addition to the expression's own cost.
 */
export class LazyVariables extends OpaqueValue {
  readonly type: Type = VARIABLES_TYPE;
  readonly #variables: CompiledVariables;
  readonly #activation: VariablesActivation;
  readonly #trace: boolean;
  readonly #values = new Map<string, Value>();
  readonly #running = new Set<string>();
  #events: Map<string, TraceEvent> | undefined;
  #cost = 0;

  constructor(variables: CompiledVariables, activation: VariablesActivation, trace: boolean) {
    super();
    this.#variables = variables;
    this.#activation = activation;
    this.#trace = trace;
  }

  /** The server unescapes the name (`lazy.go: Find`), so a variable named `a__b__c` is never found. */
  override get(field: string): Value | undefined {
    const name = unescapeFieldName(field);
    if (name === undefined) return undefined;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const compiled = this.#variables.get(name);
    if (compiled === undefined) return undefined;
    // Only the second of two variables with the same name can depend on itself.
    if (this.#running.has(name))
      return new ErrorValue(`${goQuote(name)} depends on itself, which crashes kube-apiserver`);
    this.#running.add(name);
    const value = this.#evaluate(name, compiled);
    this.#running.delete(name);
    this.#values.set(name, value);
    return value;
  }

  override has(field: string): boolean {
    const name = unescapeFieldName(field);
    return name !== undefined && this.#variables.get(name) !== undefined;
  }

  override get goType(): string {
    return '*lazy.MapValue';
  }

  /** Trace of a variable's own run. Set after a traced run. */
  override traceOf(name: string): TraceEvent | undefined {
    return this.#events?.get(name);
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof LazyVariables ? this === other : noSuchOverload(other);
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, { program, error }: CompiledExpression): Value {
    if (program === undefined) {
      return new ErrorValue(`composited variable ${goQuote(name)} fails to compile: ${error}`);
    }
    const { value, cost, trace } = program.evaluate(this.#activation, { trace: this.#trace });
    this.#cost += cost;
    this.#activation.spend(cost);
    this.#activation.observe(value);
    if (trace !== undefined) this.#events = (this.#events ?? new Map()).set(name, trace);
    if (!(value instanceof ErrorValue) || value instanceof UnknownValue) return value;
    return new ErrorValue(`composited variable ${goQuote(name)} fails to evaluate: ${value.message}`);
  }
}

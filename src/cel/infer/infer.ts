// Infers the result of an expression from facts about its variables, and detects operations that cannot work.

import { Meter, type Spending } from '../../go/meter.ts';
import { append } from '../../go/slices/append.ts';
import type { CheckedAst } from '../check/checked-ast.ts';
import { formatArguments, formatType } from '../check/format-type.ts';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, STRING, struct, Type } from '../check/type.ts';
import type { Environment } from '../environment.ts';
import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts';
import { MAP } from '../value/type-of.ts';
import { type ListValue, Optional } from '../value/value.ts';
import { constantCall } from './constant-call.ts';
import { join, type Known, known, NONE, NOTHING_TYPE, ofType, UNKNOWN } from './known.ts';
import type { Observation } from './observation.ts';
import { resultAtRunTime } from './run-time-overload.ts';
import { canNeverBeEqual, isOptional, isScalar, typeOfValue } from './run-time-type.ts';

export interface InferenceContext {
  /** The environment in which the expression was checked. */
  readonly environment: Environment;
  /** Charged for comparisons; absent: not limited. */
  readonly work?: Spending;
  /** Undefined for variables without known facts. */
  variable(name: string): Known | undefined;
  /** True for struct types whose values are maps at run time. */
  isObject(type: Type): boolean;
  /** Undefined if objects of the type have no such field. */
  field(object: Type, name: string): Known | undefined;
  /** Name of the object type in messages. */
  displayName(object: Type): string;
}

export interface Inference {
  readonly result: Known;
  /** Without those in parts that are never evaluated or whose failure does not matter. */
  readonly observations: readonly Observation[];
}

export function infer(ast: CheckedAst, context: InferenceContext): Inference {
  const walk = new Walk(ast, context);
  const result = walk.infer(ast.expr, undefined);
  return { result, observations: walk.observations };
}

/** Work limit for loops over constant lists, in characters per step. Above it, a loop is inferred once for all elements. */
const MAX_LOOP_WORK = 20_000;

/** Limit on compared elements of constant lists; above it, the result is unknown. */
const MAX_COMPARED = 1_000_000;

/** Variables of comprehensions, innermost first. */
interface Scope {
  readonly name: string;
  readonly known: Known;
  readonly outer: Scope | undefined;
}

/** The parser's limits bound the recursion depth. */
class Walk {
  readonly observations: Observation[] = [];
  readonly #ast: CheckedAst;
  readonly #context: InferenceContext;
  #loopWork = MAX_LOOP_WORK;
  /** Limits comparisons within the whole expression. */
  readonly #meter: Meter;

  constructor(ast: CheckedAst, context: InferenceContext) {
    this.#ast = ast;
    this.#context = context;
    this.#meter = new Meter(MAX_COMPARED, context.work);
  }

  infer(expr: Expr, scope: Scope | undefined): Known {
    switch (expr.kind) {
      case 'literal':
        return known(expr.value);
      case 'ident':
        return this.#ident(expr, scope);
      case 'select':
        return this.#select(expr, scope);
      case 'call':
        return this.#call(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'struct':
        for (const { value } of expr.fields) this.infer(value, scope);
        return UNKNOWN;
      case 'comprehension':
        return this.#comprehension(expr, scope);
    }
  }

  #ident({ id, name }: IdentExpr, scope: Scope | undefined): Known {
    for (let inner = scope; inner !== undefined; inner = inner.outer) if (inner.name === name) return inner.known;
    const variable = this.#context.variable(name);
    if (variable !== undefined) return variable;
    const constant = this.#ast.references.get(id)?.value;
    return constant === undefined ? UNKNOWN : known(constant);
  }

  #select(expr: SelectExpr, scope: Scope | undefined): Known {
    const operand = this.infer(expr.operand, scope);
    if (expr.testOnly) return this.#test(expr, operand, expr.field);
    const { end, field } = expr;
    return this.#field({ start: end - [...field].length, end }, operand, field);
  }

  /** `object.field` and `object['field']`. */
  #field(place: Extent, operand: Known, field: string): Known {
    const { type } = operand;
    if (type.kind === 'map') return ofType(type.parameters[1] as Type);
    if (isOptional(type)) return this.#optionalField(place, operand, field);
    if (!this.#context.isObject(type)) {
      if (isScalar(type) || type.kind === 'list') this.#mismatch(place, [type], `${this.#format(type)} has no fields`);
      return UNKNOWN;
    }
    const found = this.#context.field(type, field);
    if (found === undefined) this.#observe({ kind: 'undefined-field', ...place, object: type, field });
    if (found?.computedBy !== undefined) this.#observe({ kind: 'use', name: found.computedBy });
    return found ?? UNKNOWN;
  }

  /** `object.?field`, `object[?'field']`, and any field of an optional value. */
  #optionalField(place: Extent, operand: Known, field: string): Known {
    if (operand.value === Optional.none) return NONE;
    const type = isOptional(operand.type) ? (operand.type.parameters[0] ?? DYN) : operand.type;
    if (type.kind === 'map') return ofType(optionalOf(type.parameters[1] as Type));
    if (!this.#context.isObject(type)) return ofType(optionalOf(DYN));
    const found = this.#context.field(type, field);
    this.#observe({ kind: 'test', ...place, object: type, field, isDefined: found !== undefined });
    return found === undefined ? NONE : ofType(optionalOf(found.type));
  }

  /** `has(object.field)` and `'field' in object`. */
  #test(place: Extent, { type }: Known, field: string): Known {
    // For an optional, the result is not always a bool.
    if (isOptional(type)) return UNKNOWN;
    if (!this.#context.isObject(type)) return ofType(BOOL);
    const found = this.#context.field(type, field);
    const isDefined = found !== undefined;
    this.#observe({ kind: 'test', start: place.start, end: place.end, object: type, field, isDefined });
    if (!isDefined) return known(false);
    return found.isAlwaysThere === true ? known(true) : ofType(BOOL);
  }

  #call(expr: CallExpr, scope: Scope | undefined): Known {
    switch (expr.function) {
      case '_&&_':
        return this.#connective(expr, scope, false);
      case '_||_':
        return this.#connective(expr, scope, true);
      case '_?_:_':
        return this.#conditional(expr, scope);
      default:
        return isInNothing(expr) ? known(false) : this.#apply(expr, this.#argsOf(expr, scope));
    }
  }

  #argsOf({ target, args }: CallExpr, scope: Scope | undefined): readonly Known[] {
    const all = target === undefined ? args : [target, ...args];
    return all.map((arg) => this.infer(arg, scope));
  }

  /** If one operand certainly has the `decisive` value, errors of the others do not matter. */
  #connective(expr: CallExpr, scope: Scope | undefined, decisive: boolean): Known {
    const before = this.observations.length;
    let isCertain = true;
    for (const arg of expr.args) {
      const operand = this.infer(arg, scope);
      if (operand.value === decisive) {
        this.#forgive(before);
        return operand;
      }
      isCertain &&= operand.value === !decisive;
      if (isScalar(operand.type) && operand.type.kind !== 'bool')
        this.#mismatchedCall(arg, expr.function, [operand.type], false);
    }
    return isCertain ? known(!decisive) : ofType(BOOL);
  }

  #conditional(expr: CallExpr, scope: Scope | undefined): Known {
    const [condition, yes, no] = expr.args as [Expr, Expr, Expr];
    const { value } = this.infer(condition, scope);
    if (typeof value === 'boolean') return this.infer(value ? yes : no, scope);
    return ofType(join(this.infer(yes, scope).type, this.infer(no, scope).type));
  }

  #apply(expr: CallExpr, args: readonly Known[]): Known {
    const [first = UNKNOWN, second = UNKNOWN] = args;
    const name = expr.function;
    const values = args.map(({ value }) => value).filter((value) => value !== undefined);
    if (values.length === args.length) {
      const value = constantCall(this.#context.environment, name, values, this.#meter);
      if (value !== undefined) return known(value);
    }
    switch (name) {
      case 'dyn':
        return UNKNOWN;
      case 'type':
        return typeOfValue(this.#context.isObject(first.type) ? MAP : first.type);
      case 'optional.none':
        return NONE;
      case 'hasValue':
        return first.value === Optional.none ? known(false) : ofType(BOOL);
      case 'or':
      case 'orValue':
        if (first.value === Optional.none) return second;
        // A receiver that is not an optional is returned unchanged, contrary to the declaration.
        return name === 'or' && args.some(({ type }) => !isOptional(type)) ? UNKNOWN : this.#resolve(expr, args);
      case '_?._':
      case '_[?_]':
        return typeof second.value === 'string'
          ? this.#optionalField(extentOf(expr.args[1] as Expr), first, second.value)
          : ofType(optionalOf(DYN));
      case '_[_]':
        return typeof second.value === 'string' && this.#context.isObject(first.type)
          ? this.#field(extentOf(expr.args[1] as Expr), first, second.value)
          : this.#resolve(expr, args);
      case '@in':
        return this.#contains(expr, first, second);
      case '_==_':
      case '_!=_':
        if (canNeverBeEqual(first.type, second.type)) {
          const types = [first.type, second.type];
          this.#mismatch(expr, types, `${this.#format(first.type)} and ${this.#format(second.type)} are never equal`);
        }
        return ofType(BOOL);
      default:
        return this.#resolve(expr, args);
    }
  }

  #contains(expr: CallExpr, element: Known, container: Known): Known {
    if (typeof element.value === 'string' && this.#context.isObject(container.type)) {
      return this.#test(expr, container, element.value);
    }
    const { kind, parameters } = container.type;
    if (kind === 'list' && canNeverBeEqual(element.type, parameters[0] as Type)) {
      const types = [element.type, parameters[0] as Type];
      const message = `${this.#format(container.type)} never holds a value of type ${this.#format(element.type)}`;
      this.#mismatch(expr, types, message);
    }
    return this.#resolve(expr, [element, container]);
  }

  #resolve(expr: CallExpr, args: readonly Known[]): Known {
    const declared = this.#context.environment.declaredFunction(expr.function);
    if (declared === undefined) return UNKNOWN;
    const isMethod = expr.target !== undefined;
    const overloads = declared.overloads.filter(({ receiverStyle }) => receiverStyle === isMethod);
    const types = args.map(({ type }) => type);
    const result = resultAtRunTime(overloads, types, (type) => this.#context.isObject(type));
    if (result === undefined) this.#mismatchedCall(expr, expr.function, types, isMethod);
    return result === undefined ? UNKNOWN : ofType(result);
  }

  #list(expr: ListExpr, scope: Scope | undefined): Known {
    const elements = expr.elements.map((element) => this.infer(element, scope));
    const optional = new Set(expr.optionalIndices);
    let type = NOTHING_TYPE;
    for (const [index, element] of elements.entries()) {
      type = join(type, optional.has(index) ? (element.type.parameters[0] ?? DYN) : element.type);
    }
    const values = elements.map(({ value }) => value).filter((value) => value !== undefined);
    const isConstant = elements.length > 0 && values.length === elements.length && optional.size === 0;
    return isConstant ? { ...ofType(listOf(type)), value: values } : ofType(listOf(type));
  }

  #map(expr: MapExpr, scope: Scope | undefined): Known {
    let keyType = NOTHING_TYPE;
    let valueType = NOTHING_TYPE;
    for (const { key, value, optional } of expr.entries) {
      keyType = join(keyType, this.infer(key, scope).type);
      const { type } = this.infer(value, scope);
      valueType = join(valueType, optional ? (type.parameters[0] ?? DYN) : type);
    }
    return ofType(mapOf(keyType, valueType));
  }

  #comprehension(expr: ComprehensionExpr, scope: Scope | undefined): Known {
    const range = this.infer(expr.iterRange, scope);
    if (Array.isArray(range.value) && expr.iterVar2 === undefined) {
      const work = range.value.length * (expr.end - expr.start);
      if (work <= this.#loopWork) {
        this.#loopWork -= work;
        return this.#loop(expr, range.value, scope);
      }
    }
    const [key, value] = this.#entryTypes(expr.iterRange, range.type);
    const initial = this.infer(expr.accuInit, scope);
    const isList = range.type.kind === 'list';
    let inner: Scope = { name: expr.accuVar, known: ofType(initial.type), outer: scope };
    const accumulated = inner;
    const first = expr.iterVar2 === undefined && isList ? value : key;
    inner = { name: expr.iterVar, known: ofType(first), outer: inner };
    if (expr.iterVar2 !== undefined) inner = { name: expr.iterVar2, known: ofType(value), outer: inner };
    this.infer(expr.loopCondition, inner);
    const step = this.infer(expr.loopStep, inner);
    const total = ofType(join(initial.type, step.type));
    return this.infer(expr.result, { ...accumulated, known: total });
  }

  /** Infers each iteration over constant elements: `['Job', 'Pod'].all(kind, object.kind != kind)`. */
  #loop(expr: ComprehensionExpr, elements: ListValue, scope: Scope | undefined): Known {
    let accumulated = this.infer(expr.accuInit, scope);
    for (const element of elements) {
      const outer = { name: expr.accuVar, known: accumulated, outer: scope };
      const inner = { name: expr.iterVar, known: known(element), outer };
      if (this.infer(expr.loopCondition, inner).value === false) break;
      accumulated = this.infer(expr.loopStep, inner);
    }
    return this.infer(expr.result, { name: expr.accuVar, known: accumulated, outer: scope });
  }

  /** Types of index and element, or key and value. */
  #entryTypes(range: Expr, type: Type): readonly [Type, Type] {
    if (type.kind === 'list') return [INT, type.parameters[0] as Type];
    if (type.kind === 'map') return [type.parameters[0] as Type, type.parameters[1] as Type];
    if (this.#context.isObject(type)) return [STRING, DYN];
    if (isScalar(type)) this.#mismatch(range, [type], `${this.#format(type)} has no elements`);
    return [DYN, DYN];
  }

  #mismatchedCall(place: Extent, name: string, types: readonly Type[], isMethod: boolean): void {
    const shown = types.map((type) => this.#displayed(type));
    this.#mismatch(place, types, `\`${operatorName(name)}\` does not take ${formatArguments(shown, isMethod)}`);
  }

  #mismatch({ start, end }: Extent, types: readonly Type[], message: string): void {
    this.#observe({ kind: 'mismatch', start, end, message, types });
  }

  #format(type: Type): string {
    return formatType(this.#displayed(type));
  }

  #displayed(type: Type): Type {
    if (this.#context.isObject(type)) return struct(this.#context.displayName(type));
    if (type.parameters.length === 0) return type;
    return new Type(
      type.kind,
      type.name,
      type.parameters.map((parameter) => this.#displayed(parameter)),
    );
  }

  #observe(observation: Observation): void {
    this.observations.push(observation);
  }

  /** Removes failures observed since then, but keeps the tested fields. */
  #forgive(since: number): void {
    const kept = this.observations.splice(since).filter(({ kind }) => kind === 'test');
    append(this.observations, kept);
  }
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

function extentOf({ start, end }: Expr): Extent {
  return { start, end };
}

/** `x in []` does not evaluate `x`. */
function isInNothing({ function: name, args: [, container] }: CallExpr): boolean {
  return name === '@in' && container?.kind === 'list' && container.elements.length === 0;
}

/** `_>_` becomes `>`, `@in` becomes `in`, `_[_]` becomes `[]`; other functions keep their names. */
function operatorName(name: string): string {
  return /^[_@!-]/.test(name) ? name.replace(/[_@]/g, '') : name;
}

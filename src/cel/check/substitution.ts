// Type parameters and their bindings: unification (cel-go `checker/types.go`, `checker/mapping.go`).
import { DYN, Type, typeParameter } from './type.ts';

/**
 * Limit on steps. Every level of a comprehension can double a type, and cel-go follows such types without limit. Other
 * expressions of the permitted length need fewer steps.
 */
const MAX_STEPS = 4_000_000;

export class Substitution {
  readonly #bindings = new Map<string, Type>();
  /** Changes of the current attempt: name and previous binding. */
  readonly #trail: [string, Type | undefined][] = [];
  #steps = MAX_STEPS;
  #freshParameters = 0;

  /** True if the step limit is exceeded; later results of this object are meaningless. */
  get isExhausted(): boolean {
    return this.#steps < 0;
  }

  /** A new, unbound type parameter: `_var0`, `_var1` … */
  freshParameter(): Type {
    return typeParameter(`_var${this.#freshParameters++}`);
  }

  skipParameters(count: number): void {
    this.#freshParameters += count;
  }

  /** Replaces all bound parameters. With `unboundToDyn`, the others become `dyn`. */
  apply(type: Type, unboundToDyn: boolean): Type {
    if (--this.#steps < 0) return DYN;
    if (type.kind === 'param') {
      const bound = this.#bindings.get(type.name);
      if (bound !== undefined) return this.apply(bound, unboundToDyn);
      return unboundToDyn ? DYN : type;
    }
    const { parameters } = type;
    if (parameters.length === 0) return type;
    let changed: Type[] | undefined;
    for (let index = 0; index < parameters.length; index++) {
      const parameter = parameters[index] as Type;
      const applied = this.apply(parameter, unboundToDyn);
      if (applied === parameter) continue;
      changed ??= [...parameters];
      changed[index] = applied;
    }
    return changed === undefined ? type : new Type(type.kind, type.name, changed);
  }

  /** True if `from` is assignable to `to`; binds parameters as needed. */
  assign(from: Type, to: Type): boolean {
    return this.#settle(this.#isAssignable(from, to));
  }

  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    return this.#settle(this.#areAssignable(from, to));
  }

  #settle(success: boolean): boolean {
    if (!success) {
      for (let index = this.#trail.length - 1; index >= 0; index--) {
        const [name, former] = this.#trail[index] as [string, Type | undefined];
        if (former === undefined) this.#bindings.delete(name);
        else this.#bindings.set(name, former);
      }
    }
    this.#trail.length = 0;
    return success;
  }

  #bind(parameter: Type, type: Type): void {
    this.#trail.push([parameter.name, this.#bindings.get(parameter.name)]);
    this.#bindings.set(parameter.name, type);
  }

  #areAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length) return false;
    return from.every((type, index) => this.#isAssignable(type, to[index] as Type));
  }

  #isAssignable(from: Type, to: Type): boolean {
    if (--this.#steps < 0) return true;
    if (to.kind === 'param') {
      const answer = this.#canStandFor(from, to);
      if (answer !== 'unbound') return answer === 'yes';
    }
    if (from.kind === 'param') return this.#canStandFor(to, from) === 'yes';
    if (isDynOrError(from) || isDynOrError(to)) return true;
    if (from.kind === 'null') return acceptsNull(to);
    if (to.kind === 'null') return acceptsNull(from);
    switch (from.kind) {
      case 'type':
        return to.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return from.kind === to.kind && from.name === to.name && this.#areAssignable(from.parameters, to.parameters);
      default:
        return from.kind === to.kind && from.name === to.name;
    }
  }

  /** Binds `parameter` to `type` if possible. `unbound`: not possible, and there was no binding before. */
  #canStandFor(type: Type, parameter: Type): 'yes' | 'no' | 'unbound' {
    if (type.equals(parameter)) return 'yes';
    const bound = this.#bindings.get(parameter.name);
    if (bound === undefined) {
      if (this.#occursIn(parameter, type)) return 'unbound';
      this.#bind(parameter, type);
      return 'yes';
    }
    if (type.kind === bound.kind && type.equals(bound)) return 'yes';
    if (!this.#isAssignable(type, bound)) return 'no';
    const general = mostGeneral(type, bound);
    if (!this.#occursIn(parameter, general)) this.#bind(parameter, general);
    return 'yes';
  }

  #occursIn(parameter: Type, type: Type): boolean {
    if (--this.#steps < 0) return true;
    if (type.kind === 'param') {
      if (type.name === parameter.name) return true;
      const bound = this.#bindings.get(type.name);
      return bound !== undefined && this.#occursIn(parameter, bound);
    }
    return type.parameters.some((inner) => this.#occursIn(parameter, inner));
  }
}

/** Renames the type parameters of the type. */
export function instantiate(type: Type, fresh: ReadonlyMap<string, Type>): Type {
  if (type.kind === 'param') return fresh.get(type.name) ?? type;
  if (type.parameters.length === 0) return type;
  return new Type(
    type.kind,
    type.name,
    type.parameters.map((parameter) => instantiate(parameter, fresh)),
  );
}

export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

/** The more general of two types that unify. */
export function mostGeneral(one: Type, other: Type): Type {
  return isEqualOrLessSpecific(one, other) ? one : other;
}

function isEqualOrLessSpecific(one: Type, other: Type): boolean {
  if (isDyn(one) || one.kind === 'param') return true;
  if (isDyn(other) || other.kind === 'param' || one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'type':
      return true;
    case 'opaque':
      if (one.name !== other.name || one.parameters.length !== other.parameters.length) return false;
      return everyEqualOrLessSpecific(one.parameters, other.parameters);
    case 'list':
    case 'map':
      return everyEqualOrLessSpecific(one.parameters, other.parameters);
    default:
      return one.equals(other);
  }
}

function everyEqualOrLessSpecific(one: readonly Type[], other: readonly Type[]): boolean {
  return one.every((type, index) => isEqualOrLessSpecific(type, other[index] as Type));
}

/** In cel-go, null is assignable to messages and times, as in its first checker. */
function acceptsNull(type: Type): boolean {
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return type.nullable;
  }
}

// Attributes: a variable or computed value, followed by fields, keys and indices (cel-go `interpreter/attributes.go`).
import { noSuchOverload } from '../library/no-such-overload.ts';
import { ErrorValue, OpaqueValue, Optional, UnknownValue, type Value } from '../value/value.ts';
import type { Frame, Run } from './frame.ts';
import { invalidQualifier, isQualifier, qualify, qualifyIfPresent, throughNative } from './qualify.ts';

export type Root =
  | { readonly kind: 'variable'; readonly id: number; readonly name: string }
  /** A variable of a comprehension. `init` computes an accumulator on first read. */
  | { readonly kind: 'slot'; readonly id: number; readonly slot: number; readonly init: Run | undefined }
  | { readonly kind: 'operand'; readonly run: Run }
  | {
      readonly kind: 'conditional';
      readonly id: number;
      readonly condition: Run;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

export interface Qualifier {
  readonly id: number;
  /** `variable`: name of the variable from which a computed key is read, if it is such an attribute. */
  readonly key: { readonly constant: Value } | { readonly computed: Run; readonly variable: string | undefined };
  readonly optional: boolean;
  /** For `has()`: the result is whether the field exists. */
  readonly presenceTest: boolean;
  /** The checker determined that the operand is a struct. */
  readonly typed: boolean;
}

export interface Attribute {
  readonly root: Root;
  readonly qualifiers: readonly Qualifier[];
}

/** Reports the nodes of an attribute to an observer. */
export interface AttributeObserver {
  /** Wraps a step that is a separate node. */
  observe(id: number, run: Run): Run;
  /**
   * Reports a node whose sub-expressions are the events since `mark`; undefined means that the field does not exist.
   * `operand` and `key` belong to a selection. Returns the value; errors include their location.
   */
  nest(
    frame: Frame,
    id: number,
    mark: number,
    value: Value | undefined,
    operand: Value,
    key: Value | undefined,
  ): Value | undefined;
  /** Corrects the value of the last reported node. */
  amend(frame: Frame, value: Value): void;
}

/** Resolves an attribute without charging the unit for its evaluation (see `evaluateAttribute`). */
export function resolveAttribute({ root, qualifiers }: Attribute, observer: AttributeObserver | undefined): Run {
  const start = resolveRoot(root, observer);
  if (qualifiers.length === 0) return resolveUnqualified(start);
  const steps = qualifiers.map(planStep);
  return (frame) => {
    const mark = frame.events.length;
    let value = start(frame);
    let optional = false;
    if (value instanceof Optional) {
      if (value.value === undefined) return value;
      value = throughNative(value.value);
      optional = true;
    } else if (value instanceof ErrorValue) return value;
    for (const step of steps) {
      optional ||= step.optional;
      const read = optional ? step.applyIfPresent(frame, value) : step.apply(frame, value);
      const next = observer === undefined ? read : observer.nest(frame, step.id, mark, read, value, step.constant);
      if (next === undefined) return Optional.none;
      if (next instanceof ErrorValue) return next;
      value = next;
    }
    if (!optional) return value;
    const result = Optional.of(value);
    observer?.amend(frame, result);
    return result;
  };
}

/** cel-go unwraps and rewraps optionals even without qualifiers. */
function resolveUnqualified(start: Run): Run {
  return (frame) => {
    const value = start(frame);
    if (!(value instanceof Optional) || value.value === undefined) return value;
    return Optional.of(throughNative(value.value));
  };
}

/**
 * An attribute costs one unit. A conditional costs the sum of its parts instead. A presence test costs one less: only
 * its operand, and for a conditional not even that.
 */
export function evaluateAttribute(attribute: Attribute, observer: AttributeObserver | undefined): Run {
  const resolve = resolveAttribute(attribute, observer);
  const isConditional = attribute.root.kind === 'conditional';
  if (isPresenceTest(attribute)) {
    return (frame) => {
      const value = resolve(frame);
      if (isConditional) frame.refund();
      if (!(value instanceof Optional)) return value;
      observer?.amend(frame, value.hasValue);
      return value.hasValue;
    };
  }
  if (isConditional) return resolve;
  return (frame) => {
    const value = resolve(frame);
    frame.cost += 1;
    return value;
  };
}

function isPresenceTest({ qualifiers }: Attribute): boolean {
  return qualifiers[qualifiers.length - 1]?.presenceTest === true;
}

function resolveRoot(root: Root, observer: AttributeObserver | undefined): Run {
  switch (root.kind) {
    case 'operand':
      return root.run;
    case 'variable': {
      const run = readVariable(root.name);
      return observer === undefined ? run : observer.observe(root.id, run);
    }
    case 'slot': {
      const run = readSlot(root.slot, root.init);
      return observer === undefined ? run : observer.observe(root.id, run);
    }
    case 'conditional':
      return resolveConditional(root, observer);
  }
}

function readVariable(name: string): Run {
  return (frame) => {
    const value = frame.activation.resolve(name);
    return value === undefined ? new ErrorValue(`no such attribute(s): ${name}`) : value;
  };
}

function readSlot(slot: number, init: Run | undefined): Run {
  if (init === undefined) return (frame) => frame.slots[slot] as Value;
  return (frame) => {
    const value = frame.slots[slot];
    if (value !== undefined) return value;
    const initial = init(frame);
    frame.slots[slot] = initial;
    return initial;
  };
}

function resolveConditional(
  { id, condition, truthy, falsy }: Extract<Root, { kind: 'conditional' }>,
  observer: AttributeObserver | undefined,
): Run {
  const then = resolveAttribute(truthy, observer);
  const otherwise = resolveAttribute(falsy, observer);
  const run: Run = (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return then(frame);
    if (chosen === false) return otherwise(frame);
    return chosen instanceof ErrorValue ? chosen : noSuchOverload();
  };
  return observer === undefined ? run : observer.observe(id, run);
}

interface Step {
  readonly id: number;
  readonly optional: boolean;
  readonly constant: Value | undefined;
  apply(frame: Frame, operand: Value): Value;
  applyIfPresent(frame: Frame, operand: Value): Value | undefined;
}

function planStep({ id, key, optional, presenceTest, typed }: Qualifier): Step {
  if ('computed' in key) return computedStep(id, optional, key.computed, key.variable);
  return constantStep(id, optional, key.constant, presenceTest, typed);
}

/** A read costs one unit whether or not it succeeds; an optional read of a missing field is free. */
function constantStep(id: number, optional: boolean, key: Value, presenceTest: boolean, typed: boolean): Step {
  const ifPresent = (frame: Frame, operand: Value): Value | undefined => {
    const found = readIfPresent(frame, operand, key, typed);
    if (found !== undefined && !(found instanceof ErrorValue)) frame.cost += 1;
    return found;
  };
  if (!presenceTest) {
    const apply = (frame: Frame, operand: Value): Value => {
      if (operand instanceof OpaqueValue) frame.checkLimit();
      frame.cost += 1;
      return qualify(operand, key, typed);
    };
    return { id, optional, constant: key, apply, applyIfPresent: ifPresent };
  }
  return {
    id,
    optional,
    constant: key,
    apply(frame, operand) {
      const found = readIfPresent(frame, operand, key, typed);
      frame.cost += 1;
      if (found instanceof ErrorValue) return found instanceof UnknownValue && found.isPresent ? true : found;
      return found !== undefined;
    },
    applyIfPresent(frame, operand) {
      const found = ifPresent(frame, operand);
      return found === undefined || found instanceof ErrorValue ? found : null;
    },
  };
}

/** Check the limit first, because the read may run another program. */
function readIfPresent(frame: Frame, operand: Value, key: Value, typed: boolean): Value | undefined {
  if (operand instanceof OpaqueValue) frame.checkLimit();
  return qualifyIfPresent(operand, key, typed);
}

function computedStep(id: number, optional: boolean, computed: Run, variable: string | undefined): Step {
  const invalid = (frame: Frame, key: Value): ErrorValue | undefined => {
    if (isQualifier(key)) return undefined;
    // A value read from a plain variable is still a Go value, and the message names its Go type.
    const native = variable !== undefined && !(frame.activation.resolve(variable) instanceof OpaqueValue);
    return invalidQualifier(key, native);
  };
  return {
    id,
    optional,
    constant: undefined,
    apply(frame, operand) {
      const key = computed(frame);
      if (operand instanceof OpaqueValue) frame.checkLimit();
      frame.cost += 1;
      if (key instanceof ErrorValue) return key;
      return invalid(frame, key) ?? qualify(operand, key, false);
    },
    applyIfPresent(frame, operand) {
      const key = computed(frame);
      if (key instanceof ErrorValue) return key;
      const found = invalid(frame, key) ?? qualifyIfPresent(operand, key, false);
      if (found !== undefined && !(found instanceof ErrorValue)) frame.cost += 1;
      return found;
    },
  };
}

// Partial evaluation (cel-go `interpreter/attributes.go`, unknowns): calls and loops that may read an unknown member are unknown.
import { equalsOrError, isMap } from '../value/equality.ts';
import { ErrorValue, Optional, StructValue, UnknownValue, type Value } from '../value/value.ts';
import type { Run } from './frame.ts';

/** These functions pass containers on without reading their members. */
const PASSING: ReadonlySet<string> = new Set(['dyn', '_&&_', '_||_', '_?_:_', '_[_]', '_[?_]', '_?._']);

/** These functions read which members a container has, not their values. */
const COUNTING: ReadonlySet<string> = new Set(['size', '_+_']);

/** The arguments of a call: a container with an unknown member becomes that unknown. */
export function partialArguments(name: string, args: readonly Run[]): readonly Run[] {
  if (PASSING.has(name)) return args;
  return args.map(COUNTING.has(name) ? guardMembers : guard);
}

/** A list has all its elements. A map may lack an unknown member. */
function guardMembers(run: Run): Run {
  return (frame) => {
    const value = run(frame);
    if (Array.isArray(value)) return value;
    if (value instanceof Map) return firstAbsentable(value.entries()) ?? value;
    return unknownWithin(value) ?? value;
  };
}

function guard(run: Run): Run {
  return (frame) => {
    const value = run(frame);
    return unknownWithin(value) ?? value;
  };
}

/** The range of a loop. A map whose unknown member may be absent has unknown keys. */
export function partialRange(run: Run): Run {
  return (frame) => {
    const value = run(frame);
    return (isMap(value) ? firstAbsentable(value.entries()) : undefined) ?? value;
  };
}

/** `in`: a known element decides. The keys of a map are known, except those that may be absent. */
export function partialContainment(element: Run, container: Run, general: Run): Run {
  return (frame) => {
    const key = element(frame);
    const values = container(frame);
    if (key instanceof ErrorValue || unknownWithin(key) !== undefined) return general(frame);
    if (unknownWithin(values) === undefined) return general(frame);
    if (values instanceof Map && typeof key === 'string') {
      const member: Value | undefined = values.get(key);
      return member instanceof UnknownValue && !member.isPresent ? member : member !== undefined;
    }
    if (!Array.isArray(values)) return general(frame);
    const isKnown = values.some((each) => unknownWithin(each) === undefined && equalsOrError(key, each) === true);
    return isKnown ? true : general(frame);
  };
}

/** `==` and `!=`: values that differ in a known part are not equal. */
export function partialEquality([left, right]: readonly Run[], negated: boolean, general: Run): Run {
  return (frame) => {
    const one = left?.(frame) ?? null;
    const other = right?.(frame) ?? null;
    if (one instanceof ErrorValue || other instanceof ErrorValue) return general(frame);
    return differ(one, other) ? negated : general(frame);
  };
}

/** True if the values differ for all values of their unknown members. */
function differ(one: Value, other: Value): boolean {
  if (unknownWithin(one) === undefined && unknownWithin(other) === undefined)
    return equalsOrError(one, other) === false;
  if (one instanceof UnknownValue || other instanceof UnknownValue) return false;
  if (Array.isArray(one) !== Array.isArray(other) || isMap(one) !== isMap(other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length !== other.length || one.some((each, index) => differ(each, other[index] as Value));
  }
  if (!(one instanceof Map && other instanceof Map)) return false;
  return hasOtherMember(one, other) || hasOtherMember(other, one);
}

function hasOtherMember(one: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): boolean {
  for (const [key, member] of one) {
    const counterpart = other.get(key);
    if (counterpart === undefined ? !isAbsentable(member) : differ(member, counterpart)) return true;
  }
  return false;
}

function isAbsentable(member: Value): boolean {
  return member instanceof UnknownValue && !member.isPresent;
}

function firstAbsentable(entries: Iterable<readonly [Value, Value]>): UnknownValue | undefined {
  for (const [, member] of entries) if (member instanceof UnknownValue && !member.isPresent) return member;
  return undefined;
}

function unknownWithin(value: Value): UnknownValue | undefined {
  if (value instanceof UnknownValue) return value;
  if (value instanceof Optional) return value.value === undefined ? undefined : unknownWithin(value.value);
  if (Array.isArray(value)) return firstWithin(value);
  if (value instanceof StructValue) return firstWithin(value.fields.values());
  if (!isMap(value)) return undefined;
  for (const [, member] of value.entries()) {
    const found = unknownWithin(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstWithin(members: Iterable<Value>): UnknownValue | undefined {
  for (const member of members) {
    const found = unknownWithin(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

// The variants of cel-go's error for a function that does not accept its arguments.
import { Duration, Timestamp } from '../value/scalar.ts';
import { typeOf } from '../value/type-of.ts';
import { ErrorValue, type Value } from '../value/value.ts';

/** For an implementation that cannot use an argument (`types.MaybeNoSuchOverloadErr`); an error argument is returned itself. */
export function noSuchOverload(argument?: Value): ErrorValue {
  return argument instanceof ErrorValue ? argument : new ErrorValue(WORDS, KIND);
}

const KIND = 'no-such-overload';
const WORDS = 'no such overload';

/** Includes the call in cel-go's notation. */
export function noSuchCall(call: string): ErrorValue {
  return new ErrorValue(`${WORDS}: ${call}`, KIND);
}

/**
 * For a first operand without the trait that a singleton binding requires. Strings, timestamps and durations are
 * receivers in cel-go: their method lookup fails with a message that does not name the method.
 */
export function noSuchOperand(operand: Value, functionName: string): ErrorValue {
  if (typeof operand === 'string' || operand instanceof Timestamp || operand instanceof Duration)
    return noSuchOverload();
  return noSuchCall(functionName);
}

/** For a dispatch in which no overload fits (`decls.MaybeNoSuchOverload`). */
export function noMatchingOverload(functionName: string, args: readonly Value[]): ErrorValue {
  const types = args.map((argument) => typeOf(argument).name).join(', ');
  return noSuchCall(`${functionName}(${types})`);
}

// cel-go's several ways of saying that a function does not take these values.
import { Duration, Timestamp } from '../value/scalar.ts';
import { typeOf } from '../value/type-of.ts';
import { ErrorValue, type Value } from '../value/value.ts';

/** Said by an implementation that cannot use an argument (`types.MaybeNoSuchOverloadErr`); one that is an error stands for itself. */
export function noSuchOverload(argument?: Value): ErrorValue {
  return argument instanceof ErrorValue ? argument : new ErrorValue(WORDS, KIND);
}

const KIND = 'no-such-overload';
const WORDS = 'no such overload';

/** With the call as cel-go writes it in that place. */
export function noSuchCall(call: string): ErrorValue {
  return new ErrorValue(`${WORDS}: ${call}`, KIND);
}

/**
 * Said when the first operand lacks the trait that a singleton binding asks for. Strings, timestamps and durations are receivers
 * in cel-go: they are asked for a method of that name and answer without naming it.
 */
export function noSuchOperand(operand: Value, functionName: string): ErrorValue {
  if (typeof operand === 'string' || operand instanceof Timestamp || operand instanceof Duration)
    return noSuchOverload();
  return noSuchCall(functionName);
}

/** Said by dispatch when no overload fits (`decls.MaybeNoSuchOverload`). */
export function noMatchingOverload(functionName: string, args: readonly Value[]): ErrorValue {
  const types = args.map((argument) => typeOf(argument).name).join(', ');
  return noSuchCall(`${functionName}(${types})`);
}

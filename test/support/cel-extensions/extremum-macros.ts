// math.least and math.greatest: expands calls with any number of arguments to calls with one or two (cel-go `ext/math.go`).
import type { Expr } from '../../../src/cel/syntax/ast.ts';
import type { ExprFactory } from '../../../src/cel/syntax/expr-factory.ts';
import type { Macro } from '../../../src/cel/syntax/macro.ts';
import { Uint } from '../../../src/cel/value/scalar.ts';
import { isNamespace } from './in-namespace.ts';

export const LEAST_MACRO: Macro = extremumMacro('least', 'math.@min');
export const GREATEST_MACRO: Macro = extremumMacro('greatest', 'math.@max');

function extremumMacro(name: string, functionName: string): Macro {
  const call = `math.${name}()`;
  const expand: Macro['expand'] = (factory, target, args) => {
    if (!isNamespace(target, 'math')) return undefined;
    const [first] = args;
    if (first === undefined) return factory.error(target as Expr, `${call} requires at least one argument`);
    if (args.length === 1 && !canBeNumber(first) && !isListOfNumbers(first)) {
      return factory.error(first, `${call} invalid single argument value`);
    }
    const wrong = args.length === 1 ? undefined : args.find((argument) => !canBeNumber(argument));
    if (wrong !== undefined) return factory.error(wrong, `${call} simple literal arguments must be numeric`);
    return factory.call(functionName, ...pairOrList(factory, args));
  };
  return { name, argCount: 'any', receiverStyle: true, expand };
}

function pairOrList(factory: ExprFactory, args: readonly Expr[]): readonly Expr[] {
  return args.length > 2 ? [factory.list(...args)] : args;
}

/** False if the text alone shows that it is not a number. */
function canBeNumber(expr: Expr): boolean {
  if (expr.kind !== 'literal') return expr.kind !== 'list' && expr.kind !== 'map' && expr.kind !== 'struct';
  return typeof expr.value === 'bigint' || typeof expr.value === 'number' || expr.value instanceof Uint;
}

function isListOfNumbers(expr: Expr): boolean {
  return expr.kind === 'list' && expr.elements.length > 0 && expr.elements.every(canBeNumber);
}

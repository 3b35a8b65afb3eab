// Validators of literals that Kubernetes enables: durations, timestamps, regular expressions (cel-go `cel/validator.go`).

import { visitPostOrder } from '../syntax/children.ts';
import { timestampConversion, toDuration } from '../value/conversion.ts';
import type { CelGo } from '../value/release.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import type { AstValidator } from './ast-validator.ts';

export const DURATION_VALIDATOR: AstValidator = literalValidator(
  'duration',
  (value) => !(toDuration(value) instanceof ErrorValue),
);

export function timestampValidator(celGo: CelGo): AstValidator {
  const convert = timestampConversion(celGo);
  return literalValidator('timestamp', (value) => !(convert(value) instanceof ErrorValue));
}

/**
 * `isValid`: whether RE2 can compile a pattern. For the global call `matches(text, pattern)` this checks the text
 * instead of the pattern, as in cel-go.
 */
export function regexValidator(isValid: (pattern: string) => boolean): AstValidator {
  return literalValidator('matches', (value) => typeof value === 'string' && isValid(value));
}

/** Checks the first argument of every call of the function (without the receiver) if it is a literal. */
function literalValidator(functionName: string, isValid: (value: Value) => boolean): AstValidator {
  return {
    name: `cel.validator.${functionName}`,
    validate(ast, report) {
      visitPostOrder(ast.expr, (node) => {
        if (node.kind !== 'call' || node.function !== functionName) return;
        const [literal] = node.args;
        if (literal?.kind === 'literal' && !isValid(literal.value)) {
          report(literal, `invalid ${functionName} argument`);
        }
      });
    },
  };
}

// Condition operators by name (`pkg/engine/variables/operator/operator.go`).
import type { JsonValue } from '../../../source/json/json.ts';
import type { VariableError } from '../variables/variable-error.ts';
import { compareDurations } from './duration-operators.ts';
import { isEqual, isNotEqual } from './equal.ts';
import { isIn, isNotIn } from './in.ts';
import { compareNumbers } from './numeric-operators.ts';
import { anyOrAllIn } from './set-operators.ts';

/** Returns an error only if Kyverno crashes. */
export type Operator = (key: JsonValue, value: JsonValue) => boolean | VariableError;

/** Ignores case, but ordering operators in the wrong case never hold. */
export function operatorOf(name: string): Operator | undefined {
  switch (name.toLowerCase()) {
    case 'equal':
    case 'equals':
      return isEqual;
    case 'notequal':
    case 'notequals':
      return isNotEqual;
    case 'in':
      return isIn;
    case 'notin':
      return isNotIn;
    case 'anyin':
      return (key, value) => anyOrAllIn(key, value, 'any', false);
    case 'anynotin':
      return (key, value) => anyOrAllIn(key, value, 'any', true);
    case 'allin':
      return (key, value) => anyOrAllIn(key, value, 'all', false);
    case 'allnotin':
      return (key, value) => anyOrAllIn(key, value, 'all', true);
    case 'greaterthanorequals':
    case 'greaterthan':
    case 'lessthanorequals':
    case 'lessthan':
      return (key, value) => compareNumbers(key, value, name);
    case 'durationgreaterthanorequals':
    case 'durationgreaterthan':
    case 'durationlessthanorequals':
    case 'durationlessthan':
      return (key, value) => compareDurations(key, value, name.replace(/^Duration/, ''));
    default:
      return undefined;
  }
}

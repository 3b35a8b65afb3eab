// Evaluates preconditions and deny conditions (`pkg/engine/variables/evaluate.go`).
import { append } from '../../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError, variableFailure } from '../variables/variable-error.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import { type AnyAllConditions, type Condition, type Conditions, readConditions } from './condition.ts';
import { operatorOf } from './operators.ts';

export interface ConditionsAnswer {
  readonly holds: boolean;
  /** Messages of the deciding conditions, without substitution: those that hold if all hold, otherwise those that do not. */
  readonly message: string;
  readonly deciding: readonly Condition[];
}

/** Accepts conditions as written, or already parsed by `readConditions`, which saves time. */
export function evaluateConditions(
  context: VariableSource,
  written: JsonValue | Conditions,
): ConditionsAnswer | VariableError {
  const conditions = isRead(written) ? written : readConditions(written);
  if (conditions === undefined) return variableFailure('invalid condition');
  switch (conditions.form) {
    case 'any-all':
      return evaluateAnyAll(context, conditions.conditions);
    case 'blocks':
      return evaluateBlocks(context, conditions.blocks);
    case 'list':
      return evaluateList(context, conditions.conditions);
    default:
      return conditions satisfies never;
  }
}

function isRead(conditions: JsonValue | Conditions): conditions is Conditions {
  return typeof conditions === 'object' && conditions !== null && 'form' in conditions;
}

/** Every block must hold. The first that does not decides. */
function evaluateBlocks(
  context: VariableSource,
  blocks: readonly AnyAllConditions[],
): ConditionsAnswer | VariableError {
  const messages: string[] = [];
  const deciding: Condition[] = [];
  for (const block of blocks) {
    const answer = evaluateAnyAll(context, block);
    if (answer instanceof VariableError || !answer.holds) return answer;
    messages.push(answer.message);
    append(deciding, answer.deciding);
  }
  return { holds: true, message: joinNonEmpty(messages, ';'), deciding };
}

export function evaluateAnyAll(
  context: VariableSource,
  { any, all }: AnyAllConditions,
): ConditionsAnswer | VariableError {
  const fulfilled: Condition[] = [];
  const unfulfilled: Condition[] = [];
  let anyHolds = any === undefined;
  for (const condition of any ?? []) {
    const holds = evaluateCondition(context, condition);
    if (holds instanceof VariableError) return holds;
    (holds ? fulfilled : unfulfilled).push(condition);
    if (!holds) continue;
    anyHolds = true;
    break;
  }
  let allHold = true;
  for (const condition of all) {
    const holds = evaluateCondition(context, condition);
    if (holds instanceof VariableError) return holds;
    (holds ? fulfilled : unfulfilled).push(condition);
    if (holds) continue;
    allHold = false;
    break;
  }
  const holds = anyHolds && allHold;
  const deciding = holds ? fulfilled : unfulfilled;
  return {
    holds,
    message: joinNonEmpty(
      deciding.map(({ message }) => message),
      '; ',
    ),
    deciding,
  };
}

function evaluateList(context: VariableSource, conditions: readonly Condition[]): ConditionsAnswer | VariableError {
  for (const condition of conditions) {
    const holds = evaluateCondition(context, condition);
    if (holds instanceof VariableError) return holds;
    if (!holds) return { holds: false, message: condition.message, deciding: [condition] };
  }
  const messages = conditions.map(({ message }) => message);
  return { holds: true, message: joinNonEmpty(messages, ';'), deciding: conditions };
}

export function evaluateCondition(context: VariableSource, condition: Condition): boolean | VariableError {
  const key = substituteAll(context, decoded(condition.key));
  if (key instanceof VariableError) {
    return key.within((message) => `failed to substitute variables in condition key: ${message}`);
  }
  const value = substituteAll(context, decoded(condition.value));
  if (value instanceof VariableError) {
    return value.within((message) => `failed to substitute variables in condition value: ${message}`);
  }
  const operator = operatorOf(condition.operator);
  // Go formats an error that is nil.
  if (operator === undefined) {
    return variableFailure('failed to create handler for condition operator: %!w(<nil>)');
  }
  return operator(key, value);
}

/** Kyverno encodes and decodes a single number, which turns it into a double. Lists and objects keep their integers. */
function decoded(value: JsonValue): JsonValue {
  return isJsonArray(value) || isJsonObject(value) ? value : asDoubles(value);
}

function joinNonEmpty(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== '').join(separator);
}

// Evaluates preconditions and deny conditions (`pkg/engine/variables/evaluate.go`).
import { append } from '../../../go/slices/append.ts';
import { hasFreeKeys } from '../../../kubernetes/request/free-keys.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import { Undecided } from '../rule/rule-response.ts';
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
  let openAny: Undecided | undefined;
  for (const condition of any ?? []) {
    const holds = openCondition(context, condition);
    if (holds instanceof Undecided) {
      openAny ??= holds;
      continue;
    }
    if (holds instanceof VariableError) return errorAfter(openAny, holds);
    (holds ? fulfilled : unfulfilled).push(condition);
    if (!holds) continue;
    anyHolds = true;
    break;
  }
  let allHold = true;
  let openAll: Undecided | undefined;
  for (const condition of all) {
    const holds = openCondition(context, condition);
    if (holds instanceof Undecided) {
      openAll ??= holds;
      continue;
    }
    if (holds instanceof VariableError) return errorAfter(openAll, holds);
    (holds ? fulfilled : unfulfilled).push(condition);
    if (holds) continue;
    allHold = false;
    break;
  }
  const isAnyOpen = openAny !== undefined && !anyHolds;
  const open = (isAnyOpen ? openAny : undefined) ?? openAll;
  if (open !== undefined && allHold && (anyHolds || isAnyOpen)) throw open;
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

/** An open condition before an error may decide first. */
function errorAfter(open: Undecided | undefined, error: VariableError): VariableError {
  if (open !== undefined) throw new Undecided(open.message, open.reads);
  return error;
}

/** Returns `Undecided` if no value of the open field leads to an error, so that another condition may decide. */
function openCondition(context: VariableSource, condition: Condition): boolean | VariableError | Undecided {
  try {
    return evaluateCondition(context, condition);
  } catch (reason) {
    if (reason instanceof Undecided && isErrorFree(condition, reason)) return reason.asErrorFree();
    throw reason;
  }
}

/** One variable without function calls, for a field that exists or with a value for its absence. */
function isErrorFree({ key, value, operator }: Condition, { reads }: Undecided): boolean {
  const texts = [key, value].filter((each): each is string => typeof each === 'string' && each.includes('{{'));
  const others = [key, value].filter((each) => isJsonArray(each) || isJsonObject(each));
  if (others.some((each) => each === key || !isTextList(each)) || !SAFE_OPERATORS.has(operator.toLowerCase()))
    return false;
  const isPresent = reads.length > 0 && reads.every(({ path }) => hasFreeKeys(path.slice(0, -1)));
  return texts.every((text) => PLAIN_QUERY.test(text) && (isPresent || NEVER_NULL.test(text)));
}

function isTextList(value: JsonValue): boolean {
  return isJsonArray(value) && value.every((item) => typeof item === 'string' && !item.includes('{{'));
}

/** These compare values of any type. */
const SAFE_OPERATORS: ReadonlySet<string> = new Set([
  'equal',
  'equals',
  'notequal',
  'notequals',
  'anyin',
  'anynotin',
  'allin',
  'allnotin',
]);
/** Loading another context entry may fail. */
const PLAIN_QUERY = /^\{\{\s*(?:request|element)\b(?:[^(){}|&]|\|\|)*\}\}$/;
/** A default, or a list of the values that exist. */
const NEVER_NULL = /\|\|\s*'[^']*'\s*\}\}$|\[(?:\*|\?[^\]]*)?\][\w.]*\s*\}\}$/;

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

// The message of a violated rule (apiextensions `schema/cel/validation.go: evalMessageExpression`).
import type { Activation } from '../../../cel/eval/program.ts';
import { ErrorValue } from '../../../cel/value/value.ts';
import { goQuote } from '../../../go/strconv/quote.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { ValidationRule } from '../schema/schema.ts';
import type { CompiledRule } from './compiled-rule.ts';

/** `MaxEvaluatedMessageExpressionSizeBytes`. */
const MAX_MESSAGE_BYTES = 5 * 1024;

export type RuleMessage =
  | { readonly text: string; readonly remainingBudget: number }
  /** Evaluation stops. */
  | { readonly failure: string };

/** The result of the message expression, else the rule's message, else the rule itself. */
export function ruleMessage(
  { rule, messageProgram }: CompiledRule,
  activation: Activation,
  budget: number,
): RuleMessage {
  const fallback = rule.message === '' ? `failed rule: ${describeRule(rule)}` : trimSpace(rule.message);
  if (messageProgram === undefined) return { text: fallback, remainingBudget: budget };
  const { value, cost } = messageProgram.evaluate(activation);
  if (cost > budget) {
    return {
      failure:
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    };
  }
  if (value instanceof ErrorValue && value.kind === 'cost-exceeded') {
    const expression = goQuote(rule.messageExpression);
    return {
      failure: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`,
    };
  }
  const computed = typeof value === 'string' ? trimSpace(value) : '';
  const isUsable = computed !== '' && !computed.includes('\n') && !isTooLong(computed);
  return { text: isUsable ? computed : fallback, remainingBudget: budget - cost };
}

/** The rule's message, or the rule if it has none. */
export function describeRule({ rule, message }: ValidationRule): string {
  return trimSpace(message === '' ? rule : message);
}

function isTooLong(text: string): boolean {
  return text.length * 3 > MAX_MESSAGE_BYTES && new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES;
}

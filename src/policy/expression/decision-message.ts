// The message of a failed validation (apiserver `validating/validator.go`, message selection).
import { throughNative } from '../../cel/eval/qualify.ts';
import { trimSpace } from '../../go/strings/trim-space.ts';
import type { ExpressionOutcome } from './condition-evaluator.ts';

/** `MaxEvaluatedMessageExpressionSizeBytes`: longer results, in UTF-8, are discarded. */
const MAX_MESSAGE_BYTES = 5 * 1024;

/**
 * messageExpression if its result is a Go string (a type's name also is one) that is not blank, too long or multi-line;
 * a lone `\r` is allowed. Otherwise message, otherwise the expression. All are trimmed of Unicode white space, as in
 * Go.
 */
export function selectMessage(
  validation: { readonly message: string; readonly expression: string },
  messageOutcome: ExpressionOutcome,
): string {
  const dynamic = dynamicMessage(messageOutcome);
  if (dynamic !== '') return dynamic;
  const fixed = trimSpace(validation.message);
  if (fixed !== '') return fixed;
  return `failed expression: ${trimSpace(validation.expression)}`;
}

function dynamicMessage(outcome: ExpressionOutcome): string {
  if (outcome === undefined || 'error' in outcome) return '';
  const value = throughNative(outcome.value);
  if (typeof value !== 'string') return '';
  const message = trimSpace(value);
  const tooLong =
    message.length * 3 > MAX_MESSAGE_BYTES && new TextEncoder().encode(message).length > MAX_MESSAGE_BYTES;
  return tooLong || message.includes('\n') ? '' : message;
}

// The words of a failed validation (apiserver `validating/validator.go`, message selection).
import type { ExpressionOutcome } from '../expression/condition-evaluator.ts';
import type { Validation } from './validating-policy.ts';

/** `MaxEvaluatedMessageExpressionSizeBytes`: longer results, in UTF-8, are discarded. */
const MAX_MESSAGE_BYTES = 5 * 1024;

/**
 * messageExpression if it gave a string that is not blank, too long or multi-line (a lone `\r` passes); else message; else the
 * expression itself. All are trimmed of Unicode white space as Go trims.
 */
export function selectMessage(validation: Validation, messageOutcome: ExpressionOutcome): string {
  const dynamic = dynamicMessage(messageOutcome);
  if (dynamic !== '') return dynamic;
  const fixed = trimSpace(validation.message);
  if (fixed !== '') return fixed;
  return `failed expression: ${trimSpace(validation.expression)}`;
}

function dynamicMessage(outcome: ExpressionOutcome): string {
  if (outcome === undefined || 'error' in outcome || typeof outcome.value !== 'string') return '';
  const message = trimSpace(outcome.value);
  const tooLong =
    message.length * 3 > MAX_MESSAGE_BYTES && new TextEncoder().encode(message).length > MAX_MESSAGE_BYTES;
  return tooLong || message.includes('\n') ? '' : message;
}

/** Go's `strings.TrimSpace`: like `trim` but U+FEFF is no space and U+0085 is. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isGoSpace(text.charCodeAt(start))) start++;
  while (end > start && isGoSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** unicode.White_Space. */
function isGoSpace(code: number): boolean {
  return (
    (code >= 0x09 && code <= 0x0d) ||
    code === 0x20 ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

// The audit annotations a request leaves behind (apiserver `validating/dispatcher.go`).

import type { JsonValue } from '../../source/json.ts';
import { stringifyJson } from '../../source/json.ts';
import type { Decision } from './decision.ts';
import type { ValidatingBinding } from './validating-policy.ts';

const MAX_VALUE_BYTES = 10 * 1024;
export const VALIDATION_FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';

/** `publishValidationFailureAnnotation`: a JSON array of one failure, fields in the server's order. */
export function validationFailureValue(
  binding: ValidatingBinding,
  expressionIndex: number,
  decision: Decision,
): string {
  const failure = new Map<string, JsonValue>([
    ['message', decision.message],
    ['policy', binding.policyName],
    ['binding', binding.name],
    ['expressionIndex', BigInt(expressionIndex)],
    ['validationActions', binding.validationActions],
  ]);
  return stringifyJson([failure], { sortKeys: false, escapeHtml: true });
}

/** Values of one policy's own annotations: distinct ones over bindings and params, in order, joined with a comma. */
export class AuditAnnotationCollector {
  readonly #values = new Map<string, string[]>();

  /** Values are cut to 10 KiB of UTF-8; a character cut in half shows as U+FFFD. */
  add(key: string, value: string): void {
    const bytes = new TextEncoder().encode(value);
    const cut = bytes.length > MAX_VALUE_BYTES ? new TextDecoder().decode(bytes.subarray(0, MAX_VALUE_BYTES)) : value;
    const values = this.#values.get(key) ?? [];
    if (!values.includes(cut)) values.push(cut);
    this.#values.set(key, values);
  }

  publish(policyName: string, annotations: Map<string, string>): void {
    for (const [key, values] of this.#values) setOnce(annotations, `${policyName}/${key}`, values.join(', '));
  }
}

/** `attributesRecord.AddAnnotation` refuses to overwrite: the first value of a key stays. */
export function setOnce(annotations: Map<string, string>, key: string, value: string): void {
  if (!annotations.has(key)) annotations.set(key, value);
}

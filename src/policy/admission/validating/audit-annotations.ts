// The audit annotations of a request (apiserver `validating/dispatcher.go`).
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import type { Decision } from './decision.ts';
import type { ValidatingBinding } from './validating-policy.ts';

const MAX_VALUE_BYTES = 10 * 1024;
const VALIDATION_FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';
/** `maxValidationFailures` per request, since 1.37. */
const MAX_VALIDATION_FAILURES = 50;

/**
 * The annotation for the action Audit: a JSON array of failures. Up to 1.36, each failure adds the annotation on its
 * own and only the first succeeds. Since 1.37, all policies share one array, added at the end.
 */
export class ValidationFailures {
  readonly #annotations: Map<string, string>;
  readonly #isShared: boolean;
  readonly #failures: JsonValue[] = [];

  constructor(annotations: Map<string, string>, version: KubernetesVersion) {
    this.#annotations = annotations;
    this.#isShared = isAtLeast(version, '1.37');
  }

  add(binding: ValidatingBinding, expressionIndex: number, { message }: Decision): void {
    if (this.#failures.length >= (this.#isShared ? MAX_VALIDATION_FAILURES : 1)) return;
    this.#failures.push(
      new Map<string, JsonValue>([
        ['message', message],
        ['policy', binding.policyName],
        ['binding', binding.name],
        ['expressionIndex', BigInt(expressionIndex)],
        ['validationActions', binding.validationActions],
      ]),
    );
    if (!this.#isShared) this.#publish();
  }

  /** Call after all policies. */
  close(): void {
    if (this.#isShared && this.#failures.length > 0) this.#publish();
  }

  #publish(): void {
    setOnce(
      this.#annotations,
      VALIDATION_FAILURE_KEY,
      stringifyJson(this.#failures, { sortKeys: false, escapeHtml: true }),
    );
  }
}

/** Collects a policy's own annotations: distinct values over bindings and params, in order, joined with a comma. */
export class AuditAnnotationCollector {
  readonly #values = new Map<string, string[]>();

  /** Cuts values to 10 KiB of UTF-8. A character cut in half becomes U+FFFD. */
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

/** `attributesRecord.AddAnnotation` never overwrites: the first value of a key stays. */
function setOnce(annotations: Map<string, string>, key: string, value: string): void {
  if (!annotations.has(key)) annotations.set(key, value);
}

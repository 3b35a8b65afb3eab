// A CEL policy of Kyverno's as it is written: kind, name, namespace, spec.

import { aggregateErrors } from '../../../kubernetes/aggregate-errors.ts';
import { formatFieldError } from '../../../kubernetes/field-error.ts';
import type { JsonObject } from '../../../source/json.ts';
import { objectOrEmpty, textField } from '../../../source/json-field.ts';
import type { CelRefusal } from './cel-refusal.ts';

export const CEL_POLICY_GROUP = 'policies.kyverno.io';

export interface WrittenCelPolicy {
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster policies. */
  readonly namespace: string;
  readonly spec: JsonObject;
}

export function readCelPolicy(document: JsonObject): WrittenCelPolicy {
  const kind = textField(document, 'kind');
  const metadata = objectOrEmpty(document.get('metadata'));
  return {
    kind,
    name: textField(metadata, 'name'),
    namespace: kind.startsWith('Namespaced') ? textField(metadata, 'namespace') || 'default' : '',
    spec: objectOrEmpty(document.get('spec')),
  };
}

/** What Kyverno says of a policy that does not compile. */
export function refusalText({ name }: WrittenCelPolicy, { errors, preamble }: CelRefusal): string {
  const texts = [...(preamble === undefined ? [] : [preamble]), ...errors.map(formatFieldError)];
  return `failed to compile policy ${name} (${aggregateErrors(texts)})`;
}

// A Kyverno CEL policy as written: kind, name, namespace, spec.
import type { JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';

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

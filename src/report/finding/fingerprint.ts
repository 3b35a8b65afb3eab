// Deterministic hashes that identify findings and texts.
import { Sha256 } from '../../go/encoding/sha256.ts';
import type { Finding } from '../report.ts';
import { flatText } from './flat-text.ts';

/** 64 bits, 16 hexadecimal digits: enough to distinguish the findings of one repository. */
export function fingerprint(parts: readonly string[]): string {
  return flatText(new Sha256().update(parts.join('\0')).digest(2));
}

/** Identity of a finding on one object: target, policy, binding, param, rule, resource and field, but no file and no line. */
export function findingIdentity({
  target,
  policy,
  binding = '',
  param,
  rule,
  resource,
  fieldPath,
}: Pick<Finding, 'target' | 'policy' | 'binding' | 'param' | 'rule' | 'resource' | 'fieldPath'>): string {
  return fingerprint([
    target,
    policy.kind,
    policy.name,
    binding,
    param === undefined ? '' : `${param.namespace}/${param.name}`,
    rule.field,
    `${resource.apiVersion} ${resource.kind} ${resource.namespace ?? ''}/${resource.name}`,
    fieldPath,
  ]);
}

/** 128 bits, 32 hexadecimal digits, over any number of texts in sequence. */
export function longFingerprint(parts: Iterable<string>): string {
  const digest = new Sha256();
  for (const part of parts) digest.update(part);
  return digest.digest().slice(0, 32);
}

// Rejects contradicting overrides of the failure action (`validateNamespaces` in `validate.go`).

import { compareUtf8, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { formatFieldPath } from '../../../source/node/field-path.ts';
import { hasContent } from '../autogen/autogen.ts';
import { containsWildcard, matchesWildcard } from '../value/wildcard.ts';
import { type Refusal, refusal } from './refusal.ts';

export function checkOverrides(spec: JsonObject): Refusal | undefined {
  for (const [index, rule] of objectItems(spec.get('rules')).entries()) {
    const validation = objectOrEmpty(rule.get('validate'));
    if (!hasContent(validation)) continue;
    // Kyverno reports the wrong field name.
    const said = ['spec', 'rules', index, 'validate', 'validationFailureActionOverrides'];
    const path = ['spec', 'rules', index, 'validate', 'failureActionOverrides'];
    const found = check(validation.get('failureActionOverrides'), said, path);
    if (found !== undefined) return found;
  }
  const path = ['spec', 'validationFailureActionOverrides'];
  return check(spec.get('validationFailureActionOverrides'), path, path);
}

type Action = 'enforce' | 'audit';

function check(overrides: JsonValue | undefined, said: FieldPath, path: FieldPath): Refusal | undefined {
  const names: Record<Action, Set<string>> = { enforce: new Set(), audit: new Set() };
  const patterns: Record<Action, Set<string>> = { enforce: new Set(), audit: new Set() };
  for (const [index, override] of objectItems(overrides).entries()) {
    const action = textField(override, 'action').toLowerCase();
    if (action !== 'enforce' && action !== 'audit') return refusal('invalid action', [...path, index, 'action']);
    const namespaces = textItems(override.get('namespaces'));
    const place = [...path, index, 'namespaces'];
    const shown = formatFieldPath([...said, index, 'namespaces']);
    const own = namespaces.filter((namespace) => !containsWildcard(namespace));
    const contrary = names[action === 'enforce' ? 'audit' : 'enforce'];
    const common = [...new Set(own)].filter((namespace) => contrary.has(namespace)).sort(compareUtf8);
    if (common.length > 0) {
      return refusal(`conflicting namespaces found in path: ${shown}: ${common.join(', ')}`, place);
    }
    for (const namespace of namespaces) (containsWildcard(namespace) ? patterns : names)[action].add(namespace);
    const problem =
      overlap(patterns.audit, names.enforce, 'matches with namespace') ??
      overlap(patterns.enforce, names.audit, 'matches with namespace') ??
      overlap(patterns.audit, patterns.enforce, 'conflicts with the pattern') ??
      overlap(patterns.enforce, patterns.audit, 'conflicts with the pattern');
    if (problem !== undefined) return refusal(`path: ${shown}: ${problem}`, place);
  }
  return undefined;
}

function overlap(patterns: ReadonlySet<string>, names: ReadonlySet<string>, words: string): string | undefined {
  for (const name of [...names].sort(compareUtf8)) {
    const found = [...patterns].sort(compareUtf8).find((pattern) => matchesWildcard(pattern, name));
    if (found !== undefined) return `wildcard pattern '${found}' ${words} '${name}'`;
  }
  return undefined;
}

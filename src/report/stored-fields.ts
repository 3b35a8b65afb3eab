// Fields that the cluster stores otherwise because mutating policies changed.
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import { mayHoldSecret } from '../policy/secret-values.ts';
import { editsBetween } from '../source/edit/json-edit.ts';
import { type FieldPath, formatFieldPath } from '../source/field-path.ts';
import { type JsonValue, stringifyJson } from '../source/json.ts';
import { valueAt } from '../source/json-field.ts';
import type { StoredField } from './report.ts';

/** Of one object. */
const MAX_FIELDS = 20;
/** Characters of a value. */
const MAX_VALUE = 60;

/** The same manifest under other rules. `policies`: names of those that write these fields under either, sorted. */
export function storedFields(
  before: EvaluatedResource,
  after: EvaluatedResource,
): { readonly fields: readonly StoredField[]; readonly policies: readonly string[] } {
  const { resource } = after;
  if (before.changes.length + after.changes.length === 0) return { fields: [], policies: [] };
  const [old, now] = [before.writes(), after.writes()];
  const [from, to] = [old?.object ?? resource.value, now?.object ?? resource.value];
  const isSecret = mayHoldSecret(resource.gvk, [...before.changes, ...after.changes]);
  const shown = (value: JsonValue | undefined): string | undefined => {
    if (value === undefined) return undefined;
    const text = isSecret ? 'a value' : stringifyJson(value, { sortKeys: false, escapeHtml: false });
    return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  };
  const edits = editsBetween(from, to);
  const fields = edits.slice(0, MAX_FIELDS).map((edit): StoredField => {
    const isItem = edit.kind === 'insert';
    const [was, is] = [
      isItem ? undefined : shown(valueAt(from, edit.path)),
      edit.kind === 'remove' ? undefined : shown(edit.value),
    ];
    const field = `${formatFieldPath(edit.path)}${isItem ? `[${edit.at}]` : ''}`;
    return { field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
  });
  const writes = [...(old?.writes ?? []), ...(now?.writes ?? [])];
  const concerned = writes.filter((write) => edits.some((edit) => areNested(edit.path, write.edit.path)));
  const policies = [...new Set(concerned.flatMap(({ by }) => by.map(({ policy }) => policy.name)))].sort();
  return { fields, policies };
}

/** One is in the other, or they are the same. */
function areNested(one: FieldPath, other: FieldPath): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

// Stored fields that differ because mutating policies changed.
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { mayHoldSecret } from '../../policy/mutation/secret-values.ts';
import { placesAfter } from '../../source/edit/edit-places.ts';
import { editsBetween } from '../../source/edit/json-edit.ts';
import { type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { StoredField } from '../report.ts';

/** Maximum number of fields per object. */
const MAX_FIELDS = 20;
/** Maximum length of a value, in characters. */
const MAX_VALUE = 60;

/** Compares one manifest under old and new rules. `policies`: sorted names of the policies that write the differing fields. */
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
  const places = placesAfter(edits);
  const concerned = [
    ...(old?.writes ?? []).filter((write) =>
      edits.some((edit) => edit.kind !== 'insert' && concerns(write, edit.path)),
    ),
    ...(now?.writes ?? []).filter((write) =>
      edits.some((edit, index) =>
        edit.kind === 'remove' ? mayRemove(write, edit.path) : concerns(write, places[index] as FieldPath),
      ),
    ),
  ];
  const policies = [...new Set(concerned.flatMap(({ by }) => by.map(({ policy }) => policy.name)))].sort();
  return { fields, policies };
}

/** True if a write affects the path, a parent or a child of it. */
function concerns({ edit, place }: PolicyWrite, path: FieldPath): boolean {
  return areNested(path, edit.kind === 'remove' ? edit.path : place);
}

/** A removed field has no path in the result, so its parents are compared. */
function mayRemove({ edit, place }: PolicyWrite, path: FieldPath): boolean {
  return edit.kind === 'remove' ? areNested(path, edit.path) : place.length < path.length && areNested(path, place);
}

/** True if the paths are equal or one contains the other. */
function areNested(one: FieldPath, other: FieldPath): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

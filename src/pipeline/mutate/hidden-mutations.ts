// Hides the values of Secrets in mutations that are printed.
import { isSecretKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { secretTextsOf, withoutTexts } from '../../kubernetes/secret/resource-secrets.ts';
import { isSecretField } from '../../kubernetes/secret/secret-keys.ts';
import { HIDDEN, maskedObject, secretTextsIn } from '../../kubernetes/secret/secret-object.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { comesFromSecret } from '../../policy/mutation/secret-values.ts';
import { applyEdits, type JsonEdit } from '../../source/edit/json-edit.ts';
import { type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';
import type { MutatedEntry, RewrittenState } from './mutate-state.ts';

/** The same state with `…` in place of secret values. Writes with such values become new objects. */
export function withHiddenValues({ state, files, left }: RewrittenState): RewrittenState {
  const reasons = new Map(left);
  const entries = state.entries.map((entry): MutatedEntry => {
    const { resource } = entry;
    const secrets = secretTextsOf(resource);
    const writes = entry.writes.map((write) => {
      if (!isHidden(resource, write, secrets)) return write;
      const hidden = hiddenWrite(write);
      const reason = left.get(write);
      if (reason !== undefined) reasons.set(hidden, reason);
      return hidden;
    });
    if (
      !isSecretKind(resource.gvk) &&
      secrets.size === 0 &&
      writes.every((write, index) => write === entry.writes[index])
    )
      return entry;
    const edits = writes.flatMap(({ place, after }): readonly JsonEdit[] =>
      after === HIDDEN ? [{ kind: 'set', path: place, value: HIDDEN }] : [],
    );
    return { ...entry, writes, object: objectOrEmpty(shown(applyEdits(entry.object, edits).value, secrets)) };
  });
  return { state: { ...state, entries }, files, left: reasons };
}

function shown(object: JsonValue, secrets: ReadonlySet<string>): JsonValue {
  const masked = maskedObject(object);
  return masked === object ? withoutTexts(object, secrets) : masked;
}

function isHidden({ gvk }: Resource, write: PolicyWrite, secrets: ReadonlySet<string>): boolean {
  const { by, place, before, after } = write;
  if (comesFromSecret(by)) return true;
  if (!isSecretKind(gvk) && secrets.size === 0) return false;
  const isIn = isSecretField(String(place[0])) || place.includes('annotations');
  if (isSecretKind(gvk) && isIn) return true;
  const text = stringifyJson([before ?? null, after ?? null], { sortKeys: false, escapeHtml: false });
  return [...secrets].some((secret) => text.includes(secret));
}

function hiddenWrite(write: PolicyWrite): PolicyWrite {
  const hidden = (value: JsonValue | undefined): JsonValue | undefined => (value === undefined ? undefined : HIDDEN);
  const { edit, before, after, place, by } = write;
  const shown = edit.kind === 'remove' ? edit : { ...edit, value: HIDDEN };
  return { edit: shown, before: hidden(before), after: hidden(after), place, by, fields: () => write.fields() };
}

/** Secret texts in files that are printed: those of the objects, and those that policies copy from other Secrets. */
export function secretsOf(entries: readonly MutatedEntry[]): ReadonlySet<string> {
  const secrets = new Set<string>();
  const add = (value: JsonValue | undefined): void => {
    for (const text of secretTextsIn(value)) secrets.add(text);
  };
  for (const { resource, writes } of entries) {
    for (const text of secretTextsOf(resource)) secrets.add(text);
    for (const { by, after } of writes) {
      if (!comesFromSecret(by)) continue;
      add(
        new Map<string, JsonValue>([
          ['kind', 'Secret'],
          ['data', after ?? null],
        ]),
      );
      for (const { param } of by) add(param?.value);
    }
  }
  return secrets;
}

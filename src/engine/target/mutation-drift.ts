// Reports fields that Git sets and mutating policies change: a GitOps controller sees them as permanently out of sync.
import type { Diagnostic, Severity } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ObjectChangeByPolicy } from '../../policy/language/policy-language.ts';
import type { PolicyWrite } from '../../policy/mutation/policy-writes.ts';
import { mayHoldSecret } from '../../policy/mutation/secret-values.ts';
import { editFile } from '../../source/edit/edit-file.ts';
import type { JsonEdit } from '../../source/edit/json-edit.ts';
import type { FileEdit } from '../../source/edit/text-edit.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';

/** Maximum number of characters of a value in a message. */
const MAX_VALUE = 60;
const HELP =
  'Argo CD and Flux report the object as out of sync and revert the mutation at every sync; write the mutated value here';

export function mutationDrift(
  resource: Resource,
  writes: readonly PolicyWrite[],
  severity: Severity,
): readonly Diagnostic[] {
  return writes.filter(isDrift).map((write) => driftOf(resource, write, severity));
}

/** True if Git sets a value and a policy changes or removes it. */
function isDrift({ edit, before }: PolicyWrite): boolean {
  return (edit.kind === 'set' || edit.kind === 'remove') && !isEmpty(before);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (isJsonObject(value)) return value.size === 0;
  return isJsonArray(value) ? value.length === 0 : value === undefined || value === null;
}

function driftOf(resource: Resource, { edit, before, after, by }: PolicyWrite, severity: Severity): Diagnostic {
  const last = by.at(-1) as ObjectChangeByPolicy;
  const isHidden = mayHoldSecret(resource.gvk, by);
  const field = formatFieldPath(edit.path);
  const names = [...new Set(by.map(({ policy }) => policy.name))].map((name) => `\`${name}\``).join(' and ');
  const isOne = new Set(by.map(({ policy }) => policy.name)).size === 1;
  const verb = (word: string): string => (isOne ? `${word}s` : word);
  const what =
    after === undefined
      ? `\`${field}\` is set here, but ${names} ${verb('remove')} it`
      : `\`${field}\` is ${shown(before, isHidden)} here, but ${names} ${verb('change')} it to ${shown(after, isHidden)}`;
  return {
    code: 'mutation-drift',
    severity,
    message: what,
    primary: resource.locate(edit.path, isSingle(before) ? 'value' : 'key'),
    related: [
      { message: `${last.policy.kind} ${last.policy.name}`, location: last.policy.resource.locate(last.rule, 'key') },
    ],
    help: HELP,
    field: edit.path,
    fix: () => (isHidden ? undefined : fixOf(resource, edit)),
  };
}

/** Undefined if the edit needs a person: rendered manifests, shared anchors, comments that the edit would remove. */
function fixOf({ manifest, rootPath }: Resource, edit: JsonEdit): FileEdit | undefined {
  if (!(manifest instanceof WrittenManifest)) return undefined;
  const { file } = manifest;
  const { splices, left } = editFile(file, [{ manifest, rootPath, edits: [edit] }]);
  return left.size > 0 ? undefined : { file, splices };
}

/** True if the value fits on one line, so that the location can be the value. */
function isSingle(value: JsonValue | undefined): boolean {
  return !isJsonObject(value) && !isJsonArray(value) && !(typeof value === 'string' && value.includes('\n'));
}

function shown(value: JsonValue | undefined, isHidden: boolean): string {
  if (value === undefined) return 'nothing';
  if (isHidden) return 'a hidden value';
  const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

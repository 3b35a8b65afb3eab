// What mutating policies make of a manifest: the fields that a person could write so that nothing is left for them to change.
import type { Resource } from '../kubernetes/resource.ts';
import { MAX_CHANGED_PATHS } from '../source/changed-paths.ts';
import { copyFields } from '../source/copy-json.ts';
import { applyEdits, editsAt, editsBetween, type JsonEdit } from '../source/edit/json-edit.ts';
import type { FieldPath } from '../source/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json.ts';
import { valueAt } from '../source/json-field.ts';
import type { ObjectChangeByPolicy } from './policy-language.ts';

/** What is to be written at one place of the manifest, and who wants it. */
export interface PolicyWrite {
  readonly edit: JsonEdit;
  /** What the manifest writes; undefined where it writes nothing. */
  readonly before: JsonValue | undefined;
  /** Undefined where policies take the field away. */
  readonly after: JsonValue | undefined;
  /** Policies that had a say, the last one last. */
  readonly by: readonly ObjectChangeByPolicy[];
  /** Of what is added the fields one by one, each with the mutation that gave it its value. */
  fields(): readonly { readonly path: FieldPath; readonly by: ObjectChangeByPolicy }[];
}

export interface PolicyWrites {
  /** The manifest with everything that policies change, without what only the server adds. */
  readonly object: JsonObject;
  readonly writes: readonly PolicyWrite[];
  /** Changes of what no manifest writes: what the server itself put there before. */
  readonly beyond: readonly ObjectChangeByPolicy[];
}

/** Undefined where no policy changes what is written. */
export function policyWrites(
  { value: written }: Resource,
  changes: readonly ObjectChangeByPolicy[],
): PolicyWrites | undefined {
  if (changes.length === 0) return undefined;
  let object: JsonValue = written;
  const steps: Step[] = [];
  const beyond: ObjectChangeByPolicy[] = [];
  const copies = new Set<JsonValue>();
  for (const change of changes) {
    const edits = ownEdits(change);
    const applied = applyEdits(object, edits, copies);
    object = applied.value;
    steps.push({ change, edits });
    if (applied.left.length > 0) beyond.push(change);
  }
  if (!isJsonObject(object)) return undefined;
  const result = object;
  let known: { readonly path: FieldPath; readonly by: readonly ObjectChangeByPolicy[] } | undefined;
  const writes = editsBetween(written, result).map((edit): PolicyWrite => {
    const before = edit.kind === 'insert' ? undefined : valueAt(written, edit.path);
    const after = edit.kind === 'remove' ? undefined : edit.value;
    // Of items that come into one list everybody concerned is the same.
    if (known?.path !== edit.path) known = { path: edit.path, by: concerned(steps, edit.path) };
    const { by } = known;
    const last = by.at(-1) ?? (changes.at(-1) as ObjectChangeByPolicy);
    const fields = () =>
      leaves(edit, []).map((inner) => {
        const path = [...edit.path, ...(edit.kind === 'insert' ? [] : inner)];
        const writer = steps.findLast(({ edits }) => edits.some((one) => gives(one, path)));
        return { path: [...placeOf(edit), ...inner], by: writer?.change ?? last };
      });
    return { edit, before, after, by: by.length > 0 ? by : [last], fields };
  });
  return writes.length === 0 && beyond.length === 0 ? undefined : { object: result, writes, beyond };
}

interface Step {
  readonly change: ObjectChangeByPolicy;
  readonly edits: readonly JsonEdit[];
}

function concerned(steps: readonly Step[], written: FieldPath): readonly ObjectChangeByPolicy[] {
  const by: ObjectChangeByPolicy[] = [];
  for (const { change, edits } of steps) {
    for (const { path } of edits) {
      if (!concern(path, written)) continue;
      by.push(change);
      break;
    }
  }
  return by;
}

/** Where a new item comes to stand. */
function placeOf(edit: JsonEdit): FieldPath {
  return edit.kind === 'insert' ? [...edit.path, edit.at] : edit.path;
}

/** Paths to the fields of an added object and of objects in it. */
function leaves(edit: JsonEdit, path: FieldPath): readonly FieldPath[] {
  if (edit.kind !== 'add') return [path];
  const value = valueAt(edit.value, path);
  if (!isJsonObject(value) || value.size === 0) return [path];
  return [...value.keys()].flatMap((key) => leaves(edit, [...path, key]));
}

/** Whether an edit of one mutation wrote the field. */
function gives(one: JsonEdit, path: FieldPath): boolean {
  if (!concern(one.path, path)) return false;
  if (one.kind === 'remove' || one.path.length >= path.length) return one.kind !== 'remove';
  return one.kind === 'insert' || valueAt(one.value, path.slice(one.path.length)) !== undefined;
}

/** One is in the other. */
function concern(one: FieldPath, other: FieldPath): boolean {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** Of one mutation, without what only the server adds. */
function ownEdits(change: ObjectChangeByPolicy): readonly JsonEdit[] {
  const { before, patched, after } = change.objects;
  if (isWhollyOwn(change)) return editsAt(before, after, change.paths);
  return editsBetween(before, ownChanges(before, patched, after));
}

/** True only if `ownChanges` is `after` itself: looks at nothing but what differs. */
function isWhollyOwn({ paths, objects }: ObjectChangeByPolicy): boolean {
  if (paths.length >= MAX_CHANGED_PATHS) return false;
  let seen: readonly (JsonValue | undefined)[] = [];
  for (const path of paths) {
    let before: JsonValue | undefined = objects.before;
    let patched: JsonValue | undefined = objects.patched;
    let after: JsonValue | undefined = objects.after;
    for (const step of path) {
      if (after === patched || after === before) break;
      if (isJsonObject(after)) {
        if (!isJsonObject(patched)) break;
        const key = String(step);
        const value: JsonValue | undefined = after.get(key);
        const known: JsonValue | undefined = isJsonObject(before) ? before.get(key) : undefined;
        if (value !== undefined && known === undefined && !patched.has(key)) return false;
        [before, patched, after] = [known, patched.get(key), value];
      } else if (isJsonArray(before) && isJsonArray(patched) && isJsonArray(after) && before.length === after.length) {
        const index = Number(step);
        if (patched.length !== after.length) break;
        [before, patched, after] = [before[index], patched[index], after[index]];
      } else break;
    }
    // What is in a list that grew is looked at once.
    if (after === undefined || (after === seen[0] && before === seen[1])) continue;
    seen = [after, before];
    if (ownChanges(before, patched, after) !== after) return false;
  }
  return true;
}

/** `after` without the fields that neither were there before nor came with the patch: the server's defaults. */
function ownChanges(before: JsonValue | undefined, patched: JsonValue | undefined, after: JsonObject): JsonObject;
function ownChanges(before: JsonValue | undefined, patched: JsonValue | undefined, after: JsonValue): JsonValue;
function ownChanges(before: JsonValue | undefined, patched: JsonValue | undefined, after: JsonValue): JsonValue {
  if (after === patched || after === before) return after;
  if (isJsonObject(after)) {
    const [old, own] = [isJsonObject(before) ? before : undefined, isJsonObject(patched) ? patched : undefined];
    if (own === undefined) return after;
    let fields: Map<string, JsonValue> | undefined;
    for (const key of after.keys()) {
      const value = after.get(key) as JsonValue;
      const known = old?.get(key);
      if (known === value) continue;
      const isOwn = known !== undefined || own.has(key);
      const kept = isOwn ? ownChanges(known, own.get(key), value) : undefined;
      if (kept === value) continue;
      fields ??= copyFields(after);
      if (kept === undefined) fields.delete(key);
      else fields.set(key, kept);
    }
    return fields ?? after;
  }
  if (!isJsonArray(after) || !isJsonArray(patched) || patched.length !== after.length) return after;
  const old = isJsonArray(before) && before.length === after.length ? before : [];
  let items: JsonValue[] | undefined;
  for (let index = 0; index < after.length; index++) {
    const item = after[index] as JsonValue;
    const kept = ownChanges(old[index], patched[index], item);
    if (kept === item) continue;
    items ??= [...after];
    items[index] = kept;
  }
  return items ?? after;
}

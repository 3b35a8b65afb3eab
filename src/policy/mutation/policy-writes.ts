// Turns mutations of an object into edits of its manifest, so that a person can write what the policies would change.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { placesAfter } from '../../source/edit/edit-places.ts';
import { applyEdits, editsAt, editsBetween, type JsonEdit } from '../../source/edit/json-edit.ts';
import { MAX_CHANGED_PATHS } from '../../source/json/changed-paths.ts';
import { copyFields } from '../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ObjectChangeByPolicy } from '../language/policy-language.ts';
import { FieldCredits } from './field-credits.ts';

export interface PolicyWrite {
  readonly edit: JsonEdit;
  /** The manifest's value. Undefined when the manifest omits the field. */
  readonly before: JsonValue | undefined;
  /** Undefined when policies remove the field. */
  readonly after: JsonValue | undefined;
  /** Location in the object after all edits. For a removed value: the location that it would have. */
  readonly place: FieldPath;
  /** Policies that contributed, in order. */
  readonly by: readonly ObjectChangeByPolicy[];
  /**
   * The added fields one by one, each with the mutation that set its value. A new item comes with the mutation that
   * inserted it, followed by the fields that others wrote in it.
   */
  fields(): readonly { readonly path: FieldPath; readonly by: ObjectChangeByPolicy }[];
}

export interface PolicyWrites {
  /** The manifest after all policy changes, without defaults that only the server adds. */
  readonly object: JsonObject;
  readonly writes: readonly PolicyWrite[];
  /** Changes to fields that no manifest sets because the server added them. */
  readonly beyond: readonly ObjectChangeByPolicy[];
}

/** Undefined if the policies leave the manifest unchanged. */
export function policyWrites(
  { value: written }: Resource,
  changes: readonly ObjectChangeByPolicy[],
): PolicyWrites | undefined {
  if (changes.length === 0) return undefined;
  let object: JsonValue = written;
  const beyond: ObjectChangeByPolicy[] = [];
  const copies = new Set<JsonValue>();
  const credits = new FieldCredits();
  for (const [index, change] of changes.entries()) {
    const edits = ownEdits(change);
    credits.write(index, edits, object);
    const applied = applyEdits(object, edits, copies);
    object = applied.value;
    if (applied.left.length > 0) beyond.push(change);
  }
  if (!isJsonObject(object)) return undefined;
  const edits = editsBetween(written, object);
  if (edits.length === 0 && beyond.length === 0) return undefined;
  const places = placesAfter(edits);
  const writes = edits.map(
    (edit, index) => new ReplayedWrite(edit, places[index] as FieldPath, { written, changes, credits }),
  );
  return { object, writes, beyond };
}

interface Replay {
  readonly written: JsonObject;
  readonly changes: readonly ObjectChangeByPolicy[];
  readonly credits: FieldCredits;
}

class ReplayedWrite implements PolicyWrite {
  readonly edit: JsonEdit;
  readonly place: FieldPath;
  readonly #replay: Replay;
  #by: readonly ObjectChangeByPolicy[] | undefined;

  constructor(edit: JsonEdit, place: FieldPath, replay: Replay) {
    this.edit = edit;
    this.place = place;
    this.#replay = replay;
  }

  get before(): JsonValue | undefined {
    return this.edit.kind === 'insert' ? undefined : valueAt(this.#replay.written, this.edit.path);
  }

  get after(): JsonValue | undefined {
    return this.edit.kind === 'remove' ? undefined : this.edit.value;
  }

  get by(): readonly ObjectChangeByPolicy[] {
    this.#by ??= this.#concerned().map((writer) => this.#change(writer));
    return this.#by;
  }

  #concerned(): readonly number[] {
    const { edit, place } = this;
    const { credits, changes } = this.#replay;
    const ofItem = edit.kind === 'insert' ? credits.concernedWithItem(place) : [];
    if (ofItem.length > 0) return ofItem;
    const origin = edit.kind === 'insert' ? undefined : edit.path;
    const concerned = credits.concerned(origin, edit.kind === 'remove' ? undefined : place);
    return concerned.length > 0 ? concerned : [changes.length - 1];
  }

  #change(writer: number): ObjectChangeByPolicy {
    return this.#replay.changes[writer] as ObjectChangeByPolicy;
  }

  fields(): readonly { readonly path: FieldPath; readonly by: ObjectChangeByPolicy }[] {
    const { edit, place } = this;
    const { credits } = this.#replay;
    const shown = edit.kind === 'insert' ? [...edit.path, edit.at] : edit.path;
    const fields: { readonly path: FieldPath; readonly by: ObjectChangeByPolicy }[] = [];
    for (const leaf of leaves(edit, [])) {
      const at = leaf.length === 0 ? place : [...place, ...leaf];
      const path = leaf.length === 0 ? shown : [...shown, ...leaf];
      const giver = edit.kind === 'remove' ? undefined : credits.giver(at);
      const by = giver === undefined ? (this.by.at(-1) as ObjectChangeByPolicy) : this.#change(giver);
      fields.push({ path, by });
      if (edit.kind === 'remove') continue;
      for (const inner of credits.inner(at, giver)) {
        fields.push({ path: [...path, ...inner.path], by: this.#change(inner.writer) });
      }
    }
    return fields;
  }
}

/** Paths to the leaf fields of an added object. */
function leaves(edit: JsonEdit, path: FieldPath): readonly FieldPath[] {
  if (edit.kind !== 'add') return [path];
  const value = path.length === 0 ? edit.value : valueAt(edit.value, path);
  if (!isJsonObject(value) || value.size === 0) return [path];
  return [...value.keys()].flatMap((key) => leaves(edit, [...path, key]));
}

/** Edits of one mutation, without the server's defaults. */
function ownEdits(change: ObjectChangeByPolicy): readonly JsonEdit[] {
  const { before, patched, after } = change.objects;
  if (isWhollyOwn(change)) return editsAt(before, after, change.paths);
  return editsBetween(before, ownChanges(before, patched, after));
}

/** True only if `ownChanges` returns `after` itself. Compares only the changed paths. */
function isWhollyOwn({ paths, objects }: ObjectChangeByPolicy): boolean {
  if (paths.length >= MAX_CHANGED_PATHS) return false;
  if (objects.patched === objects.after) return true;
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
    // Check a list that grew only once.
    if (after === undefined || (after === seen[0] && before === seen[1])) continue;
    seen = [after, before];
    if (ownChanges(before, patched, after) !== after) return false;
  }
  return true;
}

/** `after` without fields that are in neither `before` nor `patched`: the server's defaults. */
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

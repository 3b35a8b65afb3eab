// Finds policies whose order may matter because they write or read the same fields. Without any, the reverse order is not tried.
import { isEmptySelector } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import { type FieldPath, isSamePath } from '../../../source/node/field-path.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { ObjectChangeByPolicy } from '../../language/policy-language.ts';
import type { Invocation } from './invocations.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** The policies that ran and their changes: enough to prove that the order cannot matter. */
export interface FirstPass {
  readonly invocations: readonly Invocation[];
  readonly changes: readonly ObjectChangeByPolicy[];
}

/** Number of passes kept for comparison. Objects of one kind differ mainly in their number of containers. */
const MOST_KEPT = 8;

type WrittenChange = Pick<ObjectChangeByPolicy, 'policy' | 'binding' | 'param' | 'paths'>;

interface KnownPass {
  readonly invocations: readonly Invocation[];
  readonly changes: readonly WrittenChange[];
  readonly policies: readonly MutatingPolicy[];
}

/** Caches results for one run, in which policies mostly change the same fields of each object. */
export class Entanglements {
  #known: KnownPass[] = [];

  /** In the order in which they ran. Empty if the order cannot matter. */
  of({ invocations, changes }: FirstPass): readonly MutatingPolicy[] {
    const known = this.#known.find((pass) => isAlike(pass, { invocations, changes }));
    if (known !== undefined) return known.policies;
    const policies = entangledPolicies({ invocations, changes });
    // For new maps, the result also depends on their contents, so it is not cached.
    if (changes.some(({ paths }) => paths.some(isLabelsOrAnnotations))) return policies;
    if (this.#known.length === MOST_KEPT) this.#known = [];
    const written = changes.map(({ policy, binding, param, paths }) => ({ policy, binding, param, paths }));
    this.#known.push({ invocations, changes: written, policies });
    return policies;
  }
}

/** True if both passes differ only in the object. */
function isAlike(one: Pick<KnownPass, 'invocations' | 'changes'>, other: FirstPass): boolean {
  if (one.invocations.length !== other.invocations.length || one.changes.length !== other.changes.length) return false;
  return (
    one.invocations.every(({ hook, binding, param }, index) => {
      const invocation = other.invocations[index] as Invocation;
      return hook === invocation.hook && binding === invocation.binding && param === invocation.param;
    }) &&
    one.changes.every(({ policy, binding, param, paths }, index) => {
      const change = other.changes[index] as ObjectChangeByPolicy;
      if (policy !== change.policy || binding !== change.binding || param !== change.param) return false;
      if (paths.length !== change.paths.length) return false;
      return paths.every((path, at) => isSamePath(path, change.paths[at] as FieldPath));
    })
  );
}

/** Runs in time linear in the number of written and read fields. */
function entangledPolicies({ invocations, changes }: FirstPass): readonly MutatingPolicy[] {
  if (invocations.length < 2 || changes.length === 0) return [];
  const byPolicy = new Map<PolicyIdentity, ObjectChangeByPolicy[]>();
  for (const change of changes) {
    const known = byPolicy.get(change.policy);
    if (known === undefined) byPolicy.set(change.policy, [change]);
    else known.push(change);
  }
  const written = new WrittenFields();
  const merged: { readonly field: FieldPath; readonly writer: number }[] = [];
  let isWrittenMerged = true;
  const entangled = new Set<number>();
  const patching = new Set<number>();
  const labelling: number[] = [];
  for (const [writer, invocation] of invocations.entries()) {
    const { policy } = invocation.hook;
    const own = changesBy(invocation, byPolicy.get(policy) ?? []);
    const isMerging = policy.mutations.every(({ patchType }) => patchType === 'ApplyConfiguration');
    if (!isMerging) patching.add(writer);
    for (const change of own) {
      for (const path of change.paths) {
        written.add(path, writer);
        const fields = isMerging ? mergedFields(path, change) : [];
        isWrittenMerged &&= fields.length === 1 && fields[0] === path;
        for (const field of fields) merged.push({ field, writer });
        if (isLabel(path) && labelling.at(-1) !== writer) labelling.push(writer);
      }
    }
  }
  // Two merging policies conflict only on merged fields. Others conflict on everything that they wrote.
  if (isWrittenMerged) written.collectShared(entangled, () => true);
  else {
    const mergedInto = new WrittenFields();
    for (const { field, writer } of merged) mergedInto.add(field, writer);
    mergedInto.collectShared(entangled, () => true);
    written.collectShared(entangled, (writer) => patching.has(writer));
  }
  for (const [reader, { hook }] of invocations.entries()) {
    for (const { path, isTest } of hook.runner().lookedAt) written.collectRead(path, isTest, reader, entangled);
    if (selectsByLabel(hook.policy)) addAll(entangled, labelling, reader);
  }
  return [...new Set([...entangled].sort((a, b) => a - b).map((index) => invocationAt(invocations, index)))];
}

function invocationAt(invocations: readonly Invocation[], index: number): MutatingPolicy {
  return (invocations[index] as Invocation).hook.policy;
}

/** `changes`: all changes of the invocation's policy. */
function changesBy(
  { binding, param }: Invocation,
  changes: readonly ObjectChangeByPolicy[],
): readonly ObjectChangeByPolicy[] {
  return changes.filter((change) => change.binding === binding && change.param === param?.resource);
}

/** For labels and annotations, the first policy creates the map and later ones merge their keys into it. */
function mergedFields(path: FieldPath, { objects }: ObjectChangeByPolicy): readonly FieldPath[] {
  if (!isLabelsOrAnnotations(path) || valueAt(objects.before, path) !== undefined) return [path];
  const made = valueAt(objects.after, path);
  return isJsonObject(made) && made.size > 0 ? [...made.keys()].map((key) => [...path, key]) : [path];
}

function isLabelsOrAnnotations(path: FieldPath): boolean {
  const field = path.at(-1);
  return path.at(-2) === 'metadata' && (field === 'labels' || field === 'annotations');
}

/** The second pass evaluates selectors again, with the new labels. */
function isLabel(path: FieldPath): boolean {
  if (path.length === 0) return true;
  return path[0] === 'metadata' && (path.length === 1 || path[1] === 'labels');
}

function selectsByLabel({ matchConstraints }: MutatingPolicy): boolean {
  const selector = matchConstraints?.objectSelector;
  return selector !== undefined && !('error' in selector) && !isEmptySelector(selector);
}

/** Adds the writers and the other policy, unless they are the same single policy. */
function addAll(entangled: Set<number>, writers: readonly number[] = [], other: number): void {
  if (writers.length === 0 || (writers.length === 1 && writers[0] === other)) return;
  for (const writer of writers) entangled.add(writer);
  entangled.add(other);
}

/** A field with its writers: `writers` wrote it as a whole, `around` wrote it or a field inside it. */
class WrittenField {
  /** Undefined if there are none. Most fields are only parents of written fields. */
  writers: number[] | undefined;
  readonly around: number[] = [];
  fields: Map<string, WrittenField> | undefined;
  /** True if all writers in `around` are already marked as entangled. */
  isMarked = false;
}

/** Writers are numbered. Each writer adds all its fields before the next. */
class WrittenFields {
  readonly #root = new WrittenField();

  add(path: FieldPath, writer: number): void {
    let field = this.#root;
    note(field.around, writer);
    for (const step of path) {
      const key = String(step);
      field.fields ??= new Map();
      let inner = field.fields.get(key);
      if (inner === undefined) {
        inner = new WrittenField();
        field.fields.set(key, inner);
      }
      field = inner;
      note(field.around, writer);
    }
    field.writers ??= [];
    note(field.writers, writer);
  }

  /** Marks pairs where one wrote a field and the other wrote it or a field inside it, if `counts` accepts one of the two. */
  collectShared(entangled: Set<number>, counts: (writer: number) => boolean): void {
    const open = [this.#root];
    for (let field = open.pop(); field !== undefined; field = open.pop()) {
      if (field.around.length < 2) continue;
      if (field.fields !== undefined) for (const inner of field.fields.values()) open.push(inner);
      const { writers, around } = field;
      if (writers === undefined) continue;
      const counting = around.filter(counts);
      if (counting.length === 0) continue;
      for (const writer of writers.some(counts) ? around : [...writers, ...counting]) entangled.add(writer);
    }
  }

  /** Marks the writers of a field that is read, of a value around it and, unless it is only tested, of fields inside it. */
  collectRead(path: readonly string[], isTest: boolean, reader: number, entangled: Set<number>): void {
    let field: WrittenField | undefined = this.#root;
    addAll(entangled, field.writers, reader);
    for (const step of path) {
      field = field.fields?.get(step);
      if (field === undefined) return;
      addAll(entangled, field.writers, reader);
    }
    if (isTest) return;
    if (field.isMarked) {
      entangled.add(reader);
      return;
    }
    addAll(entangled, field.around, reader);
    field.isMarked = field.around.length > 1;
  }
}

function note(writers: number[], writer: number): void {
  if (writers.at(-1) !== writer) writers.push(writer);
}

// Policies that may have stood in each other's way: of all others the order cannot matter, and no other order is tried.
import { isEmptySelector } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import { type FieldPath, isSamePath } from '../../../source/node/field-path.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { ObjectChangeByPolicy } from '../../language/policy-language.ts';
import type { Invocation } from './invocations.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** Who ran, and what they changed: enough to tell that another order cannot make a difference. */
export interface FirstPass {
  readonly invocations: readonly Invocation[];
  readonly changes: readonly ObjectChangeByPolicy[];
}

/** As many are kept to compare the next with: objects of one kind differ in how many containers they have, and in little else. */
const MOST_KEPT = 8;

type WrittenChange = Pick<ObjectChangeByPolicy, 'policy' | 'binding' | 'param' | 'paths'>;

interface KnownPass {
  readonly invocations: readonly Invocation[];
  readonly changes: readonly WrittenChange[];
  readonly policies: readonly MutatingPolicy[];
}

/** Of one run, in which policies mostly change the same fields of one object after the other. */
export class Entanglements {
  #known: KnownPass[] = [];

  /** In the order in which they ran; none if the order cannot matter. */
  of({ invocations, changes }: FirstPass): readonly MutatingPolicy[] {
    const known = this.#known.find((pass) => isAlike(pass, { invocations, changes }));
    if (known !== undefined) return known.policies;
    const policies = entangledPolicies({ invocations, changes });
    // Of maps that were made what they hold counts, too.
    if (changes.some(({ paths }) => paths.some(isLabelsOrAnnotations))) return policies;
    if (this.#known.length === MOST_KEPT) this.#known = [];
    const written = changes.map(({ policy, binding, param, paths }) => ({ policy, binding, param, paths }));
    this.#known.push({ invocations, changes: written, policies });
    return policies;
  }
}

/** Everything that counts is the same but for the object. */
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

/** Takes time that grows with what was written and is read. */
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
  // Of two that merge, what they merged counts; of any others what they wrote.
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

/** `changes` are those of its policy. */
function changesBy(
  { binding, param }: Invocation,
  changes: readonly ObjectChangeByPolicy[],
): readonly ObjectChangeByPolicy[] {
  return changes.filter((change) => change.binding === binding && change.param === param?.resource);
}

/** Of labels and annotations whoever comes first makes the map, and what the others merge into it stands beside it. */
function mergedFields(path: FieldPath, { objects }: ObjectChangeByPolicy): readonly FieldPath[] {
  if (!isLabelsOrAnnotations(path) || valueAt(objects.before, path) !== undefined) return [path];
  const made = valueAt(objects.after, path);
  return isJsonObject(made) && made.size > 0 ? [...made.keys()].map((key) => [...path, key]) : [path];
}

function isLabelsOrAnnotations(path: FieldPath): boolean {
  const field = path.at(-1);
  return path.at(-2) === 'metadata' && (field === 'labels' || field === 'annotations');
}

/** In the second pass selectors look at labels again. */
function isLabel(path: FieldPath): boolean {
  if (path.length === 0) return true;
  return path[0] === 'metadata' && (path.length === 1 || path[1] === 'labels');
}

function selectsByLabel({ matchConstraints }: MutatingPolicy): boolean {
  const selector = matchConstraints?.objectSelector;
  return selector !== undefined && !('error' in selector) && !isEmptySelector(selector);
}

/** All of them and who stands in their way, unless that is one and the same. */
function addAll(entangled: Set<number>, writers: readonly number[] = [], other: number): void {
  if (writers.length === 0 || (writers.length === 1 && writers[0] === other)) return;
  for (const writer of writers) entangled.add(writer);
  entangled.add(other);
}

/** A field, with those who wrote it as a whole and those who wrote it or something in it. */
class WrittenField {
  /** Undefined where there are none: most fields are only around those that were written. */
  writers: number[] | undefined;
  readonly around: number[] = [];
  fields: Map<string, WrittenField> | undefined;
  /** All in `around` are known to be entangled already. */
  isTold = false;
}

/** The writers are numbered, and each writes all it does before the next. */
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

  /** Two of whom one wrote what the other wrote something in, if one of the two counts. */
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

  /** Who wrote what is read, something around it or, where its value is read, something in it. */
  collectRead(path: readonly string[], isTest: boolean, reader: number, entangled: Set<number>): void {
    let field: WrittenField | undefined = this.#root;
    addAll(entangled, field.writers, reader);
    for (const step of path) {
      field = field.fields?.get(step);
      if (field === undefined) return;
      addAll(entangled, field.writers, reader);
    }
    if (isTest) return;
    if (field.isTold) {
      entangled.add(reader);
      return;
    }
    addAll(entangled, field.around, reader);
    field.isTold = field.around.length > 1;
  }
}

function note(writers: number[], writer: number): void {
  if (writers.at(-1) !== writer) writers.push(writer);
}

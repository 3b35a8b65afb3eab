// Fields that mutating policies add to the objects of a target and that Git does not contain, by policy and field.

import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { PolicyIdentity } from '../../policy/language/policy.ts';
import type { ObjectChangeByPolicy } from '../../policy/language/policy-language.ts';
import { followedPlace } from '../../source/edit/followed-place.ts';
import { changedPaths } from '../../source/json/changed-paths.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import { resourceName } from '../finding/finding.ts';
import { compareText } from '../finding/finding-order.ts';
import type { ClusterAddition, MutatedAwayFinding, ResourceName } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';

/** Maximum number of example objects per field. */
const MAX_EXAMPLES = 3;
/** Maximum number of listed findings that a mutation removes. */
const MAX_MUTATED_AWAY = 200;

export class AdditionsOfTarget {
  readonly #additions = new Map<string, CountedAddition>();
  /** Shares entries: a policy writes the same field of most objects. */
  readonly #byPolicy = new Map<PolicyIdentity, Map<string, CountedAddition>>();
  readonly #fields = new FieldTexts();
  readonly #mutatedAway: MutatedAwayFinding[] = [];

  add(evaluated: EvaluatedResource): void {
    const { resource, request, changes, writes, mutatedAway = [] } = evaluated;
    if (changes.length === 0) return;
    const name = resourceName(resource, request.namespace);
    const label = resourceLabel(name);
    for (const write of writes()?.writes ?? []) {
      if (write.edit.kind !== 'add' && write.edit.kind !== 'insert') continue;
      for (const { path, by } of write.fields()) {
        const counted = this.#counted(by.policy, path);
        if (counted.seen === evaluated) continue;
        counted.seen = evaluated;
        countOne(counted, { name, label });
      }
    }
    for (const evaluation of mutatedAway) {
      const { policy, rule, message, binding } = evaluation;
      if (this.#mutatedAway.length === MAX_MUTATED_AWAY) break;
      const by = [...new Set(writersOf(evaluation, changes).map((change) => change.policy.name))];
      this.#mutatedAway.push({
        policy: { kind: policy.kind, name: policy.name },
        ...(binding && { binding: binding.name }),
        field: formatFieldPath(rule),
        message,
        resource: name,
        by,
      });
    }
  }

  #counted(policy: PolicyIdentity, path: FieldPath): CountedAddition {
    const field = this.#fields.of(path);
    let ofPolicy = this.#byPolicy.get(policy);
    if (ofPolicy === undefined) {
      ofPolicy = new Map();
      this.#byPolicy.set(policy, ofPolicy);
    }
    let counted = ofPolicy.get(field);
    if (counted === undefined) {
      const { kind, name } = policy;
      const addition = { policy: { kind, name }, field };
      const key = additionKey(addition);
      counted = this.#additions.get(key) ?? { ...addition, objects: 0, examples: [], seen: undefined };
      this.#additions.set(key, counted);
      ofPolicy.set(field, counted);
    }
    return counted;
  }

  /** Empty if there are no additions. */
  summary(): { readonly additions?: readonly ClusterAddition[]; readonly mutatedAway?: readonly MutatedAwayFinding[] } {
    const additions = sortedAdditions(
      Array.from(this.#additions.values(), ({ seen: _, examples, ...addition }) => {
        return { ...addition, examples: examples.map(({ name }) => name) };
      }),
    );
    return {
      ...(additions.length > 0 && { additions }),
      ...(this.#mutatedAway.length > 0 && { mutatedAway: this.#mutatedAway }),
    };
  }
}

/** Policies that changed a value that the rule read; all of them if none did. */
function writersOf(evaluation: Evaluation, changes: readonly ObjectChangeByPolicy[]): readonly ObjectChangeByPolicy[] {
  const read = evaluation.explain().filter(({ root }) => root === 'object');
  const writers = new Set<ObjectChangeByPolicy>();
  for (const { path } of read) {
    let place = path;
    for (const change of changes) {
      const { before, after } = change.objects;
      const next = followedPlace(before, after, place);
      if (next === undefined || changedPaths(valueAt(before, place) ?? null, valueAt(after, next) ?? null).length > 0) {
        writers.add(change);
      }
      place = next ?? place;
    }
  }
  return writers.size > 0 ? changes.filter((change) => writers.has(change)) : changes;
}

/** Merges the additions of all shards. */
export function mergedAdditions(
  parts: readonly (readonly ClusterAddition[] | undefined)[],
): readonly ClusterAddition[] {
  const joined = new Map<string, ClusterAddition>();
  for (const part of parts) for (const addition of part ?? []) joinAddition(joined, additionKey(addition), addition);
  return sortedAdditions([...joined.values()]);
}

/** An object that gets a field. */
interface Example {
  readonly name: ResourceName;
  readonly label: string;
}

/** A counter during the run. */
interface CountedAddition {
  readonly policy: ClusterAddition['policy'];
  readonly field: string;
  objects: number;
  /** The first by label. */
  examples: readonly Example[];
  /** The last counted object: each object is counted once. */
  seen: EvaluatedResource | undefined;
}

/** Most objects sort after the kept examples, so that check comes first. */
function countOne(counted: CountedAddition, example: Example): void {
  counted.objects += 1;
  const last = counted.examples[MAX_EXAMPLES - 1];
  if (last !== undefined && compareText(last.label, example.label) <= 0) return;
  counted.examples = [...counted.examples, example]
    .sort((one, other) => compareText(one.label, other.label))
    .slice(0, MAX_EXAMPLES);
}

function joinAddition(known: Map<string, ClusterAddition>, key: string, addition: ClusterAddition): void {
  const same = known.get(key);
  if (same === undefined) {
    known.set(key, addition);
    return;
  }
  const examples = firstExamples(same.examples, addition.examples);
  known.set(key, { ...same, objects: same.objects + addition.objects, examples });
}

/** Merges two sorted lists; most objects sort after the kept ones, and then the first list is returned unchanged. */
function firstExamples(kept: readonly ResourceName[], more: readonly ResourceName[]): readonly ResourceName[] {
  const [last, first] = [kept.at(-1), more[0]];
  if (kept.length === MAX_EXAMPLES && last !== undefined && first !== undefined && byLabel(last, first) <= 0)
    return kept;
  return [...kept, ...more].sort(byLabel).slice(0, MAX_EXAMPLES);
}

function sortedAdditions(additions: readonly ClusterAddition[]): readonly ClusterAddition[] {
  return [...additions].sort((a, b) => b.objects - a.objects || compareText(additionKey(a), additionKey(b)));
}

function additionKey({ policy, field }: Pick<ClusterAddition, 'policy' | 'field'>): string {
  return `${policy.name}\0${policy.kind}\0${field}`;
}

function byLabel(a: ResourceName, b: ResourceName): number {
  return compareText(resourceLabel(a), resourceLabel(b));
}

/** Formats paths, with list indices replaced by `*`. */
class FieldTexts {
  #last: FieldPath = [];
  #text = '';

  of(path: FieldPath): string {
    // Consecutive items of one list give the same field.
    if (!isSameField(path, this.#last)) {
      const field = formatFieldPath(path);
      this.#text = path.some((step) => typeof step === 'number') ? field.replace(/\[\d+\]/g, '[*]') : field;
      this.#last = path;
    }
    return this.#text;
  }
}

function isSameField(one: FieldPath, other: FieldPath): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    const step = one[index];
    if (step !== other[index] && (typeof step !== 'number' || typeof other[index] !== 'number')) return false;
  }
  return true;
}

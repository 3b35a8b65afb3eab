// What the cluster adds to the objects of a target: fields that Git leaves to mutating policies, by policy and field.
import type { EvaluatedResource } from '../policy/evaluated-resource.ts';
import type { Evaluation } from '../policy/evaluation.ts';
import type { ObjectChangeByPolicy } from '../policy/policy-language.ts';
import { type FieldPath, formatFieldPath } from '../source/field-path.ts';
import { resourceName } from './finding.ts';
import { compareText } from './finding-order.ts';
import type { ClusterAddition, MutatedAwayFinding, ResourceName } from './report.ts';
import { resourceLabel } from './wording.ts';

/** Objects that are named of those that get one field. */
const MAX_EXAMPLES = 3;
/** Findings that are told of those that a policy mutates away. */
const MAX_MUTATED_AWAY = 200;

export class AdditionsOfTarget {
  readonly #additions = new Map<string, CountedAddition>();
  readonly #mutatedAway: MutatedAwayFinding[] = [];

  add(evaluated: EvaluatedResource): void {
    const { resource, request, changes, writes, mutatedAway = [] } = evaluated;
    if (changes.length === 0) return;
    const name = resourceName(resource, request.namespace);
    const label = resourceLabel(name);
    const seen = new Set<string>();
    for (const { edit, fields } of writes()?.writes ?? []) {
      if (edit.kind !== 'add' && edit.kind !== 'insert') continue;
      for (const { path, by } of fields()) {
        const { kind, name: policyName } = by.policy;
        const policy = { kind, name: policyName };
        const field = fieldOfAny(path);
        const key = additionKey({ policy, field });
        if (seen.has(key)) continue;
        seen.add(key);
        const known = this.#additions.get(key);
        if (known === undefined) this.#additions.set(key, { policy, field, objects: 1, examples: [name], last: label });
        else countOne(known, name, label);
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

  /** Empty where there is nothing of the kind. */
  summary(): { readonly additions?: readonly ClusterAddition[]; readonly mutatedAway?: readonly MutatedAwayFinding[] } {
    const additions = sortedAdditions([...this.#additions.values()].map(({ last: _, ...addition }) => addition));
    return {
      ...(additions.length > 0 && { additions }),
      ...(this.#mutatedAway.length > 0 && { mutatedAway: this.#mutatedAway }),
    };
  }
}

/** Those that wrote what the rule looked at; all where it looked at nothing that shows. */
function writersOf(evaluation: Evaluation, changes: readonly ObjectChangeByPolicy[]): readonly ObjectChangeByPolicy[] {
  const read = evaluation.explain().filter(({ root }) => root === 'object');
  const writers = changes.filter(({ paths }) =>
    paths.some((path) => read.some((field) => isWithin(path, field.path) || isWithin(field.path, path))),
  );
  return writers.length > 0 ? writers : changes;
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.length <= path.length && outer.every((step, index) => step === path[index]);
}

/** Of the parts of a run. */
export function mergedAdditions(
  parts: readonly (readonly ClusterAddition[] | undefined)[],
): readonly ClusterAddition[] {
  const joined = new Map<string, ClusterAddition>();
  for (const part of parts) for (const addition of part ?? []) joinAddition(joined, additionKey(addition), addition);
  return sortedAdditions([...joined.values()]);
}

/** While a run counts; `last` is how the last example is called. */
interface CountedAddition {
  readonly policy: ClusterAddition['policy'];
  readonly field: string;
  objects: number;
  examples: readonly ResourceName[];
  last: string;
}

/** Most objects come after those that are kept. */
function countOne(counted: CountedAddition, name: ResourceName, label: string): void {
  counted.objects += 1;
  if (counted.examples.length === MAX_EXAMPLES && compareText(counted.last, label) <= 0) return;
  counted.examples = firstExamples(counted.examples, [name]);
  counted.last = resourceLabel(counted.examples.at(-1) as ResourceName);
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

/** Of two sorted lists; most objects come after those that are kept, and leave the first list as it is. */
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

/** The same field of every item of a list is one. */
function fieldOfAny(path: FieldPath): string {
  const field = formatFieldPath(path);
  return path.some((step) => typeof step === 'number') ? field.replace(/\[\d+\]/g, '[*]') : field;
}

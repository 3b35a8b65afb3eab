// Evaluates each change of an object under the rules of both states.
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { ObjectChange } from '../../engine/object/object-request.ts';
import type { ChangeEvaluation, TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { EvaluatedResource } from '../../policy/evaluation/evaluated-resource.ts';
import type { ComparedRules } from './compared-rules.ts';
import { openAnswer, openUpdate } from './copied-objects.ts';

export interface EvaluatedChange {
  readonly change: ObjectChange;
  /** The request for the object as base has it; undefined if the change creates the object. */
  readonly earlier: ObjectChange | undefined;
  readonly verdict: ChangeEvaluation;
  /** Results whose findings are reported in addition to the verdict's: under other rules, or as another request. */
  readonly also: readonly EvaluatedResource[];
  /** The result of `earlier` under `rules.before`. */
  readonly before: ChangeEvaluation | undefined;
  /** Base's object as a new one under `rules.before`; absent unless the change updates the object. */
  readonly recreated?: () => EvaluatedResource | undefined;
  /** The same request under base's rules and under head's. Undefined if no rule changed, or if the object is not evaluated. */
  readonly underRules: { readonly base: EvaluatedResource; readonly head: EvaluatedResource } | undefined;
}

/** Yields one result at a time, because the results of a large repository do not fit into memory. */
export function* evaluateChanges(
  rules: ComparedRules,
  objects: MatchedObjects,
  copies: ReadonlyMap<Resource, Resource>,
): Iterable<EvaluatedChange> {
  for (const resource of objects.created) {
    const created = evaluateChange(rules, { operation: 'CREATE', resource });
    const old = copies.get(resource);
    yield inRelabelled(old === undefined ? created : asCopy(created, old, rules), rules);
  }
  for (const { resource, old } of objects.updated) {
    const earlier: ObjectChange = { operation: 'UPDATE', resource: old, old };
    const updated = evaluateChange(rules, { operation: 'UPDATE', resource, old }, earlier);
    const recreated = () => rules.before.evaluate({ operation: 'CREATE', resource: old }).evaluated;
    yield inRelabelled({ ...updated, recreated }, rules);
  }
  for (const resource of objects.deleted) {
    yield evaluateChange(rules, { operation: 'DELETE', resource }, { operation: 'CREATE', resource });
  }
  for (const resource of objects.unchanged) {
    const change: ObjectChange = { operation: 'CREATE', resource };
    yield evaluateChange(rules, change, change);
  }
}

function asCopy(created: EvaluatedChange, old: Resource, { verdict }: ComparedRules): EvaluatedChange {
  const { evaluated } = created.verdict;
  if (evaluated === undefined) return created;
  const update = verdict.evaluate({ operation: 'UPDATE', resource: created.change.resource, old }).evaluated;
  return update === undefined ? created : { ...created, also: [...created.also, openUpdate(update, evaluated, old)] };
}

/** Adds what the server answers if it gets the Namespace of the change first. */
function inRelabelled(answer: EvaluatedChange, { relabelled }: ComparedRules): EvaluatedChange {
  const { change, verdict, also } = answer;
  if (relabelled === undefined || verdict.evaluated === undefined) return answer;
  const { namespace } = change.resource;
  if (!relabelled.names.has(namespace)) return answer;
  const later = relabelled.evaluator().evaluate(change).evaluated;
  if (later === undefined) return answer;
  const missing = `whether the server gets the new labels of Namespace ${namespace} before or after the object`;
  return { ...answer, also: [...also, openAnswer(later, verdict.evaluated, missing)] };
}

/** Calls each evaluator at most once for the change. */
function evaluateChange(rules: ComparedRules, change: ObjectChange, earlier?: ObjectChange): EvaluatedChange {
  const known = new Map<TargetEvaluator, ChangeEvaluation>();
  const evaluate = (evaluator: TargetEvaluator): ChangeEvaluation => {
    const answer = known.get(evaluator) ?? evaluator.evaluate(change);
    known.set(evaluator, answer);
    return answer;
  };
  const verdict = evaluate(rules.verdict);
  const before = earlier && (earlier === change ? evaluate(rules.before) : rules.before.evaluate(earlier));
  const none = { change, earlier, verdict, before, also: [], underRules: undefined };
  if (verdict.evaluated === undefined) return none;
  const other = rules.also && evaluate(rules.also).evaluated;
  const also = other === undefined ? [] : [other];
  if (rules.head === rules.base || change.operation === 'DELETE') return { ...none, also };
  const [base, head] = [evaluate(rules.base).evaluated, evaluate(rules.head).evaluated];
  return { ...none, also, underRules: base && head && { base, head } };
}

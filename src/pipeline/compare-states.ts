// Compares two states of a repository: the steps, in their order. Each step takes the results of earlier steps.
import { type MatchedObjects, matchObjects } from '../engine/object/match-objects.ts';
import type { Resource } from '../kubernetes/api/resource.ts';
import type { Remote } from '../render/sources/remote/remote.ts';
import type { Report } from '../report/report.ts';
import { withoutDuplicatePolicies } from './clusters/planned-targets.ts';
import type { ComparedTarget } from './compare/compared-clusters.ts';
import { type ComparedRules, comparedRules } from './compare/compared-rules.ts';
import { type ComparedStates, comparedStates, isExamined } from './compare/compared-states.ts';
import type { ComparisonInput } from './compare/comparison-input.ts';
import {
  addFindings,
  type ComparisonReport,
  finishReport,
  openReport,
  type TargetResult,
} from './compare/comparison-report.ts';
import { copiedObjects } from './compare/copied-objects.ts';
import { deletedNames } from './compare/deleted-objects.ts';
import { evaluateChanges } from './compare/evaluate-changes.ts';
import { keptObjects } from './compare/kept-objects.ts';
import { readStates } from './compare/read-states.ts';
import { joinDiagnostics, readingDiagnostics, type StateDiagnostics } from './compare/state-diagnostics.ts';
import { targetContradictions } from './compare/target-contradictions.ts';
import { targetFacts } from './compare/target-facts.ts';
import { type TargetStates, targetStates } from './compare/target-states.ts';
import { skippedEntries, unjudgedObjects, unjudgedTarget } from './compare/unjudged.ts';
import { unreachedChanges } from './compare/unreached-changes.ts';

export function compareStates(input: ComparisonInput): Report {
  const states = comparedStates(input);
  const report = openReport(states);
  // Which objects are hidden depends on the files and roots alone, so it is known before any policy is evaluated.
  const diagnostics = [readingDiagnostics(states), unjudgedObjects(states), unreachedChanges(states)];
  const targets = states.clusters.targets(input.configuration).map((target) => compareTarget(states, target, report));
  // A resource is left out, and a contradiction is old, only if this is so in every target.
  return finishReport(states, report, targets, diagnostics, skippedEntries(states));
}

function compareTarget(states: ComparedStates, compared: ComparedTarget, report: ComparisonReport): TargetResult {
  const target = targetStates(states, compared);
  // The rules come first, because they define the kinds, and a kind decides which objects are the same.
  const rules = comparedRules(states, target);
  const identityOf = (resource: Resource) => rules.before.identityOf(resource);
  const matched = matchedObjects(states, target, identityOf);
  const { objects, kept } = keptObjects(states, matched, target.neverApplied, identityOf);
  const unjudged = unjudgedTarget(states, target, rules, objects);
  // Evaluation comes before the diagnostics of the policies: it finds problems that loading a policy does not show.
  const copies = copiedObjects(objects.created, target.base.manifests, identityOf);
  const answers = evaluateChanges(rules, objects, copies);
  const evaluated = addFindings(report, answers, rules, target.head.name, states.changedBy);
  const ofPolicies = policyDiagnostics(states, rules);
  // An old contradiction matters if the verdict on a changed object depends on it, so the objects must be matched.
  const contradictions = targetContradictions(states, target, rules, objects);
  // The evaluators collect what they do not know while they evaluate, so the target is closed last.
  report.report.addTarget(targetFacts(states, target, rules, objects, contradictions));
  const ofContradictions = { base: [], head: contradictions.head };
  const diagnostics = joinDiagnostics([unjudged, evaluated, ofPolicies, ofContradictions]);
  const deleted = deletedNames(states, objects.deleted, target.head.manifests, identityOf);
  return { name: target.head.name, taken: target.taken, rules, objects, deleted, kept, diagnostics, contradictions };
}

function matchedObjects(
  states: ComparedStates,
  { base, head }: TargetStates,
  identityOf: (resource: Resource) => string | undefined,
): MatchedObjects {
  const [old, now] = [base, head].map(({ manifests }) => manifests.filter((each) => isExamined(states, each)));
  return matchObjects(old ?? [], now ?? [], identityOf);
}

/** Policies are checked only if both states were read completely; otherwise the change touches none of them. */
function policyDiagnostics({ isAll }: ComparedStates, { base, head }: ComparedRules): StateDiagnostics {
  if (!isAll) return { base: [], head: [] };
  return {
    base: withoutDuplicatePolicies(base.policyDiagnostics),
    head: withoutDuplicatePolicies(head.policyDiagnostics),
  };
}

/** Charts, bases and repositories that are missing in each state. With them, more roots could be rendered. */
export function missingInChange(input: ComparisonInput): Record<'base' | 'head', readonly Remote[]> {
  const { base, head } = readStates(input);
  return { base: base.missing, head: head.missing };
}

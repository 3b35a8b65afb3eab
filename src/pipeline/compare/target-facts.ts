// The report's summary of one target: its server, its policies, and what is unknown about it.

import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import { unevaluatedPolicies } from '../../engine/unknown/other-policies.ts';
import { Unknowns } from '../../engine/unknown/unknowns.ts';
import { emulatedRelease } from '../../engine/validation/registry-validation.ts';
import { formatVersion } from '../../kubernetes/api/version.ts';
import type { TargetFacts } from '../../report/builder/report-builder.ts';
import { matchingUnknowns } from '../../report/comparison/matching-unknowns.ts';
import { assumptions, unrendered } from '../check-state.ts';
import { undecidedVersions } from '../clusters/contradictions.ts';
import { clusterUnknowns } from '../clusters/planned-targets.ts';
import { appliedRoots } from '../state/read-repository.ts';
import type { ComparedRules } from './compared-rules.ts';
import { type ComparedStates, isExamined } from './compared-states.ts';
import type { TargetStates } from './target-states.ts';

/** `undecided`: number of objects with several versions of which it is unknown whether they belong to one cluster. */
export function targetFacts(
  states: ComparedStates,
  { planned, head, languages }: TargetStates,
  { verdict, also, evaluators }: ComparedRules,
  objects: MatchedObjects,
  undecided: number,
): TargetFacts {
  const { derivedFrom, declared } = planned;
  const unknowns = new Unknowns();
  for (const sentence of unevaluatedPolicies(head.facts, languages)) unknowns.add(sentence);
  const replaced = new Set(objects.updated.map(({ old }) => old));
  for (const evaluator of evaluators) unknowns.addAll(evaluator.unknowns, (resource) => !replaced.has(resource));
  const examined = head.manifests.filter((resource) => isExamined(states, resource));
  const changedRoots = appliedRoots(states.head).filter(({ name }) => states.changedRoots.has(name));
  return {
    name: head.name,
    ...(derivedFrom !== undefined && { derivedFrom }),
    ...(declared && declared.settings.length > 0 && { serverSettings: declared.settings }),
    kubernetesVersion: formatVersion(head.kubernetesVersion),
    ...(head.serverValidation && { validatedAs: emulatedRelease(head.kubernetesVersion) }),
    user: head.userInfo.username,
    policies: [...verdict.policies, ...(also?.policies ?? [])],
    unknowns: [
      ...unknowns.sentences(),
      ...unrendered(examined, states.changedBy),
      ...assumptions(changedRoots),
      ...matchingUnknowns(objects),
      ...undecidedVersions(undecided),
      ...(declared?.unknowns ?? []),
      ...clusterUnknowns(states.clusters.head, planned, verdict.policies.length > 0),
    ],
    unknownKinds: unknowns.kinds(),
  };
}

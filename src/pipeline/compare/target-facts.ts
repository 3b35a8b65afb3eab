// The report's summary of one target: its server, its policies, and what is unknown about it.

import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { Target } from '../../engine/target/target.ts';
import { unevaluatedPolicies } from '../../engine/unknown/other-policies.ts';
import { Unknowns } from '../../engine/unknown/unknowns.ts';
import { emulatedRelease } from '../../engine/validation/registry-validation.ts';
import { formatVersion } from '../../kubernetes/api/version.ts';
import type { Unknown } from '../../policy/evaluation/unknown.ts';
import type { TargetFacts } from '../../report/builder/report-builder.ts';
import { matchingUnknowns } from '../../report/comparison/matching-unknowns.ts';
import { assumptions, unrendered } from '../check-state.ts';
import { undecidedVersions } from '../clusters/contradictions.ts';
import { clusterUnknowns } from '../clusters/planned-targets.ts';
import { appliedRoots } from '../state/unreached.ts';
import type { ComparedRules } from './compared-rules.ts';
import { type ComparedStates, isExamined } from './compared-states.ts';
import type { TargetContradictions } from './target-contradictions.ts';
import type { TargetStates } from './target-states.ts';

export function targetFacts(
  states: ComparedStates,
  target: TargetStates,
  rules: ComparedRules,
  objects: MatchedObjects,
  { undecided, undecidedInBase }: TargetContradictions,
): TargetFacts {
  const { planned, base, head, ruling, languages, isNew } = target;
  const { verdict, also, evaluators } = rules;
  const { derivedFrom, declared } = planned;
  const unknowns = new Unknowns();
  for (const sentence of unevaluatedPolicies(head.facts, languages)) unknowns.add(sentence);
  const replaced = new Set(objects.updated.map(({ old }) => old));
  for (const evaluator of evaluators) unknowns.addAll(evaluator.unknowns, (resource) => !replaced.has(resource));
  const ofBase = unknownsOfBase(target, rules, objects);
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
      ...ofState(states, 'head', head),
      ...matchingUnknowns(objects),
      ...undecidedVersions(undecided),
      ...(declared?.unknowns ?? []),
      ...clusterUnknowns(states.clusters.head, planned, verdict.policies.length > 0),
    ],
    unknownKinds: unknowns.kinds(),
    // A new cluster is unknown to base.
    ...(!isNew && {
      earlier: {
        unknowns: [
          ...ofBase.sentences(),
          ...ofState(states, 'base', base),
          ...undecidedVersions(undecidedInBase),
          ...clusterUnknowns(states.clusters.base, planned, ruling.policies.length > 0),
        ],
        unknownKinds: ofBase.kinds(),
      },
    }),
  };
}

function ofState(states: ComparedStates, state: 'base' | 'head', { manifests }: Target): readonly Unknown[] {
  const examined = manifests.filter((resource) => isExamined(states, resource));
  const changedRoots = appliedRoots(states[state]).filter(({ name }) => states.changedRoots.has(name));
  return [...unrendered(examined, states.changedBy), ...assumptions(changedRoots)];
}

/** What is unknown about the objects that base has, under the rules of base. */
function unknownsOfBase(
  { base, languages }: TargetStates,
  { base: rules }: ComparedRules,
  { updated, unchanged, deleted }: MatchedObjects,
): Unknowns {
  const old = new Set([...updated.map((change) => change.old), ...unchanged, ...deleted]);
  const unknowns = new Unknowns();
  for (const sentence of unevaluatedPolicies(base.facts, languages)) unknowns.add(sentence);
  unknowns.addThoseAbout(rules.unknowns, (resource) => old.has(resource));
  return unknowns;
}

// Reports objects that a target has in several versions, if the change adds a version or depends on one.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Contradiction } from '../clusters/contradictions.ts';
import { contradictionsIn } from '../clusters/planned-targets.ts';
import type { ComparedRules } from './compared-rules.ts';
import type { ComparedStates } from './compared-states.ts';
import type { TargetStates } from './target-states.ts';
import { TouchedObjects } from './touched-objects.ts';

export interface TargetContradictions {
  readonly head: readonly Diagnostic[];
  readonly base: readonly Contradiction[];
  /** Messages that are new or that the change depends on. They stay new even if base has the message in another target. */
  readonly newMessages: ReadonlySet<string>;
  /** Number of objects with several versions of which it is unknown whether they belong to one cluster. */
  readonly undecided: number;
}

export function targetContradictions(
  { base, head, isAll }: ComparedStates,
  target: TargetStates,
  rules: ComparedRules,
  objects: MatchedObjects,
): TargetContradictions {
  const { planned, ruling, languages } = target;
  const identityOf = (resource: Resource): string | undefined => rules.before.identityOf(resource);
  const now = contradictionsIn(planned, target.head, head, identityOf);
  const before = contradictionsIn(planned, target.base, base, identityOf).found;
  const touched = new TouchedObjects(
    [...objects.created, ...objects.updated.map(({ resource }) => resource)],
    { ...target.head, policies: [...new Set([...target.head.policies, ...ruling.policies])] },
    languages,
  );
  const keysOf = (found: readonly Contradiction[]) => new Set(found.map(({ key }) => key));
  const [inBase, inHead] = [keysOf(before), keysOf(now.found)];
  const contents = new Set(before.map(({ contentKey }) => contentKey));
  const diagnostics: Diagnostic[] = [];
  const newMessages = new Set<string>();
  for (const each of now.found) {
    // A verdict that depends on one of two versions decides nothing, even if base has both.
    const depends = touched.dependOn(each.resource);
    if (!isAll && !depends && inBase.has(each.key)) continue;
    const diagnostic = each.diagnostic();
    diagnostics.push(diagnostic);
    if (depends || !contents.has(each.contentKey)) newMessages.add(diagnostic.message);
  }
  // The rules that a new cluster takes from base must not contradict each other either.
  const ofRuling = ruling === target.base ? [] : contradictionsIn(planned, ruling, base, identityOf).found;
  return {
    head: [...diagnostics, ...ofRuling.map((each) => each.diagnostic())],
    base: before.filter(({ key }) => isAll || !inHead.has(key)),
    newMessages,
    undecided: now.undecided.filter((each) => isAll || touched.has(each)).length,
  };
}

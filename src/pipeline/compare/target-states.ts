// What one target holds in each state, and the rules of base that apply to it.
import type { Target } from '../../engine/target/target.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import type { PlannedTarget } from '../clusters/planned-targets.ts';
import { ownValidation, targetOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource } from '../state/read-repository.ts';
import type { ComparedTarget } from './compared-clusters.ts';
import type { ComparedStates } from './compared-states.ts';
import { withKeptFacts } from './kept-objects.ts';

export interface TargetStates {
  readonly planned: PlannedTarget;
  readonly languages: readonly PolicyLanguage[];
  readonly base: Target;
  readonly head: Target;
  /** Base with the rules that the target must follow. Differs from `base` only if the cluster is new. */
  readonly ruling: Target;
  /** True for a cluster that base does not have. */
  readonly isNew: boolean;
  /** Objects of head that their controller never applies to this cluster. */
  readonly neverApplied: readonly Resource[];
  /** The objects of head that the target evaluates. */
  readonly taken: ReadonlySet<FoundResource>;
}

export function targetStates(
  { input, base, head, work, rootOf }: ComparedStates,
  { planned, belongs, rulesOfBase }: ComparedTarget,
): TargetStates {
  const { configured } = planned;
  const taken = new Set<FoundResource>();
  const targetIn = (
    of: ConfiguredTarget,
    resources: readonly FoundResource[],
    belongsToIt: ((found: FoundResource) => boolean) | undefined,
    gains = new Set<FoundResource>(),
  ): Target => ({
    ...targetOf(of, resources, gains, () => true, belongsToIt),
    work,
    explainsMutations: input.explainsMutations === true,
    ...ownValidation(of, input.serverValidation),
  });
  const inBase = targetIn(configured, base.resources, belongs?.base);
  const inHead = targetIn(withSourcesOf(input.next, configured), head.resources, belongs?.head, taken);
  return {
    planned,
    languages: languagesOf(configured, input.today),
    base: inBase,
    head: withKeptFacts(inBase, inHead, head, rootOf),
    ruling: rulesOfBase === undefined ? inBase : targetIn(configured, base.resources, rulesOfBase),
    isNew: rulesOfBase !== undefined,
    neverApplied:
      head.neverApplied.length === 0 ? [] : targetIn(configured, head.neverApplied, belongs?.head).manifests,
    taken,
  };
}

/** Head's configuration may name other policy sources for the same target. */
function withSourcesOf(
  next: { readonly targets: readonly ConfiguredTarget[] } | undefined,
  { policySources, ...configured }: ConfiguredTarget,
): ConfiguredTarget {
  const named =
    next === undefined ? policySources : next.targets.find(({ name }) => name === configured.name)?.policySources;
  return { ...configured, ...(named && { policySources: named }) };
}

// What of a repository may decide about objects that it does not hold itself: the rest need not be looked at to judge one of them.
import type { Resource } from '../kubernetes/resource.ts';
import type { PolicyLanguage } from '../policy/policy-language.ts';
import type { Configuration } from '../settings/configuration.ts';
import { spokenLanguages } from './languages.ts';
import type { FoundResource } from './read-repository.ts';
import { RuleResources } from './scope/rule-resources.ts';

/** Groups of what decides without being a policy: webhooks, aggregated APIs, and what languages read besides. */
const DECIDING_GROUPS =
  /^(?:admissionregistration\.k8s\.io|apiregistration\.k8s\.io|(?:.*\.)?kyverno\.io|.*gatekeeper\.sh)$/;
/** What becomes of a Pod rests on them. */
const POD_KINDS: ReadonlySet<string> = new Set(['/ServiceAccount', 'scheduling.k8s.io/PriorityClass']);

export class ClusterFacts {
  readonly #languages: readonly PolicyLanguage[];
  readonly #complete: ReadonlySet<string>;
  #known: { readonly policies: readonly FoundResource[]; readonly rules: RuleResources } | undefined;
  #facts: readonly FoundResource[] = [];

  constructor({ targets }: Configuration) {
    this.#languages = spokenLanguages(targets);
    this.#complete = new Set(targets.flatMap(({ complete }) => complete.map(({ kind }) => kind)));
  }

  /** The same list as before where nothing of it changed. */
  of(resources: readonly FoundResource[]): readonly FoundResource[] {
    const rules = this.#rulesOf(resources);
    const facts = resources.filter(({ resource }) => this.#mayDecide(resource, rules));
    if (!isSameList(facts, this.#facts)) this.#facts = facts;
    return this.#facts;
  }

  /** True for what may decide about other objects of the same repository. */
  has(found: FoundResource): boolean {
    return this.#known !== undefined && this.#mayDecide(found.resource, this.#known.rules);
  }

  isPolicy(resource: Resource): boolean {
    return this.#languages.some((language) => language.acceptsObjects !== true && language.accepts(resource));
  }

  #rulesOf(resources: readonly FoundResource[]): RuleResources {
    const policies = resources.filter(({ resource }) => this.#languages.some((language) => language.accepts(resource)));
    if (this.#known === undefined || !isSameList(policies, this.#known.policies)) {
      const rules = new RuleResources(
        this.#languages,
        policies.map(({ resource }) => resource),
      );
      this.#known = { policies, rules };
    }
    return this.#known.rules;
  }

  #mayDecide(resource: Resource, rules: RuleResources): boolean {
    const { group, kind } = resource.gvk;
    if (DECIDING_GROUPS.test(group) || POD_KINDS.has(`${group}/${kind}`) || this.#complete.has(kind)) return true;
    return rules.isRule(resource);
  }
}

function isSameList(one: readonly FoundResource[], other: readonly FoundResource[]): boolean {
  return one.length === other.length && one.every(({ resource }, index) => resource === other[index]?.resource);
}

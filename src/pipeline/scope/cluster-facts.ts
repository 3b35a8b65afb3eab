// Finds the resources that may decide about objects in other files. The language server reads only these to evaluate one file.
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isLookedUp } from '../../kubernetes/schema/plugins/looked-up-kinds.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { languagesOfTargets } from '../state/languages.ts';
import type { FoundResource } from '../state/read-repository.ts';
import { isNamespace, RBAC_GROUP, RuleResources } from '../state/rule-resources.ts';

/** Groups that decide without being policies: webhooks, aggregated APIs, and objects that policy languages read. */
const DECIDING_GROUPS =
  /^(?:admissionregistration\.k8s\.io|apiregistration\.k8s\.io|(?:.*\.)?kyverno\.io|.*gatekeeper\.sh)$/;

/** How a resource affects the verdicts on other objects. */
type Role = 'policy' | 'fact' | 'object';

export class ClusterFacts {
  readonly #languages: readonly PolicyLanguage[];
  readonly #complete: ReadonlySet<string>;
  readonly #roles = new WeakMap<Resource, Role>();
  #known:
    | {
        readonly policies: readonly FoundResource[];
        readonly rules: RuleResources;
        /** `group/Kind` of objects that policies refer to. */
        readonly kinds: ReadonlySet<string>;
        /** For each resource that is neither a policy nor a fact by itself, whether a policy refers to it. */
        readonly decides: WeakMap<Resource, boolean>;
      }
    | undefined;
  #facts: readonly FoundResource[] = [];
  /** The resources of the last call. */
  #resources: readonly FoundResource[] | undefined;

  constructor({ targets }: Configuration) {
    this.#languages = languagesOfTargets(targets);
    this.#complete = new Set(targets.flatMap(({ complete }) => complete.map(({ kind }) => kind)));
  }

  /** Returns the same list again if none of its resources changed. */
  of(resources: readonly FoundResource[]): readonly FoundResource[] {
    if (resources === this.#resources) return this.#facts;
    this.#resources = resources;
    this.#learn(resources.filter(({ resource }) => this.accepts(resource)));
    const facts = resources.filter((found) => this.has(found));
    if (!isSameList(facts, this.#facts)) this.#facts = facts;
    return this.#facts;
  }

  /** Resources that the diagnostics of some policies depend on: those that they name, those that name them, and definitions. */
  around(policies: readonly FoundResource[], resources: readonly FoundResource[]): readonly FoundResource[] {
    const near = new Set(
      resources.filter((found) => this.accepts(found.resource) && policies.some((policy) => areNear(policy, found))),
    );
    const rules = new RuleResources(
      this.#languages,
      [...near].map(({ resource }) => resource),
    );
    const kinds = referredKinds(rules);
    return resources.filter((found) => {
      const { resource } = found;
      const role = this.#roleOf(resource);
      if (role !== 'object') return role === 'fact' || near.has(found);
      return kinds.has(kindName(resource)) && rules.isRule(resource);
    });
  }

  /** True if the resource may decide about other objects, under the policies of the last call. */
  has({ resource }: FoundResource): boolean {
    if (this.#roleOf(resource) !== 'object') return true;
    if (this.#known === undefined) return false;
    const { kinds, rules, decides } = this.#known;
    let isRule = decides.get(resource);
    if (isRule === undefined) {
      isRule = (kinds.has(kindName(resource)) || resource.gvk.group === RBAC_GROUP) && rules.isRule(resource);
      decides.set(resource, isRule);
    }
    return isRule;
  }

  /** True for policies and bindings. Also for objects that a language reads like policies, such as Namespaces. */
  accepts(resource: Resource): boolean {
    return this.#roleOf(resource) === 'policy';
  }

  #learn(policies: readonly FoundResource[]): void {
    if (this.#known !== undefined && isSameList(policies, this.#known.policies)) return;
    const rules = new RuleResources(
      this.#languages,
      policies.map(({ resource }) => resource),
    );
    this.#known = { policies, rules, kinds: referredKinds(rules), decides: new WeakMap() };
  }

  #roleOf(resource: Resource): Role {
    let role = this.#roles.get(resource);
    if (role === undefined) {
      const { group, kind } = resource.gvk;
      const isFact =
        DECIDING_GROUPS.test(group) ||
        isLookedUp(resource.gvk) ||
        this.#complete.has(kind) ||
        isNamespace(resource) ||
        isCustomResourceDefinition(resource);
      const isPolicy = this.#languages.some((language) => language.accepts(resource));
      role = isPolicy ? 'policy' : isFact ? 'fact' : 'object';
      this.#roles.set(resource, role);
    }
    return role;
  }
}

function referredKinds({ references }: RuleResources): ReadonlySet<string> {
  return new Set(references.flatMap(({ kinds }) => kinds.map(({ group, kind }) => `${group}/${kind}`)));
}

function kindName({ gvk }: Resource): string {
  return `${gvk.group}/${gvk.kind}`;
}

/** True if one may name the other, like a policy and its bindings and exceptions. */
function areNear({ resource: one }: FoundResource, { resource: other }: FoundResource): boolean {
  const names = (by: Resource, named: Resource): boolean => by.manifest.file.text.includes(named.name);
  return one.manifest.file === other.manifest.file || names(one, other) || names(other, one);
}

export function isSameList(one: readonly FoundResource[], other: readonly FoundResource[]): boolean {
  return one.length === other.length && one.every(({ resource }, index) => resource === other[index]?.resource);
}

// The objects that a change creates or updates, and whether their verdict may depend on another object.
import type { Target } from '../../engine/target/target.ts';
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { builtinResources } from '../../kubernetes/schema/resources.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import { stringifyJson } from '../../source/json/json.ts';
import { definedKind } from '../clusters/contradictions.ts';
import { LookedUpFacts } from '../clusters/looked-up-facts.ts';
import { policiesAbout } from '../scope/policy-subjects.ts';
import { isNamespace, isPolicyOf, RuleResources } from '../state/rule-resources.ts';

export class TouchedObjects {
  readonly #namespaces: ReadonlySet<string>;
  readonly #kinds: ReadonlySet<string>;
  readonly #lookedUp: LookedUpFacts;
  readonly #objects: ReadonlySet<string>;
  readonly #languages: readonly PolicyLanguage[];
  readonly #rules: RuleResources;
  readonly #defaultNamespace: string;

  constructor(objects: readonly Resource[], target: Target, languages: readonly PolicyLanguage[]) {
    const judged = objects.filter((resource) => !isPolicyOf(languages, resource));
    this.#languages = languages;
    this.#defaultNamespace = target.defaultNamespace;
    this.#namespaces = new Set(judged.map((resource) => this.#namespaceOf(resource)));
    this.#kinds = new Set(judged.map(({ gvk }) => `${gvk.group}/${gvk.kind}`));
    this.#objects = new Set(judged.map((resource) => this.#identityOf(resource)));
    const builtin = builtinResources(target.kubernetesVersion.minor);
    const subjects = judged.map(({ gvk }) => ({ ...gvk, isBuiltin: builtin.resourceForKind(gvk) !== undefined }));
    const policies = target.policies.filter((resource) => languages.some((language) => language.accepts(resource)));
    const about = policiesAbout(policies, subjects);
    this.#rules = new RuleResources(languages, about);
    this.#lookedUp = new LookedUpFacts(
      judged,
      (resource) => this.#namespaceOf(resource),
      (name) => about.some(({ value }) => stringifyJson(value, { sortKeys: false, escapeHtml: false }).includes(name)),
    );
  }

  /** True for any version of an object that the change creates or updates. */
  has(resource: Resource): boolean {
    return this.#objects.has(this.#identityOf(resource));
  }

  /** False for policies: every version of a policy is evaluated. True for other versions of a touched object. */
  dependOn(rule: Resource): boolean {
    if (isPolicyOf(this.#languages, rule)) return false;
    if (isNamespace(rule)) return this.#namespaces.has(rule.name);
    if (isCustomResourceDefinition(rule)) return this.#kinds.has(definedKind(rule));
    if (this.has(rule) || this.#rules.isRule(rule)) return true;
    return this.#lookedUp.has(rule);
  }

  #namespaceOf({ namespace, manifest }: Resource): string {
    return namespace || manifest.defaultNamespace || this.#defaultNamespace;
  }

  #identityOf(resource: Resource): string {
    const { gvk, name } = resource;
    return [gvk.group, gvk.kind, this.#namespaceOf(resource), name].join('\0');
  }
}

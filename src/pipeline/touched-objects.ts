// What a change creates or updates, and whether a verdict on it may depend on an object.
import type { Target } from '../engine/target.ts';
import { isCustomResourceDefinition } from '../kubernetes/custom-resource-definition.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { builtinResources } from '../kubernetes/schema/resources.ts';
import type { PolicyLanguage } from '../policy/policy-language.ts';
import { definedKind, isPolicyOf } from './contradictions.ts';
import { policiesAbout } from './scope/policy-subjects.ts';
import { isNamespace, RuleResources } from './scope/rule-resources.ts';

export class TouchedObjects {
  readonly #namespaces: ReadonlySet<string>;
  readonly #kinds: ReadonlySet<string>;
  /** Of the Pods: each has a ServiceAccount of its own namespace. */
  readonly #podNamespaces: ReadonlySet<string>;
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
    const pods = judged.filter(({ gvk }) => gvk.group === '' && gvk.kind === 'Pod');
    this.#podNamespaces = new Set(pods.map((resource) => this.#namespaceOf(resource)));
    this.#objects = new Set(judged.map((resource) => this.#identityOf(resource)));
    const builtin = builtinResources(target.kubernetesVersion.minor);
    const subjects = judged.map(({ gvk }) => ({ ...gvk, isBuiltin: builtin.resourceForKind(gvk) !== undefined }));
    const policies = target.policies.filter((resource) => languages.some((language) => language.accepts(resource)));
    this.#rules = new RuleResources(languages, policiesAbout(policies, subjects));
  }

  /** True for any version of what the change creates or updates. */
  has(resource: Resource): boolean {
    return this.#objects.has(this.#identityOf(resource));
  }

  /** Of policies all versions are asked. An object of the change depends on its own versions. */
  dependOn(rule: Resource): boolean {
    if (isPolicyOf(this.#languages, rule)) return false;
    if (isNamespace(rule)) return this.#namespaces.has(rule.name);
    if (isCustomResourceDefinition(rule)) return this.#kinds.has(definedKind(rule));
    if (this.has(rule) || this.#rules.isRule(rule)) return true;
    if (rule.gvk.kind === 'ServiceAccount') return this.#podNamespaces.has(this.#namespaceOf(rule));
    return rule.gvk.kind === 'PriorityClass' && this.#podNamespaces.size > 0;
  }

  #namespaceOf({ namespace, manifest }: Resource): string {
    return namespace || manifest.defaultNamespace || this.#defaultNamespace;
  }

  #identityOf(resource: Resource): string {
    const { gvk, name } = resource;
    return [gvk.group, gvk.kind, this.#namespaceOf(resource), name].join('\0');
  }
}

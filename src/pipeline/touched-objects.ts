// What a change creates or updates, and whether a verdict on it may depend on an object.
import type { Target } from '../engine/target.ts';
import { isCustomResourceDefinition } from '../kubernetes/custom-resource-definition.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { PolicyLanguage } from '../policy/policy-language.ts';
import { definedKind, isPolicyOf } from './contradictions.ts';
import { isNamespace } from './scope/rule-resources.ts';

export class TouchedObjects {
  readonly #namespaces: ReadonlySet<string>;
  readonly #kinds: ReadonlySet<string>;
  readonly #languages: readonly PolicyLanguage[];

  constructor(objects: readonly Resource[], { defaultNamespace }: Target, languages: readonly PolicyLanguage[]) {
    const judged = objects.filter((resource) => !isPolicyOf(languages, resource));
    this.#languages = languages;
    this.#namespaces = new Set(
      judged.map(({ namespace, manifest }) => namespace || manifest.defaultNamespace || defaultNamespace),
    );
    this.#kinds = new Set(judged.map(({ gvk }) => `${gvk.group}/${gvk.kind}`));
  }

  /** Of policies all versions are asked. */
  dependOn(rule: Resource): boolean {
    if (isPolicyOf(this.#languages, rule)) return false;
    if (isNamespace(rule)) return this.#namespaces.has(rule.name);
    return isCustomResourceDefinition(rule) ? this.#kinds.has(definedKind(rule)) : this.#kinds.size > 0;
  }
}

// Finds resources that decide about other resources: policies, bindings, params, Namespaces, CustomResourceDefinitions, RBAC.
import { isCustomResourceDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { labelsOf, readLabelSelector, selectorMatches } from '../../kubernetes/selector/label-selector.ts';
import type { ObjectReference, PolicyLanguage, PolicyReferences } from '../../policy/language/policy-language.ts';
import { objectOrEmpty } from '../../source/json/json-field.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** The objects that the policies and bindings of one or more states read in addition to the evaluated object. */
export class RuleResources {
  readonly #languages: readonly PolicyLanguage[];
  /** For each policy, the kinds and objects that it refers to. */
  readonly references: readonly Pick<PolicyReferences, 'kinds' | 'objects'>[];
  readonly hasPolicies: boolean;
  readonly asksAuthorizer: boolean;

  constructor(languages: readonly PolicyLanguage[], resources: Iterable<Resource>) {
    const all = [...resources];
    const accepted = languages.map((language) => ({ language, own: all.filter(language.accepts) }));
    this.#languages = languages;
    this.hasPolicies = accepted.some(({ own }) => own.length > 0);
    const ofLanguages = accepted.map(({ language, own }) => language.references(own));
    this.references = ofLanguages.flatMap((references) => [references, ...(references.others ?? [])]);
    this.asksAuthorizer = ofLanguages.some(({ asksAuthorizer }) => asksAuthorizer);
  }

  isPolicy(resource: Resource): boolean {
    return this.#languages.some((language) => language.accepts(resource));
  }

  isRule(resource: Resource): boolean {
    const { group } = resource.gvk;
    if (this.isPolicy(resource) || isNamespace(resource) || isCustomResourceDefinition(resource)) return true;
    if (this.asksAuthorizer && group === RBAC_GROUP) return true;
    return this.references.some((references) => isReferredTo(resource, references));
  }
}

function isReferredTo(
  { gvk, name, value }: Resource,
  { kinds, objects }: RuleResources['references'][number],
): boolean {
  if (!kinds.some(({ group, kind }) => group === gvk.group && kind === gvk.kind)) return false;
  return objects.some((reference) => {
    if (reference.selector === undefined) return reference.name === name;
    const selector = readLabelSelector(reference.selector);
    return 'error' in selector || selectorMatches(selector, labelsOf(value));
  });
}

/** A reference of a policy to an object, of any kind. */
export type ParamReference = Pick<ObjectReference, 'name' | 'selector'>;

/** A text that every referenced param contains; empty if there is none. */
export function requiredValue({ name, selector }: ParamReference): string {
  if (selector === undefined) return name;
  const [first] = objectOrEmpty(selector.get('matchLabels')).values();
  return typeof first === 'string' ? first : '';
}

export function isNamespace({ gvk }: Resource): boolean {
  return gvk.group === '' && gvk.kind === 'Namespace';
}

/** Policies and bindings. No policy is evaluated for them. */
export function isPolicyOf(languages: readonly PolicyLanguage[], resource: Resource): boolean {
  return languages.some((language) => language.acceptsObjects !== true && language.accepts(resource));
}

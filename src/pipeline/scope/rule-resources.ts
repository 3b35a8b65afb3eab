// Resources that decide about other resources: policies, bindings, params, Namespaces, CustomResourceDefinitions, RBAC.
import { labelsOf, readLabelSelector, selectorMatches } from '../../kubernetes/label-selector.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { PolicyEngine } from '../../policy/policy-engine.ts';
import { type JsonObject, stringifyJson } from '../../source/json.ts';
import { objectField, objectOrEmpty, textField } from '../../source/json-field.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';
const CRD_GROUP = 'apiextensions.k8s.io';

export interface ParamReference {
  /** Empty: chosen by the selector. */
  readonly name: string;
  readonly selector: JsonObject | undefined;
}

/** What the policies and bindings of one or more states of a repository read besides the objects they are asked about. */
export class RuleResources {
  readonly #engines: readonly PolicyEngine[];
  /** `group/Kind` of params: an object of another version is the same object. */
  readonly #paramKinds = new Map<string, { readonly group: string; readonly kind: string }>();
  readonly #paramReferences: ParamReference[] = [];
  #asksAuthorizer = false;
  #hasPolicies = false;

  constructor(engines: readonly PolicyEngine[], resources: Iterable<Resource>) {
    this.#engines = engines;
    for (const resource of resources) if (this.isPolicy(resource)) this.#addPolicy(resource);
  }

  get hasPolicies(): boolean {
    return this.#hasPolicies;
  }

  get asksAuthorizer(): boolean {
    return this.#asksAuthorizer;
  }

  get paramKinds(): readonly { readonly group: string; readonly kind: string }[] {
    return [...this.#paramKinds.values()];
  }

  get paramReferences(): readonly ParamReference[] {
    return this.#paramReferences;
  }

  isPolicy(resource: Resource): boolean {
    return this.#engines.some((engine) => engine.accepts(resource));
  }

  isRule(resource: Resource): boolean {
    const { group } = resource.gvk;
    if (this.isPolicy(resource) || isNamespace(resource) || isCustomResourceDefinition(resource)) return true;
    return (this.#asksAuthorizer && group === RBAC_GROUP) || this.#isParam(resource);
  }

  #isParam({ gvk, name, value }: Resource): boolean {
    if (!this.#paramKinds.has(`${gvk.group}/${gvk.kind}`)) return false;
    return this.#paramReferences.some((reference) => {
      if (reference.selector === undefined) return reference.name === name;
      const selector = readLabelSelector(reference.selector);
      return 'error' in selector || selectorMatches(selector, labelsOf(value));
    });
  }

  #addPolicy({ value }: Resource): void {
    this.#hasPolicies = true;
    const spec = objectOrEmpty(value.get('spec'));
    const paramKind = objectField(spec, 'paramKind');
    if (paramKind !== undefined) {
      const apiVersion = textField(paramKind, 'apiVersion');
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const kind = textField(paramKind, 'kind');
      this.#paramKinds.set(`${group}/${kind}`, { group, kind });
    }
    const paramRef = objectField(spec, 'paramRef');
    if (paramRef !== undefined) {
      this.#paramReferences.push({ name: textField(paramRef, 'name'), selector: objectField(paramRef, 'selector') });
    }
    this.#asksAuthorizer ||= stringifyJson(value, { sortKeys: false, escapeHtml: false }).includes('authorizer');
  }
}

export function isNamespace({ gvk }: Resource): boolean {
  return gvk.group === '' && gvk.kind === 'Namespace';
}

export function isCustomResourceDefinition({ gvk }: Resource): boolean {
  return gvk.group === CRD_GROUP && gvk.kind === 'CustomResourceDefinition';
}

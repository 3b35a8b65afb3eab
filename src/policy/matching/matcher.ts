// Does a policy or binding match a request, and as which resource (apiserver `policy/matching/matching.go`).
import type { AdmissionRequest } from '../../kubernetes/admission-request.ts';
import type { Cluster } from '../../kubernetes/cluster.ts';
import { type GroupVersionKind, type GroupVersionResource, sameResource } from '../../kubernetes/group-version.ts';
import { isEmptySelector, labelsOf, selectorKeys, selectorMatches } from '../../kubernetes/label-selector.ts';
import type { JsonObject } from '../../source/json.ts';
import type { MatchResources, NamedRuleWithOperations, SelectorOrError } from './match-resources.ts';
import { ruleMatches } from './rule-matcher.ts';

export type MatchOutcome = MatchedOrNot | { readonly error: string };

type MatchedOrNot = {
  /** Label keys asked of a Namespace that the repository does not define, where they decide whether this matches. */
  readonly assumedNamespaceLabels: readonly string[];
} & (
  | { readonly matches: false }
  | {
      readonly matches: true;
      /** Under matchPolicy Equivalent possibly another version than the request's. */
      readonly matchedResource: GroupVersionResource;
      readonly matchedKind: GroupVersionKind;
    }
);

const NO_MATCH: MatchOutcome = { matches: false, assumedNamespaceLabels: [] };
const METADATA_NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * The server's order: namespaceSelector, objectSelector, excludeResourceRules, resourceRules; an error of a selector
 * counts only once the rules have matched.
 */
export function matchRequest(criteria: MatchResources, request: AdmissionRequest, cluster: Cluster): MatchOutcome {
  const namespace = matchNamespaceSelector(criteria.namespaceSelector, request, cluster);
  const isExcluded = !namespace.matches && namespace.error === undefined;
  if (isExcluded && namespace.assumedLabels.length === 0) return NO_MATCH;
  const object = matchObjectSelector(criteria.objectSelector, request);
  if (!object.matches && object.error === undefined) return NO_MATCH;

  if (criteria.excludeResourceRules.length > 0) {
    const excluded = matchRules(criteria.excludeResourceRules, criteria.matchPolicy, request, cluster);
    if ('error' in excluded) return isExcluded ? NO_MATCH : excluded;
    if (excluded.matches) return NO_MATCH;
  }

  const rules: RulesOutcome =
    criteria.resourceRules.length === 0
      ? { matches: true, matchedResource: request.resource, matchedKind: request.kind }
      : matchRules(criteria.resourceRules, criteria.matchPolicy, request, cluster);
  if ('error' in rules) return isExcluded ? NO_MATCH : rules;
  if (!rules.matches) return NO_MATCH;

  const selectorError = namespace.error ?? object.error;
  if (selectorError !== undefined) return { error: selectorError };
  const assumedNamespaceLabels = namespace.assumedLabels;
  if (isExcluded) return { matches: false, assumedNamespaceLabels };
  const { matchedResource, matchedKind } = rules;
  return { matches: true, matchedResource, matchedKind, assumedNamespaceLabels };
}

/**
 * False only for requests that `matchRequest` never matches nor fails on, whatever their name, labels and namespace, so that the
 * answer serves every request with the same resource, operation and scope.
 */
export function mayMatch(criteria: MatchResources, request: AdmissionRequest, cluster: Cluster): boolean {
  if (criteria.resourceRules.length === 0 || criteria.excludeResourceRules.length > 0) return true;
  const resources = [request.resource];
  if (criteria.matchPolicy !== 'Exact') {
    resources.push(...cluster.equivalentResources(request.resource, request.subResource));
  }
  return resources.some((resource) => criteria.resourceRules.some((rule) => ruleMatches(rule, resource, request)));
}

interface SelectorOutcome {
  readonly matches: boolean;
  readonly error: string | undefined;
  readonly assumedLabels: readonly string[];
}

const SELECTED: SelectorOutcome = { matches: true, error: undefined, assumedLabels: [] };

/** `webhook/predicates/namespace/matcher.go`: cluster-scoped objects are never excluded, Namespaces go by their own labels. */
function matchNamespaceSelector(
  selector: SelectorOrError,
  request: AdmissionRequest,
  cluster: Cluster,
): SelectorOutcome {
  const isNamespaces = request.resource.resource === 'namespaces';
  if (request.namespace === '' && !isNamespaces) return SELECTED;
  if ('error' in selector) return failed(internalError(selector.error));
  if (isEmptySelector(selector)) return SELECTED;
  const ownLabels =
    isNamespaces && request.subResource === '' && (request.operation === 'CREATE' || request.operation === 'UPDATE');
  if (ownLabels) {
    const labels = labelsOf(request.object ?? new Map());
    return { matches: selectorMatches(selector, labels), error: undefined, assumedLabels: [] };
  }
  const fact = cluster.namespace(request.namespace);
  const assumedLabels =
    fact.resource === undefined ? selectorKeys(selector).filter((key) => key !== METADATA_NAME_LABEL) : [];
  return { matches: selectorMatches(selector, fact.labels), error: undefined, assumedLabels };
}

/** `webhook/predicates/object/matcher.go`: the labels of object or oldObject; an object without metadata never matches. */
function matchObjectSelector(selector: SelectorOrError, request: AdmissionRequest): SelectorOutcome {
  if ('error' in selector) return failed(internalError(selector.error));
  if (isEmptySelector(selector)) return SELECTED;
  const matchesObject = (object: JsonObject | null): boolean =>
    object?.get('metadata') !== undefined && selectorMatches(selector, labelsOf(object));
  const matches = matchesObject(request.object) || matchesObject(request.oldObject);
  return { matches, error: undefined, assumedLabels: [] };
}

type RulesOutcome =
  | { readonly matches: false }
  | { readonly matches: true; readonly matchedResource: GroupVersionResource; readonly matchedKind: GroupVersionKind }
  | { readonly error: string };

function matchRules(
  rules: readonly NamedRuleWithOperations[],
  matchPolicy: string,
  request: AdmissionRequest,
  cluster: Cluster,
): RulesOutcome {
  for (const rule of rules) {
    if (ruleMatches(rule, request.resource, request) && nameMatches(rule, request.name)) {
      return { matches: true, matchedResource: request.resource, matchedKind: request.kind };
    }
  }
  if (matchPolicy === 'Exact' || rules.length === 0) return { matches: false };

  const equivalents = cluster.equivalentResources(request.resource, request.subResource);
  for (const rule of rules) {
    for (const equivalent of equivalents) {
      if (sameResource(equivalent, request.resource)) continue;
      if (!ruleMatches(rule, equivalent, request)) continue;
      const kind = cluster.kindFor(equivalent, request.subResource);
      if (kind === undefined) {
        const { group, version, resource } = equivalent;
        return { error: `unable to convert to ${group}/${version}, Resource=${resource}: unknown kind` };
      }
      if (nameMatches(rule, request.name)) return { matches: true, matchedResource: equivalent, matchedKind: kind };
    }
  }
  return { matches: false };
}

function nameMatches(rule: NamedRuleWithOperations, name: string): boolean {
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
}

function failed(error: string): SelectorOutcome {
  return { matches: false, error, assumedLabels: [] };
}

/** apimachinery `errors.NewInternalError`. */
function internalError(text: string): string {
  return `Internal error occurred: ${text}`;
}

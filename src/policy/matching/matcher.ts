// Decides whether a policy or binding matches a request, and as which resource (apiserver `policy/matching/matching.go`).
import { append } from '../../go/slices/append.ts';
import { type GroupVersionKind, type GroupVersionResource, sameResource } from '../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { openNamespaceLabels } from '../../kubernetes/cluster/open-namespace.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import {
  isEmptySelector,
  type LabelSelector,
  labelsOf,
  selectorMatches,
} from '../../kubernetes/selector/label-selector.ts';
import { openLabelKeys, valuelessKeys } from '../../kubernetes/selector/open-labels.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { MatchResources, NamedRuleWithOperations, SelectorOrError } from './match-resources.ts';
import { ruleMatches } from './rule-matcher.ts';

export type MatchOutcome = {
  /** The result depends on labels that the repository does not give: of an undefined or claimed Namespace, or open ones of the object. */
  readonly isAssumed: boolean;
} & (
  | { readonly error: string }
  | { readonly matches: false }
  | {
      readonly matches: true;
      /** Under matchPolicy Equivalent, its version may differ from the request's. */
      readonly matchedResource: GroupVersionResource;
      readonly matchedKind: GroupVersionKind;
    }
);

const NO_MATCH: MatchOutcome = { matches: false, isAssumed: false };

/**
 * The server's order: namespaceSelector, objectSelector, excludeResourceRules, resourceRules. A selector's error
 * applies only if the rules match.
 */
export function matchRequest(criteria: MatchResources, request: AdmissionRequest, cluster: Cluster): MatchOutcome {
  const namespace = matchNamespaceSelector(criteria.namespaceSelector, request, cluster);
  const isExcluded = !namespace.matches && namespace.error === undefined;
  const { isAssumed } = namespace;
  const excludedByNamespace: MatchOutcome = { matches: false, isAssumed };
  // Continue when only an assumption excludes: report the assumption only if nothing else excludes the request.
  if (isExcluded && !isAssumed) return NO_MATCH;
  const object = matchObjectSelector(criteria.objectSelector, request);
  if (!object.matches && object.error === undefined && !object.isAssumed) return NO_MATCH;

  if (criteria.excludeResourceRules.length > 0) {
    const excluded = matchRules(criteria.excludeResourceRules, criteria.matchPolicy, request, cluster);
    if ('error' in excluded) return isExcluded ? excludedByNamespace : { ...excluded, isAssumed };
    if (excluded.matches) return NO_MATCH;
  }

  const rules: RulesOutcome =
    criteria.resourceRules.length === 0
      ? { matches: true, matchedResource: request.resource, matchedKind: request.kind }
      : matchRules(criteria.resourceRules, criteria.matchPolicy, request, cluster);
  if ('error' in rules) return isExcluded ? excludedByNamespace : { ...rules, isAssumed };
  if (!rules.matches) return NO_MATCH;
  if (isExcluded) return excludedByNamespace;

  if (object.isAssumed) return { matches: false, isAssumed: true };
  const selectorError = namespace.error ?? object.error;
  if (selectorError !== undefined) return { error: selectorError, isAssumed };
  const { matchedResource, matchedKind } = rules;
  return { matches: true, matchedResource, matchedKind, isAssumed };
}

/**
 * False only if `matchRequest` can neither match nor fail, regardless of name, labels and namespace. So one answer
 * serves every request with the same resource, operation and scope.
 */
export function mayMatch(criteria: MatchResources, request: AdmissionRequest, cluster: Cluster): boolean {
  if (criteria.resourceRules.length === 0 || criteria.excludeResourceRules.length > 0) return true;
  const resources = [request.resource];
  if (criteria.matchPolicy !== 'Exact') {
    append(resources, cluster.equivalentResources(request.resource, request.subResource));
  }
  return resources.some((resource) => criteria.resourceRules.some((rule) => ruleMatches(rule, resource, request)));
}

interface SelectorOutcome {
  readonly matches: boolean;
  readonly error: string | undefined;
  readonly isAssumed: boolean;
}

const SELECTED: SelectorOutcome = { matches: true, error: undefined, isAssumed: false };

/** `webhook/predicates/namespace/matcher.go`: cluster-scoped objects are never excluded. A Namespace is matched by its own labels. */
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
    return {
      matches: selectorMatches(selector, labels),
      error: undefined,
      isAssumed: openLabelOf(selector, request) !== undefined,
    };
  }
  const fact = cluster.namespace(request.namespace);
  const { labels } = fact;
  const isAssumed = openLabelKeys(selector, labels, openNamespaceLabels(fact, request)).length > 0;
  return { matches: selectorMatches(selector, labels), error: undefined, isAssumed };
}

/** `webhook/predicates/object/matcher.go`: matches the labels of object or oldObject. An object without metadata never matches. */
function matchObjectSelector(selector: SelectorOrError, request: AdmissionRequest): SelectorOutcome {
  if ('error' in selector) return failed(internalError(selector.error));
  if (isEmptySelector(selector)) return SELECTED;
  const matchesObject = (object: JsonObject | null): boolean =>
    object?.get('metadata') !== undefined && selectorMatches(selector, labelsOf(object));
  const matches = matchesObject(request.object) || matchesObject(request.oldObject);
  return { matches, error: undefined, isAssumed: openLabelOf(selector, request) !== undefined };
}

/** The label without a known value that decides whether the selector matches the object or the old object. */
export function openLabelOf(
  selector: LabelSelector,
  { object, oldObject, invented }: AdmissionRequest,
): FieldPath | undefined {
  const open = (invented?.unseen ?? NONE).filter((path) =>
    LABELS.every((step, index) => (path[index] ?? step) === step),
  );
  if (open.length === 0) return undefined;
  const whole = open.find(({ length }) => length <= LABELS.length);
  if (whole !== undefined) return whole;
  const keys = new Set(open.map((path) => String(path[LABELS.length])));
  const deciding = [object, oldObject].flatMap((each) =>
    each === null ? [] : valuelessKeys(selector, labelsOf(each), keys),
  );
  return deciding[0] === undefined ? undefined : [...LABELS, deciding[0]];
}

const LABELS: FieldPath = ['metadata', 'labels'];
const NONE: readonly FieldPath[] = [];

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
  return { matches: false, error, isAssumed: false };
}

/** apimachinery `errors.NewInternalError`. */
function internalError(text: string): string {
  return `Internal error occurred: ${text}`;
}

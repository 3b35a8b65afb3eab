// Decides whether a policy's matchConstraints match a request (Kyverno `pkg/cel/matching`). Like the API server, but without equivalent versions of a kind.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import {
  isEmptySelector,
  type Labels,
  labelsOf,
  selectorMatches,
} from '../../../kubernetes/selector/label-selector.ts';
import { openLabelKeys } from '../../../kubernetes/selector/open-labels.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import {
  type MatchResources,
  type NamedRuleWithOperations,
  readMatchResources,
} from '../../matching/match-resources.ts';
import { openLabelOf } from '../../matching/matcher.ts';
import { ruleMatches } from '../../matching/rule-matcher.ts';
import { type OpenNamespace, openLabels, openReason } from '../matching/match-answer.ts';
import { undecidedBy } from '../rule/open-request.ts';
import { Undecided } from '../rule/rule-response.ts';

/** Undefined if absent; the policy then matches nothing. */
export function readMatchConstraints(value: JsonValue | undefined): MatchResources | undefined {
  return isJsonObject(value) ? readMatchResources(value) : undefined;
}

/** False only if `matchesConstraints` cannot match, regardless of the request's name and labels. */
export function mayMatchConstraints(constraints: MatchResources | undefined, request: AdmissionRequest): boolean {
  if (constraints === undefined) return false;
  const { resourceRules } = constraints;
  return resourceRules.length === 0 || resourceRules.some((rule) => ruleMatches(rule, request.resource, request));
}

/**
 * `namespaceLabels`: labels of the request's Namespace. Returns an error for an invalid selector. Throws `Undecided` if
 * only labels decide whose values the repository does not contain.
 */
export function matchesConstraints(
  constraints: MatchResources | undefined,
  request: AdmissionRequest,
  namespaceLabels: Labels,
  openNamespace?: OpenNamespace,
): boolean | { readonly error: string } {
  if (constraints === undefined || !isAbout(constraints, request)) return false;
  const label = openLabel(constraints, request);
  if (label !== undefined) throw undecidedBy(request, label);
  const open = openNamespace === undefined ? [] : decidingLabels(constraints, request, namespaceLabels, openNamespace);
  const isOpen = open.length > 0;
  const namespace = isOpen || matchesNamespace(constraints, request, namespaceLabels);
  if (namespace === false) return false;
  const object = matchesObject(constraints, request);
  if (object === false) return false;
  if (openNamespace !== undefined && isOpen) throw new Undecided(openReason(openLabels(open, openNamespace)));
  return namespace === true ? object : namespace;
}

/** True if the resource rules match. */
function isAbout({ excludeResourceRules, resourceRules }: MatchResources, request: AdmissionRequest): boolean {
  if (matchesRules(excludeResourceRules, request)) return false;
  return resourceRules.length === 0 || matchesRules(resourceRules, request);
}

/** The label of the object that decides and has no known value. */
function openLabel(
  { objectSelector, namespaceSelector }: MatchResources,
  request: AdmissionRequest,
): FieldPath | undefined {
  const isNamespaces = request.resource.resource === 'namespaces';
  const selectors = isNamespaces ? [objectSelector, namespaceSelector] : [objectSelector];
  for (const selector of selectors) {
    const label = 'error' in selector ? undefined : openLabelOf(selector, request);
    if (label !== undefined) return label;
  }
  return undefined;
}

function decidingLabels(
  { namespaceSelector }: MatchResources,
  { namespace, resource }: AdmissionRequest,
  labels: Labels,
  open: OpenNamespace,
): readonly string[] {
  if (namespace === '' || resource.resource === 'namespaces' || 'error' in namespaceSelector) return [];
  return openLabelKeys(namespaceSelector, labels, open);
}

type SelectorAnswer = boolean | { readonly error: string };

function matchesNamespace(
  { namespaceSelector: selector }: MatchResources,
  request: AdmissionRequest,
  labels: Labels,
): SelectorAnswer {
  const isNamespaces = request.resource.resource === 'namespaces';
  if (request.namespace === '' && !isNamespaces) return true;
  if ('error' in selector) return { error: `Internal error occurred: ${selector.error}` };
  if (isEmptySelector(selector)) return true;
  const hasOwn = isNamespaces && request.subResource === '' && request.operation !== 'DELETE';
  return selectorMatches(selector, hasOwn ? labelsOf(request.object ?? new Map()) : labels);
}

/** Kyverno always passes two objects. A missing one has no labels. */
function matchesObject(
  { objectSelector: selector }: MatchResources,
  { object, oldObject }: AdmissionRequest,
): SelectorAnswer {
  if ('error' in selector) return { error: `Internal error occurred: ${selector.error}` };
  if (isEmptySelector(selector)) return true;
  const labels = (value: JsonObject | null): Labels => (value === null ? new Map() : labelsOf(value));
  return selectorMatches(selector, labels(object)) || selectorMatches(selector, labels(oldObject));
}

function matchesRules(rules: readonly NamedRuleWithOperations[], request: AdmissionRequest): boolean {
  return rules.some((rule) => ruleMatches(rule, request.resource, request) && matchesName(rule, request));
}

/** Without a name, generateName must start with the resource name. */
function matchesName({ resourceNames }: NamedRuleWithOperations, { name, object }: AdmissionRequest): boolean {
  if (resourceNames.length === 0) return true;
  if (name !== '') return resourceNames.includes(name);
  const generateName = textField(objectOrEmpty(objectOrEmpty(object).get('metadata')), 'generateName');
  return resourceNames.some((wanted) => generateName.startsWith(wanted));
}

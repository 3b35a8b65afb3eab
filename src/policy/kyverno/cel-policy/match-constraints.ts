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
import {
  type MatchResources,
  type NamedRuleWithOperations,
  readMatchResources,
} from '../../matching/match-resources.ts';
import { ruleMatches } from '../../matching/rule-matcher.ts';
import { type OpenNamespace, openLabels, openReason } from '../matching/match-answer.ts';
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
 * only the labels of an undefined Namespace decide.
 */
export function matchesConstraints(
  constraints: MatchResources | undefined,
  request: AdmissionRequest,
  namespaceLabels: Labels,
  openNamespace?: OpenNamespace,
): boolean | { readonly error: string } {
  if (constraints === undefined) return false;
  const open = openNamespace === undefined ? [] : decidingLabels(constraints, request, namespaceLabels, openNamespace);
  const isOpen = open.length > 0;
  const namespace = isOpen || matchesNamespace(constraints, request, namespaceLabels);
  if (namespace === false) return false;
  const object = matchesObject(constraints, request);
  if (object === false) return false;
  if (matchesRules(constraints.excludeResourceRules, request)) return false;
  if (constraints.resourceRules.length > 0 && !matchesRules(constraints.resourceRules, request)) return false;
  if (openNamespace !== undefined && isOpen) throw new Undecided(openReason(openLabels(open, openNamespace)));
  return namespace === true ? object : namespace;
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

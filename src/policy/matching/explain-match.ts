// Explains why criteria match a request or not: each test of `matchRequest`, in the server's order, with the compared values.

import { formatApiVersion, sameResource } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import {
  formatSelector,
  isEmptySelector,
  type LabelSelector,
  type Labels,
  labelsOf,
  selectorMatches,
} from '../../kubernetes/selector/label-selector.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { ExplanationStep } from '../explanation/explanation.ts';
import type { MatchResources, NamedRuleWithOperations } from './match-resources.ts';
import { matchRequest } from './matcher.ts';
import { type RuleField, ruleMismatch } from './rule-matcher.ts';

/** `field`: location of the criteria in `resource`. The last step has the result of `matchRequest`. */
export function explainMatch(
  criteria: MatchResources,
  request: AdmissionRequest,
  cluster: Cluster,
  resource: Resource,
  field: FieldPath,
): readonly ExplanationStep[] {
  const steps: ExplanationStep[] = [];
  const addStep = (result: ExplanationStep['result'], says: string, ...inner: FieldPath): void => {
    steps.push({ result, says, by: { resource, field: [...field, ...inner] } });
  };
  const outcome = matchRequest(criteria, request, cluster);
  for (const { name, selector, labels, whose, known } of selectorsOf(criteria, request, cluster)) {
    const holds = labels.some((each) => selectorMatches(selector, each));
    const assumed = known ? '' : '; no file defines it, so it is assumed to have no labels of its own';
    const selected = `${name} \`${formatSelector(selector)}\` ${holds ? 'selects' : 'does not select'} ${whose}, labelled ${labelTexts(labels)}${assumed}`;
    addStep(holds ? 'passes' : 'stops', selected, name);
    if (!holds) return steps;
  }
  const asked = describeRequest(request);
  for (const [index, rule] of criteria.excludeResourceRules.entries()) {
    if (mismatchOf(rule, criteria, request, cluster) !== undefined) continue;
    addStep('stops', `excludeResourceRules[${index}] excludes ${asked}`, 'excludeResourceRules', index);
    return steps;
  }
  if ('error' in outcome) {
    addStep('error', outcome.error);
    return steps;
  }
  const mismatches = criteria.resourceRules.map((rule) => mismatchOf(rule, criteria, request, cluster));
  const chosen = mismatches.indexOf(undefined);
  if (chosen >= 0 || mismatches.length === 0) {
    const says =
      chosen < 0
        ? 'there are no resourceRules, so every resource matches'
        : `resourceRules[${chosen}] matches ${asked}`;
    const other = outcome.matches && !sameResource(outcome.matchedResource, request.resource);
    const as = other
      ? `, as ${formatApiVersion(outcome.matchedResource.group, outcome.matchedResource.version)} (matchPolicy Equivalent)`
      : '';
    addStep('passes', `${says}${as}`, 'resourceRules', ...(chosen < 0 ? [] : [chosen]));
  } else {
    for (const [index, mismatch] of mismatches.entries()) {
      const rule = criteria.resourceRules[index];
      if (mismatch === undefined || rule === undefined) continue;
      addStep(
        'stops',
        `resourceRules[${index}].${mismatch}: ${valuesOf(rule, mismatch)} does not match ${asked}`,
        'resourceRules',
        index,
        mismatch,
      );
    }
  }
  return steps;
}

interface AskedSelector {
  readonly name: 'namespaceSelector' | 'objectSelector';
  readonly selector: LabelSelector;
  /** One match is enough. */
  readonly labels: readonly Labels[];
  readonly whose: string;
  /** False if the labels are assumed. */
  readonly known: boolean;
}

/** Selectors that are set and can exclude this request. */
function selectorsOf(
  { namespaceSelector, objectSelector }: MatchResources,
  request: AdmissionRequest,
  cluster: Cluster,
): readonly AskedSelector[] {
  const asked: AskedSelector[] = [];
  const isNamespace = request.resource.resource === 'namespaces';
  if (!('error' in namespaceSelector) && !isEmptySelector(namespaceSelector)) {
    if (isNamespace && request.operation !== 'DELETE' && request.subResource === '') {
      const labels = [labelsOf(request.object ?? new Map())];
      asked.push({
        name: 'namespaceSelector',
        selector: namespaceSelector,
        labels,
        whose: 'the Namespace itself',
        known: true,
      });
    } else if (request.namespace !== '') {
      const { labels, resource } = cluster.namespace(request.namespace);
      const whose = `Namespace ${request.namespace}`;
      asked.push({
        name: 'namespaceSelector',
        selector: namespaceSelector,
        labels: [labels],
        whose,
        known: resource !== undefined,
      });
    }
  }
  if (!('error' in objectSelector) && !isEmptySelector(objectSelector)) {
    const objects = [request.object, request.oldObject].filter((object) => object?.get('metadata') !== undefined);
    const labels = objects.flatMap((object) => (object == null ? [] : [labelsOf(object)]));
    asked.push({ name: 'objectSelector', selector: objectSelector, labels, whose: 'the object', known: true });
  }
  return asked;
}

/** The first field of a rule that does not match the request in any version that matchPolicy allows. Undefined: the rule matches. */
function mismatchOf(
  rule: NamedRuleWithOperations,
  { matchPolicy }: MatchResources,
  request: AdmissionRequest,
  cluster: Cluster,
): RuleField | 'resourceNames' | undefined {
  const equivalents = matchPolicy === 'Exact' ? [] : cluster.equivalentResources(request.resource, request.subResource);
  const mismatch = ruleMismatch(rule, request.resource, request);
  const fits = mismatch === undefined || equivalents.some((each) => ruleMismatch(rule, each, request) === undefined);
  if (!fits) return mismatch;
  const { resourceNames } = rule;
  return resourceNames.length === 0 || resourceNames.includes(request.name) ? undefined : 'resourceNames';
}

function valuesOf(rule: NamedRuleWithOperations, field: RuleField | 'resourceNames'): string {
  const value = rule[field];
  return typeof value === 'string' ? value : `[${value.map((each) => (each === '' ? '""' : each)).join(', ')}]`;
}

function describeRequest({ operation, resource, subResource, name, namespace }: AdmissionRequest): string {
  const what = subResource === '' ? resource.resource : `${resource.resource}/${subResource}`;
  const where = namespace === '' || resource.resource === 'namespaces' ? '' : ` in ${namespace}`;
  return `${operation} of ${what} (${formatApiVersion(resource.group, resource.version)}), ${name || 'without a name'}${where}`;
}

function labelTexts(labels: readonly Labels[]): string {
  const texts = labels.map((each) => [...each].map(([key, value]) => `${key}=${value}`).join(','));
  const [first = ''] = texts;
  const all = new Set(texts).size > 1 ? `${texts.map((text) => text || 'nothing').join(' (new), ')} (old)` : first;
  return all === '' ? 'nothing' : all;
}

// Translates Kyverno's filters into conditions for policies that the API server evaluates.
import type { IgnoredResources, KyvernoSettings } from '../installation/kyverno-settings.ts';
import { kindMatches, parseKindSelector } from '../matching/kind-selector.ts';
import { ALWAYS, allOf, anyOf, atom, type CelText, notCel, oneOfTexts, wildcardText } from './cel-text.ts';
import type { MatchedResource } from './match-to-cel.ts';
import { selectorText } from './match-to-cel.ts';
import type { WrittenExpression } from './rule-to-cel.ts';

const NAMESPACE = "request.?namespace.orValue('')";

export interface SeenRequests {
  readonly resources: readonly MatchedResource[];
  readonly conditions: readonly WrittenExpression[];
}

/** The requests for these resources that Kyverno's filters let pass. */
export function seenRequests(resources: readonly MatchedResource[], settings: KyvernoSettings): SeenRequests {
  const isAnyKind = ({ kind }: IgnoredResources): boolean => kind === '*' || kind === '*/*';
  const isWhole = ({ namespace, name }: IgnoredResources): boolean => namespace === '*' && name === '*';
  const isFiltered = (entry: IgnoredResources, resource: MatchedResource): boolean => {
    const [, subresource = ''] = resource.resource.split('/');
    return kindMatches([parseKindSelector(entry.kind)], { ...resource, subresource });
  };
  const { resourceFilters, excludeGroups, excludeUsernames } = settings;
  const left = resources.filter((resource) => {
    return resource.kind === '*' || !resourceFilters.some((entry) => isWhole(entry) && isFiltered(entry, resource));
  });
  const hasEverything = left.some(({ kind }) => kind === '*');
  const namespaces = resourceFilters.filter(
    (entry) => isAnyKind(entry) && entry.name === '*' && entry.namespace !== '*',
  );
  const others = resourceFilters.filter((entry) => {
    if (namespaces.includes(entry)) return false;
    if (hasEverything) return !entry.kind.includes('/');
    return !isWhole(entry) && left.some((resource) => isFiltered(entry, resource));
  });
  const named = others.map(({ kind, namespace, name }) =>
    allOf(
      wildcardText('request.kind.kind', parseKindSelector(kind).kind),
      wildcardText(NAMESPACE, namespace),
      wildcardText("request.?name.orValue('')", name),
    ),
  );
  const isInFiltered = oneOfTexts(
    NAMESPACE,
    namespaces.map(({ namespace }) => namespace),
  );
  const groups = excludeGroups.length === 0 ? undefined : oneOfTexts('group', excludeGroups);
  const isExempt = anyOf(
    groups === undefined ? notCel(ALWAYS) : atom(`request.userInfo.?groups.orValue([]).exists(group, ${groups.text})`),
    excludeUsernames.length === 0
      ? notCel(ALWAYS)
      : oneOfTexts("request.userInfo.?username.orValue('')", excludeUsernames),
  );
  const named_: readonly (readonly [string, CelText])[] = [
    ['kyverno-resource-filters', notCel(anyOf(...(namespaces.length === 0 ? [] : [isInFiltered]), ...named))],
    ['kyverno-namespace-selector', namespaceSelector(settings, namespaces)],
    ['kyverno-excluded-users', notCel(isExempt)],
  ];
  const conditions = named_
    .filter(([, { text }]) => text !== ALWAYS.text)
    .map(([name, { text }]) => ({ name, expression: text }));
  return { resources: left, conditions };
}

/** The chart's own selector repeats its resource filters. */
function namespaceSelector(
  { webhookNamespaceSelector }: KyvernoSettings,
  filtered: readonly IgnoredResources[],
): CelText {
  const text = selectorText(webhookNamespaceSelector, LABELS);
  const isKubeSystemAlone = text.text === DEFAULT && filtered.some(({ namespace }) => namespace === 'kube-system');
  return isKubeSystemAlone ? ALWAYS : anyOf(atom(`${NAMESPACE} == ''`), text);
}

const LABELS =
  '(namespaceObject != null && has(namespaceObject.metadata) ? namespaceObject.metadata.?labels.orValue({}) : {})';
const DEFAULT = selectorText(
  new Map([
    [
      'matchExpressions',
      [
        new Map<string, string | readonly string[]>([
          ['key', 'kubernetes.io/metadata.name'],
          ['operator', 'NotIn'],
          ['values', ['kube-system']],
        ]),
      ],
    ],
  ]),
  LABELS,
).text;

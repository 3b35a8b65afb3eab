// Reports rules that no object can match: their kinds are not served, or never exist in the Namespaces that they require.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { parseKindSelector } from '../matching/kind-selector.ts';
import { containsWildcard } from '../value/wildcard.ts';
import { misnamedKind } from './misnamed-kind.ts';

export function unmatchableRules(policy: Resource, cluster: Cluster): readonly Diagnostic[] {
  const rules = objectItems(objectOrEmpty(policy.value.get('spec')).get('rules'));
  return rules.flatMap((rule, index) => {
    const misnamed = misnamedKinds(rule, index, policy, cluster);
    if (misnamed.length > 0) return misnamed;
    const path: FieldPath = ['spec', 'rules', index, 'match'];
    const match = objectOrEmpty(rule.get('match'));
    const problems = filtersOf(match).map(({ filter, at }) => problemOf(filter, [...path, ...at], policy, cluster));
    // `any` needs one matching filter, `all` needs all of them.
    const isAll = isJsonArray(match.get('all')) && !isJsonArray(match.get('any'));
    const first = problems.find((problem) => problem !== undefined);
    if (first === undefined || (!isAll && problems.includes(undefined))) return [];
    return [
      {
        code: 'unmatchable-rule',
        severity: 'warning',
        message: `no object can match this rule: ${first.problem}`,
        primary: policy.locate(first.path, 'key'),
        related: [],
      } satisfies Diagnostic,
    ];
  });
}

/** Entries of `kinds` that Kyverno cannot resolve, because they name a resource, or a subresource that the kind does not have. */
function misnamedKinds(rule: JsonObject, index: number, policy: Resource, cluster: Cluster): readonly Diagnostic[] {
  return ['match', 'exclude'].flatMap((side) => {
    const filters = filtersOf(objectOrEmpty(rule.get(side)));
    return filters.flatMap(({ filter, at }) =>
      textItems(objectOrEmpty(filter.get('resources')).get('kinds')).flatMap((kind, entry): readonly Diagnostic[] => {
        const found = misnamedKind(kind, cluster);
        if (found === undefined) return [];
        const path = ['spec', 'rules', index, side, ...at, 'resources', 'kinds', entry];
        return [
          {
            code: 'unmatchable-rule',
            severity: 'warning',
            message: `no object can match \`${kind}\`: ${found.problem}`,
            primary: policy.locate(path, 'value'),
            related: [],
            help: `${found.help}; Kyverno accepts the policy with the warning "${kyvernoWarning(kind)}"`,
          },
        ];
      }),
    );
  });
}

/** `validKinds` in `pkg/validation/policy/validate.go`. */
function kyvernoWarning(kind: string): string {
  const problem = `unable to convert GVK to GVR for kinds ${kind}, err: resource not found`;
  return `the kind defined in the all match resource is invalid: ${problem}`;
}

interface Problem {
  readonly problem: string;
  readonly path: FieldPath;
}

function filtersOf(match: JsonObject): readonly { readonly filter: JsonObject; readonly at: FieldPath }[] {
  for (const form of ['any', 'all']) {
    if (isJsonArray(match.get(form))) {
      return objectItems(match.get(form)).map((filter, index) => ({ filter, at: [form, index] }));
    }
  }
  return [{ filter: match, at: [] }];
}

function problemOf(filter: JsonObject, at: FieldPath, policy: Resource, cluster: Cluster): Problem | undefined {
  const resources = objectOrEmpty(filter.get('resources'));
  const kinds = textItems(resources.get('kinds'));
  const path: FieldPath = [...at, 'resources', 'kinds'];
  if (kinds.length === 0) return undefined;
  const unserved = kinds.filter((kind) => isUnserved(kind, cluster));
  if (unserved.length === kinds.length) {
    return {
      problem: `this Kubernetes version does not serve ${unserved.map((kind) => `\`${kind}\``).join(', ')}`,
      path,
    };
  }
  const hasSelector = resources.has('namespaceSelector');
  if (hasSelector && kinds.every((kind) => parseKindSelector(kind).kind === 'Namespace')) {
    return {
      problem: 'a `namespaceSelector` never matches a Namespace itself',
      path: [...at, 'resources', 'namespaceSelector'],
    };
  }
  if (policy.gvk.kind === 'Policy' && kinds.every((kind) => isClusterScoped(kind, cluster))) {
    return { problem: 'a Policy matches only objects in its own Namespace, but these kinds are cluster-scoped', path };
  }
  return undefined;
}

/** Checks only kinds whose group is completely built in. */
function isUnserved(text: string, cluster: Cluster): boolean {
  const { group, version, kind, subresource } = parseKindSelector(text);
  if ([group, version, kind].some(containsWildcard) || subresource !== '' || !cluster.isAllKnownOf(group)) return false;
  return cluster.mappingFor({ group, version, kind }).origin === 'conventional';
}

function isClusterScoped(text: string, cluster: Cluster): boolean {
  const { group, version, kind } = parseKindSelector(text);
  if (containsWildcard(kind) || (group !== '*' && containsWildcard(group))) return false;
  const mapping = cluster.mappingFor({
    group: group === '*' ? '' : group,
    version: version === '*' ? 'v1' : version,
    kind,
  });
  return mapping.origin !== 'conventional' && !mapping.namespaced;
}

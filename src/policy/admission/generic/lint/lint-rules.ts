// Reports rules that can never match a request. The API server does not check resource names when it accepts a policy.
import type { Diagnostic } from '../../../../diagnostic/diagnostic.ts';
import { nearestName } from '../../../../diagnostic/nearest-name.ts';
import { formatApiVersion } from '../../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../../kubernetes/api/resource.ts';
import type { BuiltinResource, BuiltinResources } from '../../../../kubernetes/schema/resources.ts';
import type { FieldPath } from '../../../../source/node/field-path.ts';
import type { MatchResources, NamedRuleWithOperations } from '../../../matching/match-resources.ts';
import { isExempt } from '../exempt-resources.ts';

interface RuleProblem {
  readonly field: FieldPath;
  readonly message: string;
  readonly help: string;
}

/** `path` leads to the constraints. Checks only rules whose groups are all built in: other groups may be custom or aggregated. */
export function lintRules(
  resource: Resource,
  constraints: MatchResources,
  path: FieldPath,
  builtin: BuiltinResources,
): readonly Diagnostic[] {
  return constraints.resourceRules.flatMap((rule, index) =>
    ruleProblems(rule, builtin).map(({ field, message, help }) => ({
      code: 'unmatchable-rule',
      severity: 'warning' as const,
      message,
      primary: resource.locate([...path, 'resourceRules', index, ...field], 'value'),
      related: [],
      help,
    })),
  );
}

function ruleProblems(rule: NamedRuleWithOperations, builtin: BuiltinResources): readonly RuleProblem[] {
  const { apiGroups, apiVersions, resources } = rule;
  if (apiGroups.length === 0 || !apiGroups.every((group) => builtin.isBuiltinGroup(group))) return [];
  const ofGroups = [...builtin.all()].filter(({ group }) => apiGroups.includes(group));
  const candidates = apiVersions.includes('*')
    ? ofGroups
    : ofGroups.filter(({ version }) => apiVersions.includes(version));
  if (candidates.length === 0 && apiVersions.length > 0) {
    const known = [...new Set(ofGroups.map(({ group, version }) => `\`${formatApiVersion(group, version)}\``))];
    const message = `no resource is served as ${listed(apiVersions)} in ${listed(apiGroups)}`;
    return [{ field: ['apiVersions'], message, help: `served versions: ${known.join(', ')}` }];
  }
  return resources.flatMap((entry, index) => {
    const problem = entryProblem(entry, rule, candidates);
    return problem === undefined ? [] : [{ field: ['resources', index], ...problem }];
  });
}

type EntryProblem = Omit<RuleProblem, 'field'>;

function entryProblem(
  entry: string,
  { scope, operations }: NamedRuleWithOperations,
  candidates: readonly BuiltinResource[],
): EntryProblem | undefined {
  const [name = '', subresource] = entry.split('/');
  const named = name === '*' ? candidates : candidates.filter(({ resource }) => resource === name);
  if (named.length === 0) return unknownName(entry, name, candidates);
  const isEvery = subresource === '*';
  const matching =
    subresource === undefined || isEvery ? named : named.filter(({ subresources }) => subresources.has(subresource));
  if (matching.length === 0) {
    const known = named.flatMap(({ subresources }) => [...subresources.keys()]);
    const help = known.length === 0 ? `\`${name}\` has no subresources` : suggestion(subresource ?? '', known);
    return { message: `\`${name}\` has no subresource \`${subresource}\``, help };
  }
  if (name !== '*' && matching.every(isExempt)) {
    const help =
      'the API server exempts admission policies, their bindings, and authentication and authorization reviews';
    return { message: `admission policies never apply to \`${name}\``, help };
  }
  return scopeProblem(entry, scope, matching) ?? (isEvery ? undefined : operationProblem(entry, operations, matching));
}

function unknownName(entry: string, name: string, candidates: readonly BuiltinResource[]): EntryProblem {
  const bySingular = candidates.find(({ singular, kind }) => singular === name || kind === name);
  const names = candidates.map(({ resource }) => resource);
  const help = bySingular === undefined ? suggestion(name, names) : `did you mean \`${bySingular.resource}\`?`;
  return { message: `there is no resource \`${entry}\` in the groups and versions of this rule`, help };
}

/** Namespaces and their subresources count as cluster-scoped (`rules.go: scope`). */
function scopeProblem(entry: string, scope: string, matching: readonly BuiltinResource[]): EntryProblem | undefined {
  const isWrong =
    (scope === 'Namespaced' && !matching.some(({ namespaced }) => namespaced)) ||
    (scope === 'Cluster' && matching.every(({ namespaced }) => namespaced));
  if (!isWrong) return undefined;
  const actual = scope === 'Cluster' ? 'namespaced' : 'cluster-scoped';
  return { message: `\`${entry}\` is ${actual}, so \`scope: ${scope}\` never matches it`, help: 'remove `scope`' };
}

function operationProblem(
  entry: string,
  operations: readonly string[],
  matching: readonly BuiltinResource[],
): EntryProblem | undefined {
  const [, subresource = ''] = entry.split('/');
  const possible = new Set(matching.flatMap((resource) => possibleOperations(resource, subresource)));
  if (operations.length === 0 || operations.includes('*') || operations.some((operation) => possible.has(operation))) {
    return undefined;
  }
  const help =
    possible.size === 0 ? 'it is read-only, and admission does not cover reads' : `possible: ${listed([...possible])}`;
  return { message: `no request for \`${entry}\` has the operation ${operations.join(' or ')}`, help };
}

/** The admission operations that a resource or subresource supports. */
function possibleOperations({ subresources }: BuiltinResource, subresource: string): readonly string[] {
  if (subresource === '') return ['CREATE', 'UPDATE', 'DELETE'];
  if (subresource === 'log') return [];
  if (subresources.get(subresource)?.kind.endsWith('Options')) return ['CONNECT'];
  return CREATED_SUBRESOURCES.includes(subresource) ? ['CREATE'] : ['UPDATE'];
}

const CREATED_SUBRESOURCES: readonly string[] = ['binding', 'eviction', 'token'];

function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined
    ? `valid names: ${listed([...new Set(known)].slice(0, 12))}`
    : `did you mean \`${nearest}\`?`;
}

function listed(items: readonly string[]): string {
  return items.map((item) => (item === '' ? 'the core group' : `\`${item}\``)).join(', ');
}

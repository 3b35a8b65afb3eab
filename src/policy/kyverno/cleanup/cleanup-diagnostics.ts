// Diagnostics for cleanup policies: Kyverno's validation (`api/kyverno/v2/cleanup_policy_types.go`), and the deprecation of their kinds.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { readLabelSelector } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { misdefined } from '../classic/policy-diagnostics.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import { containsWildcard } from '../value/wildcard.ts';
import { isStandardSchedule } from './standard-schedule.ts';

interface Problem {
  readonly message: string;
  readonly path: FieldPath;
}

export function cleanupDiagnostics(
  policies: readonly Resource[],
  cluster: Cluster,
  definitions: KyvernoDefinitions,
): readonly Diagnostic[] {
  const wrong = policies.flatMap((policy) => [
    ...misdefined(policy, definitions),
    ...problemsOf(policy, cluster).map(({ message, path }): Diagnostic => {
      return {
        code: 'invalid-policy',
        severity: 'error',
        message,
        primary: policy.locate(path, 'value'),
        related: [],
        help: 'Kyverno rejects this policy with this message; it cannot exist in a cluster',
      };
    }),
  ]);
  return [...wrong, ...endingKinds(policies)];
}

export function isRefusedCleanup(policy: Resource, cluster: Cluster): boolean {
  return problemsOf(policy, cluster).length > 0;
}

/** The replacement of each kind (`pkg/deprecations`). */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['ClusterCleanupPolicy', 'DeletingPolicy'],
  ['CleanupPolicy', 'NamespacedDeletingPolicy'],
]);

function endingKinds(policies: readonly Resource[]): readonly Diagnostic[] {
  return [...SUCCESSORS].flatMap(([kind, successor]): readonly Diagnostic[] => {
    const [first, ...others] = policies.filter(({ gvk }) => gvk.kind === kind);
    if (first === undefined) return [];
    const more =
      others.length === 0
        ? ''
        : `; ${others.length} other ${others.length === 1 ? 'policy uses' : 'policies use'} it too`;
    return [
      {
        code: 'deprecated-setting',
        severity: 'notice',
        message: `the kind ${kind} is deprecated${more}`,
        primary: first.locate(['kind'], 'key'),
        related: [],
        help: `migrate to ${successor}; Kyverno 1.20 removes this kind`,
        removedIn: 'Kyverno 1.20',
      },
    ];
  });
}

function problemsOf({ value, gvk }: Resource, cluster: Cluster): readonly Problem[] {
  const spec = objectOrEmpty(value.get('spec'));
  const isNamespaced = gvk.kind === 'CleanupPolicy';
  const isClusterKind = (written: string): boolean => isClusterScoped(written, cluster);
  return [
    ...contextProblems(spec),
    ...scheduleProblems(spec),
    ...(['match', 'exclude'] as const).flatMap((side) =>
      blockProblems(objectOrEmpty(spec.get(side)), ['spec', side], isNamespaced, isClusterKind),
    ),
    ...emptySetProblems(spec),
  ];
}

function contextProblems(spec: JsonObject): readonly Problem[] {
  return objectItems(spec.get('context')).flatMap((entry, index): readonly Problem[] => {
    const form = entry.has('imageRegistry') ? 'imageRegistry' : entry.has('configMap') ? 'configMap' : undefined;
    if (form === undefined) return [];
    const message = `${form === 'imageRegistry' ? 'ImageRegistry' : 'ConfigMap'} is not allowed in CleanUp Policy`;
    return [{ message, path: ['spec', 'context', index, form] }];
  });
}

function scheduleProblems(spec: JsonObject): readonly Problem[] {
  if (isStandardSchedule(textField(spec, 'schedule'))) return [];
  const message = 'schedule spec in the cleanupPolicy is not in proper cron format';
  return [{ message, path: ['spec', 'schedule'] }];
}

function blockProblems(
  block: JsonObject,
  path: FieldPath,
  isNamespaced: boolean,
  isClusterKind: (kind: string) => boolean,
): readonly Problem[] {
  const filters = (['any', 'all'] as const).flatMap((form) =>
    objectItems(block.get(form)).map((filter, index) => ({ filter, at: [...path, form, index] })),
  );
  const users = filters.flatMap(({ filter, at }) =>
    (['roles', 'clusterRoles', 'subjects'] as const).flatMap((field): readonly Problem[] => {
      const written = filter.get(field);
      const isEmpty = !Array.isArray(written) || written.length === 0;
      return isEmpty ? [] : [{ message: 'Usage of user info is forbidden', path: [...at, field] }];
    }),
  );
  if (users.length > 0) return users;
  const both = objectItems(block.get('any')).length > 0 && objectItems(block.get('all')).length > 0;
  return [
    ...(both ? [{ message: "Can't specify any and all together", path }] : []),
    ...filters.flatMap(({ filter, at }) => {
      const resources = objectOrEmpty(filter.get('resources'));
      return resourceProblems(resources, [...at, 'resources'], isNamespaced, isClusterKind);
    }),
  ];
}

function resourceProblems(
  resources: JsonObject,
  path: FieldPath,
  isNamespaced: boolean,
  isClusterKind: (kind: string) => boolean,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (textField(resources, 'name') !== '' && textItems(resources.get('names')).length > 0) {
    problems.push({ message: 'Both name and names can not be specified together', path });
  }
  const selector = objectField(resources, 'selector');
  const message = selector && selectorProblem(selector);
  if (message !== undefined) problems.push({ message, path: [...path, 'selector'] });
  if (!isNamespaced) return problems;
  if (textItems(resources.get('namespaces')).length > 0) {
    const forbidden = 'Filtering namespaces not allowed in namespaced policies';
    problems.push({ message: forbidden, path: [...path, 'namespaces'] });
  }
  for (const [index, kind] of textItems(resources.get('kinds')).entries()) {
    if (!isClusterKind(kind)) continue;
    const forbidden = `Cluster wide resource '${kind}' not allowed in namespaced policy`;
    problems.push({ message: forbidden, path: [...path, 'kinds', index] });
  }
  return problems;
}

function selectorProblem(selector: JsonObject): string | undefined {
  const labels = [...objectOrEmpty(selector.get('matchLabels'))].flat().filter((text) => typeof text === 'string');
  if (labels.some((text) => containsWildcard(text))) return undefined;
  const read = readLabelSelector(selector);
  if ('error' in read) return read.error;
  const isEmpty = labels.length === 0 && objectItems(selector.get('matchExpressions')).length === 0;
  return isEmpty ? 'The requirements are not specified in selector' : undefined;
}

/** In discovery's format: the kind alone, or with group and version. */
function isClusterScoped(written: string, cluster: Cluster): boolean {
  const at = written.lastIndexOf('/');
  const groupVersion = parseApiVersion(at < 0 ? 'v1' : written.slice(0, at));
  if (groupVersion === undefined) return false;
  const { origin, namespaced } = cluster.mappingFor({ ...groupVersion, kind: written.slice(at + 1) });
  return origin !== 'conventional' && !namespaced;
}

/** Reports filters that are matched and excluded at once. */
function emptySetProblems(spec: JsonObject): readonly Problem[] {
  const [match, exclude] = [objectOrEmpty(spec.get('match')), spec.get('exclude')];
  if (!isJsonObject(exclude)) return [];
  const list = (block: JsonObject, form: string): readonly JsonObject[] => objectItems(block.get(form));
  if (list(exclude, 'all').length > 0 || list(match, 'all').length > 0) return [];
  const excluded = list(exclude, 'any').map(textOf);
  if (excluded.length === 0) return [];
  const isEmpty =
    list(match, 'any').length === 0 || list(match, 'any').some((filter) => excluded.includes(textOf(filter)));
  return isEmpty ? [{ message: 'CleanupPolicy is matching an empty set', path: ['spec', 'exclude'] }] : [];
}

function textOf(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

// Kyverno's installation settings: from its Helm chart, its ConfigMap and the target's configuration (chart 3.x of Kyverno 1.19).
import type { JsonObject } from '../../../source/json/json.ts';

export interface IgnoredResources {
  /** In Kyverno's syntax for kinds. `*` for every kind. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface KyvernoSettings {
  /** Requests that Kyverno ignores. */
  readonly resourceFilters: readonly IgnoredResources[];
  /** Kyverno ignores users in these groups. Wildcards allowed. */
  readonly excludeGroups: readonly string[];
  /** Kyverno ignores users with these names. Wildcards allowed. */
  readonly excludeUsernames: readonly string[];
  /** A LabelSelector. The webhooks ignore objects in other Namespaces. */
  readonly webhookNamespaceSelector: JsonObject;
  /** Whether PolicyExceptions apply, and from which namespace; empty for all. */
  readonly exceptions: {
    readonly isEnabled: boolean;
    readonly namespace: string;
    /** Not configured: the chart disables them, but exceptions in the repository are assumed to apply. */
    readonly isAssumed: boolean;
  };
  readonly defaultRegistry: string;
  readonly enableDefaultRegistryMutation: boolean;
  /** E.g. `2026-11-21`. Empty if unknown; then nothing has expired. */
  readonly today: string;
}

/** Explicit settings. The chart provides the rest. */
export interface WrittenSettings {
  readonly resourceFilters?: readonly IgnoredResources[];
  readonly excludeGroups?: readonly string[];
  readonly excludeUsernames?: readonly string[];
  readonly webhookNamespaceSelector?: JsonObject;
  readonly exceptions?: { readonly isEnabled: boolean; readonly namespace: string };
  readonly defaultRegistry?: string;
  readonly enableDefaultRegistryMutation?: boolean;
  /** False if explicit settings replace the chart's exclusion of Kyverno's own Namespace. */
  readonly excludesOwnNamespace?: boolean;
}

export interface ConfiguredKyverno extends WrittenSettings {
  readonly namespace?: string;
  /** E.g. `2026-11-21`. Needed because exceptions expire. */
  readonly today?: string;
}

export const KYVERNO_NAMESPACE = 'kyverno';

function filter(kind: string, namespace = '*', name = '*'): IgnoredResources {
  return { kind, namespace, name };
}

/** `config.resourceFilters` of the chart, without Kyverno's own objects. */
const RESOURCE_FILTERS: readonly IgnoredResources[] = [
  filter('Event'),
  filter('*/*', 'kube-system'),
  filter('*/*', 'kube-public'),
  filter('*/*', 'kube-node-lease'),
  ...['Node', 'Node/?*', 'APIService', 'APIService/?*', 'TokenReview', 'SubjectAccessReview'].map((kind) =>
    filter(kind),
  ),
  ...['SelfSubjectAccessReview', 'Binding', 'Pod/binding', 'ReplicaSet', 'ReplicaSet/?*'].map((kind) => filter(kind)),
  filter('EphemeralReport'),
  filter('ClusterEphemeralReport'),
];

const OTHER_THAN_KUBE_SYSTEM: JsonObject = new Map([
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
]);

/** The chart's defaults, overridden by `written` in order of precedence. */
export function kyvernoSettings(
  namespace: string,
  today: string,
  ...written: readonly WrittenSettings[]
): KyvernoSettings {
  const said = <Field extends keyof WrittenSettings>(field: Field): WrittenSettings[Field] | undefined =>
    written.find((settings) => settings[field] !== undefined)?.[field];
  const exceptions = said('exceptions');
  const own = said('excludesOwnNamespace') === false ? [] : [filter('*/*', namespace)];
  return {
    resourceFilters: [...(said('resourceFilters') ?? RESOURCE_FILTERS), ...own],
    excludeGroups: said('excludeGroups') ?? ['system:nodes'],
    excludeUsernames: said('excludeUsernames') ?? [],
    webhookNamespaceSelector: said('webhookNamespaceSelector') ?? OTHER_THAN_KUBE_SYSTEM,
    exceptions: { isEnabled: true, namespace: '', ...exceptions, isAssumed: exceptions === undefined },
    defaultRegistry: said('defaultRegistry') ?? 'docker.io',
    enableDefaultRegistryMutation: said('enableDefaultRegistryMutation') ?? true,
    today,
  };
}

/** Parses `[Pod,shop,web*]` entries. Omitted parts match anything. Entries with templates are Kyverno's own objects and are skipped. */
export function readResourceFilters(text: string): readonly IgnoredResources[] {
  return [...text.replaceAll(/\s/g, '').matchAll(/\[([^[\]]*)\]/g)].flatMap(([, entry = '']) => {
    const [kind = '', namespace = '*', name = '*'] = entry.split(',');
    return kind === '' || entry.includes('{{') ? [] : [filter(kind, namespace || '*', name || '*')];
  });
}

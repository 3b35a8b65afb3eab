// How Kyverno is installed in a cluster: what its Helm chart, its ConfigMap and the target's configuration set (chart 3.x of Kyverno 1.19).
import type { JsonObject } from '../../../source/json/json.ts';

export interface IgnoredResources {
  /** By the grammar of kinds; `*` for every kind. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface KyvernoSettings {
  /** Requests that are let through unseen. */
  readonly resourceFilters: readonly IgnoredResources[];
  /** Users in one of these groups are let through unseen; wildcards. */
  readonly excludeGroups: readonly string[];
  /** Users of these names are, too. */
  readonly excludeUsernames: readonly string[];
  /** A LabelSelector: the webhooks are not called for objects in other Namespaces. */
  readonly webhookNamespaceSelector: JsonObject;
  /** Whether PolicyExceptions count, and of which namespace; empty for all. */
  readonly exceptions: {
    readonly isEnabled: boolean;
    readonly namespace: string;
    /** Nobody said so: the chart leaves them off, what a repository holds is taken to be meant. */
    readonly isAssumed: boolean;
  };
  readonly defaultRegistry: string;
  readonly enableDefaultRegistryMutation: boolean;
  /** As `2026-11-21`; empty where nobody knows, and nothing has expired then. */
  readonly today: string;
}

/** What somebody said of it; the rest is the chart's. */
export interface WrittenSettings {
  readonly resourceFilters?: readonly IgnoredResources[];
  readonly excludeGroups?: readonly string[];
  readonly excludeUsernames?: readonly string[];
  readonly webhookNamespaceSelector?: JsonObject;
  readonly exceptions?: { readonly isEnabled: boolean; readonly namespace: string };
  readonly defaultRegistry?: string;
  readonly enableDefaultRegistryMutation?: boolean;
  /** Whether what else is said leaves Kyverno's own Namespace in, which the chart then takes out. */
  readonly excludesOwnNamespace?: boolean;
}

export interface ConfiguredKyverno extends WrittenSettings {
  /** Where it runs. */
  readonly namespace?: string;
  /** As `2026-11-21`; exceptions expire. */
  readonly today?: string;
}

export const KYVERNO_NAMESPACE = 'kyverno';

function filter(kind: string, namespace = '*', name = '*'): IgnoredResources {
  return { kind, namespace, name };
}

/** `config.resourceFilters` of the chart, Kyverno's own objects left out. */
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

/** Values of the chart unless told otherwise, in the order of who is listened to first. */
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

/** `[Pod,shop,web*]`, one or more of them; what is left out is any. Entries with templates are Kyverno's own objects. */
export function readResourceFilters(text: string): readonly IgnoredResources[] {
  return [...text.replaceAll(/\s/g, '').matchAll(/\[([^[\]]*)\]/g)].flatMap(([, entry = '']) => {
    const [kind = '', namespace = '*', name = '*'] = entry.split(',');
    return kind === '' || entry.includes('{{') ? [] : [filter(kind, namespace || '*', name || '*')];
  });
}

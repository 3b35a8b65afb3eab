// How Kyverno is installed in a cluster: what its configuration and its Helm chart set.

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
  /** Namespaces that the webhooks are not called for. */
  readonly webhookExcludedNamespaces: readonly string[];
  /** Whether PolicyExceptions count, and of which namespace; empty for all. */
  readonly exceptions: { readonly isEnabled: boolean; readonly namespace: string };
  readonly defaultRegistry: string;
  readonly enableDefaultRegistryMutation: boolean;
}

const KYVERNO_NAMESPACE = 'kyverno';

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
  filter('*/*', KYVERNO_NAMESPACE, 'kyverno*'),
];

/** Values of the chart unless told otherwise; exceptions are taken as allowed, as what a repository writes is meant. */
export const DEFAULT_KYVERNO_SETTINGS: KyvernoSettings = {
  resourceFilters: RESOURCE_FILTERS,
  excludeGroups: ['system:nodes'],
  webhookExcludedNamespaces: ['kube-system'],
  exceptions: { isEnabled: true, namespace: '' },
  defaultRegistry: 'docker.io',
  enableDefaultRegistryMutation: true,
};

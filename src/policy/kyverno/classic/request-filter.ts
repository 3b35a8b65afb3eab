// Requests that Kyverno never sees: filtered kinds, namespaces and users, and its webhooks' own selector (`pkg/config/config.go`).

import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import {
  type LabelSelector,
  labelsOf,
  readLabelSelector,
  selectorMatches,
} from '../../../kubernetes/selector/label-selector.ts';
import type { IgnoredResources, KyvernoSettings } from '../installation/kyverno-settings.ts';
import { type KindSelector, kindMatches, parseKindSelector } from '../matching/kind-selector.ts';
import { anyWildcardMatches, matchesWildcard } from '../value/wildcard.ts';

const OWN_KINDS: readonly string[] = [
  'AdmissionReport',
  'ClusterAdmissionReport',
  'BackgroundScanReport',
  'ClusterBackgroundScanReport',
  'UpdateRequest',
];

interface CompiledFilter {
  readonly written: IgnoredResources;
  readonly kind: KindSelector;
}

export class RequestFilter {
  readonly #settings: KyvernoSettings;
  readonly #filters: readonly CompiledFilter[];
  readonly #cluster: Cluster;
  /** An invalid selector counts as none. */
  readonly #selector: LabelSelector | undefined;

  constructor(settings: KyvernoSettings, cluster: Cluster) {
    this.#settings = settings;
    this.#cluster = cluster;
    this.#filters = settings.resourceFilters.map((written) => ({ written, kind: parseKindSelector(written.kind) }));
    const selector = readLabelSelector(settings.webhookNamespaceSelector);
    this.#selector = 'error' in selector ? undefined : selector;
  }

  isUnseen(request: AdmissionRequest): boolean {
    return this.reason(request) !== undefined;
  }

  /** Why Kyverno does not see the request: completes "Kyverno does not see …: ". A Namespace is matched by its own name. */
  reason({ kind, subResource, namespace, name, userInfo, object }: AdmissionRequest): string | undefined {
    if (OWN_KINDS.includes(kind.kind)) return `Kyverno itself writes ${kind.kind} objects`;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const own = isNamespace ? name : namespace;
    if (own !== '' && this.#selector !== undefined) {
      const { labels, resource } = this.#cluster.namespace(own);
      const written = isNamespace && object !== null && resource === undefined ? labelsOf(object) : labels;
      if (!selectorMatches(this.#selector, written)) return 'the namespaceSelector of its webhooks excludes it';
    }
    const { excludeGroups, excludeUsernames } = this.#settings;
    if (userInfo.groups.some((group) => anyWildcardMatches(excludeGroups, group)))
      return 'excludeGroups matches a group of the user';
    if (anyWildcardMatches(excludeUsernames, userInfo.username)) return 'excludeUsernames matches the user';
    const selected = { ...kind, subresource: subResource };
    const found = this.#filters.find((filter) => {
      if (!kindMatches([filter.kind], selected) || !matchesWildcard(filter.written.name, name)) return false;
      return matchesWildcard(filter.written.namespace, own);
    });
    if (found === undefined) return undefined;
    const { written } = found;
    return `the resource filter [${written.kind},${written.namespace},${written.name}] matches it`;
  }
}

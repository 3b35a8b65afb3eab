// Which requests Kyverno never sees: filtered kinds and namespaces, users, its webhooks' own selector (`pkg/config/config.go`).
import type { AdmissionRequest } from '../../../kubernetes/admission-request.ts';
import type { KyvernoSettings } from '../kyverno-settings.ts';
import { type KindSelector, kindMatches, parseKindSelector } from '../matching/kind-selector.ts';
import { anyWildcardMatches, matchesWildcard } from '../wildcard.ts';

/** Kinds of reports and requests that Kyverno writes itself. */
const OWN_KINDS: readonly string[] = [
  'AdmissionReport',
  'ClusterAdmissionReport',
  'BackgroundScanReport',
  'ClusterBackgroundScanReport',
  'UpdateRequest',
];

interface CompiledFilter {
  readonly kind: KindSelector;
  readonly namespace: string;
  readonly name: string;
}

export class RequestFilter {
  readonly #settings: KyvernoSettings;
  readonly #filters: readonly CompiledFilter[];

  constructor(settings: KyvernoSettings) {
    this.#settings = settings;
    this.#filters = settings.resourceFilters.map(({ kind, namespace, name }) => {
      return { kind: parseKindSelector(kind), namespace, name };
    });
  }

  /** A Namespace goes by its name where filters name a namespace. */
  isUnseen({ kind, subResource, namespace, name, userInfo }: AdmissionRequest): boolean {
    if (OWN_KINDS.includes(kind.kind)) return true;
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const own = isNamespace ? name : namespace;
    if (this.#settings.webhookExcludedNamespaces.includes(own)) return true;
    if (userInfo.groups.some((group) => anyWildcardMatches(this.#settings.excludeGroups, group))) return true;
    const selected = { ...kind, subresource: subResource };
    return this.#filters.some((filter) => {
      if (!kindMatches([filter.kind], selected) || !matchesWildcard(filter.name, name)) return false;
      return matchesWildcard(filter.namespace, own);
    });
  }
}

// One request, with the results that all policies share.

import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { NamespaceObject } from '../../expression/namespace-object.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { type MatchOutcome, matchRequest } from '../../matching/matcher.ts';
import type { AdmissionBinding } from './admission-policy.ts';
import type { SharedPaths } from './field-reads.ts';

/** Caches the Namespaces of all requests, as expressions see them. */
export class RequestNamespaces {
  readonly #cluster: Cluster;
  readonly #byName = new Map<string, NamespaceObject>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Null for cluster-scoped requests and for Namespaces. */
  of(request: AdmissionRequest): NamespaceObject | null {
    const { group, version, kind } = request.kind;
    const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
    if (isNamespace || request.namespace === '') return null;
    let namespace = this.#byName.get(request.namespace);
    if (namespace === undefined) {
      const { object, resource, isClaimed, openPaths } = this.#cluster.namespace(request.namespace);
      namespace = new NamespaceObject(object, resource === undefined || isClaimed || openPaths.length > 0);
      this.#byName.set(request.namespace, namespace);
    }
    return namespace;
  }
}

const NO_PATHS: readonly FieldPath[] = [];
/** A binding without matchResources matches everything that its policy matches. */
const MATCHES = { matches: true, isAssumed: false } as const;

export class DispatchedRequest {
  readonly request: AdmissionRequest;
  readonly namespace: NamespaceObject | null;
  /** Fields of the objects whose values only a server knows. */
  readonly inventedPaths: readonly FieldPath[];
  readonly #cluster: Cluster;
  /** Keyed by identity: equal criteria share one object (`SharedMatchResources`). */
  readonly #matches = new Map<MatchResources, MatchOutcome>();
  /** Caches the last binding's criteria: the next binding nearly always has the same. */
  #lastOfBinding: MatchResources | undefined;
  #lastOutcome: MatchOutcome | undefined;

  constructor(request: AdmissionRequest, namespaces: RequestNamespaces, paths: SharedPaths, cluster: Cluster) {
    this.request = request;
    this.namespace = namespaces.of(request);
    this.inventedPaths = request.invented === undefined ? NO_PATHS : paths.share(request.invented.paths);
    this.#cluster = cluster;
  }

  match(criteria: MatchResources): MatchOutcome {
    let outcome = this.#matches.get(criteria);
    if (outcome === undefined) {
      outcome = matchRequest(criteria, this.request, this.#cluster);
      this.#matches.set(criteria, outcome);
    }
    return outcome;
  }

  matchBinding({ matchResources }: Pick<AdmissionBinding, 'matchResources'>): MatchOutcome | typeof MATCHES {
    if (matchResources === undefined) return MATCHES;
    if (matchResources !== this.#lastOfBinding || this.#lastOutcome === undefined) {
      this.#lastOfBinding = matchResources;
      this.#lastOutcome = this.match(matchResources);
    }
    return this.#lastOutcome;
  }

  /** False if the binding certainly does not apply. */
  mayApply(binding: Pick<AdmissionBinding, 'matchResources'>): boolean {
    const match = this.matchBinding(binding);
    return match.isAssumed || 'error' in match || match.matches;
  }
}

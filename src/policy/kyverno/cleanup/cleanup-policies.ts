// The CleanupPolicies and ClusterCleanupPolicies of a target. Reports whether they would delete an object; they never reject a request.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { RegexCache } from '../../../go/regexp/regex-cache.ts';
import { type GroupVersionKind, kindKey } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { Spender } from '../../../kubernetes/request/run-budget.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { PolicyExplanation, StepResult } from '../../explanation/explanation.ts';
import type { PolicyIdentity } from '../../language/policy.ts';
import type { LoadedPolicy } from '../../language/policy-language.ts';
import { repositorySource } from '../classic/repository-source.ts';
import type { ContextSource } from '../context/context-entries.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import type { IgnoredResources, KyvernoSettings } from '../installation/kyverno-settings.ts';
import { parseKindSelector } from '../matching/kind-selector.ts';
import { openNamespace } from '../matching/match-answer.ts';
import type { Consequences } from '../rule/consequences.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import type { ContextOptions } from '../variables/evaluation-context.ts';
import { QueryCache } from '../variables/query-cache.ts';
import { cleanupDiagnostics, isRefusedCleanup } from './cleanup-diagnostics.ts';
import { type CleanupAnswer, CleanupPolicy } from './cleanup-policy.ts';

/** Work to match one policy, in steps. */
const STEPS_FOR_POLICY = 100;

interface HeldPolicy {
  readonly identity: PolicyIdentity;
  readonly policy: CleanupPolicy;
  readonly source: ContextSource;
  readonly spender: Spender;
}

interface Answered {
  readonly policy: HeldPolicy;
  readonly answer: CleanupAnswer;
}

export class CleanupPolicies {
  readonly policies: readonly LoadedPolicy[];
  readonly #resources: readonly Resource[];
  readonly #policies: readonly HeldPolicy[];
  readonly #cluster: Cluster;
  readonly #settings: KyvernoSettings;
  readonly #consequences: Consequences;
  readonly #options: ContextOptions;
  /** By kind: the policies that check its objects. */
  readonly #concerned = new Map<string, readonly HeldPolicy[]>();

  /** `resources`: policies of these kinds. Policies that Kyverno rejects delete nothing. */
  constructor(resources: readonly Resource[], cluster: Cluster, settings: KyvernoSettings, consequences: Consequences) {
    this.#resources = resources;
    this.#cluster = cluster;
    this.#settings = settings;
    this.#consequences = consequences;
    const environment = {
      regexes: new RegexCache(),
      defaultRegistry: settings.defaultRegistry,
      enableDefaultRegistryMutation: settings.enableDefaultRegistryMutation,
      work: cluster.work,
    };
    this.#options = { environment, queries: new QueryCache() };
    const identityOf = (resource: Resource): PolicyIdentity => {
      return { kind: resource.gvk.kind, name: resource.name, resource };
    };
    this.policies = resources.map((resource) => ({ identity: identityOf(resource), bindings: 1 }));
    this.#policies = this.policies.flatMap(({ identity }): readonly HeldPolicy[] => {
      const { resource, kind, name } = identity;
      if (isRefusedCleanup(resource, cluster)) return [];
      const policy = new CleanupPolicy(resource);
      const source = repositorySource(cluster, policy.namespace ?? '');
      return [{ identity, policy, source, spender: cluster.work.spender(`${kind} ${name}`, resource) }];
    });
  }

  diagnostics(definitions: KyvernoDefinitions): readonly Diagnostic[] {
    return cleanupDiagnostics(this.#resources, this.#cluster, definitions);
  }

  /** Reports what the policies would do with the object later. Returns those that may delete it. */
  foresee(request: AdmissionRequest): readonly PolicyIdentity[] {
    const deleting: PolicyIdentity[] = [];
    for (const { policy, answer } of this.#answers(request)) {
      if (answer === 'keeps') continue;
      deleting.push(policy.identity);
      const open = answer === 'deletes' ? undefined : answer.open;
      this.#consequences.addDeletion(policy.identity, policy.policy.schedule, request.object ?? new Map(), open);
    }
    return deleting;
  }

  explain(request: AdmissionRequest): readonly PolicyExplanation[] {
    const answers = new Map(this.#answers(request).map(({ policy, answer }) => [policy.identity.resource, answer]));
    return this.policies.map(({ identity }): PolicyExplanation => {
      const { resource } = identity;
      const answer = answers.get(resource) ?? 'keeps';
      const at = `\`${textField(objectOrEmpty(resource.value.get('spec')), 'schedule')}\``;
      const by = { resource, field: ['spec', 'schedule'] };
      const explained = (result: StepResult, says: string): PolicyExplanation => {
        return { policy: identity, result, steps: [{ result, says, by }] };
      };
      if (answer === 'keeps') return explained('stops', 'does not delete the object');
      if (answer === 'deletes') return explained('passes', `Kyverno would delete the object at ${at}`);
      return explained('unknown', `whether Kyverno would delete the object at ${at} depends on ${answer.open}`);
    });
  }

  #answers(request: AdmissionRequest): readonly Answered[] {
    const { object, operation, kind, subResource, namespace, name } = request;
    if (object === null || operation === 'DELETE' || subResource !== '') return [];
    const concerned = this.#concernedBy(kind);
    if (concerned.length === 0 || this.#isFiltered(kind, namespace, name)) return [];
    const isNamespace = kind.group === '' && kind.kind === 'Namespace';
    const hasNamespace = namespace !== '' && !isNamespace;
    const fact = hasNamespace ? this.#cluster.namespace(namespace) : undefined;
    const subject = {
      object,
      kind,
      namespaceLabels: fact?.labels ?? new Map<string, string>(),
      openNamespace: fact && openNamespace(request, fact),
    };
    return concerned.map((held) => {
      const { work } = this.#cluster;
      work.begin(held.spender);
      work.spend(STEPS_FOR_POLICY);
      return { policy: held, answer: held.policy.evaluate(subject, held.source, this.#options) };
    });
  }

  #concernedBy(kind: GroupVersionKind): readonly HeldPolicy[] {
    const key = kindKey(kind);
    let concerned = this.#concerned.get(key);
    if (concerned === undefined) {
      concerned = this.#policies.filter(({ policy }) => policy.isAbout(kind));
      this.#concerned.set(key, concerned);
    }
    return concerned;
  }

  /** Kyverno passes the kind as the subresource here, so only filters for all subresources exclude objects. */
  #isFiltered(kind: GroupVersionKind, namespace: string, name: string): boolean {
    const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
    return this.#settings.resourceFilters.some((filter: IgnoredResources) => {
      const { group, version, kind: kindPattern, subresource } = parseKindSelector(filter.kind);
      if (!matchesWildcard(kindPattern, kind.kind) || !matchesWildcard(subresource, kind.kind)) return false;
      if (!matchesWildcard(group, kind.group) || !matchesWildcard(version, kind.version)) return false;
      const own = isNamespace ? '' : namespace;
      if (matchesWildcard(filter.namespace, own) && matchesWildcard(filter.name, name)) return true;
      return isNamespace && matchesWildcard(filter.namespace, name);
    });
  }
}

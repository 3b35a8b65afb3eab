// The server's PodSecurity admission plugin as a policy language. Its policies are Namespace labels.

import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { valuelessLabels } from '../../kubernetes/cluster/open-namespace.ts';
import { UnknownPodField } from '../../kubernetes/pod-security/evaluate-pod.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { labelsOf } from '../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { PolicyIdentity } from '../language/policy.ts';
import type { AdmissionOutcome, LoadedPolicies, PolicyLanguage } from '../language/policy-language.ts';
import {
  isFullyPrivileged,
  LABEL_PREFIX,
  type NamespacePolicy,
  namespacePolicy,
  POLICY_LABELS,
} from './namespace-policy.ts';
import { judgeNamespace } from './namespace-request.ts';
import { emptyOutcome, type PodSecurityOutcome, recordFailures } from './outcome.ts';
import { dependsOn, judgePod, passesEveryLevel } from './pod-request.ts';
import { mayHoldPod, openPodObject, podPartOf } from './pod-template.ts';
import { DEFAULT_POD_SECURITY, type PodSecuritySettings } from './settings.ts';
import { isSignificantPodUpdate } from './significant-update.ts';

const NAMESPACE: GroupVersionKind = { group: '', version: 'v1', kind: 'Namespace' };

/** Subresources of Pods that do not change the spec. All others are checked. */
const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

export function podSecurityLanguage(settings: PodSecuritySettings = DEFAULT_POD_SECURITY): PolicyLanguage {
  const asksOfAll = !isFullyPrivileged(settings.defaults);
  return {
    name: 'PodSecurity',
    kinds: [NAMESPACE.kind],
    ...(!asksOfAll && { word: LABEL_PREFIX }),
    acceptsObjects: true,
    accepts: (resource) => settings.isEnabled && isNamespace(resource) && (asksOfAll || isLabelled(resource)),
    references: () => ({ kinds: [], objects: [], asksAuthorizer: false }),
    load: (_, cluster) => new LoadedNamespaces(settings, cluster),
  };
}

function isNamespace({ gvk }: Resource): boolean {
  return gvk.group === NAMESPACE.group && gvk.kind === NAMESPACE.kind;
}

function isLabelled({ value }: Resource): boolean {
  const labels = labelsOf(value);
  return POLICY_LABELS.some((label) => labels.has(label));
}

interface KnownNamespace {
  readonly asked: NamespacePolicy;
  readonly identity: PolicyIdentity | undefined;
}

class LoadedNamespaces implements LoadedPolicies {
  readonly policies: LoadedPolicies['policies'];
  readonly diagnostics = [];
  readonly #settings: PodSecuritySettings;
  readonly #cluster: Cluster;
  readonly #known = new Map<string, KnownNamespace>();

  constructor(settings: PodSecuritySettings, cluster: Cluster) {
    this.#settings = settings;
    this.#cluster = cluster;
    const namespaces = settings.isEnabled ? cluster.objects(NAMESPACE, '') : [];
    this.policies = namespaces.flatMap(({ resource }) => {
      const { asked, identity } = this.#namespace(resource.name);
      const isSilent = asked.errors.length === 0 && asked.open.size === 0 && isFullyPrivileged(asked.policy);
      return identity === undefined || isSilent || this.#isExempt(resource.name) ? [] : [{ identity, bindings: 1 }];
    });
  }

  prepare(): void {}

  evaluate(request: AdmissionRequest, record?: Parameters<LoadedPolicies['evaluate']>[1]): AdmissionOutcome {
    const outcome = this.#judge(request);
    if (record !== undefined) recordFailures(outcome, record);
    return outcome;
  }

  #judge(request: AdmissionRequest): PodSecurityOutcome {
    const { resource, operation } = request;
    const isNamespace = resource.group === '' && resource.resource === 'namespaces';
    const isAsked = isNamespace || mayHoldPod(resource);
    if (!this.#settings.isEnabled || !isAsked || (operation !== 'CREATE' && operation !== 'UPDATE')) {
      return emptyOutcome(true);
    }
    const outcome = emptyOutcome(false);
    if (!isNamespace) this.#judgePods(request, outcome);
    else if (request.subResource === '') {
      const { identity: policy } = this.#namespace(request.name);
      judgeNamespace({ request, policy, cluster: this.#cluster, settings: this.#settings }, outcome);
      if (outcome.evaluations.length > 0 && policy !== undefined) outcome.matched.push(policy);
    }
    return outcome;
  }

  #judgePods(request: AdmissionRequest, outcome: PodSecurityOutcome): void {
    const { object, namespace, resource, subResource } = request;
    const isPod = resource.group === '' && resource.resource === 'pods';
    if (object === null || (isPod ? IGNORED_SUBRESOURCES.has(subResource) : subResource !== '')) return;
    const exemption = this.#exemption(request);
    if (exemption !== undefined) {
      outcome.auditAnnotations.set(`${LABEL_PREFIX}exempt`, exemption);
      return;
    }
    const { asked, identity } = this.#namespace(namespace);
    const isUnnamed = request.isNamespaceAssumed === true;
    if ((identity === undefined || isUnnamed) && !this.#cluster.isComplete) {
      if (!this.#isInUse || this.#passesEveryLevel(request, object)) return;
      this.#open(isUnnamed ? UNNAMED : absentNamespace(namespace), isPod, outcome);
      return;
    }
    if (asked.errors.length === 0 && isSilentFor(asked, isPod)) {
      if (isPod) outcome.auditAnnotations.set(`${LABEL_PREFIX}enforce-policy`, 'privileged:latest');
      return;
    }
    try {
      this.#judgePart(request, isPod, outcome);
    } catch (reason) {
      if (!(reason instanceof UnknownPodField)) throw reason;
      const depends = dependsOn(request, reason.path);
      this.#open(`what Pod Security checks in ${namespace}/${request.name} depends on ${depends}`, isPod, outcome);
    }
  }

  /** Throws `UnknownPodField` if an open field decides what is checked. */
  #judgePart(request: AdmissionRequest, isPod: boolean, outcome: PodSecurityOutcome): void {
    const { namespace, resource, oldObject } = request;
    const { asked, identity } = this.#namespace(namespace);
    const object = openPodObject(request, 'object') ?? new Map();
    if (isPod && oldObject !== null) {
      if (!isSignificantPodUpdate(object, openPodObject(request, 'oldObject') ?? new Map())) return;
    }
    const part = podPartOf(resource, object);
    if (part === undefined) return;
    if (this.#settings.exemptions.runtimeClasses.includes(part.runtimeClassName)) {
      outcome.auditAnnotations.set(`${LABEL_PREFIX}exempt`, 'runtimeClass');
      return;
    }
    if (identity !== undefined) outcome.matched.push(identity);
    const question = { request, part, asked, policy: identity, server: this.#cluster.version, isEnforced: isPod };
    judgePod(question, outcome);
  }

  #open(sentence: string, isPod: boolean, outcome: PodSecurityOutcome): void {
    outcome.unknowns.push(sentence);
    outcome.open = [{ sentence, actions: [isPod ? 'Deny' : 'Warn'] }];
  }

  #passesEveryLevel(request: AdmissionRequest, object: JsonObject): boolean {
    try {
      const part = podPartOf(request.resource, openPodObject(request, 'object') ?? object);
      return part === undefined || passesEveryLevel(part.pod, this.#cluster.version);
    } catch (reason) {
      if (!(reason instanceof UnknownPodField)) throw reason;
      return false;
    }
  }

  #exemption({ namespace, userInfo }: AdmissionRequest): string | undefined {
    if (this.#isExempt(namespace)) return 'namespace';
    return this.#settings.exemptions.usernames.includes(userInfo.username) ? 'user' : undefined;
  }

  #isExempt(namespace: string): boolean {
    return this.#settings.exemptions.namespaces.includes(namespace);
  }

  /** If nothing uses Pod Security, undefined Namespaces are not reported. */
  get #isInUse(): boolean {
    return this.policies.length > 0 || !isFullyPrivileged(this.#settings.defaults);
  }

  #namespace(name: string): KnownNamespace {
    let known = this.#known.get(name);
    if (known === undefined) {
      const { labels, resource, openPaths } = this.#cluster.namespace(name);
      const identity = resource && { kind: NAMESPACE.kind, name, resource };
      known = { asked: namespacePolicy(labels, this.#settings.defaults, valuelessLabels(openPaths)), identity };
      this.#known.set(name, known);
    }
    return known;
  }
}

/** Pods are checked in all three modes, objects that create Pods only in warn and audit. */
function isSilentFor({ policy, open }: NamespacePolicy, isPod: boolean): boolean {
  if (open.size > 0) return false;
  if (isPod) return isFullyPrivileged(policy);
  return policy.warn.level === 'privileged' && policy.audit.level === 'privileged';
}

const UNNAMED = 'no file says the namespace of some objects: the Pod Security level there is unknown';

function absentNamespace(name: string): string {
  return `Namespace ${name} is not in the repository: the Pod Security level that its labels set is unknown`;
}

// Kyverno as a policy language: its own policies, their exceptions, and what its webhooks would answer.

import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { KubernetesVersion } from '../../kubernetes/version.ts';
import type { PolicyLanguage } from '../policy-language.ts';
import { CEL_POLICY_KINDS, isCelException, isCelPolicy } from './cel-policy/cel-policies.ts';
import { celReferences } from './cel-policy/cel-references.ts';
import { isClassicException, isClassicPolicy } from './classic/classic-policy.ts';
import { policyReferences } from './classic/policy-references.ts';
import { CLEANUP_POLICY_KINDS, isCleanupPolicy } from './cleanup/cleanup-policy.ts';
import { KyvernoDefinitions } from './definitions.ts';
import { HELM_RELEASE_GROUP, INSTALLATION_NAME, writtenInstallation } from './installation.ts';
import { KyvernoPolicies } from './kyverno-policies.ts';
import { KYVERNO_NAMESPACE, type KyvernoSettings, kyvernoSettings, type WrittenSettings } from './kyverno-settings.ts';
import { ServedKinds } from './migrate/match-to-cel.ts';
import { type MigratedPolicy, migratePolicy, namesPolicy, type SuccessorKind } from './migrate/migrate-policy.ts';
import { type SampleField, sampleFields } from './migrate/sample-values.ts';

export interface ConfiguredKyverno extends WrittenSettings {
  /** Where it runs. */
  readonly namespace?: string;
  /** As `2026-11-21`; exceptions expire. */
  readonly today?: string;
}

/** `configured` is stronger than what the repository says of the installation, and that than the chart. */
export function kyvernoLanguage(configured: ConfiguredKyverno = {}): PolicyLanguage {
  const definitions = new Map<number, KyvernoDefinitions>();
  const definitionsFor = (version: KubernetesVersion): KyvernoDefinitions => {
    const known = definitions.get(version.minor) ?? new KyvernoDefinitions(version);
    definitions.set(version.minor, known);
    return known;
  };
  return {
    name: 'Kyverno',
    kinds: ['ClusterPolicy', 'Policy', 'PolicyException', ...CLEANUP_POLICY_KINDS, ...CEL_POLICY_KINDS],
    accepts: (resource) =>
      isClassicPolicy(resource) ||
      isClassicException(resource) ||
      isCleanupPolicy(resource) ||
      isCelPolicy(resource) ||
      isCelException(resource),
    references: (resources) => {
      const { others = [], ...references } = policyReferences(resources);
      if (resources.length === 0) return { ...references, others };
      const lookedUp = celReferences(resources.filter(isCelPolicy));
      const installation = [
        { group: '', kind: 'ConfigMap' },
        { group: HELM_RELEASE_GROUP, kind: 'HelmRelease' },
      ];
      return {
        ...references,
        others: [
          ...others,
          ...lookedUp,
          { kinds: installation, objects: [{ name: INSTALLATION_NAME, selector: undefined }] },
        ],
      };
    },
    load: (resources, cluster) =>
      new KyvernoPolicies(resources, cluster, settingsIn(cluster, configured, resources.length > 0), definitionsFor),
  };
}

function settingsIn(cluster: Cluster, configured: ConfiguredKyverno, isUsed: boolean): KyvernoSettings {
  const namespace = configured.namespace ?? KYVERNO_NAMESPACE;
  const written = isUsed ? writtenInstallation(cluster, namespace) : [];
  return kyvernoSettings(namespace, configured.today ?? '', configured, ...written);
}

/** What becomes of policies that end with Kyverno 1.20. */
export interface KyvernoMigration {
  accepts(resource: Resource): boolean;
  migrate(policy: Resource, to: SuccessorKind): MigratedPolicy;
  /** Fields and values to try a translation with. */
  samples(policy: Resource): readonly SampleField[];
  /** The exceptions that name the policy. */
  exceptions(policy: Resource, resources: readonly Resource[]): readonly Resource[];
}

export function kyvernoMigration(cluster: Cluster, configured: ConfiguredKyverno = {}): KyvernoMigration {
  const settings = settingsIn(cluster, configured, true);
  const served = new ServedKinds(cluster);
  return {
    accepts: isClassicPolicy,
    migrate: (policy, to) => migratePolicy(policy, to, served, settings),
    samples: (policy) => sampleFields(policy.value),
    exceptions: (policy, resources) =>
      resources.filter((resource) => isClassicException(resource) && namesPolicy(resource.value, policy.name)),
  };
}

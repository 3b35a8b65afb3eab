// Support for migrating policies that Kyverno 1.20 removes.

import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { isClassicException, isClassicPolicy } from '../classic/classic-policy.ts';
import { settingsIn } from '../installation/installation.ts';
import type { ConfiguredKyverno } from '../installation/kyverno-settings.ts';
import { ServedKinds } from './match-to-cel.ts';
import { type MigratedPolicy, migratePolicy, namesPolicy, type SuccessorKind } from './migrate-policy.ts';
import { type SampleField, sampleFields } from './sample-values.ts';

export interface KyvernoMigration {
  accepts(resource: Resource): boolean;
  migrate(policy: Resource, to: SuccessorKind): MigratedPolicy;
  /** Fields and values for testing a translation. */
  samples(policy: Resource): readonly SampleField[];
  exceptions(policy: Resource, resources: readonly Resource[]): readonly Resource[];
}

export function kyvernoMigration(cluster: Cluster, configured: ConfiguredKyverno = {}): KyvernoMigration {
  const settings = settingsIn(cluster, configured);
  const served = new ServedKinds(cluster);
  return {
    accepts: isClassicPolicy,
    migrate: (policy, to) => migratePolicy(policy, to, served, settings),
    samples: (policy) => sampleFields(policy.value),
    exceptions: (policy, resources) =>
      resources.filter((resource) => isClassicException(resource) && namesPolicy(resource.value, policy.name)),
  };
}

// Kyverno as a policy language: its own policies, their exceptions, and what its webhooks would answer.

import type { PolicyLanguage } from '../policy-language.ts';
import { CEL_POLICY_KINDS, isCelException, isCelPolicy } from './cel-policy/cel-policies.ts';
import { celReferences } from './cel-policy/cel-references.ts';
import { isClassicException, isClassicPolicy } from './classic/classic-policy.ts';
import { policyReferences } from './classic/policy-references.ts';
import { HELM_RELEASE_GROUP, INSTALLATION_NAME, writtenInstallation } from './installation.ts';
import { KyvernoPolicies } from './kyverno-policies.ts';
import { KYVERNO_NAMESPACE, kyvernoSettings, type WrittenSettings } from './kyverno-settings.ts';

export interface ConfiguredKyverno extends WrittenSettings {
  /** Where it runs. */
  readonly namespace?: string;
  /** As `2026-11-21`; exceptions expire. */
  readonly today?: string;
}

/** `configured` is stronger than what the repository says of the installation, and that than the chart. */
export function kyvernoLanguage(configured: ConfiguredKyverno = {}): PolicyLanguage {
  const namespace = configured.namespace ?? KYVERNO_NAMESPACE;
  return {
    name: 'Kyverno',
    kinds: ['ClusterPolicy', 'Policy', 'PolicyException', ...CEL_POLICY_KINDS],
    accepts: (resource) =>
      isClassicPolicy(resource) || isClassicException(resource) || isCelPolicy(resource) || isCelException(resource),
    references: (resources) => {
      const { kinds, objects, asksAuthorizer } = policyReferences(resources);
      const lookedUp = celReferences(resources.filter(isCelPolicy));
      const all = [...kinds, ...lookedUp];
      if (resources.length === 0) return { kinds: all, objects, asksAuthorizer };
      const any = lookedUp.length === 0 ? [] : [{ name: '', selector: new Map() }];
      const installation = [
        { group: '', kind: 'ConfigMap' },
        { group: HELM_RELEASE_GROUP, kind: 'HelmRelease' },
      ];
      const named = { name: INSTALLATION_NAME, selector: undefined };
      return { kinds: [...all, ...installation], objects: [...objects, ...any, named], asksAuthorizer };
    },
    load: (resources, cluster) => {
      const written = resources.length === 0 ? [] : writtenInstallation(cluster, namespace);
      return new KyvernoPolicies(
        resources,
        cluster,
        kyvernoSettings(namespace, configured.today ?? '', configured, ...written),
      );
    },
  };
}

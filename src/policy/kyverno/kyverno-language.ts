// Kyverno as a policy language: its own policies, their exceptions, and what its webhooks would answer.

import type { PolicyLanguage } from '../policy-language.ts';
import { CEL_POLICY_KINDS, isCelException, isCelPolicy } from './cel-policy/cel-policies.ts';
import { celReferences } from './cel-policy/cel-references.ts';
import { isClassicException, isClassicPolicy } from './classic/classic-policy.ts';
import { policyReferences } from './classic/policy-references.ts';
import { KyvernoPolicies } from './kyverno-policies.ts';
import { DEFAULT_KYVERNO_SETTINGS, type KyvernoSettings } from './kyverno-settings.ts';

export function kyvernoLanguage(settings: KyvernoSettings = DEFAULT_KYVERNO_SETTINGS): PolicyLanguage {
  return {
    name: 'Kyverno',
    kinds: ['ClusterPolicy', 'Policy', 'PolicyException', ...CEL_POLICY_KINDS],
    accepts: (resource) =>
      isClassicPolicy(resource) || isClassicException(resource) || isCelPolicy(resource) || isCelException(resource),
    references: (resources) => {
      const { kinds, objects, asksAuthorizer } = policyReferences(resources);
      const lookedUp = celReferences(resources.filter(isCelPolicy));
      if (lookedUp.length === 0) return { kinds, objects, asksAuthorizer };
      return { kinds: [...kinds, ...lookedUp], objects: [{ name: '', selector: new Map() }], asksAuthorizer };
    },
    load: (resources, cluster) => new KyvernoPolicies(resources, cluster, settings),
  };
}

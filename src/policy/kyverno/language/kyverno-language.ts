// Kyverno as a policy language: its policies, their exceptions and the answers of its webhooks.
import type { PolicyLanguage } from '../../language/policy-language.ts';
import { isClassicException, isClassicPolicy } from '../classic/classic-policy.ts';
import type { ConfiguredKyverno } from '../installation/kyverno-settings.ts';
import { type DefinitionsByRelease, loadPolicies, referencesOf } from './load-policies.ts';
import { isCelException, isCelPolicy, isCleanupPolicy, KYVERNO_KINDS } from './policy-kinds.ts';
import { NO_REFERENCES, withoutPolicies } from './without-policies.ts';

/** Precedence: `configured`, the installation in the repository, the chart's defaults. */
export function kyvernoLanguage(configured: ConfiguredKyverno = {}): PolicyLanguage {
  const definitions: DefinitionsByRelease = new Map();
  return {
    name: 'Kyverno',
    kinds: KYVERNO_KINDS,
    accepts: (resource) =>
      isClassicPolicy(resource) ||
      isClassicException(resource) ||
      isCleanupPolicy(resource) ||
      isCelPolicy(resource) ||
      isCelException(resource),
    references: (resources) => (resources.length === 0 ? NO_REFERENCES : referencesOf(resources)),
    load: (resources, cluster) =>
      resources.length === 0 ? withoutPolicies() : loadPolicies(resources, cluster, configured, definitions),
  };
}

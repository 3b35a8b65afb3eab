// Facts about admission policies of both kinds.

import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import {
  formatVersion,
  type KubernetesVersion,
  NEWEST_VERSION,
  OLDEST_VERSION,
} from '../../../kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import { builtinResources } from '../../../kubernetes/schema/resources.ts';
import type { PolicyFacts } from '../../language/policy-facts.ts';
import type { NamedRuleWithOperations } from '../../matching/match-resources.ts';
import type { AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

/** `compileFor` compiles all expressions for a server of that release. */
export function admissionFacts(
  policy: AdmissionPolicy,
  compileFor: (environments: AdmissionEnvironments) => readonly PlacedExpression[],
): Pick<PolicyFacts, 'matches' | 'paramKind' | 'since'> {
  const { paramKind, matchConstraints } = policy;
  const since = firstRelease(policy, compileFor);
  return {
    matches: (matchConstraints?.resourceRules ?? []).map(ruleText),
    ...(paramKind && { paramKind: kindText(paramKind.apiVersion, paramKind.kind) }),
    ...(since && { since: formatVersion(since) }),
  };
}

function firstRelease(
  { resource }: AdmissionPolicy,
  compileFor: (environments: AdmissionEnvironments) => readonly PlacedExpression[],
): KubernetesVersion | undefined {
  const { major } = OLDEST_VERSION;
  for (let minor = OLDEST_VERSION.minor; minor <= NEWEST_VERSION.minor; minor++) {
    const version = { major, minor };
    if (builtinResources(minor).resourceForKind(resource.gvk)?.servedByDefault !== true) continue;
    const compiled = compileFor(new AdmissionEnvironments(version));
    if (compiled.every((each) => each.compiled.error === undefined)) return version;
  }
  return undefined;
}

function ruleText({ apiGroups, resources, operations }: NamedRuleWithOperations): string {
  const groups = apiGroups.filter((group) => group !== '');
  const suffix = groups.length === 0 ? '' : `.${groups.length === 1 ? groups[0] : `{${groups.join(',')}}`}`;
  return `${resources.map((resource) => `${resource}${suffix}`).join(', ')} on ${operations.join(', ')}`;
}

function kindText(apiVersion: string, kind: string): string {
  const group = parseApiVersion(apiVersion)?.group ?? '';
  return group === '' ? kind : `${kind}.${group}`;
}

// Reports targets that contain no objects or no policies.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Target } from '../../engine/target/target.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';

/** `target`: with all its manifests, not only those of a shard. */
export function emptyTarget(
  { name, location }: ConfiguredTarget,
  { manifests, policies }: Target,
  languages: readonly PolicyLanguage[],
): readonly Diagnostic[] {
  if (location === undefined) return [];
  const objects = manifests.filter((resource) => languages.every((language) => !isOwn(language, resource)));
  const hasPolicies = policies.some((resource) => languages.some((language) => language.accepts(resource)));
  const missing = [...(objects.length === 0 ? ['no manifests'] : []), ...(hasPolicies ? [] : ['no policies'])];
  if (missing.length === 0) return [];
  return [
    {
      code: 'empty-target',
      severity: 'error',
      message: `the target \`${name}\` has ${missing.join(' and ')}, so nothing is checked for it`,
      primary: location,
      related: [],
      help: `check its ${objects.length === 0 ? '`manifests`' : '`policies`'}, \`include\` and \`exclude\`, or remove the target`,
    },
  ];
}

/**
 * For a cluster that only head has, if base has policies for other clusters. Otherwise a change could create a cluster around an object to
 * avoid all policies. `created`: objects of the new cluster. `base`: all resources of base.
 */
export function unjudgedCluster(
  name: string,
  created: readonly Resource[],
  base: readonly { readonly resource: Resource }[],
  languages: readonly PolicyLanguage[],
): readonly Diagnostic[] {
  const [first] = created;
  const hasPolicies = base.some(({ resource }) => languages.some((language) => language.accepts(resource)));
  if (first === undefined || !hasPolicies) return [];
  return [
    {
      code: 'empty-target',
      severity: 'error',
      message: `the cluster \`${name}\` is new and has no policies, so nothing is checked for it`,
      primary: first.locate(['kind'], 'value'),
      related: [],
      help: 'add the policies of the other clusters to this one, or configure `targets` on the base branch',
    },
  ];
}

/** Policies and bindings are part of the cluster, but no policy is evaluated for them. */
function isOwn(language: PolicyLanguage, resource: Target['manifests'][number]): boolean {
  return language.acceptsObjects !== true && language.accepts(resource);
}

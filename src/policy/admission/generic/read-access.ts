// The access to params that authors of policies and bindings need (registry `admissionregistration/*/authz.go`).
import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';

/** One sentence for the policy and one for each binding with a paramRef. Empty without a paramKind. */
export function readAccess(
  { paramKind }: AdmissionPolicy,
  bindings: readonly AdmissionBinding[],
  cluster: Cluster,
): readonly string[] {
  const groupVersion = paramKind && parseApiVersion(paramKind.apiVersion);
  if (groupVersion === undefined) return [];
  const { resource } = cluster.mappingFor({ ...groupVersion, kind: paramKind?.kind ?? '' });
  const objects = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  const sentences = [`whoever creates it must be allowed to get all ${objects}`];
  for (const { name, paramRef } of bindings) {
    if (paramRef === undefined) continue;
    const where = paramRef.namespace === '' ? 'in all namespaces' : `in namespace ${paramRef.namespace}`;
    const access = paramRef.name === '' ? `list ${objects}` : `get ${objects} ${paramRef.name}`;
    sentences.push(`whoever creates binding ${name} must be allowed to ${access} ${where}`);
  }
  return sentences;
}

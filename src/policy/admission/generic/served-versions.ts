// Reports policies and bindings in an API version that the target's API server does not serve.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { formatVersion, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { BuiltinResources } from '../../../kubernetes/schema/resources.ts';

const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

/** For versions that the release has but does not serve by default. A version that it does not have is not a known kind. */
export function unservedVersion(
  resource: Resource,
  version: KubernetesVersion,
  builtin: BuiltinResources,
): readonly Diagnostic[] {
  const { gvk } = resource;
  const served = builtin.resourceForKind(gvk);
  if (served === undefined || served.servedByDefault) return [];
  const others = VERSIONS.filter(
    (each) => builtin.resourceForKind({ ...gvk, version: each })?.servedByDefault === true,
  );
  const [other] = others;
  const name = `${resource.apiVersion} ${gvk.kind}`;
  const help =
    other === undefined
      ? `Kubernetes ${formatVersion(version)} serves no version of this kind by default`
      : `write apiVersion: ${gvk.group}/${other}`;
  return [
    {
      code: 'unserved-version',
      severity: 'warning',
      message: `Kubernetes ${formatVersion(version)} serves ${name} only if \`--runtime-config\` enables it`,
      primary: resource.locate(['apiVersion'], 'value'),
      subject: `${gvk.kind} ${resource.name}`,
      related: [],
      help,
    },
  ];
}

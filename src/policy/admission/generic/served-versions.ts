// Whether the API server of a target knows the version that a policy or binding is written in.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { formatVersion, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { BuiltinResources } from '../../../kubernetes/schema/resources.ts';

const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

/** Of a version that the release has and does not serve unless it is told to; one that it does not have is no kind at all. */
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
      ? `Kubernetes ${formatVersion(version)} serves no version of this kind unless it is told to`
      : `write apiVersion: ${gvk.group}/${other}`;
  return [
    {
      code: 'unserved-version',
      severity: 'warning',
      message: `Kubernetes ${formatVersion(version)} serves ${name} only where \`--runtime-config\` asks for it`,
      primary: resource.locate(['apiVersion'], 'value'),
      related: [],
      help,
    },
  ];
}

// Whether the API server of a target knows the version that a policy or binding is written in.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import type { BuiltinResources } from '../../../kubernetes/schema/resources.ts';
import { formatVersion, type KubernetesVersion } from '../../../kubernetes/version.ts';

const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

/** A version that the release does not have is an error; one that has to be asked for is worth a word. */
export function unservedVersion(
  resource: Resource,
  version: KubernetesVersion,
  builtin: BuiltinResources,
): readonly Diagnostic[] {
  const { gvk } = resource;
  const served = builtin.resourceForKind(gvk);
  if (served?.servedByDefault === true) return [];
  const others = VERSIONS.filter(
    (each) => builtin.resourceForKind({ ...gvk, version: each })?.servedByDefault === true,
  );
  const [other] = others;
  const name = `${resource.apiVersion} ${gvk.kind}`;
  const help =
    other === undefined
      ? `Kubernetes ${formatVersion(version)} serves no version of this kind unless it is told to`
      : `write apiVersion: ${gvk.group}/${other}`;
  const message =
    served === undefined
      ? `Kubernetes ${formatVersion(version)} does not serve ${name}`
      : `Kubernetes ${formatVersion(version)} serves ${name} only where \`--runtime-config\` asks for it`;
  return [
    {
      code: 'unserved-version',
      severity: served === undefined ? 'error' : 'warning',
      message,
      primary: resource.locate(['apiVersion'], 'value'),
      related: [],
      help,
    },
  ];
}

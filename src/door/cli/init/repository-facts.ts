// Detects controllers, policies and Kubernetes releases in a repository that has no configuration yet.
import { formatVersion, isSupportedVersion, parseKubernetesVersion } from '../../../kubernetes/api/version.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, valueAt } from '../../../source/json/json-field.ts';
import { Documents } from '../../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { SourceFile } from '../../../source/text/source-file.ts';

export interface RepositoryFacts {
  /** Number of documents by label, for example `Flux` or `policies`; labels without documents are absent. */
  readonly counts: ReadonlyMap<string, number>;
  /** Files that name each Kubernetes release, by release (`1.34`). */
  readonly versions: ReadonlyMap<string, readonly string[]>;
}

/** Labels by API group; with a kind, only that kind of the group. */
const GROUPS: readonly (readonly [what: string, group: RegExp, kind?: RegExp])[] = [
  ['Flux', /^(kustomize|helm)\.toolkit\.fluxcd\.io$/],
  ['Argo CD', /^argoproj\.io$/, /^Application(Set)?$/],
  ['policies', /^admissionregistration\.k8s\.io$/, /Policy$/],
  ['policies', /^kyverno\.io$/, /^(Cluster)?Policy$/],
  ['policies', /^policies\.kyverno\.io$/, /^\w+Policy$/],
];

/** Fields of cluster-provisioning objects that may hold the Kubernetes release, by kind and API group. */
const VERSIONED: readonly (readonly [kind: string, group: RegExp, read: (value: JsonObject) => readonly string[]])[] = [
  [
    'Cluster',
    /^kind\.x-k8s\.io$/,
    (value) => objectItems(value.get('nodes')).map((node) => tagOf(textField(node, 'image'))),
  ],
  ['Simple', /^k3d\.io$/, (value) => [tagOf(textField(value, 'image'))]],
  ['ClusterConfig', /^eksctl\.io$/, (value) => [textAt(value, ['metadata', 'version'])]],
  ['Cluster', /^cluster\.x-k8s\.io$/, (value) => [textAt(value, ['spec', 'topology', 'version'])]],
  ['KubeadmControlPlane', /^controlplane\.cluster\.x-k8s\.io$/, (value) => [textAt(value, ['spec', 'version'])]],
];

export function repositoryFacts(files: readonly SourceFile[], documents = new Documents()): RepositoryFacts {
  const counts = new Map<string, number>();
  const versions = new Map<string, string[]>();
  for (const file of files) {
    for (const { value } of file.derived(documents).manifests) {
      const root = objectOrEmpty(value);
      const kind = textField(root, 'kind');
      const group = textField(root, 'apiVersion').split('/')[0] ?? '';
      const known = GROUPS.find(([, groups, kinds]) => groups.test(group) && (kinds === undefined || kinds.test(kind)));
      if (known !== undefined) counts.set(known[0], (counts.get(known[0]) ?? 0) + 1);
      for (const text of VERSIONED.find(([each, groups]) => each === kind && groups.test(group))?.[2](root) ?? []) {
        const version = parseKubernetesVersion(text);
        if (version === undefined || !isSupportedVersion(version)) continue;
        const release = formatVersion(version);
        versions.set(release, [...new Set([...(versions.get(release) ?? []), file.path])]);
      }
    }
  }
  return { counts, versions };
}

/** Tag of an image: `v1.34.0` for `kindest/node:v1.34.0@sha256:…` and for `rancher/k3s:v1.34.0-k3s1`. */
function tagOf(image: string): string {
  return /:(v[^:@/]+)(?:@|$)/.exec(image)?.[1] ?? '';
}

function textAt(value: JsonObject, path: FieldPath): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

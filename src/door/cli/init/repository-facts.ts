// Detects controllers, policies and Kubernetes releases in a repository that has no configuration yet.
import { formatVersion, isSupportedVersion, parseKubernetesVersion } from '../../../kubernetes/api/version.ts';
import { expandLocation, type LocatedKind, schemaLocationProblem } from '../../../settings/schema-location.ts';
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
  /** Locations for `schemas` that comments of the files name, each with its custom kinds (`example.com/v1 Shop`). Most kinds first. */
  readonly catalogues: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Labels by API group; with a kind, only that kind of the group. */
const GROUPS: readonly (readonly [what: string, group: RegExp, kind?: RegExp])[] = [
  ['Flux', /^(kustomize|helm)\.toolkit\.fluxcd\.io$/],
  ['Argo CD', /^argoproj\.io$/, /^Application(Set)?$/],
  ['policies', /^admissionregistration\.k8s\.io$/, /Policy$/],
  ['policies', /^kyverno\.io$/, /^(Cluster)?Policy$/],
  ['policies', /^policies\.kyverno\.io$/, /^\w+Policy$/],
];

/** Namespaces with this label are protected by Pod Security. */
const ENFORCED = 'pod-security.kubernetes.io/enforce';

const CONTROL_PLANE = /^controlplane\.cluster\.x-k8s\.io$/;

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
  ['KubeadmControlPlane', CONTROL_PLANE, (value) => [textAt(value, ['spec', 'version'])]],
  ['RKE2ControlPlane', CONTROL_PLANE, (value) => [textAt(value, ['spec', 'version'])]],
  ['TalosControlPlane', CONTROL_PLANE, (value) => [textAt(value, ['spec', 'version'])]],
  ['KubernetesUpgrade', /^tuppr\.home-operations\.com$/, (value) => [textAt(value, ['spec', 'kubernetes', 'version'])]],
  ['Plan', /^upgrade\.cattle\.io$/, (value) => [textAt(value, ['spec', 'version'])].filter(isDistribution)],
];

/** True for releases of K3s and RKE2. The other plans of the system upgrade controller upgrade operating systems. */
function isDistribution(version: string): boolean {
  return /\+(?:k3s|rke2r)\d+$/.test(version);
}

export function repositoryFacts(files: readonly SourceFile[], documents = new Documents()): RepositoryFacts {
  const counts = new Map<string, number>();
  const versions = new Map<string, string[]>();
  const catalogues = new Map<string, Set<string>>();
  for (const file of files) {
    const { manifests } = file.derived(documents);
    const addresses = manifests.length === 0 ? [] : schemaAddresses(file.text);
    for (const { value } of manifests) {
      const root = objectOrEmpty(value);
      const kind = textField(root, 'kind');
      const [group = '', version = ''] = textField(root, 'apiVersion').split('/');
      const known = GROUPS.find(([, groups, kinds]) => groups.test(group) && (kinds === undefined || kinds.test(kind)));
      if (known !== undefined) counts.set(known[0], (counts.get(known[0]) ?? 0) + 1);
      if (kind === 'Namespace' && valueAt(root, ['metadata', 'labels', ENFORCED]) !== undefined) {
        counts.set('Pod Security', (counts.get('Pod Security') ?? 0) + 1);
      }
      for (const location of addresses.flatMap((address) => locationOf(address, { group, version, kind }) ?? [])) {
        catalogues.set(location, (catalogues.get(location) ?? new Set()).add(`${group}/${version} ${kind}`));
      }
      for (const text of versionsIn(root, kind, group)) {
        const parsed = parseKubernetesVersion(text);
        if (parsed === undefined || !isSupportedVersion(parsed)) continue;
        const release = formatVersion(parsed);
        versions.set(release, [...new Set([...(versions.get(release) ?? []), file.path])]);
      }
    }
  }
  const byKinds = [...catalogues].sort(([, one], [, other]) => other.size - one.size);
  return { counts, versions, catalogues: new Map(byKinds) };
}

function versionsIn(root: JsonObject, kind: string, group: string): readonly string[] {
  // The configuration of talhelper has neither `apiVersion` nor `kind`.
  if (kind === '' && textField(root, 'talosVersion') !== '') return [textField(root, 'kubernetesVersion')];
  return VERSIONED.find(([each, groups]) => each === kind && groups.test(group))?.[2](root) ?? [];
}

/** Addresses in the comments that tell editors the schema of a document. */
function schemaAddresses(text: string): readonly string[] {
  return [...text.matchAll(/^\s*# yaml-language-server: \$schema=(https:\/\/\S+)\s*$/gm)].map(
    ([, address = '']) => address,
  );
}

/** File names of catalogues, with the variables of `schemas`. */
const FILE_NAMES = [
  '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json',
  '{{.ResourceKind}}{{.KindSuffix}}.json',
];

/** The location of which the address is the one of this custom kind. */
function locationOf(address: string, kind: Omit<LocatedKind, 'kubernetesVersion'>): string | undefined {
  if (!kind.group.includes('.') || kind.group.endsWith('.k8s.io')) return undefined;
  for (const name of FILE_NAMES) {
    const file = expandLocation(name, { ...kind, kubernetesVersion: '' });
    if (file === undefined || !address.endsWith(`/${file}`)) continue;
    const location = `${address.slice(0, -file.length)}${name}`;
    if (schemaLocationProblem(location) === undefined) return location;
  }
  return undefined;
}

/** Tag of an image: `v1.34.0` for `kindest/node:v1.34.0@sha256:…` and for `rancher/k3s:v1.34.0-k3s1`. */
function tagOf(image: string): string {
  return /:(v[^:@/]+)(?:@|$)/.exec(image)?.[1] ?? '';
}

function textAt(value: JsonObject, path: FieldPath): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

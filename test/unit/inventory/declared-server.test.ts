// Which flags of kube-apiserver each form of a cluster's configuration sets.
import { expect, test } from 'vitest';
import { declaredServer } from '../../../src/inventory/declared-server.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

/** The flags of the first document, as `flag=value at line`, and files as `@file`. */
function declared(text: string): string {
  const [manifest] = readManifests(new SourceFile('cluster.yaml', text)).manifests;
  const server = declaredServer(manifest?.value);
  if (manifest === undefined || server === undefined) return 'nothing';
  const parts = server.parts.map((part) => {
    const { file, range } = manifest.place(part.path, 'key');
    const { line } = file.positionAt(range.start);
    return 'file' in part ? `@${part.file}` : `${part.flag}=${part.value ?? '?'} at ${line}`;
  });
  return [`${server.about} ${server.cluster}`.trim(), ...parts].join('; ');
}

const FORMS: readonly (readonly [form: string, text: string, expected: string])[] = [
  [
    'kubeadm with a mapping of arguments',
    'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nclusterName: shop\napiServer:\n  extraArgs:\n    feature-gates: A=true\n    anonymous-auth: "false"\n',
    'own shop; feature-gates=A=true at 6',
  ],
  [
    'kubeadm with a list of arguments, one repeated',
    'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\napiServer:\n  extraArgs:\n    - {name: feature-gates, value: A=true}\n    - {name: feature-gates, value: B=false}\n',
    'own; feature-gates=A=true,B=false at 6',
  ],
  [
    'the gates of kubeadm itself',
    'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nfeatureGates: {A: true}\n',
    'nothing',
  ],
  [
    'a control plane of Cluster API',
    'apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata:\n  name: shop-control-plane\n  labels: {cluster.x-k8s.io/cluster-name: shop}\nspec:\n  kubeadmConfigSpec:\n    clusterConfiguration:\n      apiServer:\n        extraArgs:\n          service-node-port-range: 30000-31000\n',
    'named shop; service-node-port-range=30000-31000 at 11',
  ],
  [
    'a control plane of RKE2',
    'apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: RKE2ControlPlane\nmetadata: {name: shop}\nspec:\n  serverConfig:\n    kubeAPIServer:\n      extraArgs:\n        - --feature-gates=A=true\n',
    'named shop; feature-gates=A=true at 8',
  ],
  [
    'K3s',
    'service-cidr: 10.43.0.0/16,fd00::/112\nkube-apiserver-arg:\n  - feature-gates=A=true\n  - allow-privileged\n',
    'own; service-cluster-ip-range=10.43.0.0/16,fd00::/112 at 1; feature-gates=A=true at 3; allow-privileged=true at 4',
  ],
  ['K3s with a variable', 'service-cidr: "{{ services }}"\n', 'own; service-cluster-ip-range=? at 1'],
  [
    'kOps',
    'apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata: {name: shop.example.com}\nspec:\n  kubeAPIServer:\n    featureGates:\n      A: "true"\n',
    'own shop.example.com; feature-gates=A=true at 6',
  ],
  [
    'eksctl',
    'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: shop}\nkubernetesNetworkConfig:\n  ipFamily: IPv6\n',
    'own shop; ip-families=IPv6 at 5',
  ],
  [
    'OpenShift',
    'apiVersion: config.openshift.io/v1\nkind: Network\nmetadata: {name: cluster}\nspec:\n  serviceNetwork: [172.30.0.0/16]\n',
    'own; service-cluster-ip-range=172.30.0.0/16 at 5',
  ],
  [
    'kind',
    'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nnetworking:\n  ipFamily: dual\nfeatureGates:\n  A: true\nkubeadmConfigPatches:\n  - |\n    kind: ClusterConfiguration\n    apiServer:\n      extraArgs:\n        service-node-port-range: 1-100\n  - |\n    kind: KubeletConfiguration\n',
    'named kind; ip-families=IPv4,IPv6 at 4; feature-gates=A=true at 5; service-node-port-range=1-100 at 8',
  ],
  [
    'talhelper',
    'clusterName: shop\ntalosVersion: v1.12.0\nnodes:\n  - {hostname: one, controlPlane: true, patches: ["@one.yaml"]}\n  - {hostname: two, patches: ["@two.yaml"]}\nclusterSvcNets: [10.43.0.0/16]\npatches:\n  - |\n    cluster:\n      apiServer:\n        extraArgs:\n          feature-gates: [A=true, B=false]\n',
    'own shop; service-cluster-ip-range=10.43.0.0/16 at 6; feature-gates=A=true,B=false at 8; @one.yaml',
  ],
  [
    'talhelper with a JSON patch',
    'talosVersion: v1.12.0\nnodes: []\npatches:\n  - |\n    - {op: add, path: /cluster/network/serviceSubnets/-, value: fd00::/112}\n  - |\n    - {op: remove, path: /machine/kubelet}\n',
    'own; service-cluster-ip-range=? at 4',
  ],
  [
    'a machine configuration of Talos',
    'machine: {type: controlplane}\ncluster:\n  clusterName: shop\n  network:\n    serviceSubnets: [10.96.0.0/12]\n',
    'own shop; service-cluster-ip-range=10.96.0.0/12 at 5',
  ],
  [
    'a patch of Talos',
    'cluster:\n  apiServer:\n    extraArgs:\n      feature-gates: A=true\n',
    'part; feature-gates=A=true at 4',
  ],
  [
    'a document of Talos 1.14',
    'apiVersion: v1alpha1\nkind: KubeAPIServerConfig\nextraArgs:\n  feature-gates: A=true\n',
    'part; feature-gates=A=true at 4',
  ],
  ['values of a chart', 'cluster:\n  name: shop\nservice: {port: 80}\n', 'nothing'],
  [
    'an object',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {service-cidr: 10.0.0.0/8}\n',
    'nothing',
  ],
];

test.each(FORMS)('%s', (_, text, expected) => {
  expect(declared(text)).toBe(expected);
});

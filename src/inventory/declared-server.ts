// Flags of kube-apiserver in documents that provision clusters: kubeadm, Cluster API, K3s, RKE2, kOps, eksctl, kind, OpenShift, Talos.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems, valueAt } from '../source/json/json-field.ts';
import { readManifests } from '../source/manifest/read-manifests.ts';
import type { FieldPath } from '../source/node/field-path.ts';
import { SourceFile } from '../source/text/source-file.ts';

export interface DeclaredFlag {
  /** Without the dashes: `feature-gates`. */
  readonly flag: string;
  /** Undefined if the document sets the flag and does not contain its value, as with a variable. */
  readonly value: string | undefined;
  /** The field that sets it. If a string contains YAML that sets it, the field of the string. */
  readonly path: FieldPath;
}

/** A flag of the document, or a file whose documents set flags, relative to the folder of the document. */
export type ServerPart = DeclaredFlag | { readonly file: string; readonly path: FieldPath };

export interface DeclaredServer {
  /** Name of the cluster in the document; '' without one. */
  readonly cluster: string;
  /**
   * `own`: the cluster that the repository is applied to, if there is only one. `named`: a cluster for tests, or one that another cluster manages.
   * `part`: the document that names the file decides.
   */
  readonly about: 'own' | 'named' | 'part';
  /** A later part replaces flags of an earlier one. */
  readonly parts: readonly ServerPart[];
}

/** The IP families of Services, as `IPv4,IPv6`, if no flag contains them. */
export const IP_FAMILIES = 'ip-families';
/** The flags that are read. */
const FLAGS: ReadonlySet<string> = new Set([
  'allow-privileged',
  'disable-admission-plugins',
  'feature-gates',
  'service-cluster-ip-range',
  'service-node-port-range',
]);
/** Flags whose values add up if they are repeated. */
const ADDED: ReadonlySet<string> = new Set(['disable-admission-plugins', 'feature-gates']);

/** Undefined if the document sets no flag. */
export function declaredServer(value: JsonValue | undefined): DeclaredServer | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, apiVersion] = [textField(value, 'kind'), textField(value, 'apiVersion')];
  const form = kind === '' && apiVersion === '' ? untypedForm(value) : FORMS.find((each) => each.is(apiVersion, kind));
  const server = form?.read(value);
  return server === undefined || server.parts.length === 0 ? undefined : server;
}

interface Form {
  readonly is: (apiVersion: string, kind: string) => boolean;
  readonly read: (document: JsonObject) => DeclaredServer;
}

const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/';

const FORMS: readonly Form[] = [
  {
    is: (version, kind) => version.startsWith('kubeadm.k8s.io/') && kind === 'ClusterConfiguration',
    read: (value) => ({ cluster: textField(value, 'clusterName'), about: 'own', parts: kubeadmFlags(value, []) }),
  },
  {
    is: (version, kind) => version.startsWith('kops.k8s.io/') && kind === 'Cluster',
    read: (value) => ({ cluster: nameOf(value), about: 'own', parts: kopsFlags(value) }),
  },
  {
    is: (version, kind) => version.startsWith('eksctl.io/') && kind === 'ClusterConfig',
    read: (value) => ({ cluster: nameOf(value), about: 'own', parts: eksctlFlags(value) }),
  },
  {
    is: (version, kind) => version === 'config.openshift.io/v1' && kind === 'Network',
    read: (value) => ({
      cluster: '',
      about: 'own',
      parts: [
        ...listFlag(value, 'service-cluster-ip-range', ['spec', 'serviceNetwork']),
        ...textFlag(value, 'service-node-port-range', ['spec', 'serviceNodePortRange']),
      ],
    }),
  },
  {
    is: (version, kind) => version.startsWith('kind.x-k8s.io/') && kind === 'Cluster',
    read: (value) => ({ cluster: textField(value, 'name') || 'kind', about: 'named', parts: kindFlags(value) }),
  },
  {
    is: (version, kind) => version.startsWith('cluster.x-k8s.io/') && kind === 'Cluster',
    read: (value) => ({
      cluster: nameOf(value),
      about: 'named',
      parts: listFlag(value, 'service-cluster-ip-range', ['spec', 'clusterNetwork', 'services', 'cidrBlocks']),
    }),
  },
  {
    is: (version, kind) => version.startsWith(CONTROL_PLANE) && kind === 'KubeadmControlPlane',
    read: (value) => {
      const path = ['spec', 'kubeadmConfigSpec', 'clusterConfiguration'];
      return { ...ofControlPlane(value), parts: kubeadmFlags(objectOrEmpty(valueAt(value, path)), path) };
    },
  },
  {
    is: (version, kind) => version.startsWith(CONTROL_PLANE) && kind === 'RKE2ControlPlane',
    read: (value) => ({
      ...ofControlPlane(value),
      parts: argumentFlags(value, ['spec', 'serverConfig', 'kubeAPIServer', 'extraArgs']),
    }),
  },
  {
    is: (version, kind) => version === 'v1alpha1' && (kind === 'KubeAPIServerConfig' || kind === 'KubeNetworkConfig'),
    read: (value) => ({ cluster: '', about: 'part', parts: talosFlags(value) }),
  },
];

/** Documents without `apiVersion` and `kind`: the configurations of Talos, of talhelper, of K3s and of RKE2. */
function untypedForm(value: JsonObject): Pick<Form, 'read'> | undefined {
  if (value.has('talosVersion') && value.has('nodes')) return { read: talhelperServer };
  if (isJsonObject(value.get('cluster')) || isJsonObject(value.get('machine'))) return { read: talosServer };
  if (value.has('kube-apiserver-arg') || value.has('service-cidr') || value.has('service-node-port-range')) {
    return { read: distributionServer };
  }
  return undefined;
}

/** `config.yaml` of K3s and RKE2 (`pkg/cli/cmds/server.go`). */
function distributionServer(value: JsonObject): DeclaredServer {
  const parts = [
    ...listFlag(value, 'service-cluster-ip-range', ['service-cidr']),
    ...textFlag(value, 'service-node-port-range', ['service-node-port-range']),
    ...argumentFlags(value, ['kube-apiserver-arg']),
  ];
  return { cluster: '', about: 'own', parts };
}

/** The machine configuration of a control plane names its cluster; patches do not. */
function talosServer(value: JsonObject): DeclaredServer {
  const type = valueAt(value, ['machine', 'type']);
  const isWhole = type === 'controlplane' || type === 'init';
  const cluster = valueAt(value, ['cluster', 'clusterName']);
  return {
    cluster: isWhole && typeof cluster === 'string' ? cluster : '',
    about: isWhole ? 'own' : 'part',
    parts: talosFlags(value),
  };
}

function talosFlags(value: JsonObject): readonly DeclaredFlag[] {
  return [
    ...mapFlags(value, ['cluster', 'apiServer', 'extraArgs']),
    ...listFlag(value, 'service-cluster-ip-range', ['cluster', 'network', 'serviceSubnets']),
    // Documents of their own since Talos 1.14.
    ...(value.get('kind') === 'KubeAPIServerConfig' ? mapFlags(value, ['extraArgs']) : []),
    ...(value.get('kind') === 'KubeNetworkConfig'
      ? listFlag(value, 'service-cluster-ip-range', ['serviceSubnets'])
      : []),
  ];
}

/** talhelper applies the patches of all nodes before those of the control plane (`pkg/generate/config.go`). */
function talhelperServer(value: JsonObject): DeclaredServer {
  const lists: FieldPath[] = [['patches'], ['controlPlane', 'patches'], ['controlPlane', 'configPatches']];
  for (const [index, node] of objectItems(value.get('nodes')).entries()) {
    if (node.get('controlPlane') !== true) continue;
    lists.push(['nodes', index, 'patches'], ['nodes', index, 'configPatches']);
  }
  const patches = lists.flatMap((path) => {
    const items = valueAt(value, path);
    return isJsonArray(items) ? items.flatMap((item, index) => talosPatch(item, [...path, index])) : [];
  });
  const ranges = listFlag(value, 'service-cluster-ip-range', ['clusterSvcNets']);
  return { cluster: textField(value, 'clusterName'), about: 'own', parts: [...ranges, ...patches] };
}

/** `@file`, a patch as text, or an operation of a JSON patch. */
function talosPatch(item: JsonValue, path: FieldPath): readonly ServerPart[] {
  if (typeof item !== 'string') return operationFlags([item], path);
  if (item.startsWith('@')) return [{ file: item.slice(1), path }];
  return documentsIn(item).flatMap((document) =>
    isJsonArray(document) ? operationFlags(document, path) : inText(talosFlags(objectOrEmpty(document)), path),
  );
}

/** A JSON patch sets flags of the server; their values count as unknown. */
function operationFlags(operations: readonly JsonValue[], path: FieldPath): readonly DeclaredFlag[] {
  return operations.flatMap((operation) => {
    const target = textField(objectOrEmpty(operation), 'path');
    const isServer =
      '/cluster/apiServer/extraArgs'.startsWith(target) || target.startsWith('/cluster/apiServer/extraArgs/');
    const isNetwork =
      '/cluster/network/serviceSubnets'.startsWith(target) || target.startsWith('/cluster/network/serviceSubnets/');
    if (target === '' || !(isServer || isNetwork)) return [];
    const flags = isServer ? [...FLAGS] : ['service-cluster-ip-range'];
    return flags.map((flag) => ({ flag, value: undefined, path }));
  });
}

function kubeadmFlags(value: JsonObject, above: FieldPath): readonly DeclaredFlag[] {
  const args = valueAt(value, ['apiServer', 'extraArgs']);
  const path = ['apiServer', 'extraArgs'];
  // A list since v1beta4.
  const flags = isJsonArray(args)
    ? joined(
        objectItems(args).map((each, index) => ({
          flag: textField(each, 'name'),
          value: textOf(each.get('value')),
          path: [...path, index],
        })),
      )
    : mapFlags(value, path);
  return below([...textFlag(value, 'service-cluster-ip-range', ['networking', 'serviceSubnet']), ...flags], above);
}

function kopsFlags(value: JsonObject): readonly DeclaredFlag[] {
  const server: FieldPath = ['spec', 'kubeAPIServer'];
  return [
    ...textFlag(value, 'service-cluster-ip-range', ['spec', 'serviceClusterIPRange']),
    ...gatesFlag(value, [...server, 'featureGates']),
    ...textFlag(value, 'service-node-port-range', [...server, 'serviceNodePortRange']),
    ...textFlag(value, 'allow-privileged', [...server, 'allowPrivileged']),
    ...listFlag(value, 'disable-admission-plugins', [...server, 'disableAdmissionPlugins']),
  ];
}

function eksctlFlags(value: JsonObject): readonly DeclaredFlag[] {
  const path = ['kubernetesNetworkConfig', 'ipFamily'];
  const family = valueAt(value, path);
  const families = family === 'IPv6' || family === 'IPv4' ? [{ flag: IP_FAMILIES, value: family, path }] : [];
  return [...textFlag(value, 'service-cluster-ip-range', ['kubernetesNetworkConfig', 'serviceIPv4CIDR']), ...families];
}

const KIND_FAMILIES: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['ipv4', 'IPv4'],
  ['ipv6', 'IPv6'],
  ['dual', 'IPv4,IPv6'],
]);

function kindFlags(value: JsonObject): readonly DeclaredFlag[] {
  const path = ['networking', 'ipFamily'];
  const family = KIND_FAMILIES.get(valueAt(value, path));
  const lists: FieldPath[] = [['kubeadmConfigPatches']];
  for (const index of objectItems(value.get('nodes')).keys()) lists.push(['nodes', index, 'kubeadmConfigPatches']);
  const patches = lists.flatMap((list) =>
    textItems(valueAt(value, list)).flatMap((text, index) =>
      documentsIn(text).flatMap((document) => {
        const patch = objectOrEmpty(document);
        const isServer = patch.get('kind') === 'ClusterConfiguration';
        return isServer ? inText(kubeadmFlags(patch, []), [...list, index]) : [];
      }),
    ),
  );
  return [
    ...(family === undefined ? [] : [{ flag: IP_FAMILIES, value: family, path }]),
    ...textFlag(value, 'service-cluster-ip-range', ['networking', 'serviceSubnet']),
    ...gatesFlag(value, ['featureGates']),
    ...patches,
  ];
}

function ofControlPlane(value: JsonObject): Omit<DeclaredServer, 'parts'> {
  const labels = objectOrEmpty(valueAt(value, ['metadata', 'labels']));
  return { cluster: textField(labels, 'cluster.x-k8s.io/cluster-name') || nameOf(value), about: 'named' };
}

function nameOf(value: JsonObject): string {
  return textField(objectOrEmpty(value.get('metadata')), 'name');
}

/** A mapping from flags to values. A list repeats its flag. */
function mapFlags(value: JsonObject, path: FieldPath): readonly DeclaredFlag[] {
  const args = [...objectOrEmpty(valueAt(value, path))];
  return joined(
    args.flatMap(([flag, written]) =>
      (isJsonArray(written) ? written : [written]).map((each) => ({
        flag,
        value: textOf(each),
        path: [...path, flag],
      })),
    ),
  );
}

/** A list of `flag=value`. */
function argumentFlags(value: JsonObject, path: FieldPath): readonly DeclaredFlag[] {
  const args = valueAt(value, path);
  const texts = typeof args === 'string' ? [args] : textItems(args);
  return joined(
    texts.map((text, index) => {
      const [, flag = '', written = 'true'] = /^(?:--)?([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
      return { flag, value: written, path: typeof args === 'string' ? path : [...path, index] };
    }),
  );
}

function textFlag(value: JsonObject, flag: string, path: FieldPath): readonly DeclaredFlag[] {
  const written = valueAt(value, path);
  return written === undefined || written === null || written === ''
    ? []
    : joined([{ flag, value: textOf(written), path }]);
}

function listFlag(value: JsonObject, flag: string, path: FieldPath): readonly DeclaredFlag[] {
  const written = valueAt(value, path);
  if (!isJsonArray(written)) return textFlag(value, flag, path);
  return written.length === 0 ? [] : joined([{ flag, value: textItems(written).join(','), path }]);
}

/** A mapping from feature gates to booleans. */
function gatesFlag(value: JsonObject, path: FieldPath): readonly DeclaredFlag[] {
  const gates = objectField(objectOrEmpty(valueAt(value, path.slice(0, -1))), String(path.at(-1)));
  const named = [...(gates ?? [])];
  if (named.length === 0) return [];
  return joined([{ flag: 'feature-gates', value: named.map(([gate, on]) => `${gate}=${textOf(on)}`).join(','), path }]);
}

/** One entry for each flag that is read. */
function joined(flags: readonly DeclaredFlag[]): readonly DeclaredFlag[] {
  const found = new Map<string, DeclaredFlag>();
  for (const each of flags) {
    if (!FLAGS.has(each.flag)) continue;
    const before = found.get(each.flag);
    const isAdded = before !== undefined && ADDED.has(each.flag);
    const isUnknown = each.value === undefined || (isAdded && before.value === undefined);
    const value = isUnknown ? undefined : isAdded ? `${before.value},${each.value}` : each.value;
    found.set(each.flag, { ...each, value: value !== undefined && isOpen(value) ? undefined : value });
  }
  return [...found.values()];
}

/** True for text that a template, a variable or encryption fills in. */
function isOpen(text: string): boolean {
  return /\$[({]|\{\{|\{%|ENC\[|<[A-Za-z]/.test(text);
}

/** Flags that the text of a field sets. */
function inText(flags: readonly DeclaredFlag[], path: FieldPath): readonly DeclaredFlag[] {
  return flags.map((each) => ({ ...each, path }));
}

function below(flags: readonly DeclaredFlag[], path: FieldPath): readonly DeclaredFlag[] {
  return flags.map((each) => ({ ...each, path: [...path, ...each.path] }));
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : undefined;
}

function documentsIn(text: string): readonly JsonValue[] {
  return readManifests(new SourceFile('patch.yaml', text)).manifests.map(({ value }) => value);
}

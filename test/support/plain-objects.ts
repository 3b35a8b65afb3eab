// Valid objects of the kinds that the plain check knows, with most of the fields that it knows.
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import type { JsonObject } from '../../src/source/json/json.ts';
import { textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { PLAIN_VARIANTS } from './plain-variants.ts';

const LABELS = { 'app.kubernetes.io/name': 'web' };
const META = { name: 'web', namespace: 'shop', labels: LABELS, annotations: { 'example.com/owner': 'team web' } };
const OF_CLUSTER = { name: 'web', labels: LABELS };
const selector = { matchLabels: LABELS };

const POD = {
  serviceAccountName: 'web',
  automountServiceAccountToken: false,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  securityContext: {
    runAsUser: 1000,
    runAsNonRoot: true,
    fsGroup: 2000,
    fsGroupChangePolicy: 'OnRootMismatch',
    supplementalGroups: [3000],
    seccompProfile: { type: 'RuntimeDefault' },
  },
  imagePullSecrets: [{ name: 'registry' }],
  priorityClassName: 'high',
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['db.example.com'] }],
  dnsConfig: { nameservers: ['10.0.0.10'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] },
  terminationGracePeriodSeconds: 60,
  tolerations: [
    { key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
      minDomains: 2,
    },
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: selector,
    },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] }] },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: selector, topologyKey: 'kubernetes.io/hostname' },
      ],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: { labelSelector: selector, namespaces: ['shop'], topologyKey: 'zone' } },
      ],
    },
  },
  initContainers: [
    {
      name: 'migrate',
      image: 'example.com/migrate:1',
      command: ['migrate'],
      volumeMounts: [{ name: 'cache', mountPath: '/c' }],
    },
    {
      name: 'proxy',
      image: 'example.com/proxy:1',
      restartPolicy: 'Always',
      ports: [{ name: 'admin', containerPort: 9000 }],
    },
  ],
  containers: [
    {
      name: 'web',
      image: 'example.com/web:1',
      args: ['--port=8080'],
      ports: [
        { name: 'http', containerPort: 8080 },
        { name: 'dns', containerPort: 53, protocol: 'UDP', hostPort: 5353 },
      ],
      env: [
        { name: 'MODE', value: 'production' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        { name: 'TEAM', valueFrom: { fieldRef: { fieldPath: "metadata.labels['team']" } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
        { name: 'KEY', valueFrom: { secretKeyRef: { name: 'web', key: 'key.txt', optional: true } } },
        { name: 'URL', valueFrom: { configMapKeyRef: { name: 'web', key: 'url' } } },
      ],
      envFrom: [{ prefix: 'WEB_', configMapRef: { name: 'web' } }, { secretRef: { name: 'web' } }],
      resources: {
        requests: { cpu: '100m', memory: '128Mi' },
        limits: { cpu: '0.5', memory: '1.5Gi', 'example.com/gpu': 1 },
      },
      volumeMounts: [
        { name: 'cache', mountPath: '/cache', subPath: 'web', readOnly: true },
        { name: 'settings', mountPath: '/etc/web', mountPropagation: 'HostToContainer' },
        { name: 'all', mountPath: '/all', subPathExpr: '$(NODE)/x' },
      ],
      livenessProbe: {
        httpGet: { path: '/live', port: 'http', httpHeaders: [{ name: 'X-Probe', value: '1' }] },
        periodSeconds: 5,
      },
      readinessProbe: { tcpSocket: { port: 8080 }, successThreshold: 2 },
      startupProbe: { grpc: { port: 8080 }, failureThreshold: 30, terminationGracePeriodSeconds: 10 },
      lifecycle: { preStop: { exec: { command: ['sleep', '5'] } }, postStart: { httpGet: { path: '/', port: 8080 } } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsGroup: 1000,
        capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
        appArmorProfile: { type: 'RuntimeDefault' },
        seLinuxOptions: { level: 's0' },
      },
    },
    {
      name: 'agent',
      image: 'example.com/agent:1',
      securityContext: { privileged: true },
      volumeMounts: [{ name: 'host', mountPath: '/h', mountPropagation: 'Bidirectional' }],
    },
  ],
  volumes: [
    { name: 'cache', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
    { name: 'host', hostPath: { path: '/var/log', type: 'Directory' } },
    {
      name: 'settings',
      configMap: {
        name: 'web',
        items: [
          { key: 'a', path: 'a/b' },
          { key: 'c', path: 'a/c', mode: 420 },
        ],
        defaultMode: 420,
      },
    },
    { name: 'keys', secret: { secretName: 'web', optional: true } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'web' } },
    { name: 'share', nfs: { server: 'nfs.example.com', path: '/data' } },
    { name: 'driver', csi: { driver: 'secrets.example.com', readOnly: true, volumeAttributes: { class: 'web' } } },
    {
      name: 'all',
      projected: {
        sources: [
          { configMap: { name: 'ca', items: [{ key: 'ca', path: 'ca.crt' }] } },
          { secret: { name: 'tls', items: [{ key: 'key', path: 'tls/key' }] } },
          { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { serviceAccountToken: { path: 'token', audience: 'web', expirationSeconds: 3600 } },
        ],
      },
    },
    {
      name: 'info',
      downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'web', resource: 'limits.cpu' } }] },
    },
  ],
};

const SMALL = {
  containers: [{ name: 'web', image: 'example.com/web:1', ports: [{ name: 'http', containerPort: 80 }] }],
};
const once = { ...SMALL, restartPolicy: 'OnFailure' };
const metadata = { labels: LABELS };
const claim = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'fast',
  resources: { requests: { storage: '10Gi' } },
};
const backend = { service: { name: 'web', port: { name: 'http' } } };
const GROUP = 'rbac.authorization.k8s.io';

const MANIFESTS: readonly object[] = [
  { apiVersion: 'v1', kind: 'Pod', metadata: META, spec: POD },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: META,
    spec: { ...SMALL, hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: META,
    spec: {
      replicas: 2,
      selector,
      template: { metadata, spec: POD },
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: META,
    spec: { selector, template: { metadata, spec: SMALL }, strategy: { type: 'Recreate' } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: META,
    spec: {
      serviceName: 'web',
      selector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: ['web', 'api'] }] },
      podManagementPolicy: 'Parallel',
      template: {
        metadata,
        spec: { containers: [{ ...SMALL.containers[0], volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
      },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: META,
    spec: {
      selector,
      template: { metadata, spec: SMALL },
      updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } },
    },
  },
  { apiVersion: 'batch/v1', kind: 'Job', metadata: META, spec: { backoffLimit: 2, template: { spec: once } } },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: META,
    spec: {
      schedule: '*/5 1-3,7 * 1 0',
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      jobTemplate: { metadata, spec: { template: { spec: once } } },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: META, data: { 'a.txt': 'text', b: '' }, binaryData: { c: 'AQID' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: META, data: { key: 'c2VjcmV0' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: META, type: 'kubernetes.io/basic-auth', data: { username: 'YQ==' } },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: META,
    type: 'kubernetes.io/ssh-auth',
    data: { 'ssh-privatekey': 'YQ==' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: META,
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': 'eyJhdXRocyI6e319' },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: META,
    secrets: [{ name: 'web' }],
    imagePullSecrets: [{ name: 'registry' }],
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: OF_CLUSTER },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: META,
    spec: {
      selector: LABELS,
      ports: [
        { name: 'http', port: 80, targetPort: 'http', appProtocol: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: META,
    spec: { clusterIP: 'None', publishNotReadyAddresses: true, ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: META,
    spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: META,
    spec: { type: 'NodePort', sessionAffinity: 'ClientIP', ports: [{ port: 80, nodePort: 30080 }] },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: META, spec: { type: 'ExternalName', externalName: 'db.example.com' } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: META,
    spec: {
      ingressClassName: 'nginx',
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      tls: [{ hosts: ['*.example.com'], secretName: 'tls' }],
      rules: [
        {
          host: 'web.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend },
              { path: '/a', pathType: 'ImplementationSpecific', backend },
            ],
          },
        },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: META,
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: {}, namespaceSelector: selector }], ports: [{ port: 8080, endPort: 8090 }] }],
      egress: [
        {
          to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
          ports: [{ protocol: 'UDP', port: 'dns' }],
        },
      ],
    },
  },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: META, spec: { selector, minAvailable: '50%' } },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: META,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        { type: 'Pods', pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '10' } } },
        { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '5' } } },
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'memory',
            container: 'web',
            target: { type: 'AverageValue', averageValue: '1Gi' },
          },
        },
      ],
      behavior: {
        scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      },
    },
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'Role',
    metadata: META,
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['web'] }],
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: OF_CLUSTER,
    rules: [
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
    ],
    aggregationRule: { clusterRoleSelectors: [selector] },
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: META,
    roleRef: { apiGroup: GROUP, kind: 'Role', name: 'web' },
    subjects: [
      { kind: 'ServiceAccount', name: 'web' },
      { kind: 'User', name: 'jane', apiGroup: GROUP },
    ],
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: OF_CLUSTER,
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'web' },
    subjects: [
      { kind: 'ServiceAccount', name: 'web', namespace: 'shop' },
      { kind: 'Group', name: 'team', apiGroup: GROUP },
    ],
  },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: META, spec: claim },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: OF_CLUSTER,
    provisioner: 'csi.example.com',
    parameters: { type: 'ssd' },
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: OF_CLUSTER, value: 1000, description: 'web' },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: META,
    spec: {
      limits: [
        { type: 'Container', min: { cpu: '10m' }, default: { cpu: '1', memory: '1Gi' }, max: { cpu: '2' } },
        { type: 'PersistentVolumeClaim', max: { storage: '1Ti' } },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: META,
    spec: { hard: { 'requests.cpu': '1', 'limits.cpu': '2', pods: '10', 'count/deployments.apps': '5' } },
  },
];

/** As a server decodes, defaults and admits them. */
export function plainObjects(minor: number): readonly JsonObject[] {
  const objects = new AdmissionObjects({ major: 1, minor });
  return [...MANIFESTS, ...PLAIN_VARIANTS].map(
    (manifest) => requested(objects, jsonOf(JSON.stringify(manifest))) as JsonObject,
  );
}

function jsonOf(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!('value' in parsed) || !(parsed.value instanceof Map)) throw new Error('not a JSON object');
  return parsed.value as JsonObject;
}

/** Undefined if the kind is not built in, or the manifest cannot be decoded. */
export function requested(objects: AdmissionObjects, manifest: JsonObject): JsonObject | undefined {
  const [group = '', version] = /^(?:([^/]*)\/)?(.*)$/.exec(textField(manifest, 'apiVersion'))?.slice(1) ?? [];
  const gvk = { group, version: version ?? '', kind: textField(manifest, 'kind') };
  const converted = objects.convert(manifest, gvk, 'shop');
  return converted === undefined || 'error' in converted ? undefined : converted.requested;
}

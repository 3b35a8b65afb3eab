// Small valid objects with the fields that are seldom written, so that a random change of an object likely meets each of them.

const metadata = { name: 'web', namespace: 'shop' };
const LABELS = { 'app.kubernetes.io/name': 'web' };
const labelled = { labels: LABELS };
const selector = { matchLabels: LABELS };
const GROUP = 'rbac.authorization.k8s.io';

function podOf(spec: object, container: object = {}): object {
  return { ...spec, containers: [{ name: 'web', image: 'example.com/web:1', ...container }] };
}

const POD_SPECS: readonly object[] = [
  podOf(
    { hostname: 'web', subdomain: 'shop', setHostnameAsFQDN: true, nodeName: 'node-1', shareProcessNamespace: true },
    { workingDir: '/srv', stdin: true, stdinOnce: true, tty: true },
  ),
  podOf(
    { hostPID: true, hostIPC: true, hostNetwork: true, dnsPolicy: 'Default', schedulerName: 'batch' },
    { ports: [{ containerPort: 9100, hostPort: 9100 }], imagePullPolicy: 'Always' },
  ),
  podOf(
    {
      runtimeClassName: 'gvisor',
      enableServiceLinks: false,
      preemptionPolicy: 'Never',
      priority: 10,
      readinessGates: [{ conditionType: 'example.com/ready' }],
      automountServiceAccountToken: true,
    },
    { terminationMessagePath: '/dev/log', terminationMessagePolicy: 'FallbackToLogsOnError', command: ['web'] },
  ),
  podOf(
    {
      securityContext: {
        runAsGroup: 1000,
        seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
        appArmorProfile: { type: 'Unconfined' },
        seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/web.json' },
      },
    },
    {
      securityContext: {
        runAsUser: 0,
        runAsNonRoot: false,
        procMount: 'Default',
        seccompProfile: { type: 'RuntimeDefault' },
        privileged: true,
        allowPrivilegeEscalation: true,
      },
    },
  ),
  podOf(
    {},
    {
      livenessProbe: { exec: { command: ['true'] }, initialDelaySeconds: 3, timeoutSeconds: 2, failureThreshold: 4 },
      readinessProbe: { httpGet: { port: 80, host: '10.0.0.1', scheme: 'HTTPS' }, successThreshold: 1 },
      startupProbe: { tcpSocket: { port: 'http', host: 'web' }, successThreshold: 1, periodSeconds: 1 },
      lifecycle: { preStop: { tcpSocket: { port: 80 } } },
      ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
    },
  ),
  podOf(
    {
      initContainers: [
        {
          name: 'proxy',
          image: 'example.com/proxy:1',
          restartPolicy: 'Always',
          readinessProbe: { grpc: { port: 9000, service: 'health' } },
          lifecycle: { postStart: { exec: { command: ['true'] } } },
        },
        { name: 'migrate', image: 'example.com/migrate:1', args: ['up'], env: [{ name: 'A', value: 'b' }] },
      ],
    },
    { envFrom: [{ configMapRef: { name: 'web', optional: true } }, { prefix: 'B_', secretRef: { name: 'web' } }] },
  ),
  podOf(
    {},
    {
      env: [
        { name: 'NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        { name: 'OWNER', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['example.com/owner']" } } },
        { name: 'BYTES', valueFrom: { resourceFieldRef: { containerName: 'web', resource: 'requests.memory' } } },
        { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'web', key: 'k', optional: false } } },
      ],
      resources: {
        requests: { cpu: 1, memory: '1000', 'ephemeral-storage': '1Gi' },
        limits: { 'example.com/gpu': '2' },
      },
    },
  ),
  podOf({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: selector, namespaceSelector: {}, topologyKey: 'zone' },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 2,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Ignore',
      },
    ],
    tolerations: [{ operator: 'Exists' }],
    nodeSelector: { disk: 'ssd' },
  }),
  podOf(
    {
      volumes: [
        { name: 'cache', emptyDir: {} },
        { name: 'claim', persistentVolumeClaim: { claimName: 'web', readOnly: true } },
        { name: 'share', nfs: { server: 'nfs', path: '/', readOnly: true } },
        { name: 'keys', secret: { secretName: 'keys', defaultMode: 256, items: [{ key: 'a', path: 'a', mode: 256 }] } },
        { name: 'driver', csi: { driver: 'csi', fsType: 'ext4', nodePublishSecretRef: { name: 'csi' } } },
      ],
    },
    { volumeMounts: [{ name: 'cache', mountPath: '/cache', mountPropagation: 'None' }] },
  ),
  podOf({
    serviceAccountName: 'web',
    serviceAccount: 'web',
    volumes: [
      { name: 'settings', configMap: { name: 'web', optional: true } },
      {
        name: 'info',
        downwardAPI: {
          defaultMode: 420,
          items: [{ path: 'name', mode: 420, fieldRef: { fieldPath: 'metadata.name' } }],
        },
      },
      {
        name: 'all',
        projected: {
          defaultMode: 420,
          sources: [
            { configMap: { name: 'ca', optional: true } },
            { secret: { name: 'tls', optional: false } },
            { serviceAccountToken: { path: 'token' } },
          ],
        },
      },
    ],
  }),
];

const TEMPLATE = { metadata: labelled, spec: podOf({}) };
const once = { metadata: { annotations: { 'example.com/owner': 'web' } }, spec: podOf({ restartPolicy: 'Never' }) };
const reference = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' };

export const PLAIN_VARIANTS: readonly object[] = [
  ...POD_SPECS.map((spec) => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec })),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      selector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'Exists' }] },
      template: TEMPLATE,
      minReadySeconds: 5,
      progressDeadlineSeconds: 60,
      revisionHistoryLimit: 2,
      paused: true,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: 'web',
      selector,
      template: TEMPLATE,
      minReadySeconds: 5,
      revisionHistoryLimit: 2,
      ordinals: { start: 1 },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: { selector, template: TEMPLATE, updateStrategy: { type: 'OnDelete' }, replicas: 0 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata,
    spec: { selector, template: TEMPLATE, updateStrategy: { type: 'OnDelete' }, minReadySeconds: 5 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata,
    spec: { selector, template: TEMPLATE, updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: {
      template: once,
      parallelism: 2,
      completions: 4,
      activeDeadlineSeconds: 600,
      ttlSecondsAfterFinished: 60,
      suspend: true,
      manualSelector: false,
      podReplacementPolicy: 'Failed',
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: '@hourly',
      suspend: true,
      startingDeadlineSeconds: 30,
      successfulJobsHistoryLimit: 0,
      jobTemplate: { spec: { template: once, backoffLimit: 0, completionMode: 'NonIndexed' } },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, immutable: true, data: { a: 'b' }, binaryData: { c: 'AQ==' } },
  { apiVersion: 'v1', kind: 'Secret', metadata, immutable: true, type: 'example.com/key', data: { key: 'YQ==' } },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': 'web' } },
    type: 'kubernetes.io/service-account-token',
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Local',
      selector: LABELS,
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      ports: [
        { name: 'http', port: 80, targetPort: 8080, nodePort: 30080 },
        { name: 'https', port: 443, protocol: 'TCP', nodePort: 30443 },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata, annotations: { 'kubernetes.io/ingress.class': 'nginx' } },
    spec: {
      ingressClassName: 'nginx',
      rules: [
        {
          host: '*.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Exact', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: {},
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '192.168.0.0/16'] } }] }],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { selector, maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: {
      scaleTargetRef: reference,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: reference,
            metric: { name: 'requests' },
            target: { type: 'AverageValue', averageValue: '2' },
          },
        },
        {
          type: 'External',
          external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: 1 } },
        },
      ],
      behavior: {
        scaleUp: { selectPolicy: 'Disabled', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: {
      scaleTargetRef: reference,
      minReplicas: 1,
      maxReplicas: 1,
      metrics: [
        {
          type: 'Object',
          object: { describedObject: reference, metric: { name: 'a' }, target: { type: 'Value', value: 2 } },
        },
      ],
    },
  },
  {
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'system:view' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'other' }],
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: {
      accessModes: ['ReadOnlyMany', 'ReadWriteMany'],
      volumeMode: 'Block',
      volumeName: 'disk-1',
      selector,
      resources: { requests: { storage: '1Ti' } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { accessModes: ['ReadWriteOncePod'], storageClassName: '', resources: { requests: { storage: 1 } } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'web' },
    provisioner: 'csi.example.com',
    reclaimPolicy: 'Retain',
    mountOptions: ['debug'],
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'web' },
    value: -5,
    globalDefault: true,
    preemptionPolicy: 'Never',
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata,
    spec: {
      limits: [
        { type: 'Pod', min: { memory: '1Mi' }, max: { memory: '2Gi', 'ephemeral-storage': '1Gi' } },
        { type: 'Container', defaultRequest: { cpu: '100m' }, default: { cpu: '100m' } },
      ],
    },
  },
];

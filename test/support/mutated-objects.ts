// Objects of many kinds, and typical edits by mutating policies, as input for a property test.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { readYaml } from '../../src/source/yaml/yaml-to-json.ts';
import { manifest } from './typed-object.ts';

const CONTAINERS = `
  - {name: a, image: nginx, ports: [{containerPort: 80}, {containerPort: 443, hostPort: 443, name: tls}], resources: {limits: {cpu: 1000m, memory: 1.5Gi}}}
  - {name: b, image: "nginx:1.27", env: [{name: E, value: "1"}, {name: F, valueFrom: {fieldRef: {fieldPath: metadata.name}}}], livenessProbe: {httpGet: {port: http}}}
  - {name: c, image: "x@sha256:0", volumeMounts: [{name: v, mountPath: /v}]}`;
const POD_SPEC = `
containers: ${CONTAINERS.replace(/\n/g, '\n')}
initContainers: [{name: i, image: i, restartPolicy: Always, resources: {limits: {cpu: "2"}}}]
volumes: [{name: v}, {name: w, secret: {secretName: s}}, {name: x, image: {reference: "y:latest"}}]
serviceAccountName: web
terminationGracePeriodSeconds: 5`;
const indented = (text: string, by: number): string => text.replace(/\n/g, `\n${' '.repeat(by)}`);
const TEMPLATE = `
metadata: {labels: {app: web, tier: front}, annotations: {a: "1"}}
spec: ${indented(POD_SPEC, 2)}`;

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: ${indented(POD_SPEC, 2)}`;

const workload = (apiVersion: string, kind: string, spec: string): string => `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: web, annotations: {a: "1"}}
spec:
  ${indented(spec, 2)}`;
const template = `template: ${indented(TEMPLATE, 2)}`;
const selected = `selector: {matchLabels: {app: web}}\n${template}`;

const DATABASES = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: databases, kind: Database}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              engine: {type: string, default: postgres}
              replicas: {type: integer}
              users:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, role: {type: string, default: reader}}}
              anything: {type: object, x-kubernetes-preserve-unknown-fields: true}`;

/** Definition of the only custom kind in the list. */
export const CUSTOM_DEFINITION: JsonObject = manifest(DATABASES);

export interface MutatedKind {
  readonly object: JsonObject;
  /** Path of the Pod's metadata and spec. */
  readonly pod: string | undefined;
  /** `path=value` sets a field, `path` alone removes it; `POD` stands for `pod`. */
  readonly edits: readonly string[];
  /** Apply configurations, in YAML. */
  readonly applied: readonly string[];
}

const METADATA_EDITS: readonly string[] = [
  ...['/metadata/labels', '/metadata/labels={a: b}', '/metadata/labels/app=api', '/metadata/labels/new=yes1'],
  ...[
    '/metadata/annotations',
    '/metadata/annotations={}',
    '/metadata/annotations/a="2"',
    '/metadata/annotations/b="3"',
  ],
  ...['/metadata/annotations/autoscaling.alpha.kubernetes.io~1metrics="[{}]"'],
  ...['/metadata/annotations/deprecated.daemonset.template.generation="+7"', '/metadata/finalizers=[x]'],
  ...['/metadata/annotations/deprecated.deployment.rollback.rollbackTo=""'],
];
const POD_EDITS: readonly string[] = [
  ...['POD/spec/hostNetwork=true', 'POD/spec/hostNetwork=false', 'POD/spec/hostNetwork', 'POD/spec/nodeName=host'],
  ...['POD/spec/containers/0', 'POD/spec/containers/1', 'POD/spec/containers/0={name: z, image: z}'],
  ...[
    'POD/spec/containers/-={name: new, image: new, ports: [{containerPort: 9090}], resources: {limits: {cpu: 1500u}}}',
  ],
  ...[
    'POD/spec/containers/0/ports/0',
    'POD/spec/containers/0/ports/0={containerPort: 8080}',
    'POD/spec/containers/0/ports',
  ],
  ...['POD/spec/containers/0/ports/-={containerPort: 53, protocol: UDP}', 'POD/spec/containers/0/ports/0/hostPort'],
  ...[
    'POD/spec/containers/0/ports/0/containerPort=0',
    'POD/spec/containers/0/resources={}',
    'POD/spec/containers/0/resources',
  ],
  ...['POD/spec/containers/0/resources/limits/memory=2500m', 'POD/spec/containers/0/resources/requests={cpu: 0.1}'],
  ...[
    'POD/spec/containers/0/resources/requests',
    'POD/spec/containers/1/image=m',
    'POD/spec/containers/1/imagePullPolicy',
  ],
  ...[
    'POD/spec/containers/1/env/0',
    'POD/spec/containers/1/env/-={name: G, value: g}',
    'POD/spec/containers/1/env/0/value=1',
  ],
  ...[
    'POD/spec/containers/1/livenessProbe={tcpSocket: {port: 1}}',
    'POD/spec/containers/1/livenessProbe/periodSeconds=0',
  ],
  ...[
    'POD/spec/initContainers',
    'POD/spec/initContainers/0/restartPolicy',
    'POD/spec/initContainers/-={name: j, image: j}',
  ],
  ...[
    'POD/spec/volumes/0',
    'POD/spec/volumes/0={name: e}',
    'POD/spec/volumes/1/secret/defaultMode=0',
    'POD/spec/volumes/1/secret',
  ],
  ...[
    'POD/spec/volumes/2/image/pullPolicy',
    'POD/spec/volumes/0/emptyDir',
    'POD/spec/volumes/-={name: g, configMap: {name: c}}',
  ],
  ...[
    'POD/spec/serviceAccountName=api',
    'POD/spec/serviceAccountName',
    'POD/spec/serviceAccount=old',
    'POD/spec/serviceAccount',
  ],
  ...[
    'POD/spec/terminationGracePeriodSeconds=-3',
    'POD/spec/securityContext',
    'POD/spec/securityContext={runAsUser: 1}',
  ],
  ...[
    'POD/spec/resources={limits: {cpu: "3", hugepages-2Mi: 4Mi}}',
    'POD/spec/resources={requests: {cpu: "1"}}',
    'POD/spec/resources',
  ],
  ...[
    'POD/spec/tolerations=[{key: k, operator: Exists}]',
    'POD/spec/dnsPolicy',
    'POD/metadata/labels={b: c}',
    'POD/metadata/labels',
  ],
  ...[
    'POD/metadata/labels/app=api',
    'POD/metadata/annotations',
    'POD/metadata/annotations/pod.beta.kubernetes.io~1init-containers=x',
  ],
  ...[
    'POD/spec/unknown=1',
    'POD/spec/containers/0/image=1',
    'POD/spec/containers=null',
    'POD/metadata=null',
    'POD/spec=null',
  ],
];
const POD_APPLIED: readonly string[] = [
  '{containers: [{name: a, env: [{name: NEW, value: new}]}, {name: b, env: [{name: E, value: "9"}]}, {name: c, image: d}]}',
  '{containers: [{name: c, resources: {limits: {cpu: 2.5, memory: 1Gi}}}, {name: a, ports: [{containerPort: 80, protocol: TCP, hostPort: 8}]}]}',
  '{initContainers: [{name: proxy, image: proxy, restartPolicy: Always}], volumes: [{name: t, emptyDir: {}}]}',
  '{hostNetwork: true, terminationGracePeriodSeconds: 7.0, securityContext: {runAsNonRoot: true, fsGroup: 3}}',
  '{containers: [{name: a, securityContext: {runAsUser: 1.5}}]}',
  '{containers: [{name: a, livenessProbe: {periodSeconds: 4294967296}}], serviceAccountName: api, enableServiceLinks: false}',
  '{hostNetwork: false, resources: {limits: {cpu: "4"}}}',
];
const APPLIED: readonly string[] = [
  '{metadata: {labels: {new: "1"}}}',
  '{metadata: {annotations: {new: "1"}, labels: {app: api}}}',
  '{metadata: {finalizers: [one/two]}}',
];

const kind = (
  text: string,
  pod: string | undefined,
  edits: readonly string[] = [],
  applied: readonly string[] = [],
): MutatedKind => ({
  object: manifest(text),
  pod,
  edits: [...METADATA_EDITS, ...(pod === undefined ? [] : POD_EDITS), ...edits],
  applied: [...APPLIED, ...applied],
});

const REPLICAS: readonly string[] = ['/spec/replicas', '/spec/replicas=0', '/spec/replicas=7', '/spec/replicas=null'];

export const MUTATED_KINDS: readonly MutatedKind[] = [
  kind(POD, ''),
  kind(workload('apps/v1', 'Deployment', `replicas: 2\n${selected}`), '/spec/template', [
    ...REPLICAS,
    ...['/spec/strategy={type: Recreate}', '/spec/strategy={}', '/spec/strategy', '/spec/strategy/type=Recreate'],
    ...['/spec/strategy/rollingUpdate', '/spec/strategy/rollingUpdate/maxSurge=2', '/spec/strategy/type=RollingUpdate'],
    ...['/spec/progressDeadlineSeconds', '/spec/revisionHistoryLimit=0'],
  ]),
  kind(workload('apps/v1', 'DaemonSet', `updateStrategy: {type: OnDelete}\n${selected}`), '/spec/template', [
    ...['/spec/updateStrategy', '/spec/updateStrategy/type=RollingUpdate', '/spec/updateStrategy/type=OnDelete'],
    ...['/spec/updateStrategy/rollingUpdate={}', '/spec/updateStrategy/rollingUpdate={maxSurge: 1}'],
  ]),
  kind(
    workload(
      'apps/v1',
      'StatefulSet',
      `serviceName: web\nupdateStrategy: {type: OnDelete, rollingUpdate: {}}\nvolumeClaimTemplates: [{metadata: {name: v}, spec: {resources: {requests: {storage: 1.0005Gi}}}}, {metadata: {name: w}}]\n${selected}`,
    ),
    '/spec/template',
    [
      ...REPLICAS,
      ...['/spec/updateStrategy', '/spec/updateStrategy/type=RollingUpdate', '/spec/updateStrategy/type=OnDelete'],
      ...[
        '/spec/updateStrategy/rollingUpdate={}',
        '/spec/updateStrategy/rollingUpdate',
        '/spec/updateStrategy/type=""',
      ],
      ...[
        '/spec/volumeClaimTemplates/0',
        '/spec/volumeClaimTemplates/0/kind=Other',
        '/spec/volumeClaimTemplates/0/status',
      ],
      ...[
        '/spec/persistentVolumeClaimRetentionPolicy={whenDeleted: Delete}',
        '/spec/volumeClaimTemplates/-={metadata: {name: u}}',
      ],
    ],
  ),
  kind(workload('batch/v1', 'Job', template), '/spec/template', [
    ...[
      '/spec/parallelism',
      '/spec/parallelism=3',
      '/spec/completions',
      '/spec/backoffLimit',
      '/spec/backoffLimitPerIndex=2',
    ],
    ...[
      '/spec/podFailurePolicy={rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}',
      '/spec/podFailurePolicy',
    ],
    ...['/spec/podReplacementPolicy', '/spec/completionMode', '/spec/suspend'],
  ]),
  kind(
    workload('batch/v1', 'CronJob', `schedule: "* * * * *"\njobTemplate: {spec: ${JSON.stringify('x')}}`).replace(
      /jobTemplate:[^\n]*/,
      `jobTemplate:\n    spec:\n      ${indented(template, 6)}`,
    ),
    '/spec/jobTemplate/spec/template',
    [
      '/spec/suspend',
      '/spec/concurrencyPolicy=Forbid',
      '/spec/jobTemplate/metadata={labels: {a: b}}',
      '/spec/jobTemplate/spec/parallelism=1',
    ],
  ),
  kind(workload('v1', 'ReplicationController', template), '/spec/template', [
    ...REPLICAS,
    '/spec/selector',
    '/spec/selector={a: b}',
  ]),
  kind(
    workload(
      'v1',
      'Service',
      'type: LoadBalancer\nsessionAffinity: ClientIP\nports: [{name: a, port: 80}, {name: b, port: 81, targetPort: b}]',
    ),
    undefined,
    [
      ...[
        '/spec/type',
        '/spec/type=ClusterIP',
        '/spec/type=NodePort',
        '/spec/type=ExternalName',
        '/spec/type=LoadBalancer',
      ],
      ...[
        '/spec/sessionAffinity',
        '/spec/sessionAffinity=None',
        '/spec/sessionAffinity=ClientIP',
        '/spec/sessionAffinityConfig',
      ],
      ...[
        '/spec/sessionAffinityConfig={clientIP: {}}',
        '/spec/ports/0',
        '/spec/ports/0={name: c, port: 7}',
        '/spec/ports/0/targetPort',
      ],
      ...[
        '/spec/ports/0/targetPort=""',
        '/spec/ports/0/port=9',
        '/spec/ports/-={port: 5, protocol: UDP}',
        '/spec/externalIPs=[10.0.0.1]',
      ],
      ...[
        '/spec/externalTrafficPolicy',
        '/spec/internalTrafficPolicy',
        '/spec/allocateLoadBalancerNodePorts',
        '/spec/ports/0/protocol',
      ],
    ],
    ['{spec: {ports: [{port: 80, protocol: TCP, nodePort: 30000.0}], type: NodePort}}', '{spec: {selector: {a: b}}}'],
  ),
  kind(
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s, labels: {app: web}}\ndata: {a: YQ==, b: Yg}\nstringData: {b: bee}',
    undefined,
    [
      ...[
        '/stringData={a: new}',
        '/stringData={c: "ü"}',
        '/stringData={}',
        '/data',
        '/data/a',
        '/data/a=Yw==',
        '/data/a=" "',
      ],
      ...[
        '/data=null',
        '/type',
        '/type=kubernetes.io/tls',
        '/immutable=true',
        '/stringData={a: null}',
        '/data/a=[97, 98]',
      ],
    ],
    ['{stringData: {a: applied}}', '{data: {z: eg==}}', '{type: Opaque, immutable: false}'],
  ),
  kind(
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {app: web}}\ndata: {a: "1", b: "2"}\nbinaryData: {z: eg==}',
    undefined,
    [
      '/data/a',
      '/data/a="9"',
      '/data/a=1',
      '/data',
      '/data={}',
      '/binaryData/z=eQ==',
      '/binaryData',
      '/immutable=true',
      '/data/c="3"',
    ],
    ['{data: {a: applied, d: "4"}}', '{binaryData: {y: eQ==}}'],
  ),
  kind(
    workload(
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      'maxReplicas: 4\nscaleTargetRef: {kind: Deployment, name: web}\nbehavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 9}]}}\nmetrics: [{type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 1.0001}}}]',
    ),
    undefined,
    [
      ...[
        '/spec/metrics',
        '/spec/metrics=[]',
        '/spec/metrics/0',
        '/spec/minReplicas',
        '/spec/minReplicas=0',
        '/spec/behavior',
      ],
      ...[
        '/spec/behavior={}',
        '/spec/behavior/scaleUp',
        '/spec/behavior/scaleDown={}',
        '/spec/behavior/scaleDown/policies',
      ],
      ...[
        '/spec/behavior/scaleUp/policies/-={type: Percent, value: 5, periodSeconds: 3}',
        '/spec/behavior/scaleUp/selectPolicy',
      ],
    ],
    ['{spec: {minReplicas: 2.0}}', '{spec: {behavior: {scaleUp: {stabilizationWindowSeconds: 3}}}}'],
  ),
  kind(
    workload(
      'autoscaling/v1',
      'HorizontalPodAutoscaler',
      'maxReplicas: 4\nscaleTargetRef: {kind: Deployment, name: web}',
    ),
    undefined,
    ['/spec/targetCPUUtilizationPercentage', '/spec/targetCPUUtilizationPercentage=50', '/spec/minReplicas'],
    ['{spec: {maxReplicas: 9}}'],
  ),
  kind('apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {a: b}}', undefined, [
    ...[
      '/metadata/labels/kubernetes.io~1metadata.name',
      '/metadata/labels/kubernetes.io~1metadata.name=x',
      '/metadata/name=other',
    ],
  ]),
  kind(
    'apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: "2"}, min: {cpu: 10m, memory: 1.5}}, {type: Pod, max: {cpu: "4"}}]}',
    undefined,
    [
      ...['/spec/limits/0', '/spec/limits/0/default', '/spec/limits/0/max/memory=1Gi', '/spec/limits/1/type=Container'],
      ...['/spec/limits/0/defaultRequest', '/spec/limits/-={type: Container, defaultRequest: {cpu: 1500u}}'],
    ],
  ),
  kind(
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {selector: {matchLabels: {app: web, pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match: x}}}',
    undefined,
    [
      ...[
        '/spec/selector/matchLabels/pdb.kubernetes.io~1deprecated-v1beta1-empty-selector-match=y',
        '/spec/selector/matchLabels/app',
      ],
      ...['/spec/minAvailable=1', '/spec/selector'],
    ],
  ),
  kind(DATABASES, undefined, [
    ...[
      '/spec/names/kind=Store',
      '/spec/names/singular',
      '/spec/versions/0/storage=false',
      '/spec/conversion',
      '/status',
    ],
    ...[
      '/spec/versions/0/name=v2',
      '/spec/conversion={strategy: Webhook, webhook: {clientConfig: {service: {name: a, namespace: b}}}}',
    ],
    ...[
      '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/engine/default=1.0',
      '/spec/conversion/webhook/clientConfig',
    ],
    ...[
      '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/maximum=3',
      '/spec/versions/-={name: v9}',
    ],
  ]),
  kind(
    'apiVersion: shop.example/v1\nkind: Database\nmetadata: {name: d}\nspec: {replicas: 1, users: [{name: a}, {name: b, role: writer}], anything: {x: 1.0}}',
    undefined,
    [
      '/spec/engine',
      '/spec/replicas',
      '/spec/users/0',
      '/spec/users/-={name: c}',
      '/spec/users/1/role',
      '/spec/anything/y=2.0',
      '/kind',
    ],
    ['{spec: {users: [{name: b, role: owner}, {name: new}]}}', '{spec: {replicas: 3}}'],
  ),
];

/** Converts an edit to a JSON patch operation. */
export function editOf(
  text: string,
  pod: string | undefined,
): { readonly path: string; readonly value: JsonValue | undefined } {
  const at = text.indexOf('=');
  const path = (at < 0 ? text : text.slice(0, at)).replace('POD', pod ?? '');
  if (at < 0) return { path, value: undefined };
  const read = readYaml(text.slice(at + 1));
  if ('failure' in read) throw new Error(`no YAML: ${text}`);
  return { path, value: read.value };
}

/** Apply configurations of the kind; those of Pods are nested at the path of its Pods. */
export function configurationsOf({ applied, pod }: MutatedKind): readonly JsonObject[] {
  const inside = (text: string): string =>
    (pod as string)
      .split('/')
      .slice(1)
      .reduceRight((value, step) => `{${step}: ${value}}`, text);
  const ofPods = pod === undefined ? [] : POD_APPLIED.map((spec) => inside(`{spec: ${spec}}`));
  return [...applied, ...ofPods].map(manifest);
}

/** JSON pointers of all fields of an object, outer ones first. `form` is equal for all items of a list. */
export function pointersOf(object: JsonObject): readonly { readonly pointer: string; readonly form: string }[] {
  const found: { pointer: string; form: string }[] = [];
  const open: { pointer: string; form: string; value: JsonValue }[] = [{ pointer: '', form: '', value: object }];
  for (const { pointer, form, value } of open) {
    if (pointer !== '') found.push({ pointer, form });
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries())
        open.push({ pointer: `${pointer}/${index}`, form: `${form}/-`, value: item });
    } else if (isJsonObject(value)) {
      for (const [key, item] of value) {
        const step = `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        open.push({ pointer: pointer + step, form: form + step, value: item });
      }
    }
  }
  return found;
}

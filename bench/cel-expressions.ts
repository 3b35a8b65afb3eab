// The expressions of the CEL benchmark: five typical policy expressions, all true for this Deployment.

export type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

export const EXPRESSIONS: Readonly<Record<string, string>> = {
  a: 'object.spec.replicas <= 5',
  b: `object.spec.template.spec.containers.all(c,
        has(c.resources.limits) && has(c.resources.limits.memory) && has(c.resources.requests)
        && c.resources.requests.cpu != '' && c.imagePullPolicy == 'IfNotPresent')`,
  c: `object.spec.template.spec.containers.all(c,
        c.image.startsWith('registry.example.com/') && !c.image.endsWith(':latest')
        && c.image.matches('^[a-z0-9.-]+/[a-z0-9/-]+:v?[0-9.]+$'))`,
  d: `!has(object.spec.template.spec.hostNetwork) || object.spec.template.spec.hostNetwork == false
        ? 'app' in object.metadata.labels && object.metadata.labels['tier'] in ['web', 'api', 'batch'] : false`,
  e: `object.spec.template.spec.containers.exists(c, c.name == 'proxy')
        && object.spec.template.spec.containers.filter(c, c.name != 'proxy').size() > 1`,
};

function container(name: string, image: string): PlainJson {
  return {
    name,
    image: `registry.example.com/${image}`,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
  };
}

export const DEPLOYMENT: PlainJson = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop', namespace: 'shop', labels: { app: 'shop', tier: 'web', owner: 'checkout' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'shop' } },
    template: {
      metadata: { labels: { app: 'shop', tier: 'web' } },
      spec: {
        serviceAccountName: 'shop',
        containers: [
          container('server', 'shop/server:v1.24.3'),
          container('worker', 'shop/worker:v1.24.3'),
          container('proxy', 'mesh/proxy:1.29.0'),
        ],
      },
    },
  },
};

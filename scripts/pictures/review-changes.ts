// Changes of a small shop, one for each form of the review comment.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface ReviewChange {
  readonly name: string;
  /** Files of main, by path from the top of the repository. */
  readonly base: Readonly<Record<string, string>>;
  /** Files that the change writes. */
  readonly head: Readonly<Record<string, string>>;
  /** Options of `preadmit diff`. */
  readonly options?: readonly string[];
}

/** The change whose reports are golden files in all formats. */
const MUTATION = join(import.meta.dirname, '../../test/cases/mutation/what-it-means-for-a-change');

function textsIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

interface Workload {
  readonly replicas?: number;
  readonly image?: string;
  readonly namespace?: string;
  readonly limits?: boolean;
}

function deployment(
  name: string,
  {
    replicas = 3,
    image = `registry.shop.example/${name}:4.2.0`,
    namespace = 'shop-production',
    limits = true,
  }: Workload,
): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app: ${name}
    team: commerce
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: web
          image: ${image}
          resources:
            ${limits ? 'limits' : 'requests'}:
              memory: 256Mi
`;
}

function service(name: string, type: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop-production
  labels:
    app: ${name}
spec:
  type: ${type}
  selector:
    app: ${name}
  ports:
    - port: 80
      targetPort: 8080
`;
}

const NAMESPACE = `apiVersion: v1
kind: Namespace
metadata:
  name: shop-production
  labels:
    environment: production
`;

function limits(most: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: replica-limit-production
  namespace: platform
data:
  maxReplicas: "${most}"
`;
}

interface Rule {
  readonly resources: string;
  readonly validations: string;
  readonly action: string;
  /** Lines of the spec of the policy and of the binding. */
  readonly policy?: string;
  readonly binding?: string;
}

function policy(name: string, { resources, validations, action, policy: more = '', binding = '' }: Rule): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
${more}  matchConstraints:
    resourceRules:
      - apiGroups: ["*"]
        apiVersions: ["*"]
        operations: ["CREATE", "UPDATE"]
        resources: [${resources}]
  validations:
${validations}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
${binding}  policyName: ${name}
  validationActions: [${action}]
`;
}

const REPLICA_LIMIT = policy('replica-limit', {
  resources: 'deployments',
  action: 'Deny',
  policy: `  paramKind:
    apiVersion: v1
    kind: ConfigMap
  variables:
    - name: limit
      expression: int(params.data.maxReplicas)
`,
  validations: `    - expression: object.spec.replicas <= variables.limit
      messageExpression: >-
        'at most ' + string(variables.limit) + ' replicas are allowed here, not ' + string(object.spec.replicas)
`,
  binding: `  paramRef:
    name: replica-limit-production
    namespace: platform
    parameterNotFoundAction: Deny
`,
});

const CONTAINER_RULES = policy('container-rules', {
  resources: 'deployments',
  action: 'Deny',
  validations: `    - expression: |
        object.spec.template.spec.containers.all(c,
          has(c.resources.limits) &&
          'memory' in c.resources.limits
        )
      message: every container needs a memory limit
    - expression: object.spec.template.spec.containers.all(c, c.image.contains(':'))
      messageExpression: >-
        'pin the image of: ' + object.spec.template.spec.containers.filter(c, !c.image.contains(':')).map(c, c.image).join(', ')
`,
});

const NO_NODE_PORTS = policy('no-node-ports', {
  resources: 'services',
  action: 'Warn',
  validations: `    - expression: object.spec.type != 'NodePort'
      message: node ports are going away, use the gateway
`,
});

const SPREAD = policy('spread', {
  resources: 'deployments',
  action: 'Audit',
  validations: `    - expression: object.spec.replicas < 3 || has(object.spec.template.spec.topologySpreadConstraints)
      message: spread three or more replicas over the zones
`,
});

const RULES = {
  'policies/replica-limit.yaml': REPLICA_LIMIT,
  'policies/container-rules.yaml': CONTAINER_RULES,
  'policies/no-node-ports.yaml': NO_NODE_PORTS,
  'platform/replica-limits.yaml': limits(6),
  'namespaces/shop-production.yaml': NAMESPACE,
};

const STOREFRONT = 'apps/storefront/deployment.yaml';
const SHOP = { ...RULES, [STOREFRONT]: deployment('storefront', {}) };

/** Many Deployments of many teams, some with several violations. */
function many(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const parts = ['cart', 'catalog', 'checkout', 'invoices', 'loyalty', 'returns', 'search', 'stock', 'wishlist'];
  for (const [index, part] of parts.entries()) {
    for (const role of ['api', 'jobs', 'mailer', 'web']) {
      const name = `${part}-${role}`;
      files[`teams/${part}/overlays/production/${role}/deployment.yaml`] = deployment(name, {
        replicas: role === 'web' ? 8 + index : 2,
        limits: role === 'mailer' || role === 'api',
        image: `registry.shop.example/${part}/${role}${index % 2 === 0 || role === 'jobs' ? '' : ':1.9.3'}`,
      });
    }
    files[`teams/${part}/overlays/production/service.yaml`] = service(part, 'NodePort');
  }
  return files;
}

/** All Deployments that violate the lower limit, and some that do not. */
function fleet(): Readonly<Record<string, string>> {
  const names = ['cart', 'catalog', 'checkout', 'invoices', 'returns', 'search', 'stock'];
  return Object.fromEntries(
    names.map((name, index) => [`apps/${name}/deployment.yaml`, deployment(name, { replicas: index })]),
  );
}

function kustomization(resources: readonly string[]): string {
  const lines = resources.map((each) => `  - ${each}\n`).join('');
  return `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${lines}`;
}

const MIGRATION = `apiVersion: batch/v1
kind: Job
metadata:
  generateName: migration-
  namespace: shop-production
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: registry.shop.example/storefront:4.2.0
`;

const BUILT = 'apps/storefront/kustomization.yaml';

export const REVIEW_CHANGES: readonly ReviewChange[] = [
  { name: 'one-finding', base: SHOP, head: { [STOREFRONT]: deployment('storefront', { replicas: 12 }) } },
  {
    // docs/images/review.png is this one, 900 px wide.
    name: 'readme',
    base: SHOP,
    head: { [STOREFRONT]: deployment('storefront', { replicas: 12, image: 'registry.shop.example/storefront' }) },
  },
  { name: 'sixty-findings', base: SHOP, head: many() },
  {
    name: 'only-warnings',
    base: { ...SHOP, 'policies/spread.yaml': SPREAD },
    head: {
      [STOREFRONT]: deployment('storefront', { replicas: 5 }),
      'apps/storefront/service.yaml': service('storefront', 'NodePort'),
      'apps/search/service.yaml': service('search', 'NodePort'),
    },
  },
  { name: 'green', base: SHOP, head: { [STOREFRONT]: deployment('storefront', { replicas: 5 }) } },
  {
    name: 'blast-radius',
    base: { ...SHOP, ...fleet(), 'apps/storefront/service.yaml': service('storefront', 'NodePort') },
    head: {
      'platform/replica-limits.yaml': limits(3),
      'policies/no-node-ports.yaml': NO_NODE_PORTS.replace('[Warn]', '[Deny]'),
    },
  },
  {
    name: 'not-rendered',
    base: { ...SHOP, [BUILT]: kustomization(['deployment.yaml']) },
    head: {
      [BUILT]: kustomization(['deployment.yaml', 'https://manifests.shop.example/base?ref=v3']),
      [STOREFRONT]: deployment('storefront', { replicas: 12 }),
      'apps/search/deployment.yaml': deployment('search', { replicas: 9 }),
    },
  },
  {
    name: 'undecided',
    base: {
      ...RULES,
      'policies/quota.yaml': policy('team-quota', {
        resources: 'deployments',
        action: 'Deny',
        policy: `  paramKind:
    apiVersion: v1
    kind: ConfigMap
`,
        validations: `    - expression: object.spec.replicas <= int(params.data.replicas)
      message: more replicas than the quota of the team
`,
        binding: `  paramRef:
    name: quota
    namespace: quotas
    parameterNotFoundAction: Deny
`,
      }),
      'policies/job-names.yaml': policy('job-names', {
        resources: 'jobs',
        action: 'Deny',
        validations: `    - expression: object.metadata.name.matches('^[a-z-]+$')
      message: names of jobs have no digits
`,
      }),
    },
    head: { 'apps/storefront/migration.yaml': MIGRATION, [STOREFRONT]: deployment('storefront', { replicas: 5 }) },
  },
  {
    name: 'mutation',
    base: textsIn(join(MUTATION, 'base')),
    head: textsIn(join(MUTATION, 'head')),
    options: ['--explain-mutations', '--suggest'],
  },
];

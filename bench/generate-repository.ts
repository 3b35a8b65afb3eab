// Generates the repository of a large team from a seed: 10,000 manifests in 2,000 files, 100 policies with bindings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seeded } from './seeded.ts';

export interface RepositorySize {
  readonly files: number;
  readonly manifestsPerFile: number;
  readonly policies: number;
}

export const FULL_SIZE: RepositorySize = { files: 2000, manifestsPerFile: 5, policies: 100 };

const TEAMS = ['catalog', 'checkout', 'payments', 'search', 'shipping'];
const ENVIRONMENTS = ['production', 'staging', 'development'];

export function generateRepository(folder: string, size: RepositorySize, seed: number): void {
  const random = seeded(seed);
  const write = (path: string, documents: readonly string[]): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, documents.join('---\n'));
  };
  write('namespaces.yaml', namespaces());
  for (let index = 0; index < size.policies; index++) write(`policies/policy-${index}.yaml`, policy(index));
  for (let index = 0; index < size.files; index++) {
    const team = pick(TEAMS, random);
    const environment = pick(ENVIRONMENTS, random);
    const documents = Array.from({ length: size.manifestsPerFile }, (_, number) =>
      manifest(`app-${index}-${number}`, `${team}-${environment}`, team, random),
    );
    write(`clusters/${environment}/${team}/app-${index}.yaml`, documents);
  }
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

function namespaces(): string[] {
  return TEAMS.flatMap((team) =>
    ENVIRONMENTS.map(
      (environment) => `apiVersion: v1
kind: Namespace
metadata:
  name: ${team}-${environment}
  labels:
    team: ${team}
    environment: ${environment}
`,
    ),
  );
}

/** Typical expressions of public policy collections. */
const VALIDATIONS: readonly string[] = [
  'object.spec.template.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && "memory" in c.resources.limits)',
  'object.spec.template.spec.containers.all(c, !c.image.endsWith(":latest"))',
  '!has(object.spec.template.spec.hostNetwork) || object.spec.template.spec.hostNetwork == false',
  'object.spec.template.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false)',
  'has(object.metadata.labels) && "team" in object.metadata.labels && object.metadata.labels.team == namespaceObject.metadata.labels.team',
  'object.spec.template.spec.containers.all(c, c.image.matches("^registry[.]example[.]com/[a-z0-9/-]+:[a-z0-9.-]+$"))',
  'variables.names.all(n, size(n) < 40) && size(variables.names) == size(object.spec.template.spec.containers)',
  'object.metadata.name.size() <= 63 && object.spec.?replicas.orValue(1) <= 20',
];

function policy(index: number): string[] {
  const kinds = index % 4 === 0 ? '"deployments", "statefulsets"' : '"deployments"';
  const name = `rule-${index}`;
  return [
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: ["apps"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: [${kinds}]
  variables:
    - name: names
      expression: object.spec.template.spec.containers.map(c, c.name)
  validations:
    - expression: >-
        ${VALIDATIONS[index % VALIDATIONS.length]}
      message: rule ${index} is not met
`,
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
  validationActions: [Deny]
${index % 3 === 0 ? '  matchResources:\n    namespaceSelector:\n      matchLabels:\n        environment: production\n' : ''}`,
  ];
}

function manifest(name: string, namespace: string, team: string, random: () => number): string {
  const draw = random();
  if (draw < 0.5) return workload(name, namespace, team, random);
  if (draw < 0.75) return service(name, namespace, team);
  return configMap(name, namespace, team, random);
}

function header(apiVersion: string, kind: string, name: string, namespace: string, team: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${name}
    team: ${team}
`;
}

function workload(name: string, namespace: string, team: string, random: () => number): string {
  const kind = random() < 0.8 ? 'Deployment' : 'StatefulSet';
  const sound = random() < 0.98;
  const containers = ['app', 'proxy', 'metrics'].slice(0, 1 + Math.floor(random() * 3)).map(
    (container, index) => `        - name: ${container}
          image: registry.example.com/${team}/${container}:${sound ? '1.4.2' : 'latest'}
          args: ["--listen=:${8080 + index}", "--log=json"]
          ports:
            - containerPort: ${8080 + index}
              name: ${index === 0 ? 'http' : container}
          env:
            - name: TEAM
              value: ${team}
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
${sound ? '            limits:\n              memory: 256Mi\n' : ''}          securityContext:
            allowPrivilegeEscalation: false
`,
  );
  return `${header('apps/v1', kind, name, namespace, team)}spec:
  replicas: ${1 + Math.floor(random() * 5)}
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
${kind === 'StatefulSet' ? `  serviceName: ${name}\n` : ''}  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
    spec:
      containers:
${containers.join('')}`;
}

function service(name: string, namespace: string, team: string): string {
  return `${header('v1', 'Service', name, namespace, team)}spec:
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - name: http
      port: 80
      targetPort: http
`;
}

function configMap(name: string, namespace: string, team: string, random: () => number): string {
  const lines = Array.from(
    { length: 3 + Math.floor(random() * 10) },
    (_, index) => `    setting.${index}=${random()}\n`,
  );
  return `${header('v1', 'ConfigMap', name, namespace, team)}data:
  application.properties: |
${lines.join('')}`;
}

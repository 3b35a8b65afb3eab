// Generates a repository in which every rule fails for every object, for reports of maximum size.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface DeniedSize {
  readonly objects: number;
  readonly rules: number;
}

export const FULL_DENIED: DeniedSize = { objects: 1000, rules: 250 };

const OBJECTS_PER_FILE = 10;

/** Writes a policy and a binding for each rule, or one policy with all rules. */
export function generateDenied(folder: string, { objects, rules }: DeniedSize, isOnePolicy: boolean): void {
  mkdirSync(join(folder, 'apps'), { recursive: true });
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const validations = numbers(rules).map(validation);
  const policies = isOnePolicy
    ? policy('labels', validations.join(''))
    : validations.map((each, index) => policy(`label-${index}`, each)).join('---\n');
  writeFileSync(join(folder, 'policies.yaml'), policies);
  for (let first = 0; first < objects; first += OBJECTS_PER_FILE) {
    const documents = numbers(Math.min(OBJECTS_PER_FILE, objects - first)).map((index) => deployment(first + index));
    writeFileSync(join(folder, 'apps', `${first / OBJECTS_PER_FILE}.yaml`), documents.join('---\n'));
  }
}

function validation(index: number): string {
  return `    - expression: '"example.com/label-${index}" in object.metadata.?labels.orValue({})'
      message: the label example.com/label-${index} is missing
`;
}

function policy(name: string, validations: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: ["apps"]
        apiVersions: ["v1"]
        operations: ["CREATE", "UPDATE"]
        resources: ["deployments"]
  validations:
${validations}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: ${name}
spec:
  policyName: ${name}
  validationActions: [Deny]
`;
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
  namespace: shop
  labels:
    app.kubernetes.io/name: app-${index}
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: app-${index}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: app-${index}
    spec:
      containers:
        - name: app
          image: registry.example.com/shop/app:1.4.2
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
`;
}

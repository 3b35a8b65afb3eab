// Quoted server messages contain only text that the server can send, and nothing that only the server knows.
import { expect, test } from 'vitest';
import { checkState } from '../../../src/pipeline/check-state.ts';
import { compareStates } from '../../../src/pipeline/compare-states.ts';
import type { Finding } from '../../../src/report/report.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

const policy = (message: string, action = 'Deny'): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: size}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: 'object.spec.replicas <= 3', messageExpression: ${JSON.stringify(message)}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: size}
spec: {policyName: size, validationActions: [${action}]}
`;
const web = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'web:1'}]}
`;

const stateOf = (texts: Readonly<Record<string, string>>) => ({
  files: Object.entries(texts).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true })),
  paths: new Set(Object.keys(texts)),
  notRead: [],
});

function updated(message: string): readonly Finding[] {
  const rules = policy(message);
  return compareStates({
    base: stateOf({ 'policy.yaml': rules, 'web.yaml': web(1) }),
    head: stateOf({ 'policy.yaml': rules, 'web.yaml': web(9) }),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    policiesFrom: 'base',
    only: 'new',
  }).findings;
}

test('messages omit unknown server-side values and keep certain ones', () => {
  const [finding] = updated(
    "'generation ' + string(object.metadata.generation) + ', ' + string(object.spec.replicas) + ' replicas'",
  );
  expect(finding?.result).toBe('fail');
  expect(finding?.message).toBe('generation …, 9 replicas');
  expect(finding?.serverMessage).toContain('denied request: generation …, 9 replicas');
  const [known] = updated("string(object.spec.replicas) + ' replicas of ' + object.metadata.name");
  expect(known?.message).toBe('9 replicas of web');
});

test.each([
  [
    "'at most three'",
    'Warn',
    "Validation failed for ValidatingAdmissionPolicy 'size' with binding 'size': at most three",
  ],
  ["'at most\\u0007 three'", 'Warn', ''],
  ["'at most\\u0007 three'", 'Audit', 'at most\u0007 three'],
])('a warning %s (%s) is shown as the client receives it', (message, action, expected) => {
  const state = stateOf({ 'policy.yaml': policy(message, action), 'web.yaml': web(9) });
  const { findings } = checkState({ ...state, configuration: defaultConfiguration() });
  expect(findings.map(({ serverMessage }) => serverMessage)).toEqual([expected]);
});

test.each([
  ['spec:\n', 'spec:\n  failurPolicy: Fail\n', 'unknown-field'],
  ['metadata: {name: size}', 'metadata: {name: size, labels: {a: 1}}', 'refused-object'],
])('policies outside the search are decoded like the others: %j', (before, after, code) => {
  const state = stateOf({ 'policy.yaml': policy("'at most three'").replace(before, after), 'web.yaml': web(1) });
  const codesOf = (selected: boolean): readonly string[] => {
    const files = state.files.map(({ file }) => ({ file, selected: selected || file.path === 'web.yaml' }));
    return checkState({ ...state, files, configuration: defaultConfiguration() }).diagnostics.map((each) => each.code);
  };
  expect(codesOf(false)).toEqual([code]);
  expect(codesOf(true)).toEqual([code]);
});

// What no controller applies, in the commands other than `check`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GitFolder } from './support/git-fixture.ts';
import { runPrinted } from './support/printed.ts';

const deployment = (name: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: shop}\nspec:\n  selector: {matchLabels: {app: web}}\n  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}\n`;
const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {repoURL: "https://git.example.com/shop/platform.git", path: web}
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
`;
const TEAM = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"team": "shop"}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: team}
spec: {policyName: team}
`;

function repository(settings = ''): GitFolder {
  const folder = new GitFolder();
  onTestFinished(() => folder.remove());
  folder.write('root/web.yaml', APPLICATION);
  folder.write('web/deployment.yaml', deployment('web'));
  folder.write('old/deployment.yaml', deployment('old'));
  folder.write('policies/team.yaml', TEAM);
  if (settings !== '') folder.write('.preadmit.yaml', settings);
  folder.commit();
  return folder;
}

function run(directory: string, ...args: readonly string[]) {
  return runPrinted(directory, args);
}

test('`why` says that no controller applies the object', async () => {
  const { path } = repository();
  for (const question of ['Deployment/shop/old', 'old/deployment.yaml:2']) {
    const { status, err } = await run(path, 'why', question);
    expect(status).toBe(2);
    expect(err).toContain(`no controller's root leads to \`${question}\` in \`old/deployment.yaml\``);
  }
  expect((await run(path, 'why', 'Deployment/shop/web')).status).toBe(0);
  expect((await run(repository('unreached: judge\n').path, 'why', 'Deployment/shop/old')).status).toBe(0);
});

test('`mutate` changes only what a controller applies', async () => {
  const { path } = repository();
  const { err } = await run(path, 'mutate', '--write');
  expect(err).toContain('1 of 2 objects changed by policies');
  expect(readFileSync(join(path, 'old/deployment.yaml'), 'utf8')).toBe(deployment('old'));
  const judged = repository('unreached: judge\n');
  await run(judged.path, 'mutate', '--write');
  expect(readFileSync(join(judged.path, 'old/deployment.yaml'), 'utf8')).toContain('team: shop');
});

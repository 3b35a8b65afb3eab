// The bundle gives the same report, byte for byte, for any number of rendering threads.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDist } from '../scripts/dist.ts';

const ROOTS = 24;
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few-replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: object.spec.replicas < 5, message: too many}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few-replicas}
spec: {policyName: few-replicas, validationActions: [Deny]}
`;
const BASE = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: shop, image: shop}]}
`;

let folder: string;
let repository: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-threads-'));
  await buildDist(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  repository = join(folder, 'repository');
  write('policy.yaml', POLICY);
  write('base/deployment.yaml', BASE);
  write('base/kustomization.yaml', 'resources: [deployment.yaml]\n');
  for (let index = 0; index < ROOTS; index++) {
    const replicas = `replicas: [{name: shop, count: ${index % 8}}]\n`;
    const resources = index === 7 ? '[../../base, missing.yaml]' : '[../../base]';
    write(`overlays/${index}/kustomization.yaml`, `namePrefix: n${index}-\nresources: ${resources}\n${replicas}`);
  }
  git('init', '-q');
  commit();
  write('base/deployment.yaml', BASE.replace('replicas: 1', 'replicas: 1\n  paused: true'));
  write(
    'overlays/1/kustomization.yaml',
    `namePrefix: n1-\nresources: [../../base]\nreplicas: [{name: shop, count: 6}]\n`,
  );
  commit();
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: repository });
}

function commit(): void {
  git('add', '-A');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'state');
}

function run(...args: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'dist/cli.js'), ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

/** Removes values that differ between runs. */
function timeless(text: string): string {
  return text.replace(/"(?:startedAt|finishedAt|durationMs|milliseconds)":\s*[^,}]+/g, '');
}

test.each([
  ['check', ['check', '--format', 'json']],
  ['a change', ['diff', 'HEAD~1', 'HEAD', '--format', 'json']],
])(
  '%s is equal with 1, 2, 4 and 8 threads',
  (_, args) => {
    const [alone, ...others] = [1, 2, 4, 8].map((workers) => run(...args, '--workers', String(workers)));
    expect(alone?.err).toBe('');
    expect(alone?.status).toBe(1);
    expect(alone?.out).toContain('too many');
    for (const other of others) {
      expect(other).toEqual({ ...alone, out: other.out });
      expect(timeless(other.out)).toBe(timeless(alone?.out ?? ''));
    }
  },
  120_000,
);

test('the number of threads is a whole number', () => {
  for (const given of ['0', 'many', '2.5', '65']) {
    expect(run('check', '--workers', given)).toMatchObject({ status: 2, err: expect.stringContaining(given) });
  }
});

// Which files the bundled program reads, and when: a run does not even look for parts that it does not need.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleApart } from '../scripts/bundle-apart.ts';
import { PARTS } from '../scripts/parts.ts';
import { EXIT } from '../src/door/run/exit-code.ts';
import { needs } from './support/evidence.ts';

const SHOP = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
  validations: [{ expression: object.spec.replicas <= 5 }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: replicas }
spec: { policyName: replicas, validationActions: [Deny] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 9
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web:1 }] } }
`;

interface Need {
  readonly part: keyof typeof PARTS;
  /** Files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  readonly argument?: string;
}

/** Inputs that make a run read a part. */
const NEEDS: readonly Need[] = [
  { part: 'kyverno', files: { 'p.yaml': 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: a }\n' } },
  {
    part: 'controllers',
    files: { 'argo.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\n' },
  },
  { part: 'rendering', files: { 'kustomization.yaml': 'resources: [shop.yaml]\n' } },
  { part: 'globs', argument: '--include=**/[s]hop.yaml' },
  { part: 'releases', argument: '--kubernetes-version=1.35,1.36' },
  { part: 'formats', argument: '--format=sarif' },
];

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-parts-'));
  program = join(folder, 'program');
  await bundleApart({ cli: 'src/cli.ts' }, program);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(inFolder: string, { files = {}, argument }: Omit<Need, 'part'> = {}, ofNode: readonly string[] = []) {
  const repository = mkdtempSync(join(folder, 'repository-'));
  for (const [path, text] of Object.entries({ 'shop.yaml': SHOP, ...files }))
    writeFileSync(join(repository, path), text);
  const args = [...ofNode, join(inFolder, 'cli.mjs'), 'check', '.', ...(argument === undefined ? [] : [argument])];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
  return { status, stdout: stdout.replace(/ in \d+(?:\.\d+)? m?s/, ''), stderr };
}

/** A copy of the program without these parts. */
function without(parts: readonly string[]): string {
  const left = mkdtempSync(join(folder, 'program-'));
  cpSync(program, left, { recursive: true });
  for (const part of parts) {
    const files = readdirSync(left).filter((file) => file.startsWith(`${part}-`));
    expect(files, part).toHaveLength(1);
    for (const file of files) rmSync(join(left, file));
  }
  return left;
}

test('a check with a CEL policy reads no part', () => {
  const whole = check(program);
  expect(whole).toMatchObject({ status: EXIT.denied, stderr: '' });
  expect(check(without(Object.keys(PARTS)))).toEqual(whole);
});

// Older versions of Node read all parts before they begin.
needs('require-module').describe('a part', () => {
  test.each(NEEDS)('$part is read when it is needed', ({ part, ...need }) => {
    expect(check(program, need).status).not.toBe(EXIT.internal);
    const { status, stderr } = check(without([part]), need);
    expect(status).toBe(EXIT.internal);
    expect(stderr).toContain(`${part}-`);
  });

  test.each(NEEDS)(
    '$part is there, too, where Node cannot read a module while everything waits',
    ({ part: _, ...need }) => {
      expect(check(program, need, ['--no-experimental-require-module'])).toEqual(check(program, need));
    },
  );
});

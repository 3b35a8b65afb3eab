// The bundle gives the same report, byte for byte, for any number of evaluation threads, even if threads fail.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDist } from '../scripts/dist.ts';
import { askRepository } from '../src/door/run/check-repository.ts';
import { checkOnThreads, type ThreadedCheck } from '../src/door/run/evaluation-threads.ts';
import { type Stage, UNOBSERVED } from '../src/engine/stages.ts';
import { isWorthThreads, mayBeWorthThreads } from '../src/pipeline/check/worthwhile-threads.ts';
import { checkState } from '../src/pipeline/check-state.ts';
import { json } from '../src/report/format/document/json.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';

const POLICIES = `apiVersion: admissionregistration.k8s.io/v1
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
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: refused}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: object.spec.replicas <, message: never}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: refused}
spec: {policyName: refused, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
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
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: budgets}
spec:
  rules:
    - name: budget
      match: {any: [{resources: {kinds: [Deployment]}}]}
      generate:
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        name: '{{ request.object.metadata.name }}'
        namespace: '{{ request.namespace }}'
        data: {spec: {minAvailable: 1}}
`;

function deployment(name: string, replicas: number, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop${more}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: shop, image: shop}]}
`;
}

let folder: string;
let repository: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-evaluation-'));
  await buildDist(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  repository = join(folder, 'repository');
  write('policies.yaml', POLICIES);
  write('namespace.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
  const spared = '\n  annotations: {preadmit.dev/ignore: "few-replicas: it is a large one"}';
  const plain = Array.from({ length: 60 }, (_, index) => {
    return `---\n${deployment(`app-${index % 50}`, index % 7, index % 11 === 0 ? spared : '')}`;
  });
  write('plain.yaml', plain.join(''));
  write(
    'odd.yaml',
    `\ufeff# ä\n${deployment('odd', 9).replace('spec:\n  replicas', 'spec:\n  replikas: 1\n  replicas')}`,
  );
  write('base/deployment.yaml', deployment('built', 1));
  write('base/kustomization.yaml', 'resources: [deployment.yaml]\n');
  for (let index = 0; index < 9; index++) {
    const replicas = `replicas: [{name: built, count: ${index}}]\n`;
    write(`overlays/${index}/kustomization.yaml`, `namePrefix: n${index}-\nresources: [../../base]\n${replicas}`);
  }
  execFileSync('git', ['init', '-q'], { cwd: repository });
  execFileSync('git', ['add', '-A'], { cwd: repository });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Uses one thread by default. */
async function check(threads?: Omit<ThreadedCheck, 'always'>, stages = UNOBSERVED): Promise<string> {
  const what = { overrides: {}, explainsMutations: true, today: '2026-11-21', stages };
  const options = { directory: repository, paths: [], ...what };
  const asked = await askRepository(options, (input) =>
    threads === undefined ? checkState(input) : checkOnThreads(input, { ...threads, always: { block: 4 } }),
  );
  if ('stopped' in asked) throw new Error('the configuration is wrong');
  return json.render(asked.answer, { color: false, width: 100, showSkipped: true, quiet: false });
}

/** A bundle that takes its first block and then misbehaves. */
function bundle(name: string, deed: string): URL {
  const file = join(folder, `${name}.mjs`);
  const text = `import { parentPort, workerData } from 'node:worker_threads';
parentPort.once('message', () => {
  const { signals, index } = workerData;
  const cells = new Int32Array(signals.cells);
  Atomics.add(cells, 0, 1);
  Atomics.add(cells, 4 + index, 1);
  Atomics.notify(cells, 4 + index);
  ${deed}
});
`;
  writeFileSync(file, text);
  return pathToFileURL(file);
}

test('1, 2, 4 and 8 threads give the same report', async () => {
  const alone = await check();
  for (const words of ['too many', 'concerns', 'background-rule', 'overlays/8', 'replikas', 'additions', 'annotation'])
    expect(alone).toContain(words);
  const worker = pathToFileURL(join(folder, 'dist/evaluation-worker.js'));
  for (const workers of [1, 2, 4, 8]) {
    let helpers = 0;
    const stages = {
      ...UNOBSERVED,
      // The main thread counts requests one by one.
      count: (_stage: Stage, what: string, number: number) => {
        if (what === 'requests' && number > 1) helpers += 1;
      },
    };
    expect(await check({ workers, bundle: worker }, stages)).toBe(alone);
    expect(helpers).toBe(workers - 1);
  }
}, 120_000);

test.each([
  ['fails', 'throw new Error("a thread");'],
  ['ends', 'process.exit();'],
  ['is silent', 'for (;;);'],
  ['takes too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(index));'],
])(
  'nothing is lost where a thread %s',
  async (name, deed) => {
    const failing = bundle(name.replaceAll(' ', '-'), deed);
    expect(await check({ workers: 3, bundle: failing, patience: 2 })).toBe(await check());
  },
  120_000,
);

test('threads are used only for very large states', () => {
  const text = readFileSync(join(repository, 'plain.yaml'), 'utf8');
  const state = (times: number) => ({
    files: [
      { file: new SourceFile('policies.yaml', POLICIES.repeat(30)), selected: true },
      ...Array.from({ length: times }, (_, index) => ({
        file: new SourceFile(`${index}.yaml`, text),
        selected: true,
      })),
    ],
    paths: new Set<string>(),
    notRead: [],
    configuration: defaultConfiguration(),
  });
  expect(mayBeWorthThreads(state(10))).toBe(false);
  expect(mayBeWorthThreads(state(5_000))).toBe(true);
  // Each thread would hold all of the texts.
  expect(mayBeWorthThreads(state(20_000))).toBe(false);
  expect(isWorthThreads(1_000_000, 0)).toBe(false);
});

// Times mutating policies against validating policies with the same matches, and against policies without matches: as whole processes
// on the benchmark repository, and warm on Deployments alone, where policies dominate.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkState } from '../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import type { CommandRun } from './command-run.ts';
import { generateDeployments } from './generate-deployments.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

const DEPLOYMENTS = 1000;
const POLICIES = 20;
const SEED = 1;
const ROUNDS = 5;
/** Until then V8 still compiles code that only mutating policies use. */
const WARM_ROUNDS = 5;
const API_VERSION = 'admissionregistration.k8s.io/v1';

const LABEL = (name: string): string => `Object{metadata: Object.metadata{labels: {"${name}": object.metadata.name}}}`;
const CONTAINERS = 'Object.spec.template.spec.containers';
const ENVIRONMENT = (name: string): string =>
  `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, ${CONTAINERS}{name: c.name, env: [${CONTAINERS}.env{name: "${name}", value: "x"}]})}}}}`;

const VALIDATING = '20 validating policies';
const KINDS: Readonly<Record<string, (resource: string) => string>> = {
  'no policies': () => '',
  [VALIDATING]: (resource) => policies('Validating', resource, LABEL),
  '20 mutating policies, one label each': (resource) => policies('Mutating', resource, LABEL),
  '20 mutating policies, a variable in each container': (resource) => policies('Mutating', resource, ENVIRONMENT),
};

export async function run(): Promise<void> {
  console.log('The benchmark repository, its Deployments matched:\n');
  wholeRuns();
  console.log(`\n${DEPLOYMENTS} Deployments, warm:\n`);
  warmRuns();
}

/** Measures whole runs, because users wait for everything in them. */
function wholeRuns(): void {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-mutation-'));
  try {
    generateRepository(folder, { ...FULL_SIZE, policies: 0 }, SEED);
    const rows = Object.entries(KINDS).map(([name, make]) => ({
      name,
      rules: make('deployments'),
      times: [] as number[],
    }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { rules, times } of rows) {
        writeFileSync(join(folder, 'policies.yaml'), rules);
        const script = join(import.meta.dirname, 'command-run.mjs');
        const { stdout } = spawnSync(process.execPath, [script, 'check', '.'], { cwd: folder, encoding: 'utf8' });
        times.push((JSON.parse(stdout) as CommandRun).cpuMilliseconds);
      }
    }
    print(rows.map((row) => ({ ...row, matched: row.rules === '' ? 'no object' : 'every Deployment' })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function warmRuns(): void {
  const objects = generateDeployments(DEPLOYMENTS, 'shop', SEED).map((deployment) => JSON.stringify(deployment));
  const manifests = new SourceFile('deployments.yaml', `${objects.join('\n---\n')}\n`);
  const rows = Object.entries(KINDS).flatMap(([name, make]) =>
    (name === 'no policies' ? [''] : ['deployments', 'configmaps']).map((resource) => ({
      name,
      matched: resource === 'deployments' ? 'every object' : 'no object',
      rules: make(resource),
      times: [] as number[],
    })),
  );
  // All sets are warmed up before measuring, and interleaved, so that other load affects all of them.
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    for (const { rules, times } of rows) {
      const ms = time(manifests, rules);
      if (round >= WARM_ROUNDS) times.push(ms);
    }
  }
  print(rows);
}

interface Row {
  readonly name: string;
  readonly matched: string;
  readonly times: readonly number[];
}

function print(rows: readonly Row[]): void {
  const validating = median(rows.find(({ name }) => name === VALIDATING)?.times ?? []);
  console.log('| policies | matches | CPU ms | relative to validating |\n|---|---|---:|---:|');
  for (const { name, matched, times } of rows) {
    const ms = median(times);
    console.log(`| ${name} | ${matched} | ${Math.round(ms)} | ${(ms / validating).toFixed(2)} |`);
  }
}

function time(manifests: SourceFile, rules: string): number {
  const files = [manifests, new SourceFile('policies.yaml', rules)].map((file) => ({ file, selected: true }));
  const start = process.cpuUsage();
  checkState({
    files,
    paths: new Set(files.map(({ file }) => file.path)),
    notRead: [],
    configuration: defaultConfiguration(),
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function policies(type: 'Validating' | 'Mutating', resource: string, mutation: (name: string) => string): string {
  const kind = `${type}AdmissionPolicy`;
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: [resource] };
  return Array.from({ length: POLICIES }, (_, index) => {
    const metadata = { name: `policy-${index}` };
    const label = `example.com/label-${index}`;
    const rules =
      type === 'Validating'
        ? { validations: [{ expression: `!("${label}" in object.metadata.?labels.orValue({}))` }] }
        : {
            reinvocationPolicy: 'Never',
            mutations: [
              {
                patchType: 'ApplyConfiguration',
                applyConfiguration: { expression: mutation(label) },
              },
            ],
          };
    const spec = { matchConstraints: { resourceRules: [rule] }, ...rules };
    const binding = { policyName: metadata.name, ...(type === 'Validating' && { validationActions: ['Deny'] }) };
    return [
      { apiVersion: API_VERSION, kind, metadata, spec },
      { apiVersion: API_VERSION, kind: `${kind}Binding`, metadata, spec: binding },
    ]
      .map((document) => JSON.stringify(document))
      .join('\n---\n');
  }).join('\n---\n');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

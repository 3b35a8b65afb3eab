// Times whole processes of `check` with one and with two evaluation threads, for workloads that benefit from threads and others.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRun } from './command-run.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

interface Workload {
  readonly files: number;
  readonly policies: number;
  /** Number of Kyverno ClusterPolicies. */
  readonly kyverno: number;
}

const { manifestsPerFile } = FULL_SIZE;
const WORKLOADS: Readonly<Record<string, Workload>> = {
  '10,000 objects, 100 policies': { files: 2_000, policies: 100, kyverno: 0 },
  '40,000 objects, 100 policies': { files: 8_000, policies: 100, kyverno: 0 },
  '80,000 objects, 100 policies': { files: 16_000, policies: 100, kyverno: 0 },
  '5,000 objects, 240 ClusterPolicies': { files: 1_000, policies: 0, kyverno: 240 },
};
const WORKERS = [1, 2] as const;

interface Timed extends CommandRun {
  readonly wall: number;
}

/** `rounds`: number of rounds. `only`: selects workloads by a part of their name. */
export async function run([rounds = '3', only = '']: readonly string[]): Promise<void> {
  console.log('| workload | threads | CPU, s | wall, s | peak, MiB |\n|---|--:|--:|--:|--:|');
  for (const [name, workload] of Object.entries(WORKLOADS).filter(([each]) => each.includes(only))) {
    const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-'));
    try {
      generate(folder, workload);
      const runs = WORKERS.map((): Timed[] => []);
      for (let round = 0; round < Number(rounds); round++) {
        for (const [index, workers] of WORKERS.entries()) runs[index]?.push(time(folder, workers));
      }
      for (const [index, workers] of WORKERS.entries()) tell(name, workers, runs[index] ?? []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`\nminimum of ${rounds} rounds, maximum for the peak, Node ${process.version}`);
}

function generate(folder: string, { files, policies, kyverno }: Workload): void {
  generateRepository(folder, { files, manifestsPerFile, policies }, 1);
  const texts = Array.from({ length: kyverno }, (_, index) => clusterPolicy(index));
  if (kyverno > 0) writeFileSync(join(folder, 'cluster-policies.yaml'), texts.join('---\n'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '-A'], { cwd: folder });
}

/** A typical policy of public collections. */
function clusterPolicy(index: number): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: rule-${index}}
spec:
  rules:
    - name: containers
      match: {any: [{resources: {kinds: [Deployment]}}]}
      exclude: {any: [{resources: {namespaces: [system-${index}]}}]}
      validate:
        failureAction: Enforce
        message: rule-${index} asks for names and images
        pattern:
          spec: {template: {spec: {containers: [{name: '?*', image: '!*:none-${index}'}]}}}
`;
}

function time(folder: string, workers: number): Timed {
  const started = performance.now();
  const program = [join(import.meta.dirname, 'command-run.mjs'), 'check', '--workers', String(workers)];
  const { stdout } = spawnSync(process.execPath, program, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return { ...(JSON.parse(stdout) as CommandRun), wall: performance.now() - started };
}

function tell(name: string, workers: number, runs: readonly Timed[]): void {
  const cpu = Math.min(...runs.map(({ cpuMilliseconds }) => cpuMilliseconds)) / 1000;
  const wall = Math.min(...runs.map((each) => each.wall)) / 1000;
  const peak = Math.max(...runs.map(({ peakMiB }) => peakMiB));
  console.log(`| ${name} | ${workers} | ${cpu.toFixed(1)} | ${wall.toFixed(1)} | ${peak.toFixed(0)} |`);
}

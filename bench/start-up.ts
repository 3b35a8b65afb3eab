// Times a whole run with one object and one policy against an empty Node process: the cost of start-up until the first evaluation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRun } from './command-run.ts';

const ROUNDS = 15;

const POLICY = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'replicas' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
    },
    validations: [{ expression: 'object.spec.replicas <= 5' }],
  },
};
const BINDING = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'replicas' },
  spec: { policyName: 'replicas', validationActions: ['Deny'] },
};
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 9,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};
/** Exit code of a denial; proves that the run evaluated a policy. */
const DENIED = 1;

/** Interleaved, so that other load affects both alike. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-start-up-'));
  try {
    for (const [name, manifest] of Object.entries({ POLICY, BINDING, DEPLOYMENT })) {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(manifest));
    }
    const command = [join(import.meta.dirname, 'command-run.mjs'), 'check', folder];
    const rounds = Array.from({ length: ROUNDS }, () => [time(['-e', '']).spent, timeCheck(command)] as const);
    const empty = median(rounds.map(([spent]) => spent));
    const check = median(rounds.map(([, spent]) => spent));
    console.log('| process | ms |\n|---|---:|');
    console.log(`| empty Node process | ${empty.toFixed(0)} |`);
    console.log(`| \`preadmit check\` with one object and one policy | ${check.toFixed(0)} |`);
    console.log(`| difference | ${(check - empty).toFixed(0)} |`);
    console.log(`\nmedians of ${ROUNDS} rounds, Node ${process.version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeCheck(command: readonly string[]): number {
  const { spent, output } = time(command);
  const { exitCode } = JSON.parse(output) as CommandRun;
  if (exitCode !== DENIED) throw new Error(`nothing was denied: exit code ${exitCode}`);
  return spent;
}

/** Wall time of a process in milliseconds. */
function time(args: readonly string[]): { readonly spent: number; readonly output: string } {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const spent = performance.now() - started;
  if (status !== 0) throw new Error(`the process ended with ${status}: ${stderr}`);
  return { spent, output: stdout };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

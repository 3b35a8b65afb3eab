// Times whole processes against other programs that check manifests, interleaved, on the same files: CPU time, wall time, and their
// results.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FULL_SIZE, generateRepository, type RepositorySize } from './generate-repository.ts';

const ROUNDS = 5;
/** Local schemas for kubeconform's `-schema-location`; over the network, the download would dominate. */
const SCHEMAS = process.env['PREADMIT_BENCH_SCHEMAS'];
/** Timeout of a run. */
const PATIENCE_MS = 100_000;

interface Workload {
  readonly name: string;
  readonly size: RepositorySize;
}

/** The second one has 128 manifests and 15 Namespaces. */
const WORKLOADS: readonly Workload[] = [
  { name: 'one file, 1 policy', size: { files: 1, manifestsPerFile: 1, policies: 1 } },
  { name: '143 documents, 10 policies', size: { files: 32, manifestsPerFile: 4, policies: 10 } },
  { name: '10,000 documents, 100 policies', size: FULL_SIZE },
];

interface Contender {
  readonly name: string;
  readonly command: (folder: string) => readonly string[];
  /** Extracts the result from the output. */
  readonly verdict: (output: string) => string;
}

interface Times {
  readonly cpu: number;
  readonly wall: number;
  readonly verdict: string;
}

/** `only`: selects workloads by a part of their name. */
export async function run([only = '']: readonly string[]): Promise<void> {
  const contenders = [ours(), ...kubeconforms(), ...kyverno()];
  console.log(
    '| workload | program | CPU, s: minimum | median | wall, s: minimum | median | result |\n|---|---|--:|--:|--:|--:|---|',
  );
  for (const { name, size } of WORKLOADS) {
    if (!name.includes(only)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'preadmit-peers-'));
    try {
      generateRepository(folder, size, 1);
      compare(name, folder, contenders);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`\n${ROUNDS} interleaved rounds, Node ${process.version}`);
}

function compare(name: string, folder: string, contenders: readonly Contender[]): void {
  const times = contenders.map((): Times[] => []);
  const isGivenUp = contenders.map(() => false);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, contender] of contenders.entries()) {
      if (isGivenUp[index]) continue;
      const taken = timesOf(contender, folder);
      if (taken === undefined) isGivenUp[index] = true;
      else times[index]?.push(taken);
    }
  }
  for (const [index, contender] of contenders.entries()) {
    const rounds = times[index] ?? [];
    const figures = isGivenUp[index]
      ? ` | | | | timeout after ${PATIENCE_MS / 1000} s`
      : `${figuresOf(rounds.map(({ cpu }) => cpu))} | ${figuresOf(rounds.map(({ wall }) => wall))} | ${rounds[0]?.verdict}`;
    console.log(`| ${name} | ${contender.name} | ${figures} |`);
  }
}

function figuresOf(seconds: readonly number[]): string {
  const sorted = [...seconds].sort((a, b) => a - b);
  return `${sorted[0]?.toFixed(2)} | ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)}`;
}

/** Measures child processes with the shell's `times`; undefined after a timeout. */
function timesOf({ command, verdict }: Contender, folder: string): Times | undefined {
  const output = mkdtempSync(join(tmpdir(), 'preadmit-peers-output-'));
  try {
    // A run after its timeout must not disturb the next one.
    const script = `timeout -s KILL ${PATIENCE_MS / 1000} "$@" >${output}/out 2>${output}/err; times >${output}/times`;
    const started = performance.now();
    spawnSync('sh', ['-c', script, 'sh', ...command(folder)], { cwd: folder });
    const wall = (performance.now() - started) / 1000;
    if (wall * 1000 >= PATIENCE_MS) return undefined;
    const children = readFileSync(join(output, 'times'), 'utf8').split('\n')[1] ?? '';
    const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
      0,
    );
    return { cpu, wall, verdict: verdict(readFileSync(join(output, 'out'), 'utf8')) };
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function ours(): Contender {
  const program = join(import.meta.dirname, 'cli.mjs');
  return {
    name: 'preadmit check',
    command: (folder) => [process.execPath, program, 'check', folder, '--format', 'json'],
    verdict: (output) => {
      const { coverage, findings, findingsOmitted = 0 } = JSON.parse(output);
      return `${coverage.evaluated} evaluated, ${findings.length + findingsOmitted} findings`;
    },
  };
}

function kubeconforms(): readonly Contender[] {
  if (!isOnPath('kubeconform', '-v')) return [];
  if (SCHEMAS === undefined) {
    console.log('skipping kubeconform: PREADMIT_BENCH_SCHEMAS is not set to the folder of its schemas\n');
    return [];
  }
  const contender = (name: string, more: readonly string[]): Contender => ({
    name,
    command: (folder) => [
      'kubeconform',
      ...more,
      ...['-summary', '-output', 'json', '-ignore-missing-schemas', '-schema-location', SCHEMAS],
      folder,
    ],
    verdict: (output) => {
      const { summary } = JSON.parse(output);
      return `${summary.valid} valid, ${summary.invalid} invalid, ${summary.errors} errors, ${summary.skipped} skipped; no policies`;
    },
  });
  return [contender('kubeconform -n 1', ['-n', '1']), contender('kubeconform', [])];
}

function kyverno(): readonly Contender[] {
  if (!isOnPath('kyverno', 'version')) return [];
  return [
    {
      name: 'kyverno apply',
      // Kyverno does not descend into resource folders.
      command: (folder) => [
        ...['kyverno', 'apply', join(folder, 'policies')],
        ...yamlFiles(join(folder, 'clusters')).flatMap((file) => ['--resource', file]),
      ],
      verdict: (output) => /pass: \d+.*$/m.exec(output)?.[0] ?? 'nothing',
    },
  ];
}

function yamlFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isOnPath(program: string, version: string): boolean {
  const { error } = spawnSync(program, [version], { stdio: 'ignore' });
  if (error !== undefined) console.log(`skipping ${program}: it is not on PATH\n`);
  return error === undefined;
}

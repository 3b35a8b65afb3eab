// Times small pull requests against checks of the whole repository, with and without cached renderings:
// whole processes, interleaved, by stage, and as a share of the whole check.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCorpus } from '../test/support/corpus.ts';
import type { CommandRun } from './command-run.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

const CORPUS = 'redhat-appstudio+infra-deployments';
const STAGES = ['discover', 'read', 'classify', 'render', 'compile', 'convert', 'evaluate', 'report'];

/** A typical change: one line in each of two files. */
interface Edit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Two manifests of a base; then a limit in a base, and the image in the overlay of some clusters. */
const CORPUS_CHANGES: readonly (readonly Edit[])[] = [
  [
    { path: 'components/konflux-kite/base/deployment.yaml', from: 'replicas: 2', to: 'replicas: 3' },
    { path: 'components/konflux-kite/base/service.yaml', from: 'port: 443', to: 'port: 8443' },
  ],
  [
    { path: 'components/konflux-kite/base/deployment.yaml', from: 'memory: 128Mi', to: 'memory: 333Mi' },
    { path: 'components/konflux-kite/staging/base/kustomization.yaml', from: 'newTag: ', to: 'newTag: changed-' },
  ],
];

interface TimedRun extends CommandRun {
  readonly wall: number;
}

/** Name, arguments, and whether earlier runs have filled the cache. */
const COMMANDS: readonly (readonly [string, readonly string[], 'cached' | 'uncached'])[] = [
  ['check', ['check'], 'uncached'],
  ['check, cached', ['check'], 'cached'],
  ['diff', ['diff', 'HEAD~2', 'HEAD~1'], 'uncached'],
  ['diff, cached', ['diff', 'HEAD~2', 'HEAD~1'], 'cached'],
  ['diff of an image', ['diff', 'HEAD~1', 'HEAD'], 'uncached'],
  ['diff of an image, cached', ['diff', 'HEAD~1', 'HEAD'], 'cached'],
];

/** `rounds`: number of measured rounds. */
export async function run([rounds = '3']: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-'));
  const cache = mkdtempSync(join(tmpdir(), 'preadmit-bench-cache-'));
  try {
    console.log(`${createHistory(folder)}\n`);
    const runs = COMMANDS.map((): TimedRun[] => []);
    for (let round = 0; round <= Number(rounds); round++) {
      for (const [index, [, args, state]] of COMMANDS.entries()) {
        // The first round warms the file cache, and fills Preadmit's cache.
        if (round === 0 && state === 'uncached' && Number(rounds) > 0) continue;
        const timed = time(folder, state === 'cached' ? [...args, '--cache', cache] : args);
        if (round > 0) runs[index]?.push(timed);
      }
    }
    print(runs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(cache, { recursive: true, force: true });
  }
}

/** Creates the repository with three commits, and returns its description. */
function createHistory(folder: string): string {
  const found = withCorpus(CORPUS, (source) => {
    cpSync(source, folder, { recursive: true });
    return true;
  });
  if (found === undefined) generateRepository(folder, FULL_SIZE, 1);
  git(folder, 'init', '-q');
  commit(folder);
  for (const edits of found === undefined ? generatedChanges(folder) : CORPUS_CHANGES) {
    for (const { path, from, to } of edits) {
      const file = join(folder, path);
      const text = readFileSync(file, 'utf8');
      if (!text.includes(from)) throw new Error(`${path} does not have \`${from}\``);
      writeFileSync(file, text.replace(from, to));
    }
    commit(folder);
  }
  // Packed, like a repository after a fetch.
  git(folder, 'gc', '-q');
  return found === undefined ? 'the generated repository (the corpus is absent)' : CORPUS;
}

function generatedChanges(folder: string): readonly (readonly Edit[])[] {
  const paths = git(folder, 'ls-files', 'clusters').split('\n');
  const services = paths.filter((path) => readFileSync(join(folder, path), 'utf8').includes('port: 80\n'));
  const edits = services.slice(0, 4).map((path) => ({ path, from: 'port: 80\n', to: 'port: 81\n' }));
  return [edits.slice(0, 2), edits.slice(2)];
}

function commit(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'state');
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trimEnd();
}

function time(folder: string, args: readonly string[]): TimedRun {
  const script = join(import.meta.dirname, 'command-run.mjs');
  const started = performance.now();
  const { stdout } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
  return { wall: performance.now() - started, ...(JSON.parse(stdout) as CommandRun) };
}

function print(runs: readonly (readonly TimedRun[])[]): void {
  const row = (name: string, of: (run: TimedRun) => number): void => {
    console.log(`| ${name} | ${runs.map((timed) => median(timed.map(of)).toFixed(0)).join(' | ')} |`);
  };
  const staged = ({ stages }: TimedRun): number => STAGES.reduce((sum, stage) => sum + (stages[stage] ?? 0), 0);
  console.log(`| ms | ${COMMANDS.map(([name]) => name).join(' | ')} |\n|---|${'---:|'.repeat(COMMANDS.length)}`);
  for (const stage of STAGES) row(stage, ({ stages }) => stages[stage] ?? 0);
  row('process start and end', (run) => run.wall - staged(run));
  row('total', ({ wall }) => wall);
  row('CPU time', ({ cpuMilliseconds }) => cpuMilliseconds);
  const whole = median((runs[0] ?? []).map(({ cpuMilliseconds }) => cpuMilliseconds));
  row('CPU share of check, %', ({ cpuMilliseconds }) => (100 * cpuMilliseconds) / whole);
  row('peak memory, MiB', ({ peakMiB }) => peakMiB);
  console.log(`\nmedians of ${runs[0]?.length} rounds, Node ${process.version}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

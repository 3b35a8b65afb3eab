// Times whole processes that write a report of maximum size: every rule fails for every object, and 50,000 findings are listed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRun } from './command-run.ts';
import { FULL_DENIED, generateDenied } from './generate-denied.ts';

const ROUNDS = 3;
const FORMATS = ['json', 'sarif', 'html', 'text'];
/** Exit code of a denial; proves that the run evaluated policies. */
const DENIED = 1;

interface Measured extends CommandRun {
  /** Wall time in seconds. */
  readonly wall: number;
  /** Size of the report. */
  readonly bytes: number;
}

/** The minimum of several interleaved rounds, but the maximum for memory. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-reports-'));
  try {
    console.log(
      '| policies | format | MB written | CPU, s | wall, s | peak memory, MiB |\n|---|---|---:|---:|---:|---:|',
    );
    for (const isOnePolicy of [false, true]) {
      const repository = join(folder, isOnePolicy ? 'one' : 'many');
      mkdirSync(repository);
      generateDenied(repository, FULL_DENIED, isOnePolicy);
      const rows = FORMATS.map((format) => ({ format, runs: [] as Measured[] }));
      for (let round = 0; round < ROUNDS; round++) {
        for (const { format, runs } of rows) runs.push(measure(repository, format, join(folder, 'report')));
      }
      for (const { format, runs } of rows) {
        const megabytes = Math.max(...runs.map(({ bytes }) => bytes)) / 1e6;
        const cpu = Math.min(...runs.map(({ cpuMilliseconds }) => cpuMilliseconds)) / 1000;
        const wall = Math.min(...runs.map((each) => each.wall));
        const peak = Math.max(...runs.map(({ peakMiB }) => peakMiB));
        const policies = isOnePolicy ? 'one with all rules' : 'one for each rule';
        const figures = [megabytes.toFixed(0), cpu.toFixed(1), wall.toFixed(1), peak.toFixed(0)];
        console.log(`| ${policies} | ${format} | ${figures.join(' | ')} |`);
      }
    }
    console.log(`\n${ROUNDS} rounds, Node ${process.version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(repository: string, format: string, file: string): Measured {
  const started = performance.now();
  const script = join(import.meta.dirname, 'command-run.mjs');
  const command = [script, 'check', '.', '--format', `${format}=${file}`];
  const { stdout } = spawnSync(process.execPath, command, { cwd: repository, encoding: 'utf8' });
  const wall = (performance.now() - started) / 1000;
  const measured = JSON.parse(stdout) as CommandRun;
  if (measured.exitCode !== DENIED) throw new Error(`nothing was denied: exit code ${measured.exitCode}`);
  return { ...measured, wall, bytes: statSync(file).size };
}

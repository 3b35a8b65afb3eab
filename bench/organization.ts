// Checks 200 generated repositories of 50 objects each, and joins more and more of their reports, each time in a separate process.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../src/door/cli/command-line.ts';
import type { CommandRun } from './command-run.ts';
import { generateRepository } from './generate-repository.ts';

const SIZES = ['25', '50', '100', '200', '400'];
/** Further repositories have copies of these reports under other names. */
const CHECKED = 200;
/** Of each repository. */
const FILES = 10;
const OBJECTS_IN_FILE = 5;
const POLICIES = 10;

/** `sizes`: numbers of repositories. */
export async function run(sizes: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-organization-'));
  try {
    const wanted = (sizes.length === 0 ? SIZES : sizes).map(Number);
    const reports: string[] = [];
    const started = performance.now();
    while (reports.length < Math.min(CHECKED, Math.max(...wanted))) reports.push(await check(folder, reports.length));
    const seconds = (performance.now() - started) / 1000;
    console.log(`${reports.length} repositories checked one after another in one process: ${seconds.toFixed(0)} s\n`);
    console.log('| repositories | objects | CPU, s | peak memory, MiB |\n|--:|--:|--:|--:|');
    for (const size of wanted) joinReports(folder, reports, size);
    console.log(`\nNode ${process.version}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the path of the report. */
async function check(folder: string, number: number): Promise<string> {
  const repository = join(folder, `repository-${number}`);
  mkdirSync(repository);
  generateRepository(repository, { files: FILES, manifestsPerFile: OBJECTS_IN_FILE, policies: POLICIES }, number + 1);
  const report = join(folder, `report-${number}.json`);
  await runCommandLine(['check', '.', '--format', `json=${report}`], {
    directory: repository,
    color: false,
    width: 100,
    interactive: false,
    out: () => {},
    err: (text) => process.stderr.write(text),
    now: () => performance.now(),
    today: '2026-11-21',
    input: async function* () {},
    lines: async function* () {},
  });
  rmSync(repository, { recursive: true });
  return report;
}

function joinReports(folder: string, reports: readonly string[], size: number): void {
  const joined = join(folder, `joined-${size}`);
  mkdirSync(joined);
  for (let number = 0; number < size; number++) {
    copyFileSync(reports[number % reports.length] as string, join(joined, `acme-${number}.json`));
  }
  const script = join(import.meta.dirname, 'command-run.mjs');
  const outputs = ['--format', `html=${join(folder, 'all.html')}`, '--format', `markdown=${join(folder, 'all.md')}`];
  const { stdout } = spawnSync(process.execPath, [script, 'merge', joined, ...outputs], { encoding: 'utf8' });
  const { peakMiB, cpuMilliseconds } = JSON.parse(stdout) as CommandRun;
  const cells = [size, size * FILES * OBJECTS_IN_FILE, (cpuMilliseconds / 1000).toFixed(2), peakMiB.toFixed(0)];
  console.log(`| ${cells.join(' | ')} |`);
}

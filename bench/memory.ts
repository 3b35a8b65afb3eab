// Checks generated repositories of doubling size, each in a separate process, to show that memory grows linearly with objects.
// A file has eight objects; 70000 files are 560,000 objects in 461 MB.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRun } from './command-run.ts';
import { FULL_SIZE, generateRepository } from './generate-repository.ts';

const OBJECTS_IN_FILE = 8;
const SIZES = ['4375', '8750', '17500'];

/** `sizes`: numbers of files. */
export async function run(sizes: readonly string[]): Promise<void> {
  console.log('| files | objects | MB | CPU, s | wall, s | peak memory, MiB |\n|--:|--:|--:|--:|--:|--:|');
  for (const size of sizes.length === 0 ? SIZES : sizes) measure(Number(size));
  console.log(`\nNode ${process.version}`);
}

function measure(files: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-memory-'));
  try {
    generateRepository(folder, { files, manifestsPerFile: OBJECTS_IN_FILE, policies: FULL_SIZE.policies }, 1);
    const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => statSync(join(folder, path)))
      .reduce((sum, status) => sum + (status.isFile() ? status.size : 0), 0);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    execFileSync('git', ['add', '-A'], { cwd: folder });
    const script = join(import.meta.dirname, 'command-run.mjs');
    const started = performance.now();
    const args = [script, 'check', '.', '--format', 'json'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const wall = performance.now() - started;
    const { peakMiB, cpuMilliseconds } = JSON.parse(stdout) as CommandRun;
    const objects = files * OBJECTS_IN_FILE;
    const cells = [files, objects, bytes / 1e6, cpuMilliseconds / 1000, wall / 1000, peakMiB];
    console.log(`| ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

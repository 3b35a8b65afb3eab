// Compares the JSON reports of two commits over folders: `tsx scripts/compare-reports.ts <old> <new> FOLDER…` (`.` is the work tree).
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const MAX_BYTES = 1024 ** 3;
/** The program looks for it in its own folder. */
const ENGINE = 'engine.wasm.br';

async function commandOf(commit: string, folder: string): Promise<string> {
  let source = ROOT;
  if (commit !== '.') {
    source = join(folder, `source-${commit}`);
    execFileSync('git', ['-C', ROOT, 'worktree', 'add', '--detach', '--force', source, commit], { stdio: 'ignore' });
    symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  }
  const built = join(folder, `built-${commit === '.' ? 'work-tree' : commit}`);
  mkdirSync(built);
  copyFileSync(join(source, 'dist', ENGINE), join(built, ENGINE));
  const outfile = join(built, 'cli.mjs');
  const banner = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";
  await build({
    entryPoints: [join(source, 'src/cli.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: { js: banner },
    logLevel: 'error',
  });
  return outfile;
}

function reportOf(command: string, folder: string): string {
  const { stdout, status, stderr } = spawnSync(process.execPath, [command, 'check', folder, '--format', 'json'], {
    maxBuffer: MAX_BYTES,
    encoding: 'utf8',
  });
  if (stdout.trim() === '') throw new Error(`no report of ${folder}: ${stderr}`);
  return `exit ${status}\n${stderr.replace(/^\s*at .*$/gm, '')}\n${stdout}`;
}

const [older, newer, ...folders] = process.argv.slice(2);
if (older === undefined || newer === undefined || folders.length === 0) {
  console.error('usage: tsx scripts/compare-reports.ts <old commit> <new commit, or .> FOLDER…');
  process.exitCode = 2;
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'preadmit-compare-'));
  try {
    const commands = [await commandOf(older, scratch), await commandOf(newer, scratch)] as const;
    for (const folder of folders.map((each) => resolve(each))) {
      const [before, after] = commands.map((command) => reportOf(command, folder)) as [string, string];
      const isSame = before === after;
      if (!isSame) process.exitCode = 1;
      console.log(
        `${isSame ? 'same  ' : 'DIFFER'} ${basename(folder)}: ${before.length} and ${after.length} characters`,
      );
      if (!isSame) {
        const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
        const first = oldLines.findIndex((line, index) => line !== newLines[index]);
        console.log(`  first at line ${first + 1}:\n  - ${oldLines[first]}\n  + ${newLines[first]}`);
      }
    }
  } finally {
    for (const commit of [older, newer]) {
      if (commit !== '.')
        execFileSync('git', ['-C', ROOT, 'worktree', 'remove', '--force', join(scratch, `source-${commit}`)]);
    }
    rmSync(scratch, { recursive: true, force: true });
  }
}

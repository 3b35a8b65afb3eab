// Runs hostile inputs through the bundled command line, under limits of time and memory: `npm run fuzz -- hostile [--cli FILE]`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostileInput } from './hostile-input.ts';
import { hostileInputs } from './hostile-inputs.ts';

/** Of the processor, in user mode: a busy machine must not fail an input. */
const MOST_SECONDS = 10;
const MOST_MEGABYTES = 1000;
/** What is still running then is ended. */
const TIMEOUT = 600_000;
const CRASHED = 4;

const BEGIN = '<!-- made by `npm run fuzz -- hostile --write` -->';
const END = '<!-- end -->';

/** Written as the process ends: microseconds of the processor, and kilobytes at the most. */
const USAGE = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime, maxRSS } = process.resourceUsage();" +
    " process._rawDebug(['usage', userCPUTime, maxRSS].join(' ')); });",
)}`;

/** Runs those whose name holds `only`, shows a table, puts it into `page`, and says whether all kept the limits. */
export function runHostileInputs(cli: string, only: string, page?: string): boolean {
  const rows = ['| input | size in kB | seconds | peak in MB | exit | says |', '|---|--:|--:|--:|--:|---|'];
  for (const row of rows) console.log(row);
  const runs = hostileInputs()
    .filter(({ name }) => name.includes(only))
    .map((input) => {
      const run = runOne(cli, input);
      console.log(run.isKept ? run.row : `${run.row} ← not within the limits`);
      return run;
    });
  if (page !== undefined) writeTable(page, [...rows, ...runs.map(({ row }) => row)].join('\n'));
  return runs.every(({ isKept }) => isKept);
}

/** Between the marks that name the command. */
function writeTable(page: string, table: string): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(`${BEGIN}\n`);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table`);
  writeFileSync(page, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}

function runOne(
  cli: string,
  { name, files, args = ['check'] }: HostileInput,
): { readonly row: string; readonly isKept: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-hostile-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', USAGE, cli, ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: TIMEOUT,
      maxBuffer: 1 << 30,
      killSignal: 'SIGKILL',
    });
    const used = [...stderr.matchAll(/^usage (\d+) (\d+)$/gm)].at(-1);
    const seconds = used === undefined ? Number.POSITIVE_INFINITY : Number(used[1]) / 1e6;
    const megabytes = used === undefined ? Number.POSITIVE_INFINITY : Number(used[2]) / 1000;
    const size = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const said = [...new Set([...stdout.matchAll(/\(([a-z]+(?:-[a-z]+)+)\)$/gm)].map(([, code]) => `\`${code}\``))];
    const verdict = stdout.trimEnd().split('\n').at(-1)?.trim() || stderr.split('\n')[0];
    const cells = [
      name,
      Math.round(size / 1000),
      seconds.toFixed(1),
      Math.round(megabytes),
      status ?? 'ended',
      [...said.slice(0, 3), verdict].join(' '),
    ];
    const row = `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
    const isKept = status !== null && status !== CRASHED && seconds <= MOST_SECONDS && megabytes <= MOST_MEGABYTES;
    return { row, isKept };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Runs hostile inputs through the bundled command line, with limits for time and memory: `npm run fuzz -- hostile [--cli FILE]`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Report } from '../../src/report/report.ts';
import type { HostileInput } from './hostile-input.ts';
import { hostileInputs } from './hostile-inputs.ts';

/** CPU time in user mode, so that a busy machine does not fail an input. */
const MOST_SECONDS = 10;
const MOST_MEGABYTES = 1000;
/** Milliseconds after which the process is killed. */
const TIMEOUT = 600_000;
const NOTHING_CHECKED = 3;
const CRASHED = 4;
/** In the folder of the input, under a name that is not checked. */
const REPORT = 'report.json.out';

const BEGIN = '<!-- made by `npm run fuzz -- hostile --write` -->';
const END = '<!-- end -->';

/** Prints CPU microseconds and peak kilobytes when the process ends. */
const USAGE = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime, maxRSS } = process.resourceUsage();" +
    " process._rawDebug(['usage', userCPUTime, maxRSS].join(' ')); });",
)}`;

const HEADINGS = ['| input | size in kB | seconds | peak in MB | exit code | result |', '|---|--:|--:|--:|--:|---|'];

/**
 * Runs inputs whose name contains `only`, prints a table, and returns true if all kept the limits and gave the expected results. Each row
 * is written to `page` immediately, because the whole run takes long.
 */
export function runHostileInputs(cli: string, only: string, page?: string): boolean {
  for (const row of HEADINGS) console.log(row);
  const inputs = hostileInputs();
  const results = inputs
    .filter(({ name }) => name.includes(only))
    .map((input) => {
      const { row, isKept, isTold } = runOne(cli, input);
      const more = [isKept ? '' : ' ← not within the limits', isTold ? '' : ` ← \`${input.expects}\` is expected`];
      console.log(`${row}${more.join('')}`);
      if (page !== undefined)
        writeRow(
          page,
          row,
          inputs.map(({ name }) => name),
        );
      return isKept && isTold;
    });
  return results.every((isGood) => isGood);
}

/** Codes of findings and diagnostics; empty without a report. */
function codesIn(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const { findings, diagnostics } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return new Set([...findings, ...diagnostics].map(({ code }) => code));
}

/** Updates the row between the marker comments, in the order of the inputs. Drops rows of removed inputs. */
function writeRow(page: string, row: string, names: readonly string[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(`${BEGIN}\n`);
  const [table, after] = rest?.split(END) ?? [];
  if (before === undefined || table === undefined || after === undefined)
    throw new Error(`${page} has no markers for the table`);
  const known = [...table.split('\n'), row].filter((line) => line.startsWith('| '));
  const rows = new Map(known.map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]));
  const lines = names.flatMap((name) => rows.get(name.replaceAll('|', '\\|')) ?? []);
  writeFileSync(page, `${before}${BEGIN}\n\n${[...HEADINGS, ...lines].join('\n')}\n\n${END}${after}`);
}

function runOne(
  cli: string,
  { name, files, expects, args = ['check'] }: HostileInput,
): { readonly row: string; readonly isKept: boolean; readonly isTold: boolean } {
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
    // Text output contains no code for policy messages, so the JSON report is read.
    const tells = (code: string): boolean => {
      spawnSync(process.execPath, [cli, ...args, `--format=json=${REPORT}`], { cwd: folder, timeout: TIMEOUT });
      return codesIn(join(folder, REPORT)).has(code);
    };
    const isKept = status !== null && status !== CRASHED && seconds <= MOST_SECONDS && megabytes <= MOST_MEGABYTES;
    const isTold =
      expects === 'allowed'
        ? status === 0 || status === NOTHING_CHECKED
        : said.includes(`\`${expects}\``) || tells(expects);
    return { row, isKept, isTold };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

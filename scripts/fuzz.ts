// Compares this project's CEL engine with others on random expressions, then runs the property tests with full counts:
// `npm run fuzz -- --seed 1 --count 100000 --times 1`, or only one of both with `--only expressions` or `--only properties`.
// `npm run fuzz -- hostile` runs hostile inputs through dist/cli.js (or `--cli FILE`); `--only` selects inputs by a part of their name,
// `--write` writes the table to docs/limits.md.
// `npm run fuzz -- changes DIR...` evaluates typical changes, once with only affected roots rendered and once with all; `--count` per
// repository, `--cache FOLDER` caches renderings.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BatchReport, BatchRequest } from './fuzz/batch.ts';
import { runChanges } from './fuzz/changes.ts';
import { Groups, readAccepted } from './fuzz/divergence.ts';
import { sampleExpressions } from './fuzz/grammar.ts';
import { runHostileInputs } from './fuzz/hostile.ts';

const BATCH = 2000;
const EXPRESSIONS = 100_000;
/** Per repository. */
const CHANGES = 22;
/** Milliseconds after which a busy engine is considered hung. */
const BATCH_TIMEOUT = 120_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The bundle that runs hostile inputs. */
    cli: { type: 'string', default: join(import.meta.dirname, '../dist/cli.js') },
    /** Writes the table of hostile inputs to docs/limits.md. */
    write: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    cache: { type: 'string' },
    /** Prints the expressions instead, one JSON string per line. */
    print: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    /** Multiplies the full count of each property; another seed gives other values. */
    times: { type: 'string', default: '1' },
  },
});

if (positionals[0] === 'hostile') {
  const page = options.write ? join(import.meta.dirname, '../docs/limits.md') : undefined;
  process.exit(runHostileInputs(resolve(options.cli), options.only ?? '', page) ? 0 : 1);
}

const seed = Number(options.seed);
if (positionals[0] === 'changes') {
  const folders = positionals.slice(1).map((folder) => resolve(folder));
  const { cache } = options;
  const isSame = runChanges(folders, { seed, count: Number(options.count ?? CHANGES), ...(cache && { cache }) });
  process.exit(isSame ? 0 : 1);
}

const count = Number(options.count ?? EXPRESSIONS);
const requests: BatchRequest[] = [];
for (let first = 0; first < count; first += BATCH) {
  requests.push({ seed: seed + requests.length, count: Math.min(BATCH, count - first) });
}

if (options.print) {
  for (const request of requests)
    for (const text of sampleExpressions(request.seed, request.count)) console.log(JSON.stringify(text));
  process.exit(0);
}
const { only } = options;
if (only !== undefined && only !== 'expressions' && only !== 'properties') {
  console.error('--only is `expressions` or `properties`');
  process.exit(2);
}
const agree = only === 'properties' || show(await runAll(requests, Number(options.processes)));
const hold = only === 'expressions' || tryProperties();
process.exitCode = agree && hold ? 0 : 1;

/** Runs every test file that has a thorough mode (test/support/tries.ts). The first seed is that of `npm test`. */
function tryProperties(): boolean {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(root, 'test', name))
    .filter((file) => readFileSync(file, 'utf8').includes('support/tries.ts'));
  const minutes = 60_000;
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', String(60 * minutes), ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PREADMIT_TRIES: options.times, PREADMIT_SEED: String(seed - 1) },
    },
  );
  return status === 0;
}

async function runAll(queue: BatchRequest[], processes: number): Promise<BatchReport[]> {
  const reports: BatchReport[] = [];
  const work = async (): Promise<void> => {
    const child = fork(new URL('./fuzz/batch-process.ts', import.meta.url));
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      reports.push(await runIn(child, request));
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: Math.min(processes, queue.length) }, work));
  return reports;
}

function runIn(child: ChildProcess, request: BatchRequest): Promise<BatchReport> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${what}: --seed ${request.seed} --count ${request.count}`));
    };
    const timer = setTimeout(() => fail('an engine hangs'), BATCH_TIMEOUT);
    const onExit = (): void => fail('the process ended');
    child.once('exit', onExit);
    child.once('message', (report: BatchReport) => {
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(report);
    });
    child.send(request);
  });
}

/** Returns true if there are no new differences. */
function show(reports: readonly BatchReport[]): boolean {
  const groups = new Groups();
  for (const report of reports) for (const group of report.groups) groups.add(group, group.count);
  const crashes = reports.flatMap((report) => report.crashes);
  for (const { engine, ours, theirs, expression, count } of groups.all()) {
    console.log(`${count} × ${engine}\n  ours    ${ours}\n  theirs  ${theirs}\n  ${expression}`);
  }
  for (const { expression, message } of crashes.slice(0, 20)) console.log(`crash: ${message}\n  ${expression}`);
  const accepted = readAccepted().map(({ reason }, index) => {
    const met = reports.reduce((sum, report) => sum + (report.acceptedCounts[index] ?? 0), 0);
    return `  ${met} × ${reason}`;
  });
  const values = reports.reduce((sum, report) => sum + report.values, 0);
  console.log(`accepted:\n${accepted.join('\n')}`);
  console.log(
    `${count} expressions, ${values} with a value; ${groups.all().length} new differences, ${crashes.length} crashes`,
  );
  return groups.all().length === 0 && crashes.length === 0;
}

// Compares CEL engines on expressions of policies: one process per engine and round, rounds interleaved, medians.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXPRESSIONS } from './cel-expressions.ts';

const ENGINES = ['preadmit', 'preadmit without limit', 'marcbachmann', 'bufbuild'];
const ROUNDS = 3;
// A separate entry point of the bundle (run-bundled.ts); this file may be a chunk in the same folder.
const ENGINE_SCRIPT = fileURLToPath(new URL('./cel-engine.mjs', import.meta.url));

type Times = Record<string, number>;

function runEngine(engine: string): Times {
  const output = execFileSync(process.execPath, [ENGINE_SCRIPT, engine], { encoding: 'utf8' });
  return JSON.parse(output) as Times;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

export async function run(): Promise<void> {
  const rounds = new Map<string, Times[]>(ENGINES.map((engine) => [engine, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const engine of ENGINES) rounds.get(engine)?.push(runEngine(engine));
  }
  const names = Object.keys(EXPRESSIONS);
  console.log(`| nanoseconds per evaluation | ${names.join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(names.length)}`);
  for (const [engine, times] of rounds) {
    const cells = names.map((name) => median(times.map((time) => time[name] as number)).toFixed(0));
    console.log(`| ${engine} | ${cells.join(' | ')} |`);
  }
}

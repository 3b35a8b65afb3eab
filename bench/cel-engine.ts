// Times the benchmark's expressions in one CEL engine and prints nanoseconds per evaluation as JSON. `cel.ts` starts one process per
// engine.
import { celEnv, parse as parseBufbuild, plan as planBufbuild } from '@bufbuild/cel';
import { Environment as MarcbachmannEnvironment } from '@marcbachmann/cel-js';
import { DYN } from '../src/cel/check/type.ts';
import { Environment } from '../src/cel/environment.ts';
import { plan } from '../src/cel/eval/plan.ts';
import { ProgramError } from '../src/cel/eval/program.ts';
import { OPTIONAL_LIBRARY } from '../src/cel/library/optional.ts';
import { standardLibrary } from '../src/cel/library/standard.ts';
import type { Value } from '../src/cel/value/value.ts';
import { DEPLOYMENT, EXPRESSIONS, type PlainJson } from './cel-expressions.ts';

const WARM_UP_MS = 300;
const BATCHES = 15;
const BATCH_MS = 30;

type Evaluate = () => unknown;

const engines: Readonly<Record<string, (expression: string) => Evaluate>> = {
  preadmit: (expression) => prepare(expression, 1_000_000),
  'preadmit without limit': (expression) => prepare(expression, undefined),
  marcbachmann(expression) {
    const environment = new MarcbachmannEnvironment().registerVariable('object', 'dyn');
    const run = environment.parse(expression);
    const object = toBigInts(DEPLOYMENT);
    return () => run({ object });
  },
  bufbuild(expression) {
    const run = planBufbuild(celEnv(), parseBufbuild(expression));
    const object = toBigInts(DEPLOYMENT);
    return () => run({ object } as Parameters<typeof run>[0]);
  },
};

function prepare(expression: string, costLimit: number | undefined): Evaluate {
  const environment = new Environment({
    libraries: [standardLibrary(), OPTIONAL_LIBRARY],
    variables: [{ name: 'object', type: DYN }],
    optionalSyntax: true,
    crossTypeNumericComparisons: true,
  });
  const { ast } = environment.compile(expression);
  const program = ast && plan(environment, ast, costLimit === undefined ? {} : { costLimit });
  if (program === undefined || program instanceof ProgramError) throw new Error(`cannot plan ${expression}`);
  const object = toValue(DEPLOYMENT);
  const activation = { resolve: (name: string) => (name === 'object' ? object : undefined) };
  return () => program.evaluate(activation).value;
}

function toValue(json: PlainJson): Value {
  if (typeof json === 'number') return BigInt(json);
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, field]) => [key, toValue(field)]));
}

function toBigInts(json: PlainJson): unknown {
  if (typeof json === 'number') return BigInt(json);
  if (Array.isArray(json)) return json.map(toBigInts);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, field]) => [key, toBigInts(field)]));
}

/** Median nanoseconds per evaluation over batches, after warming up. */
function measure(evaluate: Evaluate): number {
  let perBatch = 1;
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) {
    const elapsed = timeBatch(evaluate, perBatch);
    if (elapsed < BATCH_MS) perBatch = Math.ceil(perBatch * (elapsed > 1 ? BATCH_MS / elapsed : 4));
  }
  const times: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) times.push((timeBatch(evaluate, perBatch) / perBatch) * 1e6);
  return times.sort((a, b) => a - b)[Math.floor(BATCHES / 2)] as number;
}

/** Milliseconds of CPU time, which other work on the machine affects less than wall time. */
function timeBatch(evaluate: Evaluate, count: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) evaluate();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const engine = engines[process.argv[2] ?? ''];
if (engine === undefined) throw new Error(`no such engine; there are ${Object.keys(engines).join(', ')}`);
const results: Record<string, number> = {};
for (const [name, expression] of Object.entries(EXPRESSIONS)) {
  const evaluate = engine(expression);
  if (evaluate() !== true) throw new Error(`${name} is not true: ${String(evaluate())}`);
  results[name] = measure(evaluate);
}
console.log(JSON.stringify(results));

// The committed sample of calls with the answers of the originals, and what the originals register. Both need no Go to be tested.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { callsOf } from './differences.ts';
import { type Blocks, type CoveredAnswer, Original, surfaceOf } from './originals.ts';
import type { Answer, Arguments, Call, Port, PortFunction } from './port.ts';
import { PORTS } from './ports.ts';
import { isSteady, kindOf } from './same-answer.ts';

export interface SampledFunction {
  readonly name: string;
  readonly calls: readonly (readonly [Arguments, Answer])[];
}

/** What the original registers, and calls of its functions. */
export interface Sample {
  readonly surface: readonly string[];
  /** Null if the sample was recorded without coverage. */
  readonly blocks: Blocks | null;
  readonly functions: readonly SampledFunction[];
}

export function readSample(port: Port): Sample {
  const lines = brotliDecompressSync(readFileSync(pathOf(port)))
    .toString('utf8')
    .split('\n');
  const [head, ...functions] = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
  return { ...(head as Omit<Sample, 'functions'>), functions: functions as readonly SampledFunction[] };
}

function pathOf(port: Port): URL {
  return new URL(`sample/${port.name}.jsonl.br`, import.meta.url);
}

/**
 * `npm run conformance -- record-ports [PORT] [CANDIDATES] [covered]`: chooses the calls of the sample among `candidates` of each function.
 * `covered` builds the original with coverage, and prefers calls that meet new blocks of it.
 */
export async function recordSamples(wanted = '', candidates = 1000, isCovered = false): Promise<void> {
  for (const port of PORTS) {
    if (wanted !== '' && port.name !== wanted) continue;
    const packages = PORTS.filter(({ program }) => program === port.program).flatMap(({ originals }) => originals);
    const original = new Original(port, isCovered ? [...new Set(packages)] : undefined);
    const functions: SampledFunction[] = [];
    let blocks: Blocks | null = null;
    for (const each of port.functions().filter(({ isOnlyLive }) => isOnlyLive !== true)) {
      const found = await sampleOf(port, each, original, callsOf(port.name, each, each.sampled ?? candidates, 0));
      functions.push(found.sampled);
      blocks = found.blocks;
    }
    original.stop();
    writeSample(port, { surface: surfaceOf(port) as readonly string[], blocks, functions });
    const calls = functions.flatMap((each) => each.calls).length;
    const covered = blocks === null ? '' : `, ${blocks.met} of ${blocks.all} blocks`;
    console.log(`${port.name}: ${functions.length} functions, ${calls} calls${covered}`);
  }
}

function writeSample(port: Port, { surface, blocks, functions }: Sample): void {
  const lines = [{ surface, blocks }, ...functions].map((line) => JSON.stringify(line));
  const text = Buffer.from(lines.join('\n'));
  const parameters = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(pathOf(port), brotliCompressSync(text, { params: parameters }));
}

/** Adds calls with the answers of the original, also to the list of calls that a new recording keeps. Returns their number. */
export async function addToSample(port: Port, calls: readonly Call[]): Promise<number> {
  const sample = readSample(port);
  const original = new Original(port);
  const answers = await original.answers(calls);
  original.stop();
  const added = calls.flatMap((call, index) => {
    const answer = answers[index] as Answer;
    return isSteady(answer) ? [{ call, answer: comparedFields(port, answer) }] : [];
  });
  const functions = sample.functions.map((each) => ({
    ...each,
    calls: [
      ...each.calls,
      ...added.flatMap(({ call, answer }) => (call.function === each.name ? [[call.arguments, answer] as const] : [])),
    ],
  }));
  writeSample(port, { ...sample, functions });
  const lines = added.map(({ call }) => `${JSON.stringify([port.name, call.function, call.arguments])}\n`);
  appendFileSync(KEPT, lines.join(''));
  return added.length;
}

/** Calls of the sample that notice mutants; a new recording keeps them. */
const KEPT = new URL('kept-calls.jsonl', import.meta.url);

function keptCalls(port: Port, functionName: string): readonly Call[] {
  return readFileSync(KEPT, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as readonly [string, string, Arguments])
    .filter(([name, of]) => name === port.name && of === functionName)
    .map(([, name, given]) => ({ function: name, arguments: given }));
}

/** Calls that meet a block for the first time, then those with a new kind of answer, then others. */
async function sampleOf(
  port: Port,
  { sampled: most = port.sampled }: PortFunction,
  original: Original,
  all: readonly Call[],
): Promise<{ readonly sampled: SampledFunction; readonly blocks: Blocks | null }> {
  const kept = keptCalls(port, all[0]?.function ?? '');
  const calls = distinct([...kept, ...all]);
  const covered: readonly Partial<CoveredAnswer>[] = original.isCovered
    ? await original.covered(calls)
    : (await original.answers(calls)).map((answer) => ({ answer }));
  const known = new Set<string>();
  const ranks = covered.map(({ answer, newBlocks = 0 }) => {
    const kind = kindOf(answer as Answer);
    const isNew = !known.has(kind);
    known.add(kind);
    return newBlocks > 0 ? 0 : isNew ? 1 : 2;
  });
  const order = [...calls.keys()].sort(
    (left, right) => (ranks[left] as number) - (ranks[right] as number) || left - right,
  );
  const chosen = [...new Set([...kept.keys(), ...order.slice(0, most)])].sort((left, right) => left - right);
  const answered = chosen.map((index) => [calls[index] as Call, covered[index]?.answer as Answer] as const);
  const sampled = answered
    .filter(([, answer]) => isSteady(answer))
    .map(([call, answer]) => [call.arguments, comparedFields(port, answer)] as const);
  return { sampled: { name: all[0]?.function ?? '', calls: sampled }, blocks: covered.at(-1)?.blocks ?? null };
}

function distinct(calls: readonly Call[]): readonly Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call.arguments), call])).values()];
}

function comparedFields({ compared }: Port, answer: Answer): Answer {
  if (compared === undefined) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => compared.includes(name)));
}

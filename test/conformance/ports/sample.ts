// The committed sample of calls with the answers of the originals, and what the originals register. Both need no Go to be tested.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { callsOf } from './differences.ts';
import { type Blocks, type CoveredAnswer, Original, surfaceOf } from './originals.ts';
import type { Answer, Arguments, Call, Port } from './port.ts';
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
    for (const each of port.functions()) {
      const found = await sampleOf(port, original, callsOf(port.name, each, candidates, 0));
      functions.push(found.sampled);
      blocks = found.blocks;
    }
    original.stop();
    const lines = [{ surface: surfaceOf(port), blocks }, ...functions].map((line) => JSON.stringify(line));
    const text = Buffer.from(lines.join('\n'));
    const parameters = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
    writeFileSync(pathOf(port), brotliCompressSync(text, { params: parameters }));
    const calls = functions.flatMap((each) => each.calls).length;
    const covered = blocks === null ? '' : `, ${blocks.met} of ${blocks.all} blocks`;
    console.log(`${port.name}: ${functions.length} functions, ${calls} calls${covered}`);
  }
}

/** Calls that meet a block for the first time, then those with a new kind of answer, then others. */
async function sampleOf(
  port: Port,
  original: Original,
  all: readonly Call[],
): Promise<{ readonly sampled: SampledFunction; readonly blocks: Blocks | null }> {
  const calls = distinct(all);
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
  const chosen = order.slice(0, port.sampled).sort((left, right) => left - right);
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

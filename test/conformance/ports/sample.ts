// The committed sample of calls with the answers of the originals, and what the originals register. Both need no Go to be tested.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { callsOf } from './differences.ts';
import { type CoveredAnswer, Original, surfaceOf } from './originals.ts';
import type { Answer, Arguments, Call, Port } from './port.ts';
import { PORTS } from './ports.ts';
import { isSteady, kindOf } from './same-answer.ts';

/** `blocks`: covered blocks of the original, by the sample. */
export interface SampledFunction {
  readonly name: string;
  readonly blocks: number;
  readonly calls: readonly (readonly [Arguments, Answer])[];
}

/** What the original registers, and calls of its functions. */
export interface Sample {
  readonly surface: readonly string[];
  readonly functions: readonly SampledFunction[];
}

export function readSample(port: Port): Sample {
  const lines = brotliDecompressSync(readFileSync(pathOf(port)))
    .toString('utf8')
    .split('\n');
  const [surface, ...functions] = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
  return { surface: surface as readonly string[], functions: functions as readonly SampledFunction[] };
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
    for (const each of port.functions().filter(({ isOnlyLive }) => isOnlyLive !== true))
      functions.push(await sampleOf(port, original, callsOf(port.name, each, candidates, 0)));
    original.stop();
    const lines = [surfaceOf(port), ...functions].map((line) => JSON.stringify(line));
    const text = Buffer.from(lines.join('\n'));
    const parameters = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
    writeFileSync(pathOf(port), brotliCompressSync(text, { params: parameters }));
    console.log(`${port.name}: ${functions.length} functions, ${functions.flatMap(({ calls }) => calls).length} calls`);
  }
}

/** Calls that meet a block or an error text for the first time, then others. */
async function sampleOf(port: Port, original: Original, all: readonly Call[]): Promise<SampledFunction> {
  const calls = distinct(all);
  const covered = original.isCovered ? await original.covered(calls) : await uncovered(original, calls);
  const known = new Set<string>();
  const isChosen = covered.map(({ answer, newBlocks }) => {
    const kind = kindOf(answer);
    const isNew = newBlocks > 0 || !known.has(kind);
    known.add(kind);
    return isNew;
  });
  const order = [...calls.keys()].sort(
    (left, right) => Number(isChosen[right]) - Number(isChosen[left]) || left - right,
  );
  const chosen = order.slice(0, port.sampled).sort((left, right) => left - right);
  const answered = chosen.map((index) => [calls[index] as Call, (covered[index] as CoveredAnswer).answer] as const);
  return {
    name: all[0]?.function ?? '',
    blocks: covered.at(-1)?.allBlocks ?? 0,
    calls: answered
      .filter(([, answer]) => isSteady(answer))
      .map(([call, answer]) => [call.arguments, comparedFields(port, answer)]),
  };
}

async function uncovered(original: Original, calls: readonly Call[]): Promise<readonly CoveredAnswer[]> {
  const answers = await original.answers(calls);
  return answers.map((answer) => ({ answer, newBlocks: 0, allBlocks: 0 }));
}

function distinct(calls: readonly Call[]): readonly Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call.arguments), call])).values()];
}

function comparedFields({ compared }: Port, answer: Answer): Answer {
  if (compared === undefined) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => compared.includes(name)));
}

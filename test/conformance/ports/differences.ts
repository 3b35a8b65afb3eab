// `npm run conformance -- ports [PORT[:FUNCTION]] [CALLS] [SEED]`: compares random calls with the originals, and shrinks the differences.
import { Chance, seedOf } from './chance.ts';
import { Original } from './originals.ts';
import type { Answer, Arguments, Call, Port, PortFunction } from './port.ts';
import { PORTS } from './ports.ts';
import { compare } from './same-answer.ts';

/** Printed for each function; further differences are only counted. */
const MOST_SHOWN = 3;

/** Longer arguments are not shrunk, because there are too many smaller ones. */
const LONG = 2000;

/** Returns the number of unexplained differences. */
export async function comparePorts(wanted = '', count = 10_000, seed = 1): Promise<number> {
  const [portName = '', functionName] = wanted.split(':');
  let differences = 0;
  for (const port of PORTS) {
    if (portName !== '' && port.name !== portName) continue;
    const functions = port.functions().filter(({ name }) => functionName === undefined || name === functionName);
    const original = new Original(port);
    let explained = 0;
    let found = 0;
    for (const each of functions) {
      const result = await compareFunction(port, original, callsOf(port.name, each, count, seed));
      explained += result.explained;
      found += result.different;
    }
    original.stop();
    const calls = functions.length * count;
    console.log(
      `${port.name.padEnd(16)} ${functions.length} functions, ${calls} calls, ${explained} explained, ${found} differences`,
    );
    differences += found;
  }
  return differences;
}

export function callsOf(port: string, { name, generate }: PortFunction, count: number, seed: number): readonly Call[] {
  const chance = new Chance(seedOf(`${port} ${name}`) + seed);
  return Array.from({ length: count }, () => ({ function: name, arguments: generate(chance) }));
}

async function compareFunction(
  port: Port,
  original: Original,
  calls: readonly Call[],
): Promise<{ explained: number; different: number }> {
  const theirs = await original.answers(calls);
  const answer = port.start();
  let explained = 0;
  const different: Call[] = [];
  for (const [index, call] of calls.entries()) {
    const found = compare(port, call, theirs[index] as Answer, answered(answer, call));
    if (found === 'explained') explained++;
    if (found === 'different') different.push(call);
  }
  if (different.length > 0) await show(port, original, different);
  return { explained, different: different.length };
}

function answered(answer: ReturnType<Port['start']>, call: Call): Answer {
  try {
    return answer(call.function, call.arguments);
  } catch (error) {
    return { thrown: String(error) };
  }
}

async function show(port: Port, original: Original, different: readonly Call[]): Promise<void> {
  console.log(`${port.name}: ${different[0]?.function}: ${different.length} differences`);
  const shown = new Set<string>();
  for (const call of different.slice(0, 2 * MOST_SHOWN)) {
    if (shown.size === MOST_SHOWN) break;
    const isLong = JSON.stringify(call.arguments).length > LONG;
    const smallest = isLong ? call : await shrink(port, original, call);
    const key = JSON.stringify(smallest.arguments);
    if (shown.has(key)) continue;
    shown.add(key);
    const [theirs] = await original.answers([smallest]);
    const ours = answered(port.start(), smallest);
    console.log(`  call     ${key}\n  original ${JSON.stringify(theirs)}\n  ours     ${JSON.stringify(ours)}`);
  }
}

/** Removes parts of the arguments while the answers still differ. */
async function shrink(port: Port, original: Original, call: Call): Promise<Call> {
  const answer = port.start();
  let smallest = call;
  for (let round = 0; round < 60; round++) {
    const candidates = smallerArguments(smallest.arguments).map((args): Call => ({ ...call, arguments: args }));
    if (candidates.length === 0) return smallest;
    const theirs = await original.answers(candidates);
    const next = candidates.find((candidate, index) => {
      const known = theirs[index] as Answer;
      if (known['compileError'] !== undefined || String(known['panic']).startsWith('harness')) return false;
      const ours = answered(answer, candidate);
      return ours['thrown'] === undefined && compare(port, candidate, known, ours) === 'different';
    });
    if (next === undefined) return smallest;
    smallest = next;
  }
  return smallest;
}

/** The same value with less, larger cuts first. */
function smallerArguments(args: Arguments): readonly Arguments[] {
  return args.flatMap((argument, index) => smaller(argument).map((less) => args.with(index, less)));
}

function smaller(value: unknown): readonly unknown[] {
  if (typeof value === 'string') {
    const characters = [...value];
    return cuts(characters.length).map(([from, to]) =>
      [...characters.slice(0, from), ...characters.slice(to)].join(''),
    );
  }
  if (Array.isArray(value)) {
    const removed = cuts(value.length).map(([from, to]) => [...value.slice(0, from), ...value.slice(to)]);
    return [...removed, ...value.flatMap((item, index) => smaller(item).map((less) => value.with(index, less)))];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return entries.flatMap(([name, member], index) => [
    Object.fromEntries(entries.toSpliced(index, 1)),
    ...smaller(member).map((less) => ({ ...value, [name]: less })),
  ]);
}

function cuts(length: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from + size <= length; from += size === 1 ? 1 : Math.max(1, size >> 1))
      found.push([from, from + size]);
  }
  return found;
}

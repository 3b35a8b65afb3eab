// Runs in a worker with a changed bundle of the ports: reports the first difference from the committed samples, or answers random calls.
import { parentPort, workerData } from 'node:worker_threads';
import { callsOf } from './differences.ts';
import { PORTS } from './ports.ts';
import { answered, answersSample, surfaceDifferences } from './sample-answers.ts';

export interface Trial {
  readonly ports: readonly string[];
  /** Present: random calls of each function are answered instead of the sample. */
  readonly calls?: { readonly count: number; readonly seed: number };
}

/** Answers to random calls as JSON, by function. */
export type RandomAnswers = Readonly<Record<string, readonly string[]>>;

const { ports, calls } = workerData as Trial;
parentPort?.postMessage(calls === undefined ? firstDifference() : randomAnswers(calls));

function firstDifference(): string | undefined {
  for (const name of ports) {
    const port = PORTS.find((each) => each.name === name);
    if (port === undefined) continue;
    if (surfaceDifferences(port).length > 0) return `${name}: the surface`;
    const different = answersSample(port).next();
    if (different.done !== true) return `${name} ${different.value.name}`;
  }
  return undefined;
}

function randomAnswers({ count, seed }: NonNullable<Trial['calls']>): RandomAnswers {
  const found: Record<string, readonly string[]> = {};
  for (const port of PORTS.filter(({ name }) => ports.includes(name))) {
    const answer = port.start();
    for (const each of port.functions().filter(({ isOnlyLive }) => isOnlyLive !== true)) {
      found[each.name] = callsOf(port.name, each, Math.min(count, each.sampled ?? count), seed).map((call) =>
        JSON.stringify(answered(() => answer(call.function, call.arguments))),
      );
    }
  }
  return found;
}

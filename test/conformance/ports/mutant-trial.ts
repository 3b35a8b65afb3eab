// Runs in a worker with a changed bundle of the ports: reports the first difference from the committed samples, or answers random calls.
import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { callsOf } from './differences.ts';
import { type Ranges, rangesOf } from './executed-code.ts';
import { PORTS } from './ports.ts';
import { answered, answersSample, surfaceDifferences } from './sample-answers.ts';

export interface Trial {
  /** The port's name, then those of its functions; undefined: all. */
  readonly asked: readonly (readonly [port: string, functions: readonly string[] | undefined])[];
  /** Also reports which functions execute which code. */
  readonly isCounted: boolean;
  /** Present: random calls of the functions are answered instead of the sample. */
  readonly random?: { readonly count: number; readonly seed: number };
}

/** Answers to random calls as JSON, by function. */
export type RandomAnswers = Readonly<Record<string, readonly string[]>>;

export type Message =
  | { readonly name: string; readonly executed: Ranges }
  | { readonly difference: string | undefined }
  | { readonly answers: RandomAnswers };

const { asked, isCounted, random } = workerData as Trial;
const session = new Session();

if (isCounted) {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
post(random === undefined ? { difference: firstDifference() } : { answers: randomAnswers(random) });

function post(message: Message): void {
  parentPort?.postMessage(message);
}

function firstDifference(): string | undefined {
  for (const [name, functions] of asked) {
    const port = PORTS.find((each) => each.name === name);
    if (port === undefined) continue;
    if (surfaceDifferences(port).length > 0) return `${name}: the surface`;
    const different = answersSample(port, functions, (functionName) => count(`${name} ${functionName}`)).next();
    if (different.done !== true) return `${name} ${different.value.name}`;
  }
  return undefined;
}

/** Sends what was executed since the last count. */
function count(name: string): void {
  if (!isCounted) return;
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    post({ name, executed: rangesOf(result) });
  });
}

function randomAnswers({ count, seed }: NonNullable<Trial['random']>): RandomAnswers {
  const found: Record<string, readonly string[]> = {};
  for (const [name, functions] of asked) {
    const port = PORTS.find((each) => each.name === name);
    const answer = port?.start();
    for (const each of port?.functions() ?? []) {
      if (each.isOnlyLive === true || functions?.includes(each.name) === false) continue;
      found[each.name] = callsOf(name, each, Math.min(count, each.sampled ?? count), seed).map((call) =>
        JSON.stringify(answered(() => answer?.(call.function, call.arguments) ?? {})),
      );
    }
  }
  return found;
}

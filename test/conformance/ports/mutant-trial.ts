// Runs in a worker: answers the committed samples with a changed bundle of the ports, and reports the first difference.
import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { rangesOf } from './executed-code.ts';
import { PORTS } from './ports.ts';
import { answersSample, surfaceDifferences } from './sample-answers.ts';

export interface Trial {
  /** The port's name, then those of its functions; undefined: all. */
  readonly asked: readonly (readonly [port: string, functions: readonly string[] | undefined])[];
  /** Also reports which functions execute which code. */
  readonly isCounted: boolean;
}

const { asked, isCounted } = workerData as Trial;
const session = new Session();

if (isCounted) {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
const difference = firstDifference();
parentPort?.postMessage({ difference });

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
    parentPort?.postMessage({ name, executed: rangesOf(result) });
  });
}

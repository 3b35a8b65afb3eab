// Runs in a worker: answers the committed samples with a changed bundle of the ports, and reports the first difference.
import { parentPort, workerData } from 'node:worker_threads';
import { PORTS } from './ports.ts';
import { answersSample, surfaceDifferences } from './sample-answers.ts';

parentPort?.postMessage(firstDifference());

function firstDifference(): string | undefined {
  for (const name of workerData as readonly string[]) {
    const port = PORTS.find((each) => each.name === name);
    if (port === undefined) continue;
    if (surfaceDifferences(port).length > 0) return `${name}: the surface`;
    const different = answersSample(port).next();
    if (different.done !== true) return `${name} ${different.value.name}`;
  }
  return undefined;
}

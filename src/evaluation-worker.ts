// A thread that evaluates: the bundle that worker threads start from.
import { parentPort, workerData } from 'node:worker_threads';
import { type EvaluationReply, type EvaluationStart, SharedBlocks } from './door/run/evaluation-message.ts';
import { evaluateHanded, type HandedState } from './pipeline/check/handed-state.ts';

const { signals, index } = workerData as EvaluationStart;
const blocks = new SharedBlocks(signals);

parentPort?.once('message', (handed: HandedState) => {
  let requests = 0;
  const part = evaluateHanded(
    handed,
    (work, count) => blocks.take(index, work, count),
    (number) => {
      requests += number;
    },
  );
  parentPort?.postMessage({ part, requests } satisfies EvaluationReply);
});

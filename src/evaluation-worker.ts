// A thread that evaluates: the bundle that worker threads start from.
import { parentPort, workerData } from 'node:worker_threads';
import type { EvaluationStart } from './door/evaluation-message.ts';
import { evaluateBeside } from './door/evaluation-thread.ts';

parentPort?.postMessage(evaluateBeside(workerData as EvaluationStart));

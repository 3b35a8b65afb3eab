// The process that runs batches, so that a hang or crash does not end the whole run. Started by `scripts/fuzz.ts`.
import { type BatchRequest, BatchRunner } from './batch.ts';

const runner = new BatchRunner();
process.on('message', (request: BatchRequest) => {
  process.send?.(runner.run(request));
});

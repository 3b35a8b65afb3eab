// The installed validation engine.
import { createValidationEngine, VALIDATION_LIMITS } from '../../validation/engine/validation-engine.ts';
import { plainFirst } from '../../validation/plain/plain-first.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { processorTime } from '../programs/processor-time.ts';
import { compileProgram, readProgram } from '../programs/read-program.ts';
import { type AnswerCacheOptions, cachedValidation } from './answer-cache.ts';

const ENGINE = {
  file: 'validation.wasm.br',
  folder: 'validation',
  name: 'validation engine',
  script: 'validation-engine',
};

/** Shared by all runs of the process, because starting the engine takes a second. It keeps nothing of an object. */
let registry: ServerValidation | undefined;

/**
 * Loads the engine for the first object that neither the plain check proves nor the cache contains. Throws WorkspaceError like
 * `cachedValidation`.
 */
export function lazyValidation(cache?: AnswerCacheOptions): ServerValidation {
  registry ??= lazyRegistry();
  return plainFirst(cache === undefined ? registry : cachedValidation(registry, cache, () => readProgram(ENGINE)));
}

/** Loads the engine when it validates the first object; that throws WorkspaceError if the engine is not installed. */
export function lazyRegistry(): ServerValidation {
  return createValidationEngine({
    module: () => compileProgram(ENGINE, { ...VALIDATION_LIMITS, optimizesLate: true }),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

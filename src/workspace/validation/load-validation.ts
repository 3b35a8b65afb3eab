// The installed validation engine.
import { createValidationEngine, VALIDATION_LIMITS } from '../../validation/engine/validation-engine.ts';
import { plainFirst } from '../../validation/plain/plain-first.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { processorTime } from '../programs/processor-time.ts';
import { compileProgram } from '../programs/read-program.ts';

const ENGINE = {
  file: 'validation.wasm.br',
  folder: 'validation',
  name: 'validation engine',
  script: 'validation-engine',
};

/** Shared by all runs of the process, because starting the engine takes a second. It keeps nothing of an object. */
let registry: ServerValidation | undefined;

/** Loads the engine for the first object that the plain check does not prove. */
export function lazyValidation(): ServerValidation {
  registry ??= lazyRegistry();
  return plainFirst(registry);
}

/** Loads the engine when it validates the first object; that throws WorkspaceError if the engine is not installed. */
export function lazyRegistry(): ServerValidation {
  return createValidationEngine({
    module: () => compileProgram(ENGINE, VALIDATION_LIMITS),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

// The installed validation engine.
import { createValidationEngine, VALIDATION_LIMITS } from '../../validation/engine/validation-engine.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { processorTime } from '../programs/processor-time.ts';
import { compileProgram } from '../programs/read-program.ts';

const ENGINE = {
  file: 'validation.wasm.br',
  folder: 'validation',
  name: 'validation engine',
  script: 'validation-engine',
};

/** Loads the engine when it validates the first object; that throws WorkspaceError if the engine is not installed. */
export function lazyValidation(): ServerValidation {
  return createValidationEngine({
    module: () => compileProgram(ENGINE, VALIDATION_LIMITS),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

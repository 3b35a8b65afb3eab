// The server's own validation for callers of the library. They pass the module's bytes and a clock, because the library reads neither.
import { limitMemory } from '../../sandbox/memory-limit.ts';
import { webAssembly } from '../../sandbox/web-assembly.ts';
import { createValidationEngine, VALIDATION_LIMITS } from '../../validation/engine/validation-engine.ts';
import { plainFirst } from '../../validation/plain/plain-first.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';

/** The engine's module and limits. */
export interface ValidationEngineInput {
  /** Decompressed content of `validation.wasm.br`. Called for the first object that only the engine can judge. */
  readonly wasm: () => Uint8Array;
  /** Milliseconds of a monotonic clock: `() => performance.now()`. */
  readonly elapsed: () => number;
  /** Time limit for one object, by `elapsed`. The engine checks it only during garbage collection. Default: 10,000. */
  readonly milliseconds?: number;
  /** Memory limit of the engine in MiB. Default: 512. */
  readonly memory?: number;
}

const PAGES_OF_MEBIBYTE = 16;

/**
 * Creates the engine for `serverValidation`. Compiling the module takes a second, so create one engine and keep it. Validation throws if
 * WebAssembly is not available or the bytes are not a module.
 */
export function validationEngine({
  wasm,
  elapsed,
  milliseconds = VALIDATION_LIMITS.milliseconds,
  memory = VALIDATION_LIMITS.memoryPages / PAGES_OF_MEBIBYTE,
}: ValidationEngineInput): ServerValidation {
  const memoryPages = memory * PAGES_OF_MEBIBYTE;
  return plainFirst(
    createValidationEngine({
      module: () => new webAssembly.Module(limitMemory(wasm(), memoryPages)),
      limits: { ...VALIDATION_LIMITS, milliseconds, memoryPages },
      elapsed,
      // Outside Node there is no processor time, so elapsed time is used.
      spent: elapsed,
    }),
  );
}

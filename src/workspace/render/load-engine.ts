// Loads the rendering engine on demand.
import {
  AMPLE_MEMORY,
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type EngineMemory,
  type EngineOptions,
  type RenderEngine,
} from '../../render/engine/render-engine.ts';
import type { EngineModule } from '../../sandbox/web-assembly.ts';
import { processorTime } from '../programs/processor-time.ts';
import { compileProgram, readProgram } from '../programs/read-program.ts';

const ENGINE = { file: 'engine.wasm.br', folder: 'render', name: 'rendering engine', script: 'render-engine' };

/** The installed, compressed engine. Throws WorkspaceError if it is missing. */
export function readEngine(): Uint8Array {
  return readProgram(ENGINE);
}

/** Throws WorkspaceError if the engine is not installed. */
export function loadEngineModule(
  { memoryPages }: EngineLimits = ENGINE_LIMITS,
  { initialPages, hasPauses }: EngineMemory = AMPLE_MEMORY,
): EngineModule {
  return compileProgram(ENGINE, { memoryPages, initialPages, hasPauses });
}

/** Throws WorkspaceError if the engine is not installed. */
export function loadEngine(
  limits: EngineLimits = ENGINE_LIMITS,
  { memory, budget }: Pick<EngineOptions, 'memory' | 'budget'> = {},
): RenderEngine {
  return createRenderEngine({
    module: loadEngineModule(limits, memory),
    limits,
    ...(memory && { memory }),
    ...(budget && { budget }),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

/** Loads the engine once, on first use. */
export function lazyEngine(options: Pick<EngineOptions, 'memory' | 'budget'> = {}): () => RenderEngine {
  let engine: RenderEngine | undefined;
  return () => {
    engine ??= loadEngine(ENGINE_LIMITS, options);
    return engine;
  };
}

// Reads, decompresses and compiles the rendering engine: only when something has to be rendered, as it takes half a second.
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../render/memory-limit.ts';
import {
  AMPLE_MEMORY,
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type EngineMemory,
  type RenderEngine,
} from '../../render/render-engine.ts';
import { type EngineModule, webAssembly } from '../../render/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { processorTime } from './processor-time.ts';

const ENGINE = 'engine.wasm.br';
/** Beside the bundles and one folder up from their chunks; in the repository where it is built. */
const PLACES = [`./${ENGINE}`, `../${ENGINE}`, `../../../render/${ENGINE}`];

/** The engine as it is installed, compressed. Throws WorkspaceError where it is not. */
export function readEngine(): Uint8Array {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined) {
    throw new WorkspaceError('engine-missing', `the rendering engine \`${ENGINE}\` is not beside the program`, {
      hint: 'install the whole `dist` folder, or build the engine with `npm run render-engine`',
    });
  }
  return readFileSync(file);
}

/** Throws WorkspaceError where the engine is not installed. */
export function loadEngineModule(
  { memoryPages }: EngineLimits = ENGINE_LIMITS,
  { initialPages }: EngineMemory = AMPLE_MEMORY,
): EngineModule {
  return new webAssembly.Module(limitMemory(brotliDecompressSync(readEngine()), memoryPages, initialPages));
}

/** Throws WorkspaceError where the engine is not installed. */
export function loadEngine(limits: EngineLimits = ENGINE_LIMITS, memory?: EngineMemory): RenderEngine {
  return createRenderEngine({
    module: loadEngineModule(limits, memory),
    limits,
    ...(memory && { memory }),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

/** Loads the engine when it is first asked for, and once. */
export function lazyEngine(memory?: EngineMemory): () => RenderEngine {
  let engine: RenderEngine | undefined;
  return () => {
    engine ??= loadEngine(ENGINE_LIMITS, memory);
    return engine;
  };
}

// Reads, decompresses and compiles the rendering engine: only when something has to be rendered, as it takes half a second.
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../render/memory-limit.ts';
import { createRenderEngine, ENGINE_LIMITS, type EngineLimits, type RenderEngine } from '../../render/render-engine.ts';
import { type EngineModule, webAssembly } from '../../render/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { processorTime } from './processor-time.ts';

const ENGINE = 'engine.wasm.br';
/** Beside the bundles and one folder up from their chunks; in the repository where it is built. */
const PLACES = [`./${ENGINE}`, `../${ENGINE}`, `../../../render/${ENGINE}`];

/**
 * 160 MiB, which nothing takes before it is written to: what the engine comes to where it renders much. Whenever a memory grows, V8 looks
 * through all that is alive for the sake of the memory that was.
 */
const INITIAL_PAGES = 2560;

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
export function loadEngineModule(limits: EngineLimits = ENGINE_LIMITS): EngineModule {
  return new webAssembly.Module(limitMemory(brotliDecompressSync(readEngine()), limits.memoryPages, INITIAL_PAGES));
}

/** Throws WorkspaceError where the engine is not installed. */
export function loadEngine(limits: EngineLimits = ENGINE_LIMITS): RenderEngine {
  return createRenderEngine({
    module: loadEngineModule(limits),
    limits,
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

/** Loads the engine when it is first asked for, and once. */
export function lazyEngine(limits: EngineLimits = ENGINE_LIMITS): () => RenderEngine {
  let engine: RenderEngine | undefined;
  return () => {
    engine ??= loadEngine(limits);
    return engine;
  };
}

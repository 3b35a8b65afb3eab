// Reads, decompresses and compiles the rendering engine: only when something has to be rendered, as it takes half a second.
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../render/memory-limit.ts';
import {
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type EngineMemory,
  type RenderEngine,
} from '../../render/render-engine.ts';
import { type EngineModule, webAssembly } from '../../render/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';

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

function loadEngineModule(limits: EngineLimits = ENGINE_LIMITS): EngineModule {
  return new webAssembly.Module(limitMemory(brotliDecompressSync(readEngine()), limits.memoryPages));
}

/** Throws WorkspaceError where the engine is not installed. */
export function loadEngine(limits: EngineLimits = ENGINE_LIMITS, memory?: EngineMemory): RenderEngine {
  return createRenderEngine({
    module: loadEngineModule(limits),
    limits,
    ...(memory && { memory }),
    elapsed: () => performance.now(),
    spent: processorTime,
  });
}

/** Of this process, in milliseconds: how busy the machine is with others makes no difference to what is rendered. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Loads the engine when it is first asked for, and once. */
export function lazyEngine(memory?: EngineMemory): () => RenderEngine {
  let engine: RenderEngine | undefined;
  return () => {
    engine ??= loadEngine(ENGINE_LIMITS, memory);
    return engine;
  };
}

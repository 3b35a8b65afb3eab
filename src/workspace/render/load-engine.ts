// Reads, decompresses and compiles the rendering engine: only when something has to be rendered, as it takes half a second.
import { existsSync, readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../render/engine/memory-limit.ts';
import {
  AMPLE_MEMORY,
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type EngineMemory,
  type RenderEngine,
} from '../../render/engine/render-engine.ts';
import { type EngineModule, webAssembly } from '../../render/engine/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { processorTime } from './processor-time.ts';

const ENGINE = 'engine.wasm.br';
/** More than the engine has: decompressed in one piece, as memory that comes in many is not given back to the system. */
const MAXIMUM_ENGINE_BYTES = 64 * 1024 * 1024;
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
  { initialPages, hasPauses }: EngineMemory = AMPLE_MEMORY,
): EngineModule {
  const compressed = readEngine();
  const bytes = brotliDecompressSync(compressed, { chunkSize: MAXIMUM_ENGINE_BYTES });
  const spare = bytes.buffer.byteLength === MAXIMUM_ENGINE_BYTES ? MAXIMUM_ENGINE_BYTES - bytes.length : 0;
  const limited = limitMemory(bytes, memoryPages, initialPages, spare);
  // Compiling copies them.
  const module = new webAssembly.Module(limited);
  if (hasPauses) {
    for (const buffer of new Set([compressed, bytes, limited].map((each) => each.buffer))) {
      giveBack(buffer as ArrayBuffer);
    }
  }
  return module;
}

/** Freed in the next pause, and not when garbage is collected, which what lies outside of the heap hurries little. It is empty at once. */
function giveBack(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(buffer, [buffer]);
  port1.close();
  port2.close();
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

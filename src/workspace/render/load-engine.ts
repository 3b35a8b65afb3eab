// Loads the rendering engine. Reading, decompressing and compiling it takes half a second, so it happens on demand.
import { existsSync, readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../sandbox/memory-limit.ts';
import {
  AMPLE_MEMORY,
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type EngineMemory,
  type EngineOptions,
  type RenderEngine,
} from '../../render/engine/render-engine.ts';
import { type EngineModule, webAssembly } from '../../sandbox/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { processorTime } from './processor-time.ts';

const ENGINE = 'engine.wasm.br';
/** Larger than the engine, so that it decompresses in one piece. Memory allocated in many pieces is not returned to the system. */
const MAXIMUM_ENGINE_BYTES = 64 * 1024 * 1024;
/** Beside the bundles, or one folder above their chunks; in the repository, in the build folder. */
const PLACES = [`./${ENGINE}`, `../${ENGINE}`, `../../../render/${ENGINE}`];

/** The installed, compressed engine. Throws WorkspaceError if it is missing. */
export function readEngine(): Uint8Array {
  const file = PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined) {
    throw new WorkspaceError(
      'engine-missing',
      `the rendering engine \`${ENGINE}\` is not in the folder of the program`,
      {
        hint: 'install the whole `dist` folder, or build the engine with `npm run render-engine`',
      },
    );
  }
  return readFileSync(file);
}

/** Throws WorkspaceError if the engine is not installed. */
export function loadEngineModule(
  { memoryPages }: EngineLimits = ENGINE_LIMITS,
  { initialPages, hasPauses }: EngineMemory = AMPLE_MEMORY,
): EngineModule {
  const compressed = readEngine();
  const bytes = brotliDecompressSync(compressed, { chunkSize: MAXIMUM_ENGINE_BYTES });
  const spare = bytes.buffer.byteLength === MAXIMUM_ENGINE_BYTES ? MAXIMUM_ENGINE_BYTES - bytes.length : 0;
  const limited = limitMemory(bytes, memoryPages, initialPages, spare);
  // Compiling copies the bytes, so the buffers can be freed.
  const module = new webAssembly.Module(limited);
  if (hasPauses) {
    for (const buffer of new Set([compressed, bytes, limited].map((each) => each.buffer))) {
      giveBack(buffer as ArrayBuffer);
    }
  }
  return module;
}

/**
 * Frees the buffer in the next pause. Waiting for garbage collection takes long, because memory outside the heap hardly
 * triggers it. The buffer is detached at once.
 */
function giveBack(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(buffer, [buffer]);
  port1.close();
  port2.close();
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

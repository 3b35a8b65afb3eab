// kustomize and Helm for callers of the library. They pass the module's bytes and a clock, because the library reads neither.

import {
  createRenderEngine,
  ENGINE_LIMITS,
  LITTLE_MEMORY,
  type RenderEngine,
} from '../../render/engine/render-engine.ts';
import { limitMemory } from '../../sandbox/memory-limit.ts';
import { webAssembly } from '../../sandbox/web-assembly.ts';

/** The engine's module and limits. */
export interface RenderingEngineInput {
  /** Decompressed content of `engine.wasm.br`. */
  readonly wasm: Uint8Array;
  /** Milliseconds of a monotonic clock: `() => performance.now()`. */
  readonly elapsed: () => number;
  /**
   * Time limit for one rendering, by `elapsed`. The engine checks it only during garbage collection. To enforce a limit, terminate the
   * worker. Default: 60,000.
   */
  readonly milliseconds?: number;
  /** Memory limit of the engine in MiB. Default: 768. */
  readonly memory?: number;
}

const PAGES_OF_MEBIBYTE = 16;

/**
 * Creates the engine for `rendering` of `checkState`. Compiling the module takes a second, so create one engine and keep it. Use a worker,
 * because rendering is synchronous. Throws if WebAssembly is not available or the bytes are not a module.
 */
export function renderingEngine({
  wasm,
  elapsed,
  milliseconds = ENGINE_LIMITS.milliseconds,
  memory = ENGINE_LIMITS.memoryPages / PAGES_OF_MEBIBYTE,
}: RenderingEngineInput): RenderEngine {
  const memoryPages = memory * PAGES_OF_MEBIBYTE;
  const module = new webAssembly.Module(limitMemory(wasm, memoryPages));
  return createRenderEngine({
    module,
    limits: { ...ENGINE_LIMITS, milliseconds, memoryPages },
    memory: LITTLE_MEMORY,
    elapsed,
    // Outside Node there is no processor time, so elapsed time is used.
    spent: elapsed,
  });
}

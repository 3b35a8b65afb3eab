// kustomize and Helm for callers of the library, who bring the module's bytes and a clock: the library has neither.
import { limitMemory } from '../../render/engine/memory-limit.ts';
import {
  createRenderEngine,
  ENGINE_LIMITS,
  LITTLE_MEMORY,
  type RenderEngine,
} from '../../render/engine/render-engine.ts';
import { webAssembly } from '../../render/engine/web-assembly.ts';

/** What the engine is made of, and how much it may take. */
export interface RenderingEngineInput {
  /** What `engine.wasm.br` holds, decompressed. */
  readonly wasm: Uint8Array;
  /** Milliseconds from any start, never going back: `() => performance.now()`. */
  readonly elapsed: () => number;
  /** For one rendering, by `elapsed`, which is asked whenever the engine collects garbage: only ending the worker is sure. 60,000 if absent. */
  readonly milliseconds?: number;
  /** That the engine may have, in MiB. 768 if absent. */
  readonly memory?: number;
}

const PAGES_OF_MEBIBYTE = 16;

/**
 * The engine that `rendering` of `checkState` asks for. Compiles the module, which takes a second: make one and keep it, in a worker, as
 * rendering is synchronous. Throws where there is no WebAssembly, and for bytes that are no module.
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
    // Nothing tells it outside of Node.
    spent: elapsed,
  });
}

// Opens the rendering engine on first use, so that its modules are not loaded if nothing is rendered.
import { type EngineUse, type OpenedEngine, startEngine } from './render-cache.ts';

/** Throws WorkspaceError if the cache cannot be used. */
export function openEngine(use: EngineUse): OpenedEngine {
  let started: OpenedEngine | undefined;
  const start = (): OpenedEngine => {
    started ??= startEngine(use);
    return started;
  };
  if (use.cache !== undefined) start();
  return { engine: () => start().engine(), close: () => started?.close() };
}

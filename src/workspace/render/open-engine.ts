// The engine that renders, opened when it is first asked for: nearly all that it needs is not even read where nothing is rendered.
import { type EngineUse, type OpenedEngine, startEngine } from './render-cache.ts';

/** Throws WorkspaceError for a cache that cannot be used. */
export function openEngine(use: EngineUse): OpenedEngine {
  let started: OpenedEngine | undefined;
  const start = (): OpenedEngine => {
    started ??= startEngine(use);
    return started;
  };
  if (use.cache !== undefined) start();
  return { engine: () => start().engine(), close: () => started?.close() };
}

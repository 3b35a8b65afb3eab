// The committed rendering engine, loaded once, for in-memory trees.

import { ENGINE_LIMITS, type EngineLimits, type RenderEngine } from '../../src/render/engine/render-engine.ts';
import type { HelmRequest, KustomizeRequest, RenderOutcome } from '../../src/render/engine/render-request.ts';
import { type FileTree, treeOf } from '../../src/source/tree/file-tree.ts';
import { loadEngine } from '../../src/workspace/render/load-engine.ts';

export const CHANCE = { seed: 1, now: Date.UTC(2026, 10, 22) };

let loaded: RenderEngine | undefined;

export function engine(): RenderEngine {
  loaded ??= loadEngine();
  return loaded;
}

export function engineWith(limits: Partial<EngineLimits>): RenderEngine {
  return loadEngine({ ...ENGINE_LIMITS, ...limits });
}

export function tree(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): FileTree {
  return treeOf({ files: new Map(Object.entries(files)), links: new Map(Object.entries(links)) });
}

export function kustomize(
  files: Readonly<Record<string, string>>,
  request: Partial<KustomizeRequest> = {},
  links: Readonly<Record<string, string>> = {},
): RenderOutcome {
  return engine().render({ engine: 'kustomize', root: '', anyFile: true, ...request }, tree(files, links), CHANCE);
}

export function chart(templates: Readonly<Record<string, string>>, request: Partial<HelmRequest> = {}): RenderOutcome {
  const files = { 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', ...templates };
  const asked = { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market', ...request } as const;
  return engine().render(asked, tree(files), CHANCE);
}

/** The rendered texts; throws the engine's message after a failure. */
export function textsOf(outcome: RenderOutcome): readonly string[] {
  if ('failure' in outcome) throw new Error(outcome.message);
  return outcome.objects.map(({ text }) => text);
}

export function failureOf(outcome: RenderOutcome): { readonly failure: string; readonly message: string } {
  if ('failure' in outcome) return { failure: outcome.failure, message: outcome.message };
  throw new Error(`rendered ${outcome.objects.length} objects`);
}

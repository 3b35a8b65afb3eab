// Applies the post-renderers of a release to its rendered objects, and records the origin of each object.

import { isJsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { treeOf } from '../../../source/tree/file-tree.ts';
import { readYaml } from '../../../source/yaml/yaml-to-json.ts';
import type { RenderEngine } from '../../engine/render-engine.ts';
import type {
  RenderChance,
  RenderedObject,
  RenderFailure,
  Rendering,
  RenderOutcome,
} from '../../engine/render-request.ts';
import type { PostRenderLayer } from '../../places/post-rendered-places.ts';
import type { PostRender, PostRenderer } from '../controller.ts';

/** The result of post-rendering, with its input. */
export interface PostRendered {
  readonly outcome: RenderOutcome;
  /** The chart's objects, if post-renderers ran. */
  readonly before?: Rendering;
  /** Indices in the chart's objects of those that post-renderers skip; these come first in the result. */
  readonly leftOut: readonly number[];
  readonly layers: readonly PostRenderLayer[];
}

/** Returns a failure unchanged. */
export function postRendered(
  rendered: RenderOutcome,
  postRender: PostRender | undefined,
  engine: RenderEngine,
  chance: RenderChance,
): PostRendered {
  const none = { outcome: rendered, leftOut: [], layers: [] };
  if (postRender === undefined || postRender.kustomizations.length === 0 || 'failure' in rendered) return none;
  const isLeftOut = (object: RenderedObject): boolean =>
    isChartDefinition(object) || (object.hook === true && !postRender.takesHooks);
  const leftOut: number[] = [];
  const taken: number[] = [];
  for (const [index, object] of rendered.objects.entries()) (isLeftOut(object) ? leftOut : taken).push(index);
  const layers: PostRenderLayer[] = [];
  let objects: readonly RenderedObject[] = taken.map((index) => rendered.objects[index] as RenderedObject);
  let indices: readonly number[] = taken;
  let { warnings } = rendered;
  for (const postRenderer of postRender.kustomizations) {
    if (objects.length === 0) break;
    const built = builtOver(objects, indices, postRenderer, engine, chance);
    if ('failure' in built) return { outcome: built, leftOut: [], layers: [] };
    layers.push(built.layer);
    ({ objects } = built);
    indices = objects.map((_, index) => index);
    warnings = [...warnings, ...built.warnings];
  }
  const untouched = leftOut.map((index) => rendered.objects[index] as RenderedObject);
  return {
    outcome: { ...rendered, objects: [...untouched, ...objects], warnings },
    before: rendered,
    leftOut,
    layers,
  };
}

/** True for objects in the `crds` folder of a chart or of its dependencies. */
export function isChartDefinition({ template = '' }: RenderedObject): boolean {
  return /^[^/]+\/(?:charts\/[^/]+\/)*crds\//.test(template);
}

/** `indices`: indices of the objects in the result of the previous layer. */
function builtOver(
  before: readonly RenderedObject[],
  indices: readonly number[],
  { kustomization, at }: PostRenderer,
  engine: RenderEngine,
  chance: RenderChance,
): RenderFailure | { layer: PostRenderLayer; objects: readonly RenderedObject[]; warnings: readonly string[] } {
  const names = before.map((_, index) => `object-${index}.yaml`);
  const byName = new Map(names.map((name, index) => [name, before[index] as RenderedObject]));
  const files = new Map([...byName].map(([name, { text }]) => [name, text]));
  files.set('kustomization.yaml', withResources(kustomization, names));
  const outcome = engine.render(
    { engine: 'kustomize', root: '', anyFile: true, order: 'files', provenance: true },
    treeOf({ files }),
    chance,
  );
  if ('failure' in outcome) return outcome;
  const objects = outcome.objects.map(({ text, origin }) => {
    const source = byName.get(origin?.path ?? '');
    return source === undefined ? { text } : { ...source, text };
  });
  const sources = new Map(names.map((name, index) => [name, indices[index] as number]));
  const layer = { files, at, objects: outcome.objects, steps: outcome.steps ?? [], sources };
  return { layer, objects, warnings: outcome.warnings };
}

function withResources(kustomization: string, resources: readonly string[]): string {
  const read = readYaml(kustomization);
  const fields = 'value' in read && isJsonObject(read.value) ? read.value : new Map<string, JsonValue>();
  return stringifyJson(new Map<string, JsonValue>([...fields, ['resources', resources]]), {
    sortKeys: false,
    escapeHtml: false,
  });
}

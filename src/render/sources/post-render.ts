// Builds a kustomization over objects that an engine rendered, as post-renderers of a release do, and keeps where each comes from.
import { isJsonObject, type JsonValue, stringifyJson } from '../../source/json.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import { treeOf } from '../file-tree.ts';
import type { RenderEngine } from '../render-engine.ts';
import type { RenderChance, RenderedObject, Rendering, RenderOutcome } from '../render-request.ts';
import type { PostRender } from './controller.ts';

/** A failure stays what it is. */
export function postRendered(
  rendered: RenderOutcome,
  postRender: PostRender | undefined,
  engine: RenderEngine,
  chance: RenderChance,
): RenderOutcome {
  if (postRender === undefined || postRender.kustomizations.length === 0 || 'failure' in rendered) return rendered;
  const isLeftOut = (object: RenderedObject): boolean =>
    isChartDefinition(object) || (object.hook === true && !postRender.takesHooks);
  const leftOut = rendered.objects.filter(isLeftOut);
  let outcome: RenderOutcome = { ...rendered, objects: rendered.objects.filter((object) => !isLeftOut(object)) };
  for (const kustomization of postRender.kustomizations) {
    if ('failure' in outcome || outcome.objects.length === 0) break;
    outcome = builtOver(outcome, kustomization, engine, chance);
  }
  return 'failure' in outcome ? outcome : { ...outcome, objects: [...leftOut, ...outcome.objects] };
}

/** True for what lies in the `crds` folder of a chart or of one of its dependencies. */
export function isChartDefinition({ template = '' }: RenderedObject): boolean {
  return /^[^/]+\/(?:charts\/[^/]+\/)*crds\//.test(template);
}

function builtOver(
  before: Rendering,
  kustomization: string,
  engine: RenderEngine,
  chance: RenderChance,
): RenderOutcome {
  const names = before.objects.map((_, index) => `object-${index}.yaml`);
  const indices = new Map(names.map((name, index) => [name, index]));
  const files = new Map(before.objects.map(({ text }, index) => [names[index] as string, text]));
  files.set('kustomization.yaml', withResources(kustomization, names));
  const outcome = engine.render(
    { engine: 'kustomize', root: '', anyFile: true, order: 'files', provenance: true },
    treeOf({ files }),
    chance,
  );
  if ('failure' in outcome) return outcome;
  const objects = outcome.objects.map(({ text, origin }) => {
    const source = before.objects[indices.get(origin?.path ?? '') ?? -1];
    return source === undefined ? { text } : { ...source, text };
  });
  return { ...before, objects, warnings: [...before.warnings, ...outcome.warnings] };
}

function withResources(kustomization: string, resources: readonly string[]): string {
  const read = readYaml(kustomization);
  const fields = 'value' in read && isJsonObject(read.value) ? read.value : new Map<string, JsonValue>();
  return stringifyJson(new Map<string, JsonValue>([...fields, ['resources', resources]]), {
    sortKeys: false,
    escapeHtml: false,
  });
}

// A HelmRelease of Flux: the chart and values that its controller installs, and its changes to the objects.
import { Sha256 } from '../../go/encoding/sha256.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type { RenderedObject } from '../engine/render-request.ts';
import type { Controller, ControllerPlan, DeclarationFacts, Finished, PostRenderer } from '../sources/controller.ts';
import { FLUX_HELM_RELEASE } from '../sources/declaration/declared-kinds.ts';
import { namedFolders } from '../sources/declaration/possible-paths.ts';
import { installedFacts } from '../sources/root/cluster-traits.ts';
import { isChartDefinition } from '../sources/root/post-render.ts';
import { patchOf } from './build-kustomization.ts';
import { within } from './generated-resources.ts';
import { remoteCluster } from './kube-config.ts';
import { dataNames } from './object-data.ts';
import { ownerMetadata, textOf, withMetadata } from './object-metadata.ts';
import { chartSources, type ReleaseChart, releaseChart, releaseNamespace } from './release-chart.ts';
import { merged, releaseValues } from './release-values.ts';
import { type FluxOptions, namespaceOf, OwnSources, pathInSource, specOf } from './source-reference.ts';

const GROUP = 'helm.toolkit.fluxcd.io';
/** Helm's limit. Flux cuts longer names and adds a part of their hash. */
const MAXIMUM_NAME = 53;
const HASH_LENGTH = 12;
const VALUES_HELP =
  'add the values to `rendering.flux.substitute` in `.preadmit.yaml`, or check the rendered manifests';

export function fluxHelmRelease(options: FluxOptions = {}): Controller {
  const sources = new WeakMap<DeclarationFacts, OwnSources>();
  return {
    kinds: [FLUX_HELM_RELEASE],
    plan: (release, known, tree) => {
      const own = sources.get(known) ?? new OwnSources(known, tree, options);
      sources.set(known, own);
      return planOf(release, known, tree, own);
    },
    takes: (release) => dataNames(specOf(release).get('valuesFrom')),
    sources: chartSources,
  };
}

function planOf(release: Resource, known: DeclarationFacts, tree: FileTree, own: OwnSources): ControllerPlan {
  const spec = specOf(release);
  if (spec.get('suspend') === true) return { declares: [] };
  const chart = releaseChart(release, known, tree, own);
  if ('unknown' in chart) {
    const help = 'vendor the chart into `charts/` next to the release, or check the rendered manifests';
    return { help, ...chart, mayBuild: [...(chart.mayBuild ?? []), ...namedFolders(spec.get('values') ?? null, tree)] };
  }
  const values = releaseValues(release, known);
  if ('unknown' in values) {
    return { ...values, mayBuild: [chart.path], help: VALUES_HELP };
  }
  const install = objectOrEmpty(spec.get('install'));
  const overlay = valuesOverlay(chart, tree);
  if ('unknown' in overlay) return { ...overlay, help: 'add the file, or correct the path', mayBuild: [chart.path] };
  const valuesFiles = chart.valuesFiles.map(({ path }) => path);
  const destination = remoteCluster(release);
  return {
    builds: [
      {
        ...(destination !== undefined && { destination }),
        request: {
          engine: 'helm',
          chart: chart.path,
          releaseName: releaseName(release),
          namespace: releaseNamespace(release),
          values: values.values,
          set: values.set,
          includeCrds: textField(install, 'crds') !== 'Skip',
          skipTests: true,
          skipHooks: install.get('disableHooks') === true,
          skipSchema: install.get('disableSchemaValidation') === true,
          ...installedFacts(known.cluster(release)),
          apiVersions: known.apiVersions,
        },
        overlay,
        mergedFrom: new Map([[within(chart.path, 'values.yaml'), valuesFiles]]),
        reads: valuesFiles,
        applier: { obeys: ['helm'] },
        asksCluster: true,
        alternatives: values.alternatives,
        lacks: values.lacking.map((lacking) => ({ lacking, help: VALUES_HELP })),
        ...(chart.assumes && { assumes: chart.assumes }),
        folder: chart.path,
        namespace: releaseNamespace(release),
        postRender: {
          kustomizations: postRenderers(spec),
          takesHooks: textField(spec, 'postRenderStrategy') !== 'nohooks',
        },
        finish: finisher(release),
      },
    ],
  };
}

function releaseName(release: Resource): string {
  const spec = specOf(release);
  const target = textField(spec, 'targetNamespace');
  const name = textField(spec, 'releaseName') || `${target === '' ? '' : `${target}-`}${release.name}`;
  if (name.length <= MAXIMUM_NAME) return name;
  return `${name.slice(0, MAXIMUM_NAME - HASH_LENGTH - 1)}-${new Sha256().update(name).digest().slice(0, HASH_LENGTH)}`;
}

/**
 * The messages are those of source-controller: `mergeFileValues` (internal/helm/chart/builder_local.go) for a chart in a repository, and
 * `mergeChartValues` (builder_remote.go) for a packaged one.
 */
function valuesOverlay(
  { path, valuesFiles, isPackaged, ignoresMissingFiles }: ReleaseChart,
  tree: FileTree,
): ReadonlyMap<string, string> | { readonly unknown: string } {
  if (valuesFiles.length === 0) return new Map();
  let values: JsonObject = new Map();
  for (const { path: file, written } of valuesFiles) {
    const bytes = tree.read(file);
    if (bytes === undefined && ignoresMissingFiles) continue;
    if (bytes === undefined) {
      const place = isPackaged ? `'${written}'` : `'/${pathInSource(written)}' (reference '${written}')`;
      return { unknown: `no values file found at path ${place}` };
    }
    const read = readYaml(new TextDecoder().decode(bytes));
    if ('failure' in read) {
      return { unknown: `unmarshaling values from '${written}' failed: ${read.failure.message}` };
    }
    values = merged(values, objectOrEmpty(read.value));
  }
  return new Map([[within(path, 'values.yaml'), textOf(values)]]);
}

function postRenderers(spec: JsonObject): readonly PostRenderer[] {
  const listed = spec.get('postRenderers');
  return (isJsonArray(listed) ? listed : []).flatMap((renderer, index) => {
    const kustomize = objectField(objectOrEmpty(renderer), 'kustomize');
    if (kustomize === undefined) return [];
    const patches = [
      ...objectItems(kustomize.get('patches')).map(patchOf),
      ...objectItems(kustomize.get('patchesStrategicMerge')).map((patch) => new Map([['patch', jsonText(patch)]])),
      ...objectItems(kustomize.get('patchesJson6902')).map(
        (patch) =>
          new Map<string, JsonValue>([
            ['patch', jsonText(patch.get('patch') ?? [])],
            ['target', objectOrEmpty(patch.get('target'))],
          ]),
      ),
    ];
    const images = objectItems(kustomize.get('images'));
    const settings = new Map<string, JsonValue>([
      ['patches', patches],
      ['images', images],
    ]);
    return [{ kustomization: jsonText(settings), at: ['spec', 'postRenderers', index, 'kustomize'] }];
  });
}

function jsonText(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}

/** Labels are added by the last post-renderer. CRDs in a chart's `crds` folder get only the owner labels. */
function finisher(release: Resource): (texts: readonly string[], objects: readonly RenderedObject[]) => Finished {
  const spec = specOf(release);
  const owner = ownerMetadata(GROUP, release.name, namespaceOf(release), new Map());
  const common = ownerMetadata(GROUP, release.name, namespaceOf(release), spec);
  const metadata = { labels: new Map([...common.labels, ...owner.labels]), annotations: common.annotations };
  const takesHooks = textField(spec, 'postRenderStrategy') !== 'nohooks';
  return (texts, objects) => ({
    texts: texts.map((text, index) => {
      const object = objects[index];
      const read = readYaml(text);
      if ('failure' in read || !isJsonObject(read.value) || (object?.hook === true && !takesHooks)) return text;
      const isDefinition = object !== undefined && isChartDefinition(object);
      return textOf(withMetadata(read.value, isDefinition ? owner : metadata));
    }),
  });
}

// What every kustomization of a repository reads: as resources, as patches, as other input; and who builds on whom.
import { posix } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json.ts';
import { objectItems, textField, textItems } from '../../source/json-field.ts';
import { KUSTOMIZATION_NAMES } from '../selection.ts';

const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io/';
/** Fields that say which manifests there are, not what becomes of them. */
const UNCHANGING_FIELDS = new Set(['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'crds', 'buildMetadata']);

export interface Kustomization {
  readonly path: string;
  readonly content: JsonObject;
}

/** True for what `kustomize build` reads as its instructions: by its group, or by its file's name where no group speaks against it. */
export function isKustomization(path: string, document: JsonValue | undefined): document is JsonObject {
  if (!isJsonObject(document)) return false;
  const apiVersion = textField(document, 'apiVersion');
  if (apiVersion !== '') return apiVersion.startsWith(KUSTOMIZE_GROUP);
  return isKustomizationName(path);
}

export function isKustomizationName(path: string): boolean {
  return KUSTOMIZATION_NAMES.has(posix.basename(path));
}

export class KustomizeReferences {
  readonly #patches = new Set<string>();
  readonly #inputs = new Set<string>();
  /** Resource file or folder to the kustomizations that list it. */
  readonly #builders = new Map<string, Kustomization[]>();

  constructor(kustomizations: readonly Kustomization[]) {
    for (const kustomization of kustomizations) this.#add(kustomization);
  }

  /** A file used in several ways is a manifest if one kustomization lists it as a resource. */
  isResource(path: string): boolean {
    return this.#builders.has(path);
  }

  isPatch(path: string): boolean {
    return this.#patches.has(path);
  }

  /** Content of a generated ConfigMap or Secret, values of a chart, or kustomize's own configuration. */
  isInput(path: string): boolean {
    return this.#inputs.has(path);
  }

  /** The nearest kustomization that makes something else of the manifests in a file; undefined if they are applied as written. */
  changedBy(path: string): string | undefined {
    const pending = [...(this.#builders.get(path) ?? [])];
    const seen = new Set(pending);
    for (const kustomization of pending) {
      if (changesResources(kustomization.content)) return kustomization.path;
      for (const next of this.#builders.get(posix.dirname(kustomization.path)) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        pending.push(next);
      }
    }
    return undefined;
  }

  #add(kustomization: Kustomization): void {
    const folder = posix.dirname(kustomization.path);
    const { content } = kustomization;
    const resolve = (reference: string): string => posix.join(folder, reference).replace(/\/$/, '');
    for (const field of ['resources', 'bases', 'components']) {
      for (const reference of textItems(content.get(field))) {
        const path = resolve(reference);
        const builders = this.#builders.get(path);
        if (builders === undefined) this.#builders.set(path, [kustomization]);
        else builders.push(kustomization);
      }
    }
    for (const reference of patchFiles(content)) this.#patches.add(resolve(reference));
    for (const reference of inputFiles(content)) this.#inputs.add(resolve(reference));
  }
}

/** Entries are paths, objects with a `path`, or the patch itself. */
function patchFiles(content: JsonObject): string[] {
  return ['patches', 'patchesStrategicMerge', 'patchesJson6902'].flatMap((field) => pathsOf(content.get(field)));
}

function inputFiles(content: JsonObject): string[] {
  const files = ['configurations', 'generators', 'transformers', 'validators'].flatMap((field) =>
    textItems(content.get(field)),
  );
  files.push(...pathsOf(content.get('replacements')));
  for (const generator of [
    ...objectItems(content.get('configMapGenerator')),
    ...objectItems(content.get('secretGenerator')),
  ]) {
    files.push(...textItems(generator.get('files')).map(withoutKey));
    files.push(...textItems(generator.get('envs')), textField(generator, 'env'));
  }
  for (const chart of [
    ...objectItems(content.get('helmCharts')),
    ...objectItems(content.get('helmChartInflationGenerator')),
  ]) {
    files.push(
      textField(chart, 'valuesFile'),
      ...textItems(chart.get('additionalValuesFiles')),
      textField(chart, 'values'),
    );
  }
  const openapi = content.get('openapi');
  if (isJsonObject(openapi)) files.push(textField(openapi, 'path'));
  return files.filter((file) => file !== '');
}

function pathsOf(list: JsonValue | undefined): string[] {
  if (!isJsonArray(list)) return [];
  return list
    .map((entry) => (isJsonObject(entry) ? textField(entry, 'path') : typeof entry === 'string' ? entry : ''))
    .filter((entry) => entry !== '' && !entry.includes('\n'));
}

/** `files` entries of a generator are `path` or `key=path`. */
function withoutKey(entry: string): string {
  return entry.slice(entry.indexOf('=') + 1);
}

function changesResources(content: JsonObject): boolean {
  for (const field of content.keys()) if (!UNCHANGING_FIELDS.has(field)) return true;
  return false;
}

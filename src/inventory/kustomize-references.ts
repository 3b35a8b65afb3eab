// The files that every kustomization of a repository reads as resources, patches and other input, and which kustomization includes which.

import { append } from '../go/slices/append.ts';
import { KUSTOMIZATION_NAMES } from '../settings/selection.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../source/json/json-field.ts';
import { baseName, folderOf, joinPaths } from '../source/text/repository-path.ts';

export const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io/';
const RESOURCE_FIELDS = ['resources', 'bases', 'components'] as const;
const PATCH_FIELDS = ['patches', 'patchesStrategicMerge', 'patchesJson6902'] as const;
/** Fields that select manifests without changing them. */
const UNCHANGING_FIELDS = new Set(['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'crds', 'buildMetadata']);

export interface Kustomization {
  readonly path: string;
  readonly content: JsonObject;
}

/** True for a file that `kustomize build` reads as its instructions: by API group, or by file name if the group does not contradict it. */
export function isKustomization(path: string, document: JsonValue | undefined): document is JsonObject {
  if (!isJsonObject(document)) return false;
  const apiVersion = textField(document, 'apiVersion');
  if (apiVersion !== '') return apiVersion.startsWith(KUSTOMIZE_GROUP);
  return isKustomizationName(path);
}

export function isKustomizationName(path: string): boolean {
  return KUSTOMIZATION_NAMES.has(baseName(path));
}

export class KustomizeReferences {
  /** Files and folders that kustomizations list as resources. */
  readonly #resources = new Set<string>();
  readonly #patches = new Set<string>();
  readonly #inputs = new Set<string>();
  readonly #changedBy: ReadonlyMap<string, string>;

  constructor(kustomizations: readonly Kustomization[]) {
    const nodes = kustomizations.map(resolve);
    for (const { resources, patches, inputs } of nodes) {
      for (const path of resources) this.#resources.add(path);
      for (const path of patches) this.#patches.add(path);
      for (const path of inputs) this.#inputs.add(path);
    }
    this.#changedBy = nearestChange(nodes);
  }

  /** A file with several roles is a manifest if any kustomization lists it as a resource. */
  isResource(path: string): boolean {
    return this.#resources.has(path);
  }

  isPatch(path: string): boolean {
    return this.#patches.has(path);
  }

  /** Content of a generated ConfigMap or Secret, values of a chart, or kustomize's own configuration. */
  isInput(path: string): boolean {
    return this.#inputs.has(path);
  }

  /** The nearest kustomization that changes the manifests in a file; undefined if they are applied as written. */
  changedBy(path: string): string | undefined {
    return this.#changedBy.get(path);
  }
}

/** Files, folders and URLs as written. Multi-line texts of patches and replacements are omitted. */
export interface KustomizationPaths {
  /** Sources of objects. */
  readonly resources: readonly string[];
  readonly patches: readonly string[];
  /** Content of generated ConfigMaps and Secrets, values of charts, and kustomize's own configuration. */
  readonly inputs: readonly string[];
  readonly definitions: readonly string[];
  readonly charts: readonly string[];
}

/** All code that needs the paths of a kustomization must use this function. */
export function kustomizationPaths(content: JsonObject): KustomizationPaths {
  const written = (paths: readonly string[]): readonly string[] => paths.filter((path) => path !== '');
  const charts = chartsOf(content);
  const home = textField(objectOrEmpty(content.get('helmGlobals')), 'chartHome') || 'charts';
  return {
    resources: written(RESOURCE_FIELDS.flatMap((field) => textItems(content.get(field)))),
    patches: PATCH_FIELDS.flatMap((field) => pathsOf(content.get(field))),
    inputs: written(inputFiles(content, charts)),
    definitions: written(textItems(content.get('crds'))),
    charts: charts.length > 0 ? [home] : [],
  };
}

interface ResolvedKustomization {
  readonly path: string;
  /** Paths of files, and of folders with their own kustomization. Relative to the repository root, like the other lists. */
  readonly resources: readonly string[];
  readonly patches: readonly string[];
  readonly inputs: readonly string[];
  readonly isChanging: boolean;
}

/** Caches results between two states of a repository, because most kustomizations are equal in both. */
const RESOLVED = new WeakMap<JsonObject, ResolvedKustomization>();

function resolve({ path, content }: Kustomization): ResolvedKustomization {
  const known = RESOLVED.get(content);
  if (known?.path === path) return known;
  const resolved = resolvedPaths({ path, content });
  RESOLVED.set(content, resolved);
  return resolved;
}

function resolvedPaths({ path, content }: Kustomization): ResolvedKustomization {
  const folder = folderOf(path);
  const fromRoot = (references: readonly string[]): string[] =>
    references.map((reference) => joinPaths(folder, reference).replace(/\/$/, ''));
  const { resources, patches, inputs } = kustomizationPaths(content);
  return {
    path,
    resources: fromRoot(resources),
    patches: fromRoot(patches),
    inputs: fromRoot(inputs),
    isChanging: [...content].some(([field, value]) => !UNCHANGING_FIELDS.has(field) && !isEmpty(value)),
  };
}

/** From every changing kustomization down to everything it includes; breadth first, so that the nearest wins. */
function nearestChange(nodes: readonly ResolvedKustomization[]): ReadonlyMap<string, string> {
  const byFolder = new Map<string, ResolvedKustomization[]>();
  for (const node of nodes) {
    const folder = folderOf(node.path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), node]);
  }
  const changedBy = new Map<string, string>();
  const pending = nodes.filter((node) => node.isChanging).map((node) => ({ node, change: node.path }));
  for (const { node, change } of pending) {
    for (const path of node.resources) {
      if (changedBy.has(path)) continue;
      changedBy.set(path, change);
      for (const next of byFolder.get(path) ?? []) pending.push({ node: next, change });
    }
  }
  return changedBy;
}

function chartsOf(content: JsonObject): readonly JsonObject[] {
  return ['helmCharts', 'helmChartInflationGenerator'].flatMap((field) => objectItems(content.get(field)));
}

function inputFiles(content: JsonObject, charts: readonly JsonObject[]): readonly string[] {
  const files = ['configurations', 'generators', 'transformers', 'validators'].flatMap((field) =>
    textItems(content.get(field)),
  );
  append(files, pathsOf(content.get('replacements')));
  for (const generator of [
    ...objectItems(content.get('configMapGenerator')),
    ...objectItems(content.get('secretGenerator')),
  ]) {
    append(files, textItems(generator.get('files')).map(withoutKey));
    append(files, [...textItems(generator.get('envs')), textField(generator, 'env')]);
  }
  for (const chart of charts) {
    append(files, [
      textField(chart, 'valuesFile'),
      ...textItems(chart.get('additionalValuesFiles')),
      textField(chart, 'values'),
    ]);
  }
  files.push(textField(objectOrEmpty(content.get('openapi')), 'path'));
  return files;
}

/** Entries of patches and replacements are paths, objects with a `path`, or inline text. */
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

function isEmpty(value: JsonValue): boolean {
  return value === null || (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && value.size === 0);
}

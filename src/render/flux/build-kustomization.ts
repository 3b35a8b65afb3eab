// The kustomization that Flux writes before it builds: the folder's own or a generated one, merged with the fields of `spec`.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import { kustomizationIn } from '../sources/kustomization/kustomization-file.ts';
import { generatedResources, within } from './generated-resources.ts';

export interface BuiltKustomization {
  readonly path: string;
  readonly text: string;
  readonly isGenerated: boolean;
  readonly components: readonly string[];
}

/** Known fields of a kustomization. Flux decodes it into Go's type, which drops all other fields. */
const FIELDS = new Set(
  (
    'apiVersion kind metadata openapi namePrefix nameSuffix namespace commonLabels labels commonAnnotations ' +
    'patchesStrategicMerge patchesJson6902 patches images imageTags replacements replicas vars sortOptions resources ' +
    'components crds bases configMapGenerator secretGenerator helmGlobals helmCharts helmChartInflationGenerator ' +
    'generatorOptions configurations generators transformers validators buildMetadata'
  ).split(' '),
);
const TEXT_FIELDS = ['namePrefix', 'nameSuffix', 'namespace'] as const;
const TEXT_MAPS = ['commonLabels', 'commonAnnotations'] as const;
const IMAGE_FIELDS = ['name', 'newName', 'newTag', 'digest'] as const;
const REMOTE = /^(?:git::|gh:|ssh:\/\/|https?:\/\/|git@|github\.com[:/])./i;

/** Undefined if the folder is missing or its kustomization is unreadable; the engine then reports the error. `folder` is '' for the top. */
export function buildKustomization(
  spec: JsonObject,
  folder: string,
  tree: FileTree,
  isIgnored: (path: string) => boolean,
): BuiltKustomization | { readonly failure: string } | undefined {
  if (folder !== '' && tree.kind(folder) !== 'folder') return undefined;
  const path = kustomizationIn(tree, folder);
  const content = path === undefined ? generated(generatedResources(tree, folder, isIgnored)) : written(tree, path);
  if (content === undefined) return undefined;
  if (path !== undefined && textItems(content.get('resources')).length === 0) {
    content.set('buildMetadata', ['originAnnotations']);
  }
  setTexts(content, spec);
  append(content, 'patches', objectItems(spec.get('patches')).map(patchOf));
  const components = textItems(spec.get('components'));
  const remote = components.find((component) => REMOTE.test(component) || component.startsWith('/'));
  if (remote !== undefined) return { failure: `component path '${remote}' must be local and relative` };
  const taken = components.filter((component) => {
    return spec.get('ignoreMissingComponents') !== true || tree.kind(joinPaths(folder, component)) !== undefined;
  });
  append(content, 'components', taken);
  append(content, 'patchesStrategicMerge', inlinePatches(spec));
  append(content, 'patchesJson6902', objectItems(spec.get('patchesJson6902')).map(jsonPatchOf));
  const images = mergedImages(objectItems(content.get('images')), objectItems(spec.get('images')));
  if (images.length > 0) content.set('images', images);
  return {
    path: path ?? within(folder, 'kustomization.yaml'),
    text: stringifyJson(content, { sortKeys: false, escapeHtml: false }),
    isGenerated: path === undefined,
    components: taken.map((component) => joinPaths(folder, component)),
  };
}

function generated(resources: readonly string[]): Map<string, JsonValue> {
  return new Map<string, JsonValue>([
    ['apiVersion', 'kustomize.config.k8s.io/v1beta1'],
    ['kind', 'Kustomization'],
    // A kustomization without fields is an error. A namespace has no effect without resources.
    resources.length > 0 ? ['resources', resources] : ['namespace', '_placeholder'],
  ]);
}

function written(tree: FileTree, path: string): Map<string, JsonValue> | undefined {
  const bytes = tree.read(path);
  const read = bytes === undefined ? undefined : readYaml(new TextDecoder().decode(bytes));
  if (read === undefined || 'failure' in read || !isJsonObject(read.value)) return undefined;
  const content = new Map([...read.value].filter(([field]) => FIELDS.has(field)));
  if (!content.has('apiVersion')) content.set('apiVersion', 'kustomize.config.k8s.io/v1beta1');
  if (!content.has('kind')) content.set('kind', 'Kustomization');
  asTexts(content, TEXT_FIELDS);
  for (const field of TEXT_MAPS) {
    const map = content.get(field);
    if (isJsonObject(map)) content.set(field, textMap(map));
  }
  const images = content.get('images');
  if (isJsonArray(images)) {
    content.set(
      'images',
      objectItems(images).map((image) => {
        const fields = new Map(image);
        asTexts(fields, IMAGE_FIELDS);
        return fields;
      }),
    );
  }
  return content;
}

/** Go's YAML library converts numbers and booleans to strings where the type has a string. */
function asTexts(content: Map<string, JsonValue>, fields: readonly string[]): void {
  for (const field of fields) {
    const value = content.get(field);
    if (value !== undefined) content.set(field, asText(value));
  }
}

function textMap(map: JsonObject): JsonObject {
  return new Map([...map].map(([key, value]) => [key, asText(value)]));
}

function asText(value: JsonValue): JsonValue {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : value;
}

function setTexts(content: Map<string, JsonValue>, spec: JsonObject): void {
  const fields = [
    ['targetNamespace', 'namespace'],
    ['namePrefix', 'namePrefix'],
    ['nameSuffix', 'nameSuffix'],
  ] as const;
  for (const [from, to] of fields) {
    const value = textField(spec, from);
    if (value !== '') content.set(to, value);
  }
}

function append(content: Map<string, JsonValue>, field: string, items: readonly JsonValue[]): void {
  const before = content.get(field);
  if (items.length > 0) content.set(field, [...(isJsonArray(before) ? before : []), ...items]);
}

export function patchOf(patch: JsonObject): JsonObject {
  const target = patch.get('target');
  return new Map<string, JsonValue>([
    ['patch', textField(patch, 'patch')],
    ...(isJsonObject(target) ? ([['target', target]] as const) : []),
  ]);
}

function jsonPatchOf(patch: JsonObject): JsonObject {
  const operations = stringifyJson(patch.get('patch') ?? [], { sortKeys: false, escapeHtml: false });
  return new Map<string, JsonValue>([
    ['patch', operations],
    ['target', objectOrEmpty(patch.get('target'))],
  ]);
}

function inlinePatches(spec: JsonObject): readonly string[] {
  const patches = objectItems(spec.get('patchesStrategicMerge'));
  return patches.map((patch) => stringifyJson(patch, { sortKeys: false, escapeHtml: false }));
}

/** One entry per image. A new tag clears the old digest, and vice versa. */
function mergedImages(own: readonly JsonObject[], added: readonly JsonObject[]): readonly JsonObject[] {
  const images = own.map((image) => new Map(image));
  for (const image of added) {
    const same = images.find((other) => other.get('name') === image.get('name'));
    const fields = IMAGE_FIELDS.flatMap((field) => {
      const text = textField(image, field);
      return text === '' ? [] : [[field, text] as const];
    });
    if (same === undefined) {
      images.push(new Map<string, JsonValue>(fields));
      continue;
    }
    if (fields.some(([field]) => field === 'newTag' || field === 'digest')) {
      same.delete('newTag');
      same.delete('digest');
    }
    for (const [field, text] of fields) same.set(field, text);
  }
  return images;
}

// A kustomize source of an Application: writes its options into the kustomization, as Argo CD does with `kustomize edit`.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { Build, UnknownPart } from '../sources/controller.ts';
import { kustomizationIn } from '../sources/kustomization/kustomization-file.ts';
import { type BuildEnvironment, expandVariables } from './build-environment.ts';
import { pathInTree, readText } from './tree-path.ts';

export interface SourceFacts {
  readonly source: JsonObject;
  /** Folder of the source; '' is the top. */
  readonly folder: string;
  readonly environment: BuildEnvironment;
  readonly tree: FileTree;
  readonly kubernetesVersion: string;
  readonly apiVersions: readonly string[];
}

export type SourceBuild = Pick<Build, 'request' | 'overlay' | 'reads' | 'listsApis'>;

export function kustomizeBuild(facts: SourceFacts): SourceBuild | UnknownPart {
  const { source, folder, tree } = facts;
  const options = objectOrEmpty(source.get('kustomize'));
  const versions = textItems(options.get('apiVersions'));
  const request = {
    engine: 'kustomize',
    root: folder,
    anyFile: true,
    enableHelm: true,
    kubernetesVersion: textField(options, 'kubeVersion') || facts.kubernetesVersion,
    apiVersions: versions.length > 0 ? versions : facts.apiVersions,
  } as const;
  const file = kustomizationIn(tree, folder);
  if (file === undefined || options.size === 0) return { request };
  const [manifest] = readManifests(new SourceFile(file, readText(tree, file) ?? '')).manifests;
  // The engine reports unreadable kustomizations with a better message.
  if (!isJsonObject(manifest?.value)) return { request };
  const edited = new KustomizationEdit(manifest.value, facts).apply(options);
  if ('unknown' in edited) return edited;
  const overlay = new Map([[file, stringifyJson(edited.content, { sortKeys: false, escapeHtml: false })]]);
  return { request, overlay, reads: readsOf(options, folder) };
}

function readsOf(options: JsonObject, folder: string): readonly string[] {
  const patches = objectItems(options.get('patches')).map((patch) => textField(patch, 'path'));
  return [...textItems(options.get('components')), ...patches].flatMap((written) => {
    return written === '' ? [] : (pathInTree(folder, written) ?? []);
  });
}

/** Follows `util/kustomize` of Argo CD and `kustomize edit`, in their order. */
class KustomizationEdit {
  readonly #content: Map<string, JsonValue>;
  readonly #facts: SourceFacts;
  #problem: string | undefined;

  constructor(content: JsonObject, facts: SourceFacts) {
    this.#content = new Map(content);
    this.#facts = facts;
  }

  apply(options: JsonObject): { readonly content: JsonObject } | UnknownPart {
    for (const field of ['namePrefix', 'nameSuffix']) this.#set(field, textField(options, field));
    this.#setImages(textItems(options.get('images')));
    this.#setReplicas(objectItems(options.get('replicas')));
    this.#addLabels(options);
    this.#addAnnotations(options);
    this.#set('namespace', textField(options, 'namespace'));
    this.#addPatches(options.get('patches'));
    this.#addComponents(options);
    if (this.#problem === undefined) return { content: this.#content };
    return {
      unknown: this.#problem,
      help: 'correct the kustomize options of the source: Argo CD rejects them as well',
    };
  }

  #set(field: string, value: string): void {
    if (value !== '') this.#content.set(field, value);
  }

  #setImages(images: readonly string[]): void {
    if (images.length === 0) return;
    const byName = new Map<string, JsonObject>();
    for (const written of images) {
      const image = imageOf(expandVariables(written, this.#facts.environment));
      if (image === undefined) this.#problem ??= `invalid format of image ${written}`;
      else byName.set(textField(image, 'name'), image);
    }
    for (const image of objectItems(this.#content.get('images'))) {
      const name = textField(image, 'name');
      const given = byName.get(name);
      byName.set(name, given === undefined ? image : withPreserved(given, image));
    }
    const sorted = [...byName].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#content.set(
      'images',
      sorted.map(([, image]) => withPreserved(image, new Map())),
    );
  }

  #setReplicas(replicas: readonly JsonObject[]): void {
    if (replicas.length === 0) return;
    const byName = new Map<string, JsonObject>();
    for (const replica of replicas) {
      const count = replica.get('count');
      const number = typeof count === 'string' && /^[+-]?\d+$/.test(count) ? BigInt(count) : count;
      if (typeof number !== 'bigint') this.#problem ??= 'the count of replicas is not a whole number';
      else byName.set(textField(replica, 'name'), new Map<string, JsonValue>([...replica, ['count', number]]));
    }
    for (const replica of objectItems(this.#content.get('replicas'))) {
      const name = textField(replica, 'name');
      if (!byName.has(name)) byName.set(name, replica);
    }
    const sorted = [...byName].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#content.set(
      'replicas',
      sorted.map(([, replica]) => replica),
    );
  }

  #addLabels(options: JsonObject): void {
    const labels = this.#texts(options.get('commonLabels'), true);
    if (labels.size === 0) return;
    const isForced = options.get('forceCommonLabels') === true;
    const includesTemplates = options.get('labelIncludeTemplates') === true;
    if (options.get('labelWithoutSelector') !== true) {
      if (includesTemplates)
        this.#problem ??= '--without-selector flag must be specified for --include-templates to work';
      this.#content.set('commonLabels', this.#added('label', this.#content.get('commonLabels'), labels, isForced));
      return;
    }
    const entries = [...objectItems(this.#content.get('labels'))];
    const at = entries.findIndex(
      (entry) =>
        (entry.get('includeSelectors') ?? false) === false &&
        (entry.get('includeTemplates') ?? false) === includesTemplates,
    );
    const entry = entries[at] ?? new Map<string, JsonValue>([['includeTemplates', includesTemplates]]);
    const changed = new Map([...entry, ['pairs', this.#added('label', entry.get('pairs'), labels, isForced)]]);
    if (at < 0) entries.push(changed);
    else entries[at] = changed;
    this.#content.set('labels', entries);
  }

  #addAnnotations(options: JsonObject): void {
    const annotations = this.#texts(
      options.get('commonAnnotations'),
      options.get('commonAnnotationsEnvsubst') === true,
    );
    if (annotations.size === 0) return;
    const isForced = options.get('forceCommonAnnotations') === true;
    const added = this.#added('annotation', this.#content.get('commonAnnotations'), annotations, isForced);
    this.#content.set('commonAnnotations', added);
  }

  #texts(value: JsonValue | undefined, expands: boolean): JsonObject {
    const texts = new Map<string, JsonValue>();
    for (const [key, text] of objectOrEmpty(value)) {
      if (typeof text === 'string') texts.set(key, expands ? expandVariables(text, this.#facts.environment) : text);
    }
    return texts;
  }

  #added(what: string, known: JsonValue | undefined, more: JsonObject, isForced: boolean): JsonObject {
    const all = new Map(objectOrEmpty(known));
    for (const [key, value] of more) {
      if (all.has(key) && !isForced) {
        this.#problem ??= `${what} ${key} already in kustomization file. Use --force to override.`;
      }
      all.set(key, value);
    }
    return all;
  }

  #addPatches(patches: JsonValue | undefined): void {
    if (!isJsonArray(patches) || patches.length === 0) return;
    const known = this.#content.get('patches');
    this.#content.set('patches', [...(isJsonArray(known) ? known : []), ...patches]);
  }

  #addComponents(options: JsonObject): void {
    const known = textItems(this.#content.get('components'));
    const { tree, folder } = this.#facts;
    const added = textItems(options.get('components')).filter((component) => {
      if (known.includes(component)) return false;
      const path = pathInTree(folder, component);
      const isThere = path !== undefined && kustomizationIn(tree, path) !== undefined;
      return isThere || options.get('ignoreMissingComponents') !== true;
    });
    if (added.length > 0) this.#content.set('components', [...known, ...added]);
  }
}

/** `name=newName:tag@digest`, parsed like `kustomize edit set image`; undefined if kustomize rejects it. */
function imageOf(text: string): JsonObject | undefined {
  const equals = text.indexOf('=');
  const [key, value] = equals < 0 ? ['', text] : [text.slice(0, equals), text.slice(equals + 1)];
  const slash = Math.max(value.indexOf('/'), 0);
  const colon = value.indexOf(':', slash);
  const at = value.indexOf('@', slash);
  const hasTag = colon >= 0 && (at < 0 || colon < at);
  const end = hasTag ? colon : at < 0 ? value.length : at;
  const name = value.slice(0, end);
  if (name === text) return undefined;
  const image = new Map<string, JsonValue>([['name', key === '' ? name : key]]);
  if (key !== '') image.set('newName', name);
  if (hasTag) image.set('newTag', value.slice(colon + 1, at < 0 ? undefined : at));
  if (at >= 0) image.set('digest', value.slice(at + 1));
  return image;
}

/** `*` keeps the value of the kustomization. */
function withPreserved(image: JsonObject, known: JsonObject): JsonObject {
  const result = new Map(image);
  for (const [field, value] of image) {
    if (value !== '*') continue;
    const kept = known.get(field);
    if (kept === undefined) result.delete(field);
    else result.set(field, kept);
  }
  return result;
}

// The kinds and names that objects of a root may have when kustomize looks for the target of a patch. Errs on the side of yes.
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import { isRemote } from './hole.ts';
import { documentsIn, type ReadText } from './plugin-objects.ts';

/** Fields that can give objects names which no file contains: affixes, charts, plugins, and values that are put together. */
const NAMING_FIELDS = [
  ...['namePrefix', 'nameSuffix', 'generators', 'transformers', 'helmCharts', 'helmChartInflationGenerator'],
  ...['replacements', 'vars', 'configurations'],
] as const;

export class KnownNames {
  readonly #read: ReadText;
  readonly #files = new Set<string>();
  readonly #names = new Set<string>();
  #isRead = false;
  #isOpen = false;

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** Adds the objects of a kustomization in a folder, without those of the kustomizations that it includes. */
  add(kustomization: JsonObject, folder: string): void {
    this.#isOpen ||= NAMING_FIELDS.some((field) => kustomization.has(field)) || this.#renames(kustomization, folder);
    for (const field of ['resources', 'bases']) {
      for (const entry of textItems(kustomization.get(field))) {
        if (!isRemote(entry)) this.#files.add(joinPaths(folder, entry));
      }
    }
    for (const [field, kind] of [
      ['configMapGenerator', 'ConfigMap'],
      ['secretGenerator', 'Secret'],
    ] as const) {
      for (const each of objectItems(kustomization.get(field))) this.#names.add(keyOf(kind, textField(each, 'name')));
    }
  }

  /** False if certainly no known object has the kind and the name of this one. */
  mayHold(object: JsonObject): boolean {
    if (!this.#isRead && !this.#isOpen) for (const path of this.#files) this.#addFile(path);
    this.#isRead = true;
    return this.#isOpen || this.#names.has(identityOf(object));
  }

  /** A folder has no text of its own. */
  #addFile(path: string): void {
    const text = this.#read(path);
    const documents = text === undefined ? [] : documentsIn(text);
    if (documents === undefined) this.#isOpen = true;
    for (const document of documents ?? []) this.#addObject(document);
  }

  #addObject(value: JsonValue): void {
    if (!isJsonObject(value)) return;
    this.#names.add(identityOf(value));
    for (const item of objectItems(value.get('items'))) this.#addObject(item);
  }

  /** True if a patch may change the name of its target: a JSON patch, or one whose options allow it. */
  #renames(kustomization: JsonObject, folder: string): boolean {
    const patches = ['patches', 'patchesJson6902'].flatMap((field) => objectItems(kustomization.get(field)));
    return patches.some((patch) => {
      const path = textField(patch, 'path');
      const text = path === '' || isRemote(path) ? textField(patch, 'patch') : this.#read(joinPaths(folder, path));
      return patch.has('options') || text?.includes('/metadata/name') === true;
    });
  }
}

function identityOf(object: JsonObject): string {
  return keyOf(textField(object, 'kind'), textField(objectOrEmpty(object.get('metadata')), 'name'));
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}

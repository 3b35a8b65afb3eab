// The names that objects of a root may have when kustomize looks for the target of a patch. Parses nothing, so it errs on the side of yes.
import { type JsonObject, stringifyJson } from '../../source/json/json.ts';
import { objectItems, textField, textItems } from '../../source/json/json-field.ts';
import { joinPaths } from '../../source/text/repository-path.ts';
import { isRemote } from './hole.ts';
import type { ReadText } from './plugin-objects.ts';

/** Fields that can give objects names which no file contains: affixes, charts, plugins, and values that are put together. */
const NAMING_FIELDS = [
  ...['namePrefix', 'nameSuffix', 'generators', 'transformers', 'helmCharts', 'helmChartInflationGenerator'],
  ...['replacements', 'vars', 'configurations'],
] as const;
/** A patch names objects, but adds none. */
const PATCH_FIELDS: ReadonlySet<string> = new Set(['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replicas']);
/** Escapes with which a text can spell a name differently. */
const SPELLED = /\\(?:[xuU]|\r?\n)/;

export class KnownNames {
  readonly #read: ReadText;
  readonly #files = new Set<string>();
  readonly #written: string[] = [];
  #texts: readonly string[] | undefined;
  #isOpen = false;

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** Adds the objects of a kustomization in a folder, without those of the kustomizations that it includes. */
  add(kustomization: JsonObject, folder: string): void {
    this.#isOpen ||= NAMING_FIELDS.some((field) => kustomization.has(field)) || this.#renames(kustomization, folder);
    const own = [...kustomization].filter(([field]) => !PATCH_FIELDS.has(field));
    this.#written.push(stringifyJson(new Map(own), { sortKeys: false, escapeHtml: false }));
    for (const field of ['resources', 'bases']) {
      for (const entry of textItems(kustomization.get(field))) {
        if (!isRemote(entry)) this.#files.add(joinPaths(folder, entry));
      }
    }
  }

  /** False if certainly no known object has the name. */
  mayHold(name: string): boolean {
    if (this.#isOpen || name === '') return true;
    this.#texts ??= [...this.#written, ...[...this.#files].flatMap((path) => this.#read(path) ?? [])];
    return this.#texts.some((text) => text.includes(name) || SPELLED.test(text));
  }

  /** True if a patch may change the name of its target: a JSON patch, or one whose options allow it. */
  #renames(kustomization: JsonObject, folder: string): boolean {
    const patches = ['patches', 'patchesJson6902'].flatMap((field) => objectItems(kustomization.get(field)));
    return patches.some((patch) => {
      const path = textField(patch, 'path');
      const text = path === '' || isRemote(path) ? textField(patch, 'patch') : this.#read(joinPaths(folder, path));
      return patch.has('options') || text?.includes('metadata/name') === true;
    });
  }
}

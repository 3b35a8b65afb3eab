// Settings of kustomize's builtin transformers and generators, in a kustomization or in a separate file.
import { isKustomizationName } from '../../inventory/kustomize-references.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import { embeddedIn, type Written, type WrittenFiles } from './written.ts';

/** One entry that a transformer uses: an image, a patch, a map of labels. */
export interface Setting {
  readonly document: Written;
  /** Path of the entry in the document. */
  readonly path: FieldPath;
  readonly value: JsonValue;
  /** Base folder for paths in the entry. */
  readonly folder: string;
}

export interface PatchSetting {
  /** Undefined if the patch itself names its target. */
  readonly target: JsonObject | undefined;
  /** The file name or text in the kustomization. */
  readonly given: string;
  readonly documents: readonly Written[];
}

/** One file that configures transformers: a kustomization, or an object of `transformers:` or `generators:`. */
export class TransformerFile {
  readonly path: string;
  readonly folder: string;
  readonly document: Written | undefined;
  readonly #files: WrittenFiles;
  readonly #isKustomization: boolean;
  readonly #patches = new Map<string, readonly PatchSetting[]>();

  /** `kind`, `name`: identify the object in a file that is not a kustomization. */
  constructor(files: WrittenFiles, path: string, kind = '', name = '') {
    this.path = path;
    this.folder = folderOf(path);
    this.#files = files;
    this.#isKustomization = isKustomizationName(path);
    this.document = this.#isKustomization
      ? files.documents(path).find(({ value }) => isJsonObject(value))
      : (files.objects(path).named(kind, name)[0] ?? files.objects(path).ofKind(kind)[0]);
  }

  /** Folders and files that the kustomization takes objects from, in order; components come last. */
  bases(): readonly string[] {
    if (!this.#isKustomization) return [];
    return ['resources', 'bases', 'components'].flatMap((field) => textItems(this.#at([field])));
  }

  /** Files with separate transformers and generators. */
  ownTransformers(): readonly string[] {
    if (!this.#isKustomization) return [];
    return ['transformers', 'generators'].flatMap((field) => textItems(this.#at([field])));
  }

  field(inKustomization: FieldPath, inOwnFile: FieldPath = inKustomization): Setting | undefined {
    const path = this.#isKustomization ? inKustomization : inOwnFile;
    const value = this.#at(path);
    return value === undefined ? undefined : this.#setting(path, value);
  }

  /** Entries of a list in a kustomization, or the equivalent field in a separate file. */
  entries(list: string, inOwnFile: FieldPath): readonly Setting[] {
    if (!this.#isKustomization) {
      const value = this.#at(inOwnFile);
      return value === undefined ? [] : [this.#setting(inOwnFile, value)];
    }
    const items = this.#at([list]);
    return isJsonArray(items) ? items.map((item, index) => this.#setting([list, index], item)) : [];
  }

  patches(kind: string): readonly PatchSetting[] {
    let patches = this.#patches.get(kind);
    if (patches === undefined) {
      patches = this.#readPatches(kind);
      this.#patches.set(kind, patches);
    }
    return patches;
  }

  documentsOf(reference: string): readonly Written[] {
    return this.#files.documents(joinPaths(this.folder, reference));
  }

  #readPatches(kind: string): readonly PatchSetting[] {
    if (kind === 'PatchStrategicMergeTransformer') {
      const listed = this.#isKustomization
        ? this.entries('patchesStrategicMerge', [])
        : ['paths', 'patches'].flatMap((field) => this.#listed(field));
      return listed.map((entry) => ({
        target: undefined,
        given: typeof entry.value === 'string' ? entry.value : '',
        documents: this.#namedOrWritten(entry),
      }));
    }
    const list = kind === 'PatchJson6902Transformer' ? 'patchesJson6902' : 'patches';
    return this.entries(list, []).map((entry) => {
      const target = objectOrEmpty(entry.value).get('target');
      const fields = objectOrEmpty(entry.value);
      const given = textField(fields, 'path') || textField(fields, 'patch') || textField(fields, 'jsonOp');
      return { target: isJsonObject(target) ? target : undefined, given, documents: this.#patchOf(entry) };
    });
  }

  #patchOf({ document, path, value }: Setting): readonly Written[] {
    const entry = objectOrEmpty(value);
    const file = textField(entry, 'path');
    if (file !== '') return this.documentsOf(file);
    const field = ['patch', 'jsonOp'].find((name) => textField(entry, name) !== '');
    return field === undefined ? [] : embeddedIn(document, [...path, field]);
  }

  /** Patches as inline text or in a file. */
  #namedOrWritten({ document, path, value }: Setting): readonly Written[] {
    if (typeof value !== 'string') return [];
    return value.includes('\n') || value.includes(':') ? embeddedIn(document, path) : this.documentsOf(value);
  }

  #listed(field: string): readonly Setting[] {
    const items = this.#at([field]);
    if (typeof items === 'string') return [this.#setting([field], items)];
    return isJsonArray(items) ? items.map((item, index) => this.#setting([field, index], item)) : [];
  }

  #at(path: FieldPath): JsonValue | undefined {
    return this.document === undefined ? undefined : valueAt(this.document.value, path);
  }

  #setting(path: FieldPath, value: JsonValue): Setting {
    return { document: this.document as Written, path, value, folder: this.folder };
  }
}

export function listBelow({ document, path, value, folder }: Setting, field: string): readonly Setting[] {
  const list = objectOrEmpty(value).get(field);
  return objectItems(list).map((item, index) => ({ document, path: [...path, field, index], value: item, folder }));
}

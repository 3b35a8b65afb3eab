// Manifests that another thread read: read once more when somebody looks into them, or known without their places.

import type { JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { HeldValues } from '../../source/manifest/held-values.ts';
import type { DuplicateField, LocatedPart, Manifest } from '../../source/manifest/manifest.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { SourceFile, SourceLocation } from '../../source/text/source-file.ts';

/** Thrown by a manifest of which places are known elsewhere. */
export class PlaceElsewhere {}

/** A document of a file, by its number. */
export class HandedManifest implements Manifest {
  readonly #fileOf: () => SourceFile;
  readonly #index: number;
  readonly #held: HeldValues;
  #written: WrittenManifest | undefined;

  constructor(fileOf: () => SourceFile, index: number, held: HeldValues) {
    this.#fileOf = fileOf;
    this.#index = index;
    this.#held = held;
  }

  get #document(): WrittenManifest {
    if (this.#written === undefined) {
      const { manifests } = this.file.derived(readManifests, this.#held);
      this.#written = manifests.find(({ index }) => index === this.#index);
      if (this.#written === undefined) throw new Error(`no document ${this.#index} in ${this.file.path}`);
    }
    return this.#written;
  }

  get file(): SourceFile {
    return this.#fileOf();
  }

  get value(): JsonValue {
    return this.#document.value;
  }

  get duplicateFields(): readonly DuplicateField[] {
    return this.#document.duplicateFields;
  }

  deepestPath(path: FieldPath): FieldPath {
    return this.#document.deepestPath(path);
  }

  place(path: FieldPath, part: LocatedPart): SourceLocation {
    return this.#document.place(path, part);
  }

  placeText(path: FieldPath, start: number, end: number): SourceLocation {
    return this.#document.placeText(path, start, end);
  }
}

/** Plain data. */
export interface KnownManifest {
  readonly value: JsonValue;
  readonly root: string | undefined;
  readonly defaultNamespace: string | undefined;
  readonly openFields: readonly FieldPath[] | undefined;
  readonly madeUpFields: readonly FieldPath[] | undefined;
}

/** Rendered by another thread, which knows where its fields come from: who asks for that here is told to ask there. */
export class PlacelessManifest implements Manifest {
  readonly value: JsonValue;
  readonly duplicateFields = [];
  readonly root?: string;
  readonly defaultNamespace: string | undefined;
  readonly madeUpFields?: readonly FieldPath[];
  readonly #openFields: readonly FieldPath[];

  constructor({ value, root, defaultNamespace, openFields, madeUpFields }: KnownManifest) {
    this.value = value;
    if (root !== undefined) this.root = root;
    this.defaultNamespace = defaultNamespace;
    if (madeUpFields !== undefined) this.madeUpFields = madeUpFields;
    this.#openFields = openFields ?? [];
  }

  static known(manifest: Manifest): KnownManifest {
    const { value, root, defaultNamespace, madeUpFields } = manifest;
    return { value, root, defaultNamespace, openFields: manifest.openFields?.(), madeUpFields };
  }

  get file(): SourceFile {
    throw new PlaceElsewhere();
  }

  openFields(): readonly FieldPath[] {
    return this.#openFields;
  }

  deepestPath(path: FieldPath): FieldPath {
    let depth = 0;
    while (depth < path.length && valueAt(this.value, path.slice(0, depth + 1)) !== undefined) depth += 1;
    return path.slice(0, depth);
  }

  place(): SourceLocation {
    throw new PlaceElsewhere();
  }

  placeText(): SourceLocation {
    throw new PlaceElsewhere();
  }

  alsoFrom(): never {
    throw new PlaceElsewhere();
  }
}

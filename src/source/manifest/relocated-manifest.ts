// Wraps a manifest from outside the repository: the same document, with the source's name before every file path.

import type { JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import { SourceFile, type SourceLocation } from '../text/source-file.ts';
import type { Applier, DuplicateField, LocatedPart, Manifest } from './manifest.ts';

/** Separates the source's name from the path. Repository paths never contain it, so the two cannot be confused. */
const SEPARATOR = '//';

/** The path of a file of a source, or of another repository. */
export function placePath(name: string, path: string): string {
  return `${name}${SEPARATOR}${path}`;
}

/** The files of one source. Each file is wrapped once. */
export class Relocation {
  readonly #name: string;
  readonly #files = new Map<SourceFile, SourceFile>();

  constructor(name: string) {
    this.#name = name;
  }

  path(path: string): string {
    return placePath(this.#name, path);
  }

  file(file: SourceFile): SourceFile {
    let relocated = this.#files.get(file);
    if (relocated === undefined) {
      relocated = new SourceFile(this.path(file.path), file.text);
      this.#files.set(file, relocated);
    }
    return relocated;
  }

  location({ file, range }: SourceLocation): SourceLocation {
    return { file: this.file(file), range };
  }

  manifest(manifest: Manifest): Manifest {
    return new RelocatedManifest(manifest, this);
  }
}

/** Letters, digits and a few marks before the separator, so that a crafted path does not match. Names of repositories have folders. */
const PLACE = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?:\/[A-Za-z0-9._-]+)*)\/\//;

/** The name of the path's source or repository; undefined for paths of the checked repository. */
export function placeName(path: string): string | undefined {
  return PLACE.exec(path)?.[1];
}

class RelocatedManifest implements Manifest {
  readonly root?: string;
  readonly declaredAt?: SourceLocation;
  readonly applier?: Applier;
  readonly #original: Manifest;
  readonly #relocation: Relocation;

  constructor(manifest: Manifest, relocation: Relocation) {
    this.#original = manifest;
    this.#relocation = relocation;
    if (manifest.root !== undefined) this.root = manifest.root;
    if (manifest.applier !== undefined) this.applier = manifest.applier;
    if (manifest.declaredAt !== undefined) this.declaredAt = relocation.location(manifest.declaredAt);
  }

  get file(): SourceFile {
    return this.#relocation.file(this.#original.file);
  }

  get value(): JsonValue {
    return this.#original.value;
  }

  get duplicateFields(): readonly DuplicateField[] {
    return this.#original.duplicateFields;
  }

  get defaultNamespace(): string | undefined {
    return this.#original.defaultNamespace;
  }

  openFields(): readonly FieldPath[] {
    return this.#original.openFields?.() ?? [];
  }

  variableSource(name: string): string | undefined {
    return this.#original.variableSource?.(name);
  }

  deepestPath(path: FieldPath): FieldPath {
    return this.#original.deepestPath(path);
  }

  place(path: FieldPath, part: LocatedPart): SourceLocation {
    return this.#relocation.location(this.#original.place(path, part));
  }

  placeText(path: FieldPath, start: number, end: number): SourceLocation {
    return this.#relocation.location(this.#original.placeText(path, start, end));
  }

  alsoFrom(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[] {
    const places = this.#original.alsoFrom?.(path) ?? [];
    return places.map(({ message, location }) => ({ message, location: this.#relocation.location(location) }));
  }
}

// A rendered document: its value comes from the engine's text, its locations from the sources of that text.

import type { JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { KnownReadings } from '../../source/manifest/known-readings.ts';
import type { LocatedPart, Manifest } from '../../source/manifest/manifest.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import { type FieldPath, isSamePath } from '../../source/node/field-path.ts';
import { variablePaths } from '../../source/placeholder/substitution.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { RenderedObject } from '../engine/render-request.ts';
import type { PlaceFinder } from '../places/place-finder.ts';

export interface RenderedRootName {
  /** As in `Build`. */
  readonly leavesVariables?: boolean | undefined;
  readonly location: SourceLocation;
  /** Label for users: `Flux Kustomization flux-system/apps`, `kustomization apps/prod`. */
  readonly root: string;
  /** Namespace for namespaced objects that have none. */
  readonly namespace?: string;
}

/** Fields that depend on parts that the repository does not contain. `depends`: completes "depends on …". */
export interface HoleFields {
  readonly paths: readonly FieldPath[];
  readonly depends: string;
}

const NO_HOLES: HoleFields = { paths: [], depends: '' };

export class RenderedManifest implements Manifest {
  readonly file: SourceFile;
  readonly value: JsonValue;
  readonly duplicateFields = [];
  readonly declaredAt: SourceLocation;
  readonly root: string;
  readonly defaultNamespace: string | undefined;
  readonly rendered: RenderedObject;
  readonly madeUpFields: readonly FieldPath[];
  readonly #document: WrittenManifest;
  /** Fields that differ between an installation and an upgrade. */
  readonly #ofUpgrade: readonly FieldPath[];
  readonly #ofHoles: HoleFields;
  readonly #leavesVariables: boolean;
  readonly #places: PlaceFinder;

  constructor(
    text: WrittenManifest,
    rendered: RenderedObject,
    name: RenderedRootName,
    places: PlaceFinder,
    madeUpFields: readonly FieldPath[] = [],
    ofUpgrade: readonly FieldPath[] = [],
    ofHoles: HoleFields = NO_HOLES,
  ) {
    this.file = name.location.file;
    this.declaredAt = name.location;
    this.value = text.value;
    this.rendered = rendered;
    this.root = name.root;
    this.defaultNamespace = name.namespace;
    this.madeUpFields = madeUpFields;
    this.#document = text;
    this.#ofUpgrade = ofUpgrade;
    this.#ofHoles = ofHoles;
    this.#leavesVariables = name.leavesVariables === true;
    this.#places = places;
  }

  openFields(): readonly FieldPath[] {
    const variables = this.#leavesVariables && this.text.includes('${') ? variablePaths(this.value) : [];
    const more = [...this.madeUpFields, ...this.#ofUpgrade, ...this.#ofHoles.paths];
    return more.length === 0 ? variables : [...variables, ...more];
  }

  openThrough(path: FieldPath): string | undefined {
    const { paths, depends } = this.#ofHoles;
    return paths.some((other) => isSamePath(other, path.slice(0, other.length))) ? depends : undefined;
  }

  /** The text of the engine, or of the controller that finished it. */
  get text(): string {
    return this.#document.file.text;
  }

  deepestPath(path: FieldPath): FieldPath {
    return this.#document.deepestPath(path);
  }

  place(path: FieldPath, part: LocatedPart): SourceLocation {
    return this.#places.place(path, part, valueAt(this.value, path));
  }

  placeText(path: FieldPath, start: number, end: number): SourceLocation {
    return this.#places.placeText?.(path, start, end) ?? this.place(path, 'value');
  }

  alsoFrom(path: FieldPath): readonly { readonly message: string; readonly location: SourceLocation }[] {
    return this.#places.alsoFrom(path);
  }
}

/** The documents in an engine's text. A text that does not parse gives no documents but a message. `known`: cached readings. */
export function parseRendered(
  text: string,
  known?: KnownReadings,
): {
  readonly manifests: readonly WrittenManifest[];
  readonly problem?: string;
} {
  const { manifests, problems } = readManifests(new SourceFile('rendered.yaml', text), undefined, known);
  const [problem] = problems;
  return { manifests, ...(problem !== undefined && { problem: problem.message }) };
}

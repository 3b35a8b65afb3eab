// A rendered document: its value comes from the engine's text, its locations from the sources of that text.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { KnownReadings } from '../../../source/manifest/known-readings.ts';
import type { Applier, LocatedPart, Manifest, NeverApplied } from '../../../source/manifest/manifest.ts';
import { readManifests } from '../../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../../source/manifest/written-manifest.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { ciphertextPaths } from '../../../source/placeholder/sops.ts';
import { variablePaths } from '../../../source/placeholder/substitution.ts';
import { SourceFile, type SourceLocation } from '../../../source/text/source-file.ts';
import type { RenderedObject } from '../../engine/render-request.ts';
import type { PlaceFinder } from '../../places/place-finder.ts';
import type { Build, Finished, UnknownVariables } from '../controller.ts';
import type { Dependence } from './chart-variants.ts';

export interface RenderedRootName {
  /** As in `Finished`. */
  readonly variables?: UnknownVariables | undefined;
  readonly location: SourceLocation;
  /** Label for users: `Flux Kustomization flux-system/apps`, `kustomization apps/prod`. */
  readonly root: string;
  /** Namespace for namespaced objects that have none. */
  readonly namespace?: string;
  readonly applier?: Applier;
  neverApplied?(object: JsonObject): NeverApplied | undefined;
}

export class RenderedManifest implements Manifest {
  readonly file: SourceFile;
  readonly value: JsonValue;
  readonly duplicateFields = [];
  readonly declaredAt: SourceLocation;
  readonly root: string;
  readonly defaultNamespace: string | undefined;
  readonly rendered: RenderedObject;
  readonly madeUpFields: readonly FieldPath[];
  readonly applier?: Applier;
  readonly neverApplied?: NeverApplied;
  readonly dependsOn?: string;
  readonly otherValues?: string;
  /** Set once the Secrets of the repository are known. */
  secrets?: ReadonlySet<string>;
  readonly #document: WrittenManifest;
  readonly #dependence: Partial<Dependence>;
  readonly #variables: UnknownVariables | undefined;
  readonly #places: PlaceFinder;

  constructor(
    text: WrittenManifest,
    rendered: RenderedObject,
    name: RenderedRootName,
    places: PlaceFinder,
    dependence: Partial<Dependence> = {},
  ) {
    this.file = name.location.file;
    this.declaredAt = name.location;
    this.value = text.value;
    this.rendered = rendered;
    this.root = name.root;
    this.defaultNamespace = name.namespace;
    if (name.applier !== undefined) this.applier = name.applier;
    const neverApplied = isJsonObject(this.value) ? name.neverApplied?.(this.value) : undefined;
    if (neverApplied !== undefined) this.neverApplied = neverApplied;
    this.madeUpFields = dependence.madeUp ?? [];
    if (dependence.dependsOn !== undefined) this.dependsOn = dependence.dependsOn;
    if (dependence.otherValues !== undefined) this.otherValues = dependence.otherValues;
    this.#document = text;
    this.#dependence = dependence;
    this.#variables = name.variables;
    this.#places = places;
  }

  openFields(): readonly FieldPath[] {
    const { text } = this;
    const variables = this.#variables !== undefined && text.includes('${') ? variablePaths(this.value) : [];
    const encrypted = text.includes('ENC[') ? ciphertextPaths(this.value) : [];
    return [...variables, ...encrypted, ...this.madeUpFields, ...(this.#dependence.open ?? [])];
  }

  variableSource(name: string): string | undefined {
    return this.#variables?.sourceOf(name);
  }

  whyOpen(path: FieldPath): string | undefined {
    return this.#dependence.reasons?.get(JSON.stringify(path));
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

export function renderedRootName(
  { namespace, applier, neverApplied }: Pick<Build, 'namespace' | 'applier' | 'neverApplied'>,
  { name }: { readonly name: string },
  location: SourceLocation,
  finished: Finished | undefined,
): RenderedRootName {
  const variables = finished !== undefined && 'variables' in finished ? finished.variables : undefined;
  return {
    location,
    root: name,
    ...(variables && { variables }),
    ...(namespace !== undefined && { namespace }),
    ...(applier && { applier }),
    ...(neverApplied && { neverApplied }),
  };
}

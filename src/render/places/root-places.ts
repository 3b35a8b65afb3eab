// Creates the location finders for the objects of one root: kustomize or Helm, plus post-renderers and substitution.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { HelmRequest, RenderedObject, Rendering, RenderOutcome, RenderRequest } from '../engine/render-request.ts';
import { ChartTemplates } from './chart-templates.ts';
import { chartLayers, declaredValues, fileLayer, MergedValues, nestedCharts, type ValueLayer } from './chart-values.ts';
import {
  type DeclaredVariables,
  declaredVariables,
  referredText,
  referredValues,
  substitutedPlaces,
} from './declared-data.ts';
import { declaredSettings } from './declared-settings.ts';
import { type HelmRoot, helmPlaces, newSearches } from './helm-places.ts';
import { KustomizeRoot, kustomizePlaces, type TracedObject } from './kustomize-places.ts';
import type { PlaceFinder } from './place-finder.ts';
import { type PostRenderLayer, postRenderedPlaces } from './post-rendered-places.ts';
import { asSettings, setLayer } from './set-values.ts';
import { ValueTrials } from './value-trials.ts';
import { depthOf, type Written, WrittenFiles } from './written.ts';

export interface RootPlacesInput {
  readonly request: RenderRequest;
  /** Contents of files that the controller adds or replaces, by path. */
  readonly overlay: ReadonlyMap<string, string> | undefined;
  /** For files merged from several others: the sources by path; later ones win. */
  readonly mergedFrom?: ReadonlyMap<string, readonly string[]>;
  /** Files of the repository, shared by all roots. */
  readonly files: WrittenFiles;
  readonly tree: FileTree;
  readonly declared: () => SourceLocation;
  readonly declaration: Written | undefined;
  /** Finds objects that the declaration may refer to, by `group/Kind`, namespace and name. */
  readonly find: (kind: string, namespace: string, name: string) => Written | undefined;
  /** The text of an object before the controller's final changes; undefined if it makes none. */
  readonly plain: ((index: number) => string) | undefined;
  /** The engine's objects, in order, before post-renderers. */
  readonly objects: readonly RenderedObject[];
  /** Absent without post-renderers. `leftOut`: indices in `objects` of objects that post-renderers skip; these come first. */
  readonly postRendered?: { readonly leftOut: readonly number[]; readonly layers: readonly PostRenderLayer[] };
  /** The rendering with provenance; undefined if it is not available. */
  readonly traced: () => Rendering | undefined;
  readonly rerender: (request: RenderRequest) => RenderOutcome;
}

/** `index`: the object's number in the rendering. `value`: the document. */
export type RootPlaces = (value: JsonValue, index: number) => PlaceFinder;

export function rootPlaces(input: RootPlacesInput): RootPlaces {
  const places = afterPostRenderers(enginePlaces(input), input);
  const { plain, declaration, declared } = input;
  if (plain === undefined) return places;
  let variables: DeclaredVariables | undefined;
  const variablesOf = (): DeclaredVariables => {
    variables ??= declaration === undefined ? new Map() : declaredVariables(declaration, input.find);
    return variables;
  };
  return (value, index) =>
    lazily(() => {
      const before = readManifests(new SourceFile('', plain(index))).manifests[0]?.value ?? null;
      return substitutedPlaces(places(before, index), {
        ...{ before, after: value, variables: variablesOf },
        ...{ declaration, declared },
      });
    });
}

/** `index`: the object's number after post-renderers. */
function afterPostRenderers(places: RootPlaces, input: RootPlacesInput): RootPlaces {
  const { postRendered, objects, declaration, declared } = input;
  if (postRendered === undefined || postRendered.layers.length === 0) return places;
  const { leftOut, layers } = postRendered;
  const rendered = (index: number): PlaceFinder => {
    const text = objects[index]?.text ?? '';
    return places(readManifests(new SourceFile('', text)).manifests[0]?.value ?? null, index);
  };
  const last = layers.reduce(
    (before: (index: number) => PlaceFinder, layer) => postRenderedPlaces(layer, before, declaration, declared),
    rendered,
  );
  return (_, index) => {
    const untouched = leftOut[index];
    return lazily(() => (untouched === undefined ? last(index - leftOut.length) : rendered(untouched)));
  };
}

function enginePlaces(input: RootPlacesInput): RootPlaces {
  const { request, declared } = input;
  if (request.engine === 'kustomize') {
    const root = new KustomizeRoot(request.root, overlaidFiles(input), declared);
    let traced: Rendering | undefined | null = null;
    const tracedAt = (index: number): TracedObject | undefined => {
      if (traced === null) traced = input.traced();
      const object = traced?.objects[index];
      return object && { object, steps: traced?.steps ?? [] };
    };
    return (value, index) => lazily(() => kustomizePlaces(root, () => tracedAt(index), value));
  }
  return chartPlaces(input, request);
}

/** Objects of a chart are identified by their number among those of their kind and template. */
function chartPlaces(input: RootPlacesInput, request: HelmRequest): RootPlaces {
  const root = helmRoot(input, request);
  let ordinals: readonly number[] | undefined;
  return (value, index) =>
    lazily(() => {
      ordinals ??= ordinalsOf(input.objects);
      const object = input.objects[index] as RenderedObject;
      return helmPlaces(root(), object, value, index, ordinals[index] ?? 0);
    });
}

function ordinalsOf(objects: readonly RenderedObject[]): readonly number[] {
  const counts = new Map<string, number>();
  return objects.map(({ template, text }) => {
    const key = [template, /^kind:[ \t]*["']?(\w+)/m.exec(text)?.[1]].join('\0');
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  });
}

function lazily(make: () => PlaceFinder): PlaceFinder {
  let finder: PlaceFinder | undefined;
  const made = (): PlaceFinder => {
    finder ??= make();
    return finder;
  };
  return {
    place: (path, part, value) => made().place(path, part, value),
    placeText: (path, start, end) => {
      const finder = made();
      return finder.placeText?.(path, start, end) ?? finder.place(path, 'value', undefined);
    },
    alsoFrom: (path) => made().alsoFrom(path),
  };
}

function helmRoot(input: RootPlacesInput, request: HelmRequest): () => HelmRoot {
  let root: HelmRoot | undefined;
  return () => {
    if (root !== undefined) return root;
    const files = overlaidFiles(input);
    const charts = nestedCharts(request.chart, input.tree, files);
    const given = [
      ...(request.valuesFiles ?? []).flatMap((path) => fileLayer(path, files)),
      ...(request.values ?? []).flatMap((text) => givenLayer(text, input)),
    ];
    const { declaration, declared, find } = input;
    const set = request.set ?? [];
    const taken = (name: string) => declaration && referredText(declaration, name, find);
    const layers = [...chartLayers(charts, files), ...given];
    const values = new MergedValues([
      ...layers,
      ...setLayer(set, new MergedValues(given), { declaration, declared, taken }),
    ]);
    let trials: ValueTrials | undefined;
    root = {
      templates: new ChartTemplates(charts, input.tree, files),
      values,
      trials: () => {
        trials ??= new ValueTrials(
          (changes) => {
            if (set.length > 0) return input.rerender({ ...request, set: [...set, ...asSettings(changes)] });
            const text = stringifyJson(changes, { sortKeys: false, escapeHtml: false });
            return input.rerender({ ...request, values: [...(request.values ?? []), text] });
          },
          values,
          input.objects,
        );
        return trials;
      },
      files,
      declared: input.declared,
      declaration,
      searches: newSearches(),
    };
    return root;
  };
}

/** Values that the controller copies from its declaration, where they are fields or embedded text. */
function givenLayer(text: string, { declaration, declared, find: findObject }: RootPlacesInput): readonly ValueLayer[] {
  const values = readManifests(new SourceFile('', text)).manifests[0]?.value;
  if (!isJsonObject(values)) return [];
  const written =
    declaration === undefined ? [] : [...referredValues(declaration, findObject), ...declaredValues(declaration)];
  const find = (path: FieldPath): Written | undefined => {
    const value = valueAt(values, path);
    return written.findLast(
      (each) =>
        depthOf(each.value, path) === path.length && isSameJson(valueAt(each.value, path) ?? null, value ?? null),
    );
  };
  const document: Written = {
    value: values,
    place: (path, part) => find(path)?.place(path, part) ?? declared(),
    placeText: (path, start, end) => find(path)?.placeText(path, start, end) ?? declared(),
  };
  return [{ values, at: [], document }];
}

function overlaidFiles({ overlay, mergedFrom, files, declaration, declared }: RootPlacesInput): WrittenFiles {
  if (overlay === undefined || overlay.size === 0) return files;
  const written = new Map([...overlay].map(([path, text]) => [path, new SourceFile(path, text)]));
  return new WrittenFiles(
    (path) => written.get(path) ?? files.file(path),
    (path) => {
      const file = written.get(path);
      if (file === undefined) return files.documents(path);
      const merged = mergedFrom?.get(path);
      if (merged !== undefined) return mergedDocuments(file, merged, files, declared);
      const [hidden] = files.documents(path);
      return readManifests(file).manifests.map((document) => declaredSettings(document, hidden, declaration, declared));
    },
  );
}

/** Values merged from several files: a field is located in the last file with its value. */
function mergedDocuments(
  file: SourceFile,
  from: readonly string[],
  files: WrittenFiles,
  declared: () => SourceLocation,
): readonly Written[] {
  const documents = [...from].reverse().flatMap((path) => files.documents(path).slice(0, 1));
  return readManifests(file).manifests.map(({ value }) => {
    const sourceOf = (path: FieldPath): Written | undefined => {
      const given = documents.filter((document) => depthOf(document.value, path) === path.length);
      const isSame = (document: Written): boolean =>
        isSameJson(valueAt(document.value, path) ?? null, valueAt(value, path) ?? null);
      return given.find(isSame) ?? given[0];
    };
    return {
      value,
      place: (path, part) => sourceOf(path)?.place(path, part) ?? declared(),
      placeText: (path, start, end) => sourceOf(path)?.placeText(path, start, end) ?? declared(),
    };
  });
}

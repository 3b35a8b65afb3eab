// Locations of fields after post-renderers: the patch or image in the declaration that set a field, else its earlier location.

import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { RenderedObject, RenderStep } from '../engine/render-request.ts';
import { declaredSettings } from './declared-settings.ts';
import { KustomizeRoot, kustomizePlaces } from './kustomize-places.ts';
import type { PlaceFinder } from './place-finder.ts';
import { below, type Written, WrittenFiles } from './written.ts';

/** One kustomization applied to the earlier objects. */
export interface PostRenderLayer {
  /** kustomize's input files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Path of its settings in the declaration. */
  readonly at: FieldPath;
  /** Built with provenance. */
  readonly objects: readonly RenderedObject[];
  readonly steps: readonly RenderStep[];
  /** Index of the earlier object in each file, except the kustomization. */
  readonly sources: ReadonlyMap<string, number>;
}

/** `before`: locations before the layer, by the object's earlier index. The result takes the index after the layer. */
export function postRenderedPlaces(
  { files, at, objects, steps, sources }: PostRenderLayer,
  before: (index: number) => PlaceFinder,
  declaration: Written | undefined,
  declared: () => SourceLocation,
): (index: number) => PlaceFinder {
  const settings = declaration === undefined ? undefined : below(declaration, at);
  const texts = new Map([...files].map(([path, text]) => [path, new SourceFile(path, text)]));
  const written = new WrittenFiles(
    (path) => texts.get(path),
    (path) => {
      const file = texts.get(path);
      const source = sources.get(path);
      const documents = file === undefined ? [] : readManifests(file).manifests;
      return documents.map((document) =>
        source === undefined
          ? declaredSettings(document, settings, undefined, declared)
          : foundBefore(document, before(source)),
      );
    },
  );
  const root = new KustomizeRoot('', written, declared);
  return (index) => {
    const object = objects[index] as RenderedObject;
    const value = readManifests(new SourceFile('', object.text)).manifests[0]?.value ?? null;
    const after = kustomizePlaces(root, () => ({ object, steps }), value);
    const source = sources.get(object.origin?.path ?? '');
    return source === undefined ? after : withPlacesBefore(after, before(source));
  };
}

function foundBefore({ value }: Written, places: PlaceFinder): Written {
  return {
    value,
    place: (path, part) => places.place(path, part, valueAt(value, path)),
    placeText: (path, start, end) =>
      places.placeText?.(path, start, end) ?? places.place(path, 'value', valueAt(value, path)),
  };
}

function withPlacesBefore(after: PlaceFinder, before: PlaceFinder): PlaceFinder {
  return {
    place: (path, part, value) => after.place(path, part, value),
    placeText: (path, start, end) => after.placeText?.(path, start, end) ?? after.place(path, 'value', undefined),
    alsoFrom: (path) => {
      const first = after.place(path, 'value', undefined);
      const seen = new Set([keyOf(first)]);
      const later = after.alsoFrom(path);
      return [...later.slice(0, -1), ...before.alsoFrom(path)].filter(({ location }) => {
        const key = keyOf(location);
        return !seen.has(key) && seen.add(key);
      });
    },
  };
}

function keyOf({ file, range }: SourceLocation): string {
  return [file.path, range.start, range.end].join('\0');
}

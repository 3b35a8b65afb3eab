// Locates fields of a rendered document in its source document, else in the declaration of the root.
import { isSameJson } from '../../../kubernetes/custom-resource/object/json-equality.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { WrittenManifest } from '../../../source/manifest/written-manifest.ts';
import type { SourceLocation } from '../../../source/text/source-file.ts';
import type { PlaceFinder } from '../../places/place-finder.ts';

/** `fallback`: the kustomization, or the object that declares the build. */
export function originPlaces(origin: WrittenManifest | undefined, fallback: () => SourceLocation): PlaceFinder {
  return {
    place: (path, part, value) => {
      if (origin === undefined) return fallback();
      const isWritten = value !== undefined && isSameJson(valueAt(origin.value, path) ?? null, value);
      if (isWritten || origin.deepestPath(path).length > 0) return origin.place(path, isWritten ? part : 'key');
      return fallback();
    },
    alsoFrom: () => (origin === undefined ? [] : [{ message: 'rendered by', location: fallback() }]),
  };
}

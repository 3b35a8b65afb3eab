// Makes the place finders of the objects of one root: one for kustomize, one for Helm, with what substitution adds.
import type { JsonValue } from '../../source/json.ts';
import type { Manifest } from '../../source/manifest.ts';
import { readManifests } from '../../source/read-manifests.ts';
import { SourceFile, type SourceLocation } from '../../source/source-file.ts';
import type { FileTree } from '../file-tree.ts';
import type { RenderedObject, RenderRequest } from '../render-request.ts';
import { declaredSettings } from './declared-settings.ts';
import { KustomizeRoot, kustomizePlaces } from './kustomize-places.ts';
import type { PlaceFinder } from './place-finder.ts';
import { WrittenFiles } from './written.ts';

export interface RootPlacesInput {
  readonly request: RenderRequest;
  /** What the controller wrote over the repository. */
  readonly overlay: ReadonlyMap<string, string> | undefined;
  /** Files of the repository; shared by all its roots. */
  readonly files: WrittenFiles;
  readonly tree: FileTree;
  /** Where the root is declared, and the object that declares it. */
  readonly declared: () => SourceLocation;
  readonly declaration: Manifest | undefined;
}

/** `index`: of the object in what was rendered; `value`: the document. */
export type RootPlaces = (object: RenderedObject, value: JsonValue, index: number) => PlaceFinder;

export function rootPlaces(input: RootPlacesInput): RootPlaces {
  const { request, declared } = input;
  if (request.engine === 'kustomize') {
    const root = new KustomizeRoot(request.root, overlaidFiles(input), declared);
    return (object, value) => kustomizePlaces(root, object, value);
  }
  return () => ({ place: declared, alsoFrom: () => [] });
}

function overlaidFiles({ overlay, files, declaration, declared }: RootPlacesInput): WrittenFiles {
  if (overlay === undefined || overlay.size === 0) return files;
  const written = new Map([...overlay].map(([path, text]) => [path, new SourceFile(path, text)]));
  return new WrittenFiles(
    (path) => written.get(path) ?? files.file(path),
    (path) => {
      const file = written.get(path);
      if (file === undefined) return files.documents(path);
      const [hidden] = files.documents(path);
      return readManifests(file).manifests.map((document) => declaredSettings(document, hidden, declaration, declared));
    },
  );
}

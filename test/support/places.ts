// Locations of rendered fields, as lines of text for tables of cases.
import type { RenderRequest } from '../../src/render/engine/render-request.ts';
import type { Build } from '../../src/render/sources/controller.ts';
import type { RenderedManifest } from '../../src/render/sources/root/rendered-manifest.ts';
import { RootBuilder } from '../../src/render/sources/root/root-builder.ts';
import { valueAt } from '../../src/source/json/json-field.ts';
import type { LocatedPart, Manifest } from '../../src/source/manifest/manifest.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import type { FieldPath } from '../../src/source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../src/source/text/source-file.ts';
import { engine, tree } from './render.ts';

export interface PlacesOf {
  /** `file:line` and the line of a field, e.g. `Deployment/shop spec.replicas`, with the range in guillemets. */
  place(field: string, part?: LocatedPart): string;
  text(field: string, start: number, end: number): string;
  /** The further locations, each after its message. */
  also(field: string): readonly string[];
  readonly manifests: readonly RenderedManifest[];
  /** Number of renderings. */
  renderings(): number;
}

export type Files = Readonly<Record<string, string>>;

export function kustomizePlacesOf(files: Files, root = '', build: Partial<Build> = {}, declared?: string): PlacesOf {
  const request = { engine: 'kustomize', root, anyFile: true, enableHelm: true } as const;
  return placesOf(files, { request, folder: root, ...build }, declared ?? kustomizationIn(files, root));
}

export function chartPlacesOf(
  files: Files,
  request: Partial<Extract<RenderRequest, { engine: 'helm' }>> = {},
  declared = 'shop/Chart.yaml',
  build: Partial<Build> = {},
): PlacesOf {
  const all = { 'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', ...files };
  const asked = { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market', ...request } as const;
  return placesOf(all, { request: asked, folder: 'shop', ...build }, declared);
}

/** `declared`: the file whose first object declares the root. */
function placesOf(files: Files, build: Build, declared: string): PlacesOf {
  const sources = new Map(Object.entries(files).map(([path, text]) => [path, new SourceFile(path, text)]));
  let renderings = 0;
  const counted = {
    render: (...given: Parameters<ReturnType<typeof engine>['render']>) => {
      renderings += 1;
      return engine().render(...given);
    },
  };
  const file = sources.get(declared) as SourceFile;
  const [declaration] = readManifests(file).manifests;
  const root = new RootBuilder().build(
    build,
    {
      name: 'root',
      location: () => (declaration as Manifest).place([], 'key'),
      declaredBy: [],
      reach: { files: new Set(), folders: new Set() },
      own: { files: new Set(), folders: new Set() },
      answers: { serves: () => 'absent', knowsDistribution: () => true },
      ...(declaration !== undefined && { declaration }),
    },
    { tree: tree(files), engine: () => counted, fileAt: (path) => sources.get(path) },
  );
  if (root.failure !== undefined) throw new Error(root.failure.message);
  return { ...placesIn(root.manifests), renderings: () => renderings };
}

/** Locations in the objects of one root. */
export function placesIn(manifests: readonly RenderedManifest[]): Omit<PlacesOf, 'renderings'> {
  const find = (field: string): readonly [RenderedManifest, FieldPath] => {
    const space = field.indexOf(' ');
    const object = space < 0 ? field : field.slice(0, space);
    const found = manifests.find((manifest) => nameOf(manifest) === object);
    if (found === undefined) throw new Error(`no ${object} among ${manifests.map(nameOf).join(', ')}`);
    return [found, space < 0 ? [] : pathOf(field.slice(space + 1))];
  };
  return {
    place: (field, part = 'value') => {
      const [manifest, path] = find(field);
      return shown(manifest.place(path, part));
    },
    text: (field, start, end) => {
      const [manifest, path] = find(field);
      return shown(manifest.placeText(path, start, end));
    },
    also: (field) => {
      const [manifest, path] = find(field);
      return manifest.alsoFrom(path).map(({ message, location }) => `${message} ${shown(location)}`);
    },
    manifests,
  };
}

/** `Kind/name`, with a content hash replaced by `HASH`. */
function nameOf({ value }: RenderedManifest): string {
  const name = String(valueAt(value, ['metadata', 'name'])).replace(/-[bcdfghkmt2456789]{10}$/, '-HASH');
  return `${valueAt(value, ['kind'])}/${name}`;
}

/** Parses `spec.containers[0].image`; names with dots are quoted: `metadata.labels."a.b/c"`. */
function pathOf(text: string): FieldPath {
  const steps = text.match(/"[^"]*"|\[\d+\]|[^.[\]"]+/g) ?? [];
  return steps.map((step) => {
    if (step.startsWith('[')) return Number(step.slice(1, -1));
    return step.startsWith('"') ? step.slice(1, -1) : step;
  });
}

function shown({ file, range }: SourceLocation): string {
  const { line } = file.positionAt(range.start);
  const start = file.lineStarts[line - 1] as number;
  const text = `${file.text.slice(start, range.start)}«${file.text.slice(range.start, range.end)}»`;
  const end = /[^\n]*/.exec(file.text.slice(range.end))?.[0] ?? '';
  return `${file.path}:${line} ${(text + end).trim().replaceAll('\n', '↵')}`;
}

function kustomizationIn(files: Files, root: string): string {
  const prefix = root === '' ? '' : `${root}/`;
  return ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
    .map((name) => prefix + name)
    .find((path) => path in files) as string;
}

// Builds roots with the engines, and remembers what it built: another state of the repository that reads the same gives the same.
import type { JsonValue } from '../../source/json.ts';
import { objectOrEmpty, textField } from '../../source/json-field.ts';
import { type ManifestFile, readManifests } from '../../source/read-manifests.ts';
import { joinPaths } from '../../source/repository-path.ts';
import type { SourceFile, SourceLocation } from '../../source/source-file.ts';
import type { WrittenManifest } from '../../source/written-manifest.ts';
import type { FileTree } from '../file-tree.ts';
import type { RenderEngine } from '../render-engine.ts';
import type { FailureClass, RenderChance, RenderedObject, RenderOutcome, RenderRequest } from '../render-request.ts';
import { appliedDocuments } from './applied-documents.ts';
import type { Build, FilesRequest } from './controller.ts';
import type { Reach } from './kustomization-graph.ts';
import { originPlaces } from './origin-places.ts';
import { postRendered } from './post-render.ts';
import { overlaid, RecordedTree } from './recorded-tree.ts';
import { type PlaceFinder, parseRendered, RenderedManifest, type RenderedRootName } from './rendered-manifest.ts';
import type { RenderedRoot, RootFailure } from './rendered-root.ts';

export interface BuilderState {
  readonly tree: FileTree;
  readonly engine: () => RenderEngine;
  fileAt(path: string): SourceFile | undefined;
}

export interface RootFacts {
  readonly name: string;
  readonly location: () => SourceLocation;
  readonly declaredBy: readonly string[];
  readonly reach: Reach;
}

interface Built {
  readonly tree: RecordedTree;
  readonly outcome: RenderOutcome;
}

/** What the engines take for the time, and for chance: the same input gives the same objects. */
const CHANCE: RenderChance = { seed: 1, now: Date.UTC(2026, 0, 1) };

export class RootBuilder {
  readonly #built = new Map<string, Built[]>();
  readonly #documents = new Map<SourceFile, ManifestFile>();

  build(build: Build, facts: RootFacts, state: BuilderState): RenderedRoot {
    const { request } = build;
    if (request.engine === 'files') return this.#applyFiles(build, request, facts, state);
    const { tree, outcome } = this.#outcomeOf(request, build, state);
    const root = { ...rootOf(build, facts), inputs: tree.filesRead() };
    if ('failure' in outcome) return { ...root, manifests: [], failure: failureOf(outcome.failure, outcome.message) };
    const finished = build.finish?.(
      outcome.objects.map(({ text }) => text),
      outcome.objects,
    );
    if (finished !== undefined && 'failure' in finished) {
      return { ...root, manifests: [], failure: failureOf('other', finished.failure) };
    }
    const manifests: RenderedManifest[] = [];
    let problem: string | undefined;
    for (const [index, plain] of outcome.objects.entries()) {
      const object = this.#withProvenance(plain, index, build, state);
      const text = finished === undefined ? object.text : finished.texts[index];
      if (text === undefined) continue;
      const parsed = parseRendered(text);
      problem ??= parsed.problem;
      for (const document of parsed.manifests) {
        const name = nameOf(build, facts, root.location);
        const places = lazyPlaces(() => this.#placesOf(document.value, object, request, facts.location, state));
        manifests.push(new RenderedManifest(document, object, name, places));
      }
    }
    return { ...root, manifests, ...(problem !== undefined && { failure: failureOf('unparsable', problem) }) };
  }

  /** Files that are applied as they are written: every field has its own place. */
  #applyFiles(build: Build, request: FilesRequest, facts: RootFacts, state: BuilderState): RenderedRoot {
    const tree = new RecordedTree(state.tree);
    const { documents, failure } = appliedDocuments(request, tree, (file) => this.#documentsOf(file), state);
    const root = { ...rootOf(build, facts), inputs: tree.filesRead() };
    if (failure !== undefined) return { ...root, manifests: [], failure: failureOf('unparsable', failure) };
    const texts = documents.map(({ file, documentRange }) => file.text.slice(documentRange.start, documentRange.end));
    const finished = build.finish?.(
      texts,
      texts.map((text) => ({ text })),
    );
    if (finished !== undefined && 'failure' in finished) {
      return { ...root, manifests: [], failure: failureOf('other', finished.failure) };
    }
    const manifests = documents.flatMap((document, index) => {
      const text = finished === undefined ? texts[index] : finished.texts[index];
      if (text === undefined) return [];
      const places = originPlaces(document, facts.location);
      return [new RenderedManifest(document, { text }, nameOf(build, facts, root.location), places)];
    });
    return { ...root, manifests };
  }

  #outcomeOf(
    request: RenderRequest,
    { overlay, postRender }: Pick<Build, 'overlay' | 'postRender'>,
    { tree, engine }: BuilderState,
  ): Built {
    const key = JSON.stringify([request, [...(overlay ?? [])], postRender]);
    const known = this.#built.get(key) ?? [];
    const same = known.find((built) => built.tree.isSameIn(tree));
    if (same !== undefined) return same;
    const recorded = new RecordedTree(tree);
    const rendered = engine().render(request, overlaid(recorded, overlay), CHANCE);
    const outcome = postRendered(rendered, postRender, engine(), CHANCE);
    const built = { tree: recorded, outcome };
    this.#built.set(key, [...known, built]);
    return built;
  }

  /** Where objects come from takes a second build, ten times as long where there are many patches: made when a place is asked for. */
  #withProvenance(object: RenderedObject, index: number, build: Build, state: BuilderState): RenderedObject {
    const { request } = build;
    if (request.engine !== 'kustomize') return object;
    const traced = (): RenderedObject | undefined => {
      const { outcome } = this.#outcomeOf({ ...request, provenance: true }, build, state);
      return 'failure' in outcome ? undefined : outcome.objects[index];
    };
    const found = Object.create(object, {
      origin: { get: () => traced()?.origin },
      written: { get: () => traced()?.written },
      changes: { get: () => traced()?.changes },
    }) as RenderedObject;
    return found;
  }

  #placesOf(
    value: JsonValue,
    object: RenderedObject,
    request: RenderRequest,
    declared: () => SourceLocation,
    state: BuilderState,
  ): PlaceFinder {
    const path = originPath(object, request);
    const file = path === undefined ? undefined : state.fileAt(path);
    if (file === undefined) return originPlaces(undefined, declared);
    if (request.engine === 'helm') return originPlaces(undefined, () => ({ file, range: kindLine(file, value) }));
    return originPlaces(this.#documentOf(file, object.written?.name, value), declared);
  }

  /** The document of a file that an object was written in: of its kind, and of its name before prefixes and suffixes. */
  #documentOf(file: SourceFile, written: string | undefined, value: JsonValue): WrittenManifest | undefined {
    const documents = this.#documentsOf(file).manifests;
    const [kind, rendered] = identityOf(value);
    const name = written ?? rendered;
    const ofKind = documents.filter((document) => identityOf(document.value)[0] === kind);
    return (
      ofKind.find((document) => identityOf(document.value)[1] === name) ??
      ofKind.find((document) => name.includes(identityOf(document.value)[1])) ??
      (ofKind.length === 1 ? ofKind[0] : undefined)
    );
  }

  #documentsOf(file: SourceFile): ManifestFile {
    let documents = this.#documents.get(file);
    if (documents === undefined) {
      documents = readManifests(file);
      this.#documents.set(file, documents);
    }
    return documents;
  }
}

function rootOf({ destination, assumes }: Build, { name, location, declaredBy, reach }: RootFacts) {
  return {
    name,
    location: location(),
    declaredBy,
    reach,
    ...(destination !== undefined && { destination }),
    ...(assumes !== undefined && assumes.length > 0 && { assumes }),
  };
}

function nameOf({ namespace }: Build, { name }: RootFacts, { file }: SourceLocation): RenderedRootName {
  return { file, root: name, ...(namespace !== undefined && { namespace }) };
}

/** Few documents are ever asked for a place. */
function lazyPlaces(make: () => PlaceFinder): PlaceFinder {
  let made: PlaceFinder | undefined;
  const finder = (): PlaceFinder => {
    made ??= make();
    return made;
  };
  return {
    place: (path, part, value) => finder().place(path, part, value),
    alsoFrom: (path) => finder().alsoFrom(path),
  };
}

function identityOf(value: JsonValue): readonly [kind: string, name: string] {
  const object = objectOrEmpty(value);
  return [textField(object, 'kind'), textField(objectOrEmpty(object.get('metadata')), 'name')];
}

function originPath({ origin, template }: RenderedObject, request: RenderRequest): string | undefined {
  if (request.engine === 'kustomize') {
    const path = origin?.path ?? origin?.configuredIn;
    return path?.includes('://') ? undefined : path;
  }
  return template === undefined ? undefined : joinPaths(request.chart, template.slice(template.indexOf('/') + 1));
}

/** The line of a template that begins an object of the kind; its first line if there is none. */
function kindLine({ text }: SourceFile, value: JsonValue): { readonly start: number; readonly end: number } {
  const [kind] = identityOf(value);
  const found = /^\w+$/.test(kind) ? new RegExp(`^kind:[ \\t]*["']?${kind}["']?[ \\t]*$`, 'm').exec(text) : null;
  const start = found?.index ?? 0;
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

function failureOf(reason: FailureClass, message: string): RootFailure {
  return { reason, message, help: HELP[reason] ?? 'render it as the controller does to see the whole message' };
}

const HELP: Partial<Record<FailureClass, string>> = {
  'remote-base':
    'nothing is fetched while a repository is checked: vendor what the address holds, or check rendered manifests',
  plugin: 'plugins run programs, which a check never does: commit what the plugin gives, or check rendered manifests',
  'helm-chart': 'the chart is not in the repository: vendor it, or check rendered manifests',
  'missing-file': 'add the file, or correct the path',
  'missing-input': 'add the file, or correct the path',
  'missing-dependency': 'vendor the dependencies: `helm dependency build`, and commit `charts/`',
  'required-value': 'the chart asks for a value: give it where the chart is used',
  'library-chart': 'a library chart renders nothing by itself',
  limit: 'what is rendered needs more time, memory or output than a check may spend on it',
};

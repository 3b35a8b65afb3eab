// Builds roots with the engines, and reuses results for other states of the repository with equal inputs.

import { type JsonObject, stringifyJson } from '../../source/json/json.ts';
import { Documents } from '../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { BegunRendering, RenderEngine } from '../engine/render-engine.ts';
import type {
  FailureClass,
  RenderChance,
  RenderedObject,
  Rendering,
  RenderOutcome,
  RenderRequest,
} from '../engine/render-request.ts';
import { rootPlaces } from '../places/root-places.ts';
import { below, type Written, WrittenFiles } from '../places/written.ts';
import { AlikeRoots } from './alike-roots.ts';
import { appliedDocuments } from './applied-documents.ts';
import type { Build, DeclarationFacts, FilesRequest, Finished } from './controller.ts';
import type { Reach } from './kustomization-graph.ts';
import { type ComparedDocument, madeUpFields } from './made-up-fields.ts';
import { originPlaces } from './origin-places.ts';
import { type PostRendered, postRendered } from './post-render.ts';
import { overlaid, RecordedTree } from './recorded-tree.ts';
import { remoteBaseMessage } from './remote-base.ts';
import { parseRendered, RenderedManifest, type RenderedRootName } from './rendered-manifest.ts';
import { destinationIn, type RenderedRoot, type RootFailure } from './rendered-root.ts';

export interface BuilderState {
  readonly tree: FileTree;
  readonly engine: () => RenderEngine;
  fileAt(path: string): SourceFile | undefined;
}

export interface RootFacts {
  readonly name: string;
  readonly location: () => SourceLocation;
  readonly declaredBy: readonly string[];
  readonly declaration?: Written;
  /** Other objects of the repository that may contain values and variables for the declaration. */
  readonly known?: Pick<DeclarationFacts, 'find'>;
  readonly reach: Reach;
  /** `reach` without the declaration. */
  readonly own: Reach;
  readonly entry?: string;
  /** Target cluster of the declaration, if it differs from that of the chain. */
  readonly destination?: string;
  readonly takes?: readonly string[];
}

/** Placeholder; `unasked` replaces it. */
const NOWHERE: SourceLocation = { file: new SourceFile('', ''), range: { start: 0, end: 0 } };

interface Built extends PostRendered {
  readonly tree: RecordedTree;
}

/** Fixed seed and time, so that equal input gives equal objects. */
const CHANCE: RenderChance = { seed: 1, now: Date.UTC(2026, 0, 1) };
/** Differs in every part of the time that a template could format. */
const OTHER_CHANCE: RenderChance = { seed: 77_773, now: Date.UTC(2038, 10, 27, 13, 47, 58, 619) };
const LOOKUP_ASSUMPTION = '`lookup` in charts finds no objects in the cluster, as on a first installation';

export class RootBuilder {
  readonly #built = new Map<string, Built[]>();
  readonly #alike = new AlikeRoots<Built>();
  readonly #begun = new Map<string, { readonly tree: FileTree; readonly wait: BegunRendering }[]>();
  readonly #files = new WeakMap<BuilderState, WrittenFiles>();
  readonly #texts = new WeakMap<JsonObject, string>();
  readonly #parsedTexts = new Map<string, ParsedText>();
  readonly #parsedOutcomes = new WeakMap<Rendering, ParsedObjects>();
  readonly documents: Documents;

  constructor(documents = new Documents()) {
    this.documents = documents;
  }

  /** Starts unknown renderings in parallel, if the engine can. */
  begin(builds: readonly { readonly build: Build; readonly own: Reach }[], state: BuilderState): void {
    const { tree } = state;
    const keys = new Set<string>();
    const orders = builds.flatMap(({ build, own }) => {
      const { request, overlay } = build;
      if (request.engine === 'files') return [];
      const key = keyOf(request, build, CHANCE);
      const isKnown =
        this.#built.get(key)?.some((built) => built.tree.isSameIn(tree)) === true ||
        this.#begun.get(key)?.some((begun) => begun.tree === tree) === true;
      if (isKnown || keys.has(key) || this.#alike.expect(key, build, own, tree)) return [];
      keys.add(key);
      return [{ request, tree, overlay, chance: CHANCE, reads: [...own.files, ...own.folders] }];
    });
    const begun = orders.length === 0 ? [] : (state.engine().begin?.(orders) ?? []);
    for (const [index, key] of [...keys].entries()) {
      const wait = begun[index];
      if (wait !== undefined) this.#begun.set(key, [...(this.#begun.get(key) ?? []), { tree, wait }]);
    }
  }

  build(build: Build, facts: RootFacts, state: BuilderState): RenderedRoot {
    const { request } = build;
    if (request.engine === 'files') return this.#applyFiles(build, request, facts, state);
    const { tree, outcome, before, leftOut, layers } = this.#outcomeOf(request, build, state);
    const looksUp = build.asksCluster === true && 'lookedUp' in outcome;
    const root = { ...rootOf(build, facts, looksUp ? [LOOKUP_ASSUMPTION] : []), inputs: inputsOf(tree, build, state) };
    if ('failure' in outcome) return { ...root, manifests: [], failure: failureOf(outcome.failure, outcome.message) };
    const finished = finishedOf(build, outcome);
    if (finished !== undefined && 'failure' in finished) {
      return { ...root, manifests: [], failure: failureOf('other', finished.failure) };
    }
    const places = rootPlaces({
      request,
      overlay: build.overlay,
      ...(build.mergedFrom && { mergedFrom: build.mergedFrom }),
      files: this.#filesOf(state),
      tree: state.tree,
      declared: facts.location,
      declaration: facts.declaration,
      find: (kind, namespace, name) => {
        const resource = facts.known?.find(kind, namespace, name);
        return resource && below(resource.manifest, resource.rootPath);
      },
      plain: finished === undefined ? undefined : (index) => outcome.objects[index]?.text ?? '',
      objects: before?.objects ?? outcome.objects,
      postRendered: { leftOut, layers },
      traced: () => this.#traced(build, state),
      rerender: (request) => state.engine().render(request, overlaid(state.tree, build.overlay), CHANCE),
    });
    const { documents, problem } = this.#parsed(outcome, finished?.texts);
    const madeUp = this.#madeUp(build, outcome, documents, looksUp, state);
    const readsRelease = build.asksCluster === true && mentionsUpgrade(tree, state);
    const ofUpgrade = readsRelease ? this.#ofUpgrade(build, documents, state) : undefined;
    const name = nameOf(build, facts, root.location);
    const manifests = documents.map(
      ({ document, object, index }, number) =>
        new RenderedManifest(
          document,
          object,
          name,
          places(document.value, index),
          madeUp?.[number],
          ofUpgrade?.[number],
        ),
    );
    return { ...root, manifests, ...(problem !== undefined && { failure: failureOf('unparsable', problem) }) };
  }

  /** Cached, because many roots contain the same text. */
  parse(text: string): ParsedText {
    const known = this.#parsedTexts.get(text) ?? parseRendered(text, this.documents.known);
    this.#parsedTexts.set(text, known);
    return known;
  }

  /** Independent of the order of fields. */
  textOf(declaration: JsonObject): string {
    const text = this.#texts.get(declaration) ?? stringifyJson(declaration, { sortKeys: true, escapeHtml: false });
    this.#texts.set(declaration, text);
    return text;
  }

  /** A root without rendering: only its declaration and target are known. */
  unasked(build: Build, facts: RootFacts): RenderedRoot {
    let place: SourceLocation | undefined;
    const { location: _, ...root } = rootOf(build, { ...facts, location: () => NOWHERE });
    return {
      ...root,
      inputs: new Set(),
      manifests: [],
      isUnasked: true,
      get location() {
        place ??= facts.location();
        return place;
      },
    };
  }

  leftOut(build: Build, facts: RootFacts, maximum: number): RenderedRoot {
    const failure = {
      reason: 'limit',
      message: `the limit for render targets is ${maximum} per run`,
      help: 'check fewer files at once, or allow more with `rendering.roots` in `.preadmit.yaml`',
    } as const;
    return { ...rootOf(build, facts), inputs: new Set(), manifests: [], failure };
  }

  /** Fields that differ between an installation and an upgrade. */
  #ofUpgrade(build: Build, documents: readonly RenderedDocument[], state: BuilderState) {
    const { request } = build;
    if (request.engine !== 'helm') return undefined;
    const upgrade = { ...request, isUpgrade: request.isUpgrade !== true };
    return differingFields(build, documents, [this.#outcomeOf(upgrade, build, state).outcome]);
  }

  /** Compares renderings with another seed and time, and with lookups that find objects. */
  #madeUp(
    build: Build,
    { usedChance }: Rendering,
    documents: readonly RenderedDocument[],
    looksUp: boolean,
    state: BuilderState,
  ): readonly (readonly FieldPath[])[] | undefined {
    const { request } = build;
    const others: RenderOutcome[] = [];
    if (request.engine === 'files') return undefined;
    if (usedChance === true) others.push(this.#outcomeOf(request, build, state, OTHER_CHANCE).outcome);
    if (looksUp && request.engine === 'helm') {
      others.push(this.#outcomeOf({ ...request, lookupFinds: true }, build, state).outcome);
    }
    return others.length === 0 ? undefined : differingFields(build, documents, others);
  }

  /** Files that are applied unchanged; every field has its own location. */
  #applyFiles(build: Build, request: FilesRequest, facts: RootFacts, state: BuilderState): RenderedRoot {
    const tree = new RecordedTree(state.tree);
    const { documents, failure } = appliedDocuments(request, tree, (file) => file.derived(this.documents), state);
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
    chance = CHANCE,
  ): Built {
    const key = keyOf(request, { overlay, postRender }, chance);
    const known = this.#built.get(key) ?? [];
    const same = known.find((built) => built.tree.isSameIn(tree)) ?? this.#alike.find(key, { request, overlay }, tree);
    if (same !== undefined) {
      if (!known.includes(same)) this.#built.set(key, [...known, same]);
      return same;
    }
    const recorded = new RecordedTree(tree);
    const seen = overlaid(recorded, overlay);
    const aside = this.#begun
      .get(key)
      ?.find((begun) => begun.tree === tree)
      ?.wait();
    for (const [about, path] of aside?.questions ?? []) seen[about](path);
    const rendered = aside?.outcome ?? engine().render(request, seen, chance);
    const built = { tree: recorded, ...postRendered(rendered, postRender, engine(), chance) };
    this.#built.set(key, [...known, built]);
    this.#alike.add(key, { request, overlay }, tree, built);
    return built;
  }

  /** Tracing origins takes a second build, ten times slower with many patches. It runs only when a location is needed. */
  #traced(build: Build, state: BuilderState): Rendering | undefined {
    const { request } = build;
    if (request.engine !== 'kustomize') return undefined;
    const { outcome } = this.#outcomeOf({ ...request, provenance: true }, build, state);
    return 'failure' in outcome ? undefined : outcome;
  }

  /** Parsed once per rendering, for all roots, states and passes that share it. */
  #parsed(outcome: Rendering, texts: readonly (string | undefined)[] | undefined): ParsedObjects {
    const parse = (text: string): ParsedText => this.parse(text);
    if (texts !== undefined) return documentsOf(outcome.objects, texts, parse);
    const known = this.#parsedOutcomes.get(outcome) ?? documentsOf(outcome.objects, undefined, parse);
    this.#parsedOutcomes.set(outcome, known);
    return known;
  }

  #filesOf(state: BuilderState): WrittenFiles {
    let files = this.#files.get(state);
    if (files === undefined) {
      files = new WrittenFiles(
        (path) => state.fileAt(path),
        (path) => state.fileAt(path)?.derived(this.documents).manifests ?? [],
      );
      this.#files.set(state, files);
    }
    return files;
  }
}

function keyOf(
  request: RenderRequest,
  { overlay, postRender }: { readonly overlay?: Build['overlay'] | undefined; readonly postRender?: unknown },
  { seed }: RenderChance,
): string {
  return JSON.stringify([request, [...(overlay ?? [])], postRender, seed]);
}

/** Files that the engine read, and files that the controller's overlay replaces. */
function inputsOf(read: RecordedTree, { overlay = new Map() }: Build, { tree }: BuilderState): ReadonlySet<string> {
  return new Set([...read.filesRead(), ...[...overlay.keys()].filter((path) => tree.kind(path) === 'file')]);
}

interface RenderedDocument {
  readonly document: WrittenManifest;
  readonly object: RenderedObject;
  readonly index: number;
}

type ParsedText = ReturnType<typeof parseRendered>;

interface ParsedObjects {
  readonly documents: readonly RenderedDocument[];
  readonly problem: string | undefined;
}

/** `texts`: the objects after the controller's changes; undefined without changes. */
function documentsOf(
  objects: readonly RenderedObject[],
  texts: readonly (string | undefined)[] | undefined,
  parse: (text: string) => ParsedText = parseRendered,
): ParsedObjects {
  let problem: string | undefined;
  const documents = objects.flatMap((object, index) => {
    const text = texts === undefined ? object.text : texts[index];
    if (text === undefined) return [];
    const parsed = parse(text);
    problem ??= parsed.problem;
    return parsed.manifests.map((document) => ({ document, object, index }));
  });
  return { documents, problem };
}

function finishedOf({ finish }: Build, { objects }: Rendering): Finished | undefined {
  return finish?.(
    objects.map(({ text }) => text),
    objects,
  );
}

function comparedDocument({ document, object }: RenderedDocument): ComparedDocument {
  return { value: document.value, origin: object.template ?? '' };
}

function rootOf(
  { assumes: ofBuild = [], ...build }: Build,
  { name, location, declaredBy, reach, entry, takes, destination: declared }: RootFacts,
  more: readonly string[] = [],
) {
  const destination = destinationIn(build.destination, declared);
  const assumes = [...ofBuild, ...more];
  const { request } = build;
  return {
    name,
    location: location(),
    declaredBy,
    reach,
    ...(entry !== undefined && { entry }),
    ...(takes && { takes }),
    ...(request.engine === 'helm' && { chart: { folder: request.chart, valuesFiles: request.valuesFiles ?? [] } }),
    ...(destination !== undefined && { destination }),
    ...(assumes.length > 0 && { assumes }),
  };
}

function nameOf(
  { namespace, leavesVariables }: Build,
  { name }: RootFacts,
  location: SourceLocation,
): RenderedRootName {
  return { location, leavesVariables, root: name, ...(namespace !== undefined && { namespace }) };
}

function failureOf(reason: FailureClass, message: string): RootFailure {
  // Memory addresses of the engine vary between runs.
  const words = message.replaceAll(/\b0x[0-9a-f]+\b/g, '0x…');
  const told = reason === 'remote-base' ? remoteBaseMessage(words) : words;
  return { reason, message: told, help: HELP[reason] ?? 'render it with kustomize or Helm to see the whole message' };
}

const HELP: Partial<Record<FailureClass, string>> = {
  'remote-base': 'copy the remote base into the repository with `kustomize localize`, or check the rendered manifests',
  plugin:
    'plugins run programs, and preadmit never runs programs: commit the output of the plugin, or check the rendered manifests',
  'helm-chart': 'the chart is not in the repository: vendor it, or check the rendered manifests',
  'missing-file': 'add the file, or correct the path',
  'missing-input': 'add the file, or correct the path',
  'missing-dependency': 'run `helm dependency build`, and commit `charts/`',
  'required-value': 'the chart requires a value: set it where the chart is used',
  'library-chart': 'a library chart renders no objects: check a chart that uses it',
  busy: 'the machine was too slow: run the check again with less load on the machine',
  budget: 'check fewer files at once, or allow more with `rendering.processorSeconds` in `.preadmit.yaml`',
  limit: 'rendering exceeds a limit for time, memory or output: split the render target',
};

/** Failed renderings are ignored. */
function differingFields(
  build: Build,
  documents: readonly RenderedDocument[],
  others: readonly RenderOutcome[],
): readonly (readonly FieldPath[])[] {
  const compared = others.flatMap((outcome) => {
    if ('failure' in outcome) return [];
    const finished = finishedOf(build, outcome);
    if (finished !== undefined && 'failure' in finished) return [];
    return [documentsOf(outcome.objects, finished?.texts).documents.map(comparedDocument)];
  });
  return madeUpFields(documents.map(comparedDocument), compared);
}

/** True if a template of the chart may distinguish an installation from an upgrade. Packed charts are not searched. */
function mentionsUpgrade(read: RecordedTree, { tree }: BuilderState): boolean {
  const decoder = new TextDecoder();
  for (const path of read.filesRead()) {
    if (!path.includes('/templates/') && !path.startsWith('templates/')) continue;
    if (decoder.decode(tree.read(path)).includes('Release.Is')) return true;
  }
  return false;
}

// Builds roots with the engines, and reuses results for other states of the repository with equal inputs.

import { type JsonObject, stringifyJson } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import { Documents } from '../../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../../source/manifest/written-manifest.ts';
import { isCiphertext } from '../../../source/placeholder/sops.ts';
import { SourceFile, type SourceLocation } from '../../../source/text/source-file.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { BegunRendering, RenderEngine } from '../../engine/render-engine.ts';
import type {
  RenderChance,
  RenderedObject,
  Rendering,
  RenderOutcome,
  RenderRequest,
} from '../../engine/render-request.ts';
import { type RootPlaces, rootPlaces } from '../../places/root-places.ts';
import { below, type Written, WrittenFiles } from '../../places/written.ts';
import type { Build, DeclarationFacts, FilesRequest, Finished } from '../controller.ts';
import { kustomizationIn } from '../kustomization/kustomization-file.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';
import { isOnShelf } from '../remote/remote-shelf.ts';
import { AlikeRoots } from './alike-roots.ts';
import { appliedDocuments } from './applied-documents.ts';
import { type RenderedAround, renderAround } from './around-holes.ts';
import {
  alsoOpen,
  CHANCE,
  type ClusterAnswers,
  chartVariants,
  type Dependence,
  dependences,
} from './chart-variants.ts';
import { originPlaces } from './origin-places.ts';
import { type ComparedDocument, pairedDocuments } from './paired-documents.ts';
import { type PostRendered, postRendered } from './post-render.ts';
import { overlaid, RecordedTree } from './recorded-tree.ts';
import { parseRendered, RenderedManifest, renderedRootName } from './rendered-manifest.ts';
import { destinationIn, type RenderedRoot } from './rendered-root.ts';
import { doubtsOf, failureAbout, failureOf, failureWithout } from './root-failure.ts';
import { holesOf } from './root-holes.ts';
import { OPENSHIFT_ASSUMPTION, openGroups } from './served-apis.ts';

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
  readonly isComponent?: boolean;
  /** What charts can read about the cluster. */
  readonly answers: ClusterAnswers;
}

/** Placeholder; `unasked` replaces it. */
const NOWHERE: SourceLocation = { file: new SourceFile('', ''), range: { start: 0, end: 0 } };

interface Built extends PostRendered {
  readonly tree: RecordedTree;
}

/** A served API can lead to a question about another one. */
const MOST_ROUNDS = 4;
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
    const { outcome } = this.#servedOutcome(request, build, facts.answers, state).built;
    const render = (edited: Build): RenderOutcome => {
      // Overlays of many clusters lack the same part, so their edited kustomizations are equal too.
      this.#alike.expect(keyOf(request, edited, CHANCE), edited, facts.own, state.tree);
      return this.#outcomeOf(request, edited, state).outcome;
    };
    const around = renderAround(build, outcome, state.tree, render);
    if (around === undefined || !('cause' in around)) return this.#rendered(build, request, facts, state, around);
    const root = this.#rendered(build, request, facts, state);
    const own = kustomizationIn(overlaid(state.tree, build.overlay), build.folder);
    return { ...root, manifests: [], failure: failureAbout(around.cause, own) };
  }

  /** `around`: the rendering without the parts that the repository does not contain. */
  #rendered(
    whole: Build,
    asked: RenderRequest,
    facts: RootFacts,
    state: BuilderState,
    around?: RenderedAround,
  ): RenderedRoot {
    const build = around?.build ?? whole;
    const { answers } = facts;
    const rendered = this.#servedOutcome(asked, build, answers, state);
    const { tree, outcome } = rendered.built;
    const looksUp = build.asksCluster === true && 'lookedUp' in outcome;
    const holes = around && holesOf(around, this.#filesOf(state), facts.location);
    const assumes = [...rendered.assumes, ...(looksUp ? [LOOKUP_ASSUMPTION] : []), ...(holes?.assumes ?? [])];
    const inputs = new Set([...inputsOf(tree, build, state), ...(around?.inputs ?? [])]);
    const root = { ...rootOf(build, facts, assumes), inputs, ...(holes && { holes: holes.holes }) };
    if ('failure' in outcome) return { ...root, manifests: [], failure: failureWithout(build, outcome) };
    const finished = finishedOf(build, outcome);
    if (finished !== undefined && 'failure' in finished) {
      return { ...root, manifests: [], failure: failureOf('other', finished.failure) };
    }
    const { documents, problem } = this.#parsed(outcome, finished?.texts);
    const variants = this.#variants(build, rendered.request, outcome, answers, state);
    const named = holes?.named ?? '';
    const { of: ofVariants, more } = dependences(documents, variants);
    const dependent = around ? this.#withHoles(ofVariants, around, named, asked, documents, state) : ofVariants;
    const name = renderedRootName(build, facts, root.location, finished);
    const lacks = build.lacks?.[0]?.lacking;
    const manifestsOf = (
      documents: readonly RenderedDocument[],
      dependent: readonly (Dependence | undefined)[],
      places: RootPlaces,
    ): readonly RenderedManifest[] =>
      documents.map(({ document, object, index }, number) => {
        const dependence = { ...dependent[number], ...(lacks !== undefined && { dependsOn: lacks }) };
        return new RenderedManifest(document, object, name, places(document.value, index), dependence);
      });
    // Locations are those of the kustomizations before they are edited.
    const placesOf = (request: RenderRequest, built: Built, finished: Finished | undefined): RootPlaces =>
      this.#placesOf(build, whole.overlay, request, facts, built, finished, state);
    const places = placesOf(rendered.request, rendered.built, finished);
    const added = variants.flatMap(({ request, built, finished }, variant) => {
      const own = more.filter((each) => each.variant === variant);
      if (own.length === 0) return [];
      const documents = own.map(({ document }) => document);
      const dependent = own.map(({ dependence }) => (around ? alsoOpen(dependence, [[]], named) : dependence));
      return manifestsOf(documents, dependent, placesOf(request, built, finished));
    });
    const manifests = [...manifestsOf(documents, dependent, places), ...added];
    const doubts = doubtsOf(build, outcome);
    const asking = [outcome, ...variants.map((variant) => variant.outcome)].flatMap(
      ({ reads }) => reads?.missingApis ?? [],
    );
    const asksFor = build.listsApis ? [] : openGroups(asking, (api) => answers.serves(api));
    return {
      ...root,
      manifests,
      ...(asksFor.length > 0 && { asksFor }),
      ...(doubts.length > 0 && { doubts }),
      ...(problem !== undefined && { failure: failureOf('unparsable', problem) }),
    };
  }

  #placesOf(
    build: Build,
    overlay: Build['overlay'],
    request: RenderRequest,
    facts: RootFacts,
    { outcome, before, leftOut, layers }: Built,
    finished: Finished | undefined,
    state: BuilderState,
  ): RootPlaces {
    const objects = 'objects' in outcome ? outcome.objects : [];
    return rootPlaces({
      request,
      overlay,
      ...(build.mergedFrom && { mergedFrom: build.mergedFrom }),
      files: this.#filesOf(state),
      tree: state.tree,
      declared: facts.location,
      declaration: facts.declaration,
      find: (kind, namespace, name) => {
        const resource = facts.known?.find(kind, namespace, name);
        return resource && below(resource.manifest, resource.rootPath);
      },
      plain: finished === undefined ? undefined : (index) => objects[index]?.text ?? '',
      objects: before?.objects ?? objects,
      postRendered: { leftOut, layers },
      traced: () => this.#traced(build, state),
      rerender: (request) => state.engine().render(request, overlaid(state.tree, build.overlay), CHANCE),
    });
  }

  /** Renders again with the APIs that the templates ask for and the cluster serves. */
  #servedOutcome(
    asked: RenderRequest,
    build: Build,
    cluster: ClusterAnswers,
    state: BuilderState,
  ): { readonly request: RenderRequest; readonly built: Built; readonly assumes: readonly string[] } {
    let request = asked;
    const assumes = new Set<string>();
    for (let round = 1; ; round++) {
      const built = this.#outcomeOf(request, build, state);
      const { outcome } = built;
      const missing =
        request.engine !== 'helm' || build.listsApis || 'failure' in outcome ? [] : (outcome.reads?.missingApis ?? []);
      const served = missing.filter((api) => cluster.serves(api) === 'served');
      if (missing.some((api) => cluster.serves(api) === 'assumed')) assumes.add(OPENSHIFT_ASSUMPTION);
      if (request.engine !== 'helm' || served.length === 0 || round === MOST_ROUNDS) {
        return { request, built, assumes: [...assumes] };
      }
      request = { ...request, apiVersions: [...(request.apiVersions ?? []), ...served] };
    }
  }

  /** The root under other circumstances that its templates depend on. */
  #variants(build: Build, request: RenderRequest, outcome: Rendering, cluster: ClusterAnswers, state: BuilderState) {
    const answers = build.listsApis ? { ...cluster, serves: () => 'absent' as const } : cluster;
    const known = new Map<RenderOutcome, Built>();
    const render = (other: RenderRequest, chance: RenderChance): RenderOutcome => {
      const built = this.#outcomeOf(other, build, state, chance);
      known.set(built.outcome, built);
      return built.outcome;
    };
    return chartVariants(build, request, outcome, answers, render).flatMap((variant) => {
      const finished = finishedOf(build, variant.outcome);
      if (finished !== undefined && 'failure' in finished) return [];
      const { documents } = documentsOf(variant.outcome.objects, finished?.texts);
      return [{ ...variant, finished, documents, built: known.get(variant.outcome) as Built }];
    });
  }

  /** Adds the fields that depend on parts that the repository does not contain. `named`: these parts. */
  #withHoles(
    dependent: readonly (Dependence | undefined)[],
    { build, other, openFields }: RenderedAround,
    named: string,
    request: RenderRequest,
    documents: readonly RenderedDocument[],
    state: BuilderState,
  ): readonly (Dependence | undefined)[] {
    const opened = openFields(documents.map(({ document }) => document.value));
    const outcome = other && this.#outcomeOf(request, other, state).outcome;
    const others = outcome && comparedIn(build, outcome);
    const pairs = others && pairedDocuments(documents, others).pairs;
    return documents.map(({ document }, index) => {
      const pair = pairs?.[index];
      // Without the second rendering, every field may depend on the values.
      const differing = pair?.other === undefined && other !== undefined ? [[]] : (pair?.paths ?? []);
      // Ciphertexts are open without this, and name their own place.
      const own = differing.filter((path) => !isCiphertext(valueAt(document.value, path)));
      return alsoOpen(dependent[index], [...(opened[index] ?? []), ...own], named);
    });
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

  /** Files that are applied unchanged; every field has its own location. */
  #applyFiles(build: Build, request: FilesRequest, facts: RootFacts, state: BuilderState): RenderedRoot {
    const tree = new RecordedTree(state.tree);
    const fileAt = (path: string): SourceFile | undefined => {
      const bytes = isOnShelf(path) ? state.tree.read(path) : undefined;
      return bytes === undefined ? state.fileAt(path) : new SourceFile(path, new TextDecoder().decode(bytes));
    };
    const { documents, failure } = appliedDocuments(request, tree, (file) => file.derived(this.documents), { fileAt });
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
      const name = renderedRootName(build, facts, root.location, finished);
      // A fetched file cannot be edited here, so its objects have the location of the declaration.
      const fetched = isOnShelf(document.file.path) ? this.parse(texts[index] ?? '').manifests : undefined;
      const places = originPlaces(fetched === undefined ? document : undefined, facts.location);
      return (fetched ?? [document]).map((each) => new RenderedManifest(each, { text }, name, places));
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
  #parsed(outcome: Rendering, texts: readonly string[] | undefined): ParsedObjects {
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

interface RenderedDocument extends ComparedDocument {
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
  texts: readonly string[] | undefined,
  parse: (text: string) => ParsedText = parseRendered,
): ParsedObjects {
  let problem: string | undefined;
  const documents = objects.flatMap((object, index) => {
    const text = texts === undefined ? object.text : texts[index];
    if (text === undefined) return [];
    const parsed = parse(text);
    problem ??= parsed.problem;
    const origin = object.template ?? '';
    return parsed.manifests.map((document) => ({ document, object, index, value: document.value, origin }));
  });
  return { documents, problem };
}

function finishedOf({ finish }: Build, { objects }: Rendering): Finished | undefined {
  return finish?.(
    objects.map(({ text }) => text),
    objects,
  );
}

function rootOf(
  { assumes: ofBuild = [], ...build }: Build,
  { name, location, declaredBy, reach, entry, takes, isComponent, destination: declared }: RootFacts,
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
    ...(isComponent === true && { isComponent }),
    ...(request.engine === 'helm' && { chart: { folder: request.chart, valuesFiles: request.valuesFiles ?? [] } }),
    ...(destination !== undefined && { destination }),
    ...(assumes.length > 0 && { assumes }),
  };
}

/** Undefined for a rendering that failed. */
function comparedIn(build: Build, outcome: RenderOutcome): readonly RenderedDocument[] | undefined {
  if ('failure' in outcome) return undefined;
  const finished = finishedOf(build, outcome);
  return finished !== undefined && 'failure' in finished
    ? undefined
    : documentsOf(outcome.objects, finished?.texts).documents;
}

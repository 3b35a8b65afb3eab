// Reads texts as resources: classifies every document, and returns a resource or the reason why it is skipped.

import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { StageObserver } from '../../engine/stages.ts';
import { append } from '../../go/slices/append.ts';
import type { Aside } from '../../inventory/aside.ts';
import { Classifier, isMeantToBeRead, type ReadDocument } from '../../inventory/classify.ts';
import { type DeclaredServer, declaredServer } from '../../inventory/declared-server.ts';
import type { DiscoveredFile, NotRead } from '../../inventory/discovered-file.ts';
import { hasTooManyDocuments } from '../../inventory/document-count.ts';
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { Resource, type ResourceResult, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import type { ControllerReach } from '../../render/sources/declaration/chains.ts';
import type { Remote } from '../../render/sources/remote/remote.ts';
import type { NamedObject } from '../../render/sources/root/rendered-data.ts';
import type { RenderedRoot } from '../../render/sources/root/rendered-root.ts';
import type { RenderedSources } from '../../render/sources/sources-input.ts';
import type { SkippedEntry } from '../../report/report.ts';
import type { Configuration } from '../../settings/configuration.ts';
import type { JsonValue } from '../../source/json/json.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { Documents, type ManifestFile, type SourceProblem } from '../../source/manifest/read-manifests.ts';
import { type WrittenFile, WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { SourceFile, SourceRange } from '../../source/text/source-file.ts';
import { reasonOfUnread } from './applied-unread.ts';
import { languagesOfTargets } from './languages.ts';
import { contentOf } from './object-content.ts';
import { renderedReason, rootDiagnostics, skippedPlace, UNRENDERED } from './rendered-reasons.ts';
import { encryptedData, renderedSources, renderingWords, type StateRendering } from './rendering.ts';
import { isPolicyOf } from './rule-resources.ts';
import {
  appliedRoots,
  type ChooseLeftOut,
  isReplacedReason,
  knownOfLeftOut,
  NOTHING_UNREACHED,
  type UnreachedChoice,
  type UnreachedContent,
} from './unreached.ts';
import { isUnusedValuesFile } from './unused-values.ts';

export interface FoundResource {
  readonly resource: Resource;
  /** False for resources that are only context: policies and facts outside the checked paths. */
  readonly selected: boolean;
  /** The kustomization that changes this manifest before it is applied, so that policies evaluate another object. */
  readonly changedBy: string | undefined;
  /** The root that rendered the resource. */
  readonly root?: RenderedRoot;
  /** Name of the resource's policy source; absent for resources of the repository. */
  readonly source?: string;
  /** Set if the path shows that the object is rarely applied as written, like that of a test or an example. */
  readonly aside?: Aside;
}

/** True if the resource is written in one of the files, or if its root read one of them. */
export function isMadeFrom({ resource, root }: FoundResource, paths: ReadonlySet<string>): boolean {
  return paths.has(resource.manifest.file.path) || [...paths].some((path) => root?.inputs.has(path) === true);
}

/** A skipped document of the checked paths, before rendering or as a root applies it. */
export interface LeftDocument {
  readonly file: SourceFile;
  /** Undefined if the document does not parse. */
  readonly manifest: Manifest | undefined;
  readonly range?: SourceRange;
  readonly reason: SkipReason;
}

/** In the order of files and documents. */
export interface RepositoryContent {
  /** All paths of the repository, including those of files that were not read. */
  readonly paths: ReadonlySet<string>;
  readonly resources: readonly FoundResource[];
  /** Written manifests, including those that a root renders. */
  readonly written: readonly FoundResource[];
  readonly left: readonly LeftDocument[];
  /** Documents that set flags of API servers. */
  readonly servers: readonly ServerDocument[];
  /** Files that roots read, or would read. False: none of these roots could be rendered. */
  readonly inputs: ReadonlyMap<string, boolean>;
  readonly skipped: readonly SkippedEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** Also those that no controller applies. */
  readonly roots: readonly RenderedRoot[];
  /** Charts, bases and repositories that are missing. With them, more could be rendered. */
  readonly missing: readonly Remote[];
  /** Sources of Flux that rendered declarations name and no rendered root applies. */
  readonly unrendered: readonly NamedObject[];
  /** What controllers apply; absent if the repository has no certain controller's root. */
  readonly reach?: ControllerReach;
  /** What no controller applies, and is therefore not evaluated. */
  readonly unreached: UnreachedContent;
  /** Objects of applied roots that their metadata excludes. They may exist in the cluster, in any version. */
  readonly neverApplied: readonly FoundResource[];
}

export interface ReadOptions {
  readonly files: readonly DiscoveredFile[];
  /** All paths of the repository, including those of files that were not read. */
  readonly paths: ReadonlySet<string>;
  readonly notRead: readonly NotRead[];
  readonly configuration: Configuration;
  /** Knows all files that classify others, if `files` is not complete. */
  readonly classifier?: Classifier;
  /** How to render roots. Absent: all manifests are evaluated as written. */
  readonly rendering?: StateRendering;
  /** What to leave out of the state, because no controller applies it. Default: nothing. */
  readonly leaves?: ChooseLeftOut;
}

interface FoundDocument extends ReadDocument {
  /** Undefined if the document does not parse. */
  readonly manifest: WrittenManifest | undefined;
}

/** The documents of a file, read on demand. */
class FileDocuments {
  readonly file: SourceFile;
  readonly #read: ManifestFile;

  constructor(file: SourceFile, read: ManifestFile) {
    this.file = file;
    this.#read = read;
  }

  /** Documents that do not parse come last. */
  get documents(): readonly FoundDocument[] {
    const { manifests, problems } = this.#read;
    const documents: FoundDocument[] = manifests.map((manifest) => new ReadManifest(manifest));
    for (const problem of problems) documents.push({ value: undefined, manifest: undefined, problem });
    return documents;
  }

  get emptyCount(): number {
    return this.#read.emptyCount;
  }
}

/** The documents of a checked file, or of a file that is only context. */
export class DiscoveredDocuments extends FileDocuments implements DiscoveredFile {
  readonly selected: boolean;

  constructor(file: SourceFile, read: ManifestFile, selected: boolean) {
    super(file, read);
    this.selected = selected;
  }
}

/** `reader` caches documents, for states that share files. */
export function readRepository(
  { files, paths, notRead, configuration, rendering, leaves, ...given }: ReadOptions,
  stages: StageObserver,
  reader = new DocumentReader(rendering?.builder?.documents),
): RepositoryContent {
  stages.enter('read');
  const content = new ContentBuilder(reader, paths);
  for (const entry of notRead) content.skip(entry);
  const readFiles: DiscoveredDocuments[] = [];
  /** A generator, so that the caller uses each file while its values are in memory. */
  function* reading(): Generator<DiscoveredDocuments> {
    for (const { file, selected } of files) {
      if (hasTooManyDocuments(file.text)) {
        if (selected) content.skip({ path: file.path, reason: 'too-many-documents' });
        continue;
      }
      const read = reader.discovered(file, selected);
      if (rendering !== undefined) renderingWords(file);
      readFiles.push(read);
      yield read;
    }
  }
  const classifier = given.classifier ?? new Classifier(paths, reading(), configuration);
  if (given.classifier !== undefined) Array.from(reading());
  stages.count('read', 'files', readFiles.length);
  stages.enter('classify');
  for (const file of readFiles) content.addFile(file, classifier);
  if (rendering !== undefined) {
    stages.enter('render');
    const asked = (rendering.known ?? []).filter(({ file }) => mayBeKnown(file, classifier));
    const known = asked.flatMap(({ file }) => reader.knownIn(file, classifier));
    const sources = renderedSources(rendering, { readFiles, paths, content, configuration, known });
    content.render(sources, leaves?.(sources.reach), languagesOfTargets(configuration.targets));
    const { tree, selected = new Set(files.flatMap((each) => (each.selected ? [each.file.path] : []))) } = rendering;
    content.markApplied((entry) =>
      reasonOfUnread(entry, { tree, roots: appliedRoots(content), isRead: (path) => selected.has(path) }),
    );
    stages.count('render', 'roots', content.roots.filter(({ isUnasked }) => isUnasked !== true).length);
  }
  stages.count('classify', 'resources', content.resources.length);
  stages.count('classify', 'skipped', content.skipped.length);
  return content;
}

/** False if the path shows that the file contains no objects. Encrypted files are always read. */
function mayBeKnown(file: SourceFile, classifier: Classifier): boolean {
  return classifier.placeReason(file.path) === undefined || renderingWords(file).sops;
}

/** Parses each file and document once, as long as the file is referenced. */
export class DocumentReader {
  readonly documents: Documents;
  /** By index of the document. A document that is one object, which is the usual case, is stored without an array. */
  readonly #written = new WeakMap<WrittenFile, (Resource | readonly ResourceResult[])[]>();
  readonly #rendered = new WeakMap<Manifest, readonly ResourceResult[]>();
  readonly #known = new WeakMap<Classifier, Map<SourceFile, readonly Resource[]>>();

  constructor(documents = new Documents()) {
    this.documents = documents;
  }

  documentsOf(file: SourceFile): FileDocuments {
    return new FileDocuments(file, file.derived(this.documents));
  }

  discovered(file: SourceFile, selected: boolean): DiscoveredDocuments {
    return new DiscoveredDocuments(file, file.derived(this.documents), selected);
  }

  resourcesOf(manifest: Manifest): readonly ResourceResult[] {
    if (manifest instanceof WrittenManifest) return this.#resourcesWritten(manifest);
    let resources = this.#rendered.get(manifest);
    if (resources === undefined) {
      resources = resourcesOf(manifest);
      this.#rendered.set(manifest, resources);
    }
    return resources;
  }

  #resourcesWritten(manifest: WrittenManifest): readonly ResourceResult[] {
    const { written, index } = manifest;
    let ofFile = this.#written.get(written);
    if (ofFile === undefined) {
      ofFile = new Array(written.documentCount);
      this.#written.set(written, ofFile);
    }
    const known = ofFile[index];
    if (known !== undefined) return known instanceof Resource ? [{ resource: known }] : known;
    const results = resourcesOf(manifest);
    const [only] = results;
    ofFile[index] = results.length === 1 && only !== undefined && 'resource' in only ? only.resource : results;
    return results;
  }

  /** Objects of a file that is not evaluated, for references from controllers. The same for all states that share the classifier. */
  knownIn(file: SourceFile, classifier: Classifier): readonly Resource[] {
    const known = this.#known.get(classifier) ?? new Map<SourceFile, readonly Resource[]>();
    this.#known.set(classifier, known);
    const found =
      known.get(file) ??
      this.documentsOf(file).documents.flatMap((document) => {
        const { manifest } = document;
        const isManifest = manifest !== undefined && classifier.classify(file, document).reason === undefined;
        if (!isManifest) return encryptedData(document);
        return this.resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : []));
      });
    known.set(file, found);
    return found;
  }
}

/** A document that parses. */
class ReadManifest implements FoundDocument {
  readonly manifest: WrittenManifest;

  constructor(manifest: WrittenManifest) {
    this.manifest = manifest;
  }

  get value(): JsonValue {
    return this.manifest.value;
  }
}

/** Problems of other kinds lose text, but the document is read. */
const LOSES_DOCUMENT: ReadonlySet<SourceProblem['kind']> = new Set(['syntax', 'depth', 'count']);

/** Of documents that may set flags of API servers; undefined: an object. */
const DECLARING: ReadonlySet<SkipReason | undefined> = new Set([
  undefined,
  'client-configuration',
  'not-a-resource',
  'placeholder',
  'sops-encrypted',
  'template',
]);

/** A document that sets flags of an API server. */
export interface ServerDocument {
  readonly manifest: Manifest;
  readonly server: DeclaredServer;
}

type Skipped = SkippedEntry & { readonly reason: SkipReason };

class ContentBuilder implements RepositoryContent {
  resources: FoundResource[] = [];
  skipped: Skipped[] = [];
  roots: readonly RenderedRoot[] = [];
  missing: readonly Remote[] = [];
  unrendered: readonly NamedObject[] = [];
  inputs: ReadonlyMap<string, boolean> = new Map();
  reach?: ControllerReach;
  left: LeftDocument[] = [];
  servers: ServerDocument[] = [];
  unreached: UnreachedContent = NOTHING_UNREACHED;
  neverApplied: FoundResource[] = [];
  #written: readonly FoundResource[] | undefined;
  diagnostics: Diagnostic[] = [];
  readonly paths: ReadonlySet<string>;
  readonly #reader: DocumentReader;

  constructor(reader: DocumentReader, paths: ReadonlySet<string>) {
    this.#reader = reader;
    this.paths = paths;
  }

  get written(): readonly FoundResource[] {
    return this.#written ?? this.resources;
  }

  skip(entry: Skipped): void {
    this.skipped.push(entry);
  }

  addFile({ file, selected, documents, emptyCount }: DiscoveredDocuments, classifier: Classifier): void {
    const { path } = file;
    const empty = documents.length === 0 ? Math.max(1, emptyCount) : emptyCount;
    for (let count = 0; selected && count < empty; count++) this.skip({ path, reason: 'empty-document' });
    const wasMeantToBeRead = documents.some(({ problem }) => problem !== undefined) && isMeantToBeRead(file);
    for (const document of documents) {
      const { reason, detail } = classifier.classify(file, document);
      const { manifest, problem } = document;
      const server = manifest && DECLARING.has(reason) ? declaredServer(document.value) : undefined;
      if (manifest !== undefined && server !== undefined) this.servers.push({ manifest, server });
      if (reason === undefined && manifest !== undefined) {
        const aside = classifier.asideOf(path);
        const changedBy = classifier.changedBy(path);
        this.#addResources(manifest, { selected, changedBy, ...(aside && { aside }) });
      } else if (selected && reason !== undefined && (problem === undefined || LOSES_DOCUMENT.has(problem.kind))) {
        const { line } = file.positionAt(problem?.range.start ?? manifest?.range.start ?? 0);
        this.skip({ path, line, reason, ...(detail !== undefined && { detail }) });
        this.left.push({ file, manifest, reason, ...(problem && { range: problem.range }) });
      }
      const isReported = problem !== undefined && reason === 'does-not-parse' && wasMeantToBeRead;
      if (selected && isReported) this.diagnostics.push(diagnosticOf(file, problem));
    }
  }

  /** Skips written resources that a root renders, and uses the rendered ones instead. Separates what `left` selects. */
  render(sources: RenderedSources, left: UnreachedChoice | undefined, languages: readonly PolicyLanguage[]): void {
    const isLeft = (root: RenderedRoot): boolean => left?.root(root) === true;
    const { reach } = sources;
    const inputs = left === undefined || reach === undefined ? sources.inputs : reach.inputsOf((root) => !isLeft(root));
    this.roots = sources.roots;
    if (reach !== undefined) this.reach = reach;
    this.missing = sources.missing;
    this.unrendered = sources.unrendered;
    this.inputs = inputs;
    const isLeftFile = (path: string): boolean =>
      left !== undefined && !inputs.has(path) && (left.file(path) || sources.inputs.has(path));
    const all = this.resources;
    this.#written = left === undefined ? all : all.filter(({ resource }) => !isLeftFile(resource.manifest.file.path));
    this.resources = this.#written.filter(({ resource }) => !inputs.has(resource.manifest.file.path));
    for (const { resource, selected } of this.#written) {
      const { path } = resource.manifest.file;
      const isRendered = inputs.get(path);
      if (selected && isRendered !== undefined) this.#skipWritten(resource, isRendered ? 'rendered' : 'not-rendered');
    }
    this.skipped = this.skipped.map((entry) => {
      if (isLeftFile(entry.path) && isReplacedReason(entry.reason)) return { ...entry, reason: 'unreached' };
      const isRendered = inputs.get(entry.path);
      // The root reports that it cannot be rendered.
      if (isRendered === false && entry.reason === 'placeholder') return { ...entry, reason: 'not-rendered' };
      if (isRendered !== true || !UNRENDERED.has(entry.reason)) return entry;
      return isUnusedValuesFile(entry.path, sources.roots) ? entry : { ...entry, reason: 'rendered' };
    });
    for (const root of this.roots) if (!isLeft(root)) this.#addRoot(root);
    const isPolicy = ({ resource }: FoundResource): boolean => isPolicyOf(languages, resource);
    const unreached = left === undefined ? [] : this.#leaveOut(sources, all, isLeft, isLeftFile, isPolicy);
    const leftOut = [...unreached, ...this.neverApplied];
    append(
      this.resources,
      knownOfLeftOut(this.resources, leftOut, ({ resource }) => contentOf(resource), isPolicy),
    );
  }

  #leaveOut(
    sources: RenderedSources,
    written: readonly FoundResource[],
    isLeft: (root: RenderedRoot) => boolean,
    isLeftFile: (path: string) => boolean,
    isPolicy: (found: FoundResource) => boolean,
  ): readonly FoundResource[] {
    const roots = sources.roots.filter(isLeft);
    const files = new Set<string>();
    for (const found of written) {
      const { path } = found.resource.manifest.file;
      if (!found.selected || !isLeftFile(path) || isPolicy(found)) continue;
      files.add(path);
      this.#skipWritten(found.resource, 'unreached');
    }
    const plain = written.filter(({ resource: { manifest } }) => isLeftFile(manifest.file.path));
    const rendered = roots.flatMap((root) => this.#resourcesOf(root));
    const leftOut = [...plain.filter(({ resource }) => !sources.inputs.has(resource.manifest.file.path)), ...rendered];
    this.left = this.left.filter(({ file }) => !isLeftFile(file.path));
    this.diagnostics = this.diagnostics.filter(
      ({ code, primary }) => code !== 'does-not-parse' || primary === undefined || !isLeftFile(primary.file.path),
    );
    const objects = leftOut.map(({ resource }) => resource);
    this.unreached = { files, roots: new Set(roots), objects, has: isLeftFile };
    return leftOut;
  }

  #resourcesOf(root: RenderedRoot): readonly FoundResource[] {
    return root.manifests.flatMap((manifest) =>
      renderedReason(manifest, root).reason === undefined ? this.#resourcesIn(manifest, root) : [],
    );
  }

  #resourcesIn(manifest: Manifest, root: RenderedRoot): readonly FoundResource[] {
    return this.#reader
      .resourcesOf(manifest)
      .flatMap((result) =>
        'resource' in result ? [{ resource: result.resource, selected: true, changedBy: undefined, root }] : [],
      );
  }

  #skipWritten(resource: Resource, reason: SkipReason): void {
    const { path } = resource.manifest.file;
    this.skip({
      path,
      // A getter, because unchanged entries are never reported.
      get line() {
        const { file, range } = resource.locate(['kind'], 'key');
        return file.positionAt(range.start).line;
      },
      reason,
    });
  }

  /** Changes the reasons of files that a controller applies. */
  markApplied(reasonOf: (entry: Skipped) => SkipReason): void {
    this.skipped = this.skipped.map((entry) => {
      const reason = reasonOf(entry);
      return reason === entry.reason ? entry : { ...entry, reason };
    });
  }

  #addRoot(root: RenderedRoot): void {
    append(this.diagnostics, rootDiagnostics(root));
    for (const manifest of root.manifests) {
      const { reason, detail } = renderedReason(manifest, root);
      if (reason === undefined) this.#addResources(manifest, { selected: true, changedBy: undefined, root });
      else if (reason !== 'empty-document') {
        const { file, range } = skippedPlace(manifest, reason);
        const { line } = file.positionAt(range.start);
        this.skip({ path: file.path, line, reason, ...(detail !== undefined && { detail }) });
        if (reason === 'never-applied') append(this.neverApplied, this.#resourcesIn(manifest, root));
        else this.left.push({ file, manifest, reason });
      }
    }
  }

  #addResources(manifest: Manifest, found: Omit<FoundResource, 'resource'>): void {
    for (const result of this.#reader.resourcesOf(manifest)) {
      if ('resource' in result) {
        this.resources.push(foundResource(result.resource, found));
      } else if (found.selected) {
        const { file, range } = manifest.place(result.rootPath, 'value');
        const { line } = file.positionAt(range.start);
        const reason = result.missing === 'items' ? 'empty-document' : 'incomplete-resource';
        const detail = result.missing === 'items' ? 'a List without items' : result.missing;
        this.skip({ path: file.path, line, reason, detail });
      }
    }
  }
}

/** Omits absent fields, so that most of these objects have the same shape and use little memory. */
function foundResource(resource: Resource, found: Omit<FoundResource, 'resource'>): FoundResource {
  const { selected, changedBy, root, source, aside } = found;
  const isPlain = root === undefined && source === undefined && aside === undefined;
  return isPlain ? { resource, selected, changedBy } : { resource, ...found };
}

/** An unreadable document was meant to be applied, and its policies' verdict is unknown. So it is an error. */
function diagnosticOf(file: SourceFile, { message, range, related }: SourceProblem): Diagnostic {
  return {
    code: 'does-not-parse',
    severity: 'error',
    subject: file.path,
    message,
    primary: { file, range },
    related: related.map((place) => ({ message: place.message, location: { file, range: place.range } })),
  };
}

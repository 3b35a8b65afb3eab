// From texts to resources: every document is read, classified, and either a resource or an entry with the reason why not.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { StageObserver } from '../../engine/stages.ts';
import type { Aside } from '../../inventory/aside.ts';
import { Classifier, classifyRendered, isMeantToBeRead, type ReadDocument } from '../../inventory/classify.ts';
import type { DiscoveredFile, NotRead } from '../../inventory/discovered-file.ts';
import { hasTooManyDocuments } from '../../inventory/document-count.ts';
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { Resource, type ResourceResult, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { ChartReference } from '../../render/sources/chart-reference.ts';
import type { RenderedSources } from '../../render/sources/render-sources.ts';
import type { RenderedRoot, RootFailure } from '../../render/sources/rendered-root.ts';
import type { SkippedEntry } from '../../report/report.ts';
import type { Configuration } from '../../settings/configuration.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { HeldValues } from '../../source/manifest/held-values.ts';
import type { KnownReadings } from '../../source/manifest/known-readings.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { type ManifestFile, readManifests, type SourceProblem } from '../../source/manifest/read-manifests.ts';
import { type WrittenFile, WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { SourceFile, SourceRange } from '../../source/text/source-file.ts';
import { encryptedData, renderedSources, renderingWords, type StateRendering } from './rendering.ts';

export interface FoundResource {
  readonly resource: Resource;
  /** False for what was read only as context: policies and facts outside the sweep. */
  readonly selected: boolean;
  /** The kustomization that changes this manifest before it is applied, so that policies see something else. */
  readonly changedBy: string | undefined;
  /** What it was rendered by. */
  readonly root?: RenderedRoot;
  /** Name of the policy source it is from; absent for what is of the repository. */
  readonly source?: string;
  /** Where it lies, if hardly anybody applies it as it is. */
  readonly aside?: Aside;
}

/** Whether it is written in one of the files, or one of them was read for it. */
export function isMadeFrom({ resource, root }: FoundResource, paths: ReadonlySet<string>): boolean {
  return paths.has(resource.manifest.file.path) || [...paths].some((path) => root?.inputs.has(path) === true);
}

/** A document of the sweep that is no manifest, as it was before anything was rendered, or among what a root applies. */
export interface LeftDocument {
  readonly file: SourceFile;
  /** Undefined if it does not parse. */
  readonly manifest: Manifest | undefined;
  readonly range?: SourceRange;
  readonly reason: SkipReason;
}

/** In the order of files and documents. */
export interface RepositoryContent {
  /** Every path of the repository, read or not. */
  readonly paths: ReadonlySet<string>;
  readonly resources: readonly FoundResource[];
  /** What is written as manifests, whether it is built into something or not. */
  readonly written: readonly FoundResource[];
  readonly left: readonly LeftDocument[];
  /** Files that roots read, or would have read; false: none of these roots could be built. */
  readonly inputs: ReadonlyMap<string, boolean>;
  readonly skipped: readonly SkippedEntry[];
  readonly diagnostics: readonly Diagnostic[];
  readonly roots: readonly RenderedRoot[];
  /** What of charts would have to be fetched to know more. */
  readonly missingCharts: readonly ChartReference[];
}

export interface ReadOptions {
  readonly files: readonly DiscoveredFile[];
  /** Every path of the repository, read or not. */
  readonly paths: ReadonlySet<string>;
  readonly notRead: readonly NotRead[];
  readonly configuration: Configuration;
  /** Knows all files that speak about others, where `files` are not all. */
  readonly classifier?: Classifier;
  /** How to render what is built before it is applied; absent: everything is taken as it is written. */
  readonly rendering?: StateRendering;
}

interface FoundDocument extends ReadDocument {
  /** Undefined if it does not parse. */
  readonly manifest: WrittenManifest | undefined;
}

/** What was read in a file; made as it is asked for, of what the file remembers. */
class FileDocuments {
  readonly file: SourceFile;
  readonly #read: ManifestFile;

  constructor(file: SourceFile, read: ManifestFile) {
    this.file = file;
    this.#read = read;
  }

  /** Those that do not parse after the others. */
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

/** Of a file of the sweep, or of one that is read besides. */
export class DiscoveredDocuments extends FileDocuments implements DiscoveredFile {
  readonly selected: boolean;

  constructor(file: SourceFile, read: ManifestFile, selected: boolean) {
    super(file, read);
    this.selected = selected;
  }
}

/** `reader` remembers what it has read, for states of a repository that share files. */
export function readRepository(
  { files, paths, notRead, configuration, rendering, ...given }: ReadOptions,
  stages: StageObserver,
  reader = new DocumentReader(),
): RepositoryContent {
  stages.enter('read');
  const content = new ContentBuilder(reader, paths);
  for (const entry of notRead) content.skip(entry);
  const readFiles: DiscoveredDocuments[] = [];
  /** Who asks for the files looks at each while its values are held. */
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
    content.render(renderedSources(rendering, { readFiles, paths, content, configuration, known }));
    stages.count('render', 'roots', content.roots.filter(({ isUnasked }) => isUnasked !== true).length);
  }
  stages.count('classify', 'resources', content.resources.length);
  stages.count('classify', 'skipped', content.skipped.length);
  return content;
}

/** False for files of which the place says that they hold no objects; what is encrypted counts all the same. */
function mayBeKnown(file: SourceFile, classifier: Classifier): boolean {
  return classifier.placeReason(file.path) === undefined || renderingWords(file).sops;
}

/** Reads each file and takes each document apart once, for as long as somebody holds the file. */
export class DocumentReader {
  readonly #held: HeldValues;
  readonly #readings: KnownReadings | undefined;
  /** By number of the document; of one that is an object, which nearly all are, that alone. */
  readonly #written = new WeakMap<WrittenFile, (Resource | readonly ResourceResult[])[]>();
  readonly #rendered = new WeakMap<Manifest, readonly ResourceResult[]>();
  readonly #known = new WeakMap<Classifier, Map<SourceFile, readonly Resource[]>>();

  /** `readings`: those of earlier runs. */
  constructor(held = new HeldValues(), readings?: KnownReadings) {
    this.#held = held;
    this.#readings = readings;
  }

  documentsOf(file: SourceFile): FileDocuments {
    return new FileDocuments(file, file.derived(readManifests, this.#held, this.#readings));
  }

  discovered(file: SourceFile, selected: boolean): DiscoveredDocuments {
    return new DiscoveredDocuments(file, file.derived(readManifests, this.#held, this.#readings), selected);
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

  /** What controllers may ask of a file whose objects nobody judges; the same for all states that share the classifier. */
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

/** The other kinds lose text beside a document that is read all the same. */
const LOSES_DOCUMENT: ReadonlySet<SourceProblem['kind']> = new Set(['syntax', 'depth', 'count']);

class ContentBuilder implements RepositoryContent {
  resources: FoundResource[] = [];
  skipped: SkippedEntry[] = [];
  roots: readonly RenderedRoot[] = [];
  missingCharts: readonly ChartReference[] = [];
  inputs: ReadonlyMap<string, boolean> = new Map();
  readonly left: LeftDocument[] = [];
  #written: readonly FoundResource[] | undefined;
  readonly diagnostics: Diagnostic[] = [];
  readonly paths: ReadonlySet<string>;
  readonly #reader: DocumentReader;

  constructor(reader: DocumentReader, paths: ReadonlySet<string>) {
    this.#reader = reader;
    this.paths = paths;
  }

  get written(): readonly FoundResource[] {
    return this.#written ?? this.resources;
  }

  skip(entry: SkippedEntry & { readonly reason: SkipReason }): void {
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
      if (reason === undefined && manifest !== undefined) {
        const aside = classifier.asideOf(path);
        const changedBy = classifier.changedBy(path);
        this.#addResources(manifest, { selected, changedBy, ...(aside && { aside }) });
      } else if (selected && reason !== undefined && (problem === undefined || LOSES_DOCUMENT.has(problem.kind))) {
        const { line } = file.positionAt(problem?.range.start ?? manifest?.range.start ?? 0);
        this.skip({ path, line, reason, ...(detail !== undefined && { detail }) });
        this.left.push({ file, manifest, reason, ...(problem && { range: problem.range }) });
      }
      const worthTelling = problem !== undefined && reason === 'does-not-parse' && wasMeantToBeRead;
      if (selected && worthTelling) this.diagnostics.push(diagnosticOf(file, problem));
    }
  }

  /** What is built into something else gives way to what it is built into. */
  render({ roots, inputs, missingCharts }: RenderedSources): void {
    this.roots = roots;
    this.missingCharts = missingCharts;
    this.inputs = inputs;
    const written = this.resources;
    this.#written = written;
    this.resources = written.filter(({ resource }) => !inputs.has(resource.manifest.file.path));
    for (const { resource, selected } of written) {
      const { path } = resource.manifest.file;
      const isRendered = inputs.get(path);
      if (!selected || isRendered === undefined) continue;
      this.skip({
        path,
        // Of what a change leaves alone nobody asks it.
        get line() {
          const { file, range } = resource.locate(['kind'], 'key');
          return file.positionAt(range.start).line;
        },
        reason: isRendered ? 'rendered' : 'not-rendered',
      });
    }
    this.skipped = this.skipped.map((entry) => {
      return inputs.get(entry.path) === true && UNRENDERED.has(entry.reason) ? { ...entry, reason: 'rendered' } : entry;
    });
    for (const root of roots) this.#addRoot(root);
  }

  #addRoot(root: RenderedRoot): void {
    if (root.failure !== undefined) this.diagnostics.push(rootNotRendered(root, root.failure));
    for (const manifest of root.manifests) {
      const { reason, detail } = classifyRendered(manifest.value);
      if (reason === undefined) this.#addResources(manifest, { selected: true, changedBy: undefined, root });
      else if (reason !== 'empty-document') {
        const { file, range } = manifest.declaredAt ?? manifest.place(['kind'], 'key');
        const { line } = file.positionAt(range.start);
        this.skip({ path: file.path, line, reason, ...(detail !== undefined && { detail }) });
        this.left.push({ file, manifest, reason });
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

/** Nearly all have nothing more to tell: written out, they are of one shape and small. */
function foundResource(resource: Resource, found: Omit<FoundResource, 'resource'>): FoundResource {
  const { selected, changedBy, root, source, aside } = found;
  const isPlain = root === undefined && source === undefined && aside === undefined;
  return isPlain ? { resource, selected, changedBy } : { resource, ...found };
}

/** Reasons that end where the file is an input of something that is rendered. */
const UNRENDERED: ReadonlySet<string> = new Set<SkipReason>([
  'kustomization',
  'kustomize-patch',
  'kustomize-input',
  'helm-template',
  'helm-chart-file',
  'helm-values',
  'not-a-resource',
  'placeholder',
  'template',
  'unnamed-resource',
  'incomplete-resource',
]);

/** Of a root that there is nothing more to be said of. */
export function rootNotRendered({ name, location }: RenderedRoot, { message, help, charts }: RootFailure): Diagnostic {
  return {
    code: 'not-rendered',
    severity: 'warning',
    message: `${name} cannot be rendered, so nothing is known of what it applies: ${message}`,
    primary: location,
    related: [],
    help,
    cause: charts === undefined ? message : 'a chart is not in the repository',
  };
}

/** What cannot be read was meant to be applied, so it is an error: nobody can tell what a policy would say of it. */
function diagnosticOf(file: SourceFile, { message, range, related }: SourceProblem): Diagnostic {
  return {
    code: 'does-not-parse',
    severity: 'error',
    message,
    primary: { file, range },
    related: related.map((place) => ({ message: place.message, location: { file, range: place.range } })),
  };
}

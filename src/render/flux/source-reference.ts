// Decides which Flux sources are the checked repository.
import { isSetAside } from '../../inventory/aside.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { folderOf, foldersAbove, normalizePath } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { DeclarationFacts, UnknownPart } from '../sources/controller.ts';
import { CheckedRevisions } from '../sources/declaration/checked-revisions.ts';
import { FLUX_INSTANCE, FLUX_KUSTOMIZATION } from '../sources/declaration/declared-kinds.ts';
import { ANY_PART, openPath } from '../sources/declaration/possible-paths.ts';
import { haveOneName, repositoryKey } from '../sources/remote/repository-address.ts';

export const SOURCE_GROUP = 'source.toolkit.fluxcd.io';
const ARTIFACT_GENERATOR = 'source.extensions.fluxcd.io/ArtifactGenerator';
/** The name that `flux bootstrap` gives the repository it writes to. */
const BOOTSTRAPPED = 'flux-system';

export interface FluxOptions {
  /** Folder of this repository at a source's root, '' for the top, by `Kind/namespace/name` or by URL. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Address that the checked repository comes from; absent if unknown. */
  readonly repositoryUrl?: string;
  /** Decides whether a revision of this repository has the checked files. */
  readonly revisions?: CheckedRevisions;
}

export interface SourceReference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The namespace of the object: its own, else the default of what renders it. */
export function namespaceOf({ namespace, manifest }: Resource): string {
  return namespace || manifest.defaultNamespace || 'default';
}

export function specOf(resource: Resource): JsonObject {
  return objectOrEmpty(resource.value.get('spec'));
}

export function sourceReference(reference: JsonObject, declaration: Resource): SourceReference {
  return {
    kind: textField(reference, 'kind'),
    namespace: textField(reference, 'namespace') || namespaceOf(declaration),
    name: textField(reference, 'name'),
  };
}

/** A path as the controllers join it to a source's root; it cannot leave the root. '' is the root. */
export function pathInSource(path: string): string {
  return normalizePath(`/${path}`).replace(/^\/|\/$/g, '');
}

function findSource(known: DeclarationFacts, { kind, namespace, name }: SourceReference): Resource | undefined {
  const named = known.all(`${SOURCE_GROUP}/${kind}`).filter((source) => source.name === name);
  return named.find((source) => source.namespace === namespace) ?? named.find((source) => source.namespace === '');
}

/** The source that a FluxInstance declares in `spec.sync`. */
export interface SyncedSource extends SourceReference {
  readonly url: string;
  readonly ref: string;
  readonly path: string;
  /** True if `spec.sync` has a name. The default is the namespace of the FluxInstance. */
  readonly isNamed: boolean;
}

/** Follows `build` in internal/controller/fluxinstance_controller.go of the Flux operator. */
export function syncOf(instance: Resource): SyncedSource | undefined {
  const sync = objectField(specOf(instance), 'sync');
  if (sync === undefined) return undefined;
  const [kind = '', url = '', ref = '', path = '', name = ''] = ['kind', 'url', 'ref', 'path', 'name'].map((field) =>
    textField(sync, field),
  );
  const namespace = namespaceOf(instance);
  return { kind, namespace, name: name || namespace, url, ref, path, isNamed: name !== '' };
}

/** Sources that contain files which a pipeline packed. */
const PACKED: ReadonlySet<string> = new Set(['OCIRepository', 'Bucket']);
/** A few Kustomizations may be outdated. */
const MOST = 0.8;

export interface PackedFolder {
  readonly folder: string;
  /** Number of paths that exist in the folder, and of all paths. */
  readonly found: number;
  readonly of: number;
}

export class OwnSources {
  readonly #known: DeclarationFacts;
  readonly #tree: FileTree;
  readonly #told: ReadonlyMap<string, string>;
  readonly #url: string | undefined;
  readonly #revisions: CheckedRevisions;
  readonly #packed = new Map<string, PackedFolder | undefined>();
  #own: { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } | undefined;

  constructor(known: DeclarationFacts, tree: FileTree, { sources = new Map(), repositoryUrl, revisions }: FluxOptions) {
    this.#revisions = revisions ?? new CheckedRevisions();
    this.#known = known;
    this.#tree = tree;
    this.#url = repositoryUrl;
    this.#told = new Map(
      [...sources].flatMap(([name, folder]) => [name, repositoryKey(name)].map((key) => [key, folder])),
    );
  }

  /**
   * Folder of this tree at a source's root, '' for the top. Configuration decides first. Otherwise the source is the top of this
   * repository if it was bootstrapped, has the same URL, or is the source of a Kustomization whose path contains that Kustomization's own
   * file. An artifact is the folder in which the paths of its Kustomizations exist. Undefined for every other source.
   */
  rootOf(reference: SourceReference): string | undefined {
    const url = this.urlOf(reference);
    const told = this.#told.get(nameOf(reference)) ?? (url && this.#told.get(repositoryKey(url)));
    if (told !== undefined) return told;
    if (reference.kind === 'ExternalArtifact') return this.#rootOfArtifact(reference);
    this.#own ??= this.#findOwn();
    const isOwn =
      isBootstrapped(reference) ||
      this.#own.names.has(nameOf(reference)) ||
      (url !== undefined && this.#own.urls.has(repositoryKey(url)));
    return isOwn ? '' : this.packedFolder(reference)?.folder;
  }

  /** True if the source has an address that may belong to another repository. */
  isGuess(reference: SourceReference): boolean {
    const url = this.urlOf(reference);
    if (this.#url === undefined || url === undefined || PACKED.has(reference.kind)) return false;
    const isTold = this.#told.has(nameOf(reference)) || this.#told.has(repositoryKey(url));
    return !isTold && !haveOneName(this.#url, url);
  }

  /** Folders of this repository that a path in the source may name; none if the source is certainly another repository. */
  mayHold(reference: SourceReference, path: string): readonly string[] {
    const root = this.rootOf(reference);
    if (root !== undefined) return [openPath(pathInSource(`${root}/${pathInSource(path)}`))];
    const url = this.urlOf(reference);
    if (url !== undefined && !PACKED.has(reference.kind)) {
      const own = [...(this.#own?.urls ?? []), ...(this.#url === undefined ? [] : [this.#url])];
      if (!own.some((known) => haveOneName(known, url))) return [];
    }
    const open = openPath(pathInSource(path));
    // The top of an artifact from elsewhere is usual, and says nothing about this repository.
    if (open === '' && PACKED.has(reference.kind) && reference.name !== BOOTSTRAPPED) return [];
    return [open, `${ANY_PART}/${open}`];
  }

  /**
   * The folder that a pipeline packs into an OCI artifact or a bucket, if the paths of at least two Kustomizations say so: nearly all of
   * them exist in this folder, and in no other one.
   */
  packedFolder({ kind, name }: SourceReference): PackedFolder | undefined {
    if (!PACKED.has(kind)) return undefined;
    const key = `${kind}/${name}`;
    if (!this.#packed.has(key)) this.#packed.set(key, this.#findPacked(kind, name));
    return this.#packed.get(key);
  }

  #findPacked(kind: string, name: string): PackedFolder | undefined {
    const uses = this.#known.all(FLUX_KUSTOMIZATION).filter((kustomization) => {
      if (isSetAside(kustomization.manifest.file.path)) return false;
      const source = objectOrEmpty(specOf(kustomization).get('sourceRef'));
      return textField(source, 'kind') === kind && textField(source, 'name') === name;
    });
    const written = uses.map((kustomization) => textField(specOf(kustomization), 'path'));
    const paths = [...new Set(written.map(pathInSource))].filter((path) => path !== '' && !path.includes('$'));
    const folders = new Set(uses.flatMap(({ manifest }) => foldersAbove(manifest.file.path).map(pathInSource)));
    const counted = [...folders].map((folder) => {
      const found = paths.filter((path) => this.#tree.kind(pathInSource(`${folder}/${path}`)) === 'folder').length;
      return { folder, found, of: paths.length };
    });
    const [best, next] = counted.sort((one, other) => other.found - one.found);
    if (best === undefined || best.found < 2 || best.found < best.of * MOST || next?.found === best.found)
      return undefined;
    return best;
  }

  urlOf(reference: SourceReference): string | undefined {
    const source = findSource(this.#known, reference);
    const url = source === undefined ? this.#synced(reference)?.url : textField(specOf(source), 'url');
    return url === '' ? undefined : url;
  }

  /** Why a source that is this repository does not have the checked files. `source`: the object that declares it. */
  otherRevision(
    reference: SourceReference,
    source: Resource | undefined,
    declaration: Resource,
  ): UnknownPart | undefined {
    if (reference.kind !== 'GitRepository') return undefined;
    const synced = source === undefined ? this.#synced(reference) : undefined;
    if (source === undefined && synced === undefined) return undefined;
    const { text, field } = source === undefined ? { text: synced?.ref ?? '', field: '' } : writtenRevision(source);
    const other = this.#revisions.otherThanChecked(text, declaration, () => this.#namedRevisions());
    if (other === undefined || source === undefined) return other;
    return { ...other, at: { object: source, path: ['spec', 'ref', field] } };
  }

  #namedRevisions(): readonly string[] {
    const written = this.#known.all(`${SOURCE_GROUP}/GitRepository`).flatMap((source) => {
      const { name } = source;
      const reference = { kind: 'GitRepository', namespace: namespaceOf(source), name };
      return this.rootOf(reference) === undefined ? [] : [writtenRevision(source).text];
    });
    const synced = this.#known.all(FLUX_INSTANCE).flatMap((instance) => {
      const sync = syncOf(instance);
      return sync?.kind === 'GitRepository' && this.rootOf(sync) !== undefined ? [sync.ref] : [];
    });
    return [...written, ...synced];
  }

  /** The source that an ExternalArtifact is copied from; every other source itself. */
  originOf(reference: SourceReference): SourceReference {
    return reference.kind === 'ExternalArtifact' ? (this.#copiedFrom(reference)?.reference ?? reference) : reference;
  }

  #synced(reference: SourceReference): SyncedSource | undefined {
    const found = this.#known.all(FLUX_INSTANCE).flatMap((instance) => syncOf(instance) ?? []);
    return found.find((source) => nameOf(source) === nameOf(reference));
  }

  /** An artifact copied from one folder of another source. Each file keeps its path below that folder. */
  #rootOfArtifact(artifact: SourceReference): string | undefined {
    const copied = this.#copiedFrom(artifact);
    const root = copied && this.rootOf(copied.reference);
    return root === undefined ? undefined : pathInSource(`${root}/${copied?.folder}`);
  }

  #copiedFrom({
    namespace,
    name,
  }: SourceReference): { readonly reference: SourceReference; readonly folder: string } | undefined {
    for (const generator of artifactGenerators(this.#known, { namespace, name })) {
      const spec = specOf(generator);
      const artifact = artifactIn(generator, name);
      if (artifact === undefined) continue;
      const copies = objectItems(artifact.get('copy')).map(copyOf);
      const [copy] = copies;
      if (copy === undefined) return undefined;
      if (copies.some((other) => other?.alias !== copy.alias || other.folder !== copy.folder)) return undefined;
      const source = objectItems(spec.get('sources')).find((item) => textField(item, 'alias') === copy.alias);
      const reference = source && sourceReference(source, generator);
      if (reference === undefined || reference.kind === 'ExternalArtifact') return undefined;
      return { reference, folder: copy.folder };
    }
    return undefined;
  }

  #findOwn(): { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } {
    const names = new Set<string>();
    const urls = new Set<string>();
    const add = (reference: SourceReference): void => {
      names.add(nameOf(reference));
      const url = this.urlOf(reference);
      if (url !== undefined) urls.add(repositoryKey(url));
    };
    add({ kind: 'GitRepository', namespace: BOOTSTRAPPED, name: BOOTSTRAPPED });
    if (this.#url !== undefined) urls.add(repositoryKey(this.#url));
    for (const kustomization of this.#known.all(FLUX_KUSTOMIZATION)) {
      const spec = specOf(kustomization);
      const folder = pathInSource(textField(spec, 'path'));
      if (folder !== '' && isBelow(folderOf(kustomization.manifest.file.path), folder)) {
        add(sourceReference(objectOrEmpty(spec.get('sourceRef')), kustomization));
      }
    }
    for (const instance of this.#known.all(FLUX_INSTANCE)) {
      const sync = syncOf(instance);
      const folder = pathInSource(sync?.path ?? '');
      if (sync !== undefined && folder !== '' && isBelow(folderOf(instance.manifest.file.path), folder)) add(sync);
    }
    return { urls, names };
  }
}

const REVISION_FIELDS = ['commit', 'name', 'semver', 'tag', 'branch'] as const;

/** The order of source-controller: `GitRepositoryRef` of api/v1, default `master`. */
export function writtenRevision(source: Resource): {
  readonly text: string;
  readonly field: (typeof REVISION_FIELDS)[number];
} {
  const ref = objectOrEmpty(specOf(source).get('ref'));
  for (const field of REVISION_FIELDS) {
    const text = textField(ref, field);
    if (text !== '') return { text, field };
  }
  return { text: 'master', field: 'branch' };
}

function artifactIn(generator: Resource, name: string): JsonObject | undefined {
  return objectItems(specOf(generator).get('artifacts')).find((item) => textField(item, 'name') === name);
}

/** ArtifactGenerators that make the ExternalArtifact. */
export function artifactGenerators(
  known: DeclarationFacts,
  { namespace, name }: Pick<SourceReference, 'namespace' | 'name'>,
): readonly Resource[] {
  return known
    .all(ARTIFACT_GENERATOR)
    .filter((generator) => ['', namespace].includes(generator.namespace) && artifactIn(generator, name) !== undefined);
}

const GLOB = /[*?[\]]/;

/**
 * `folder`: prefix of the source path that the artifact path lacks. `dir/**` copies the content of `dir`, other patterns copy whole paths,
 * and a folder is copied below the target. Undefined for copies that rename, exclude or unpack; follows source-watcher
 * `internal/builder/builder.go`.
 */
function copyOf(copy: JsonObject): { readonly alias: string; readonly folder: string } | undefined {
  const [, alias, pattern] = /^@([^/]+)\/(.*)$/.exec(textField(copy, 'from')) ?? [];
  const [, to] = /^@artifact\/(.*)$/.exec(textField(copy, 'to')) ?? [];
  if (alias === undefined || pattern === undefined || to === undefined) return undefined;
  if (copy.has('exclude') || !['', 'Overwrite'].includes(textField(copy, 'strategy'))) return undefined;
  const contentsOf = /^(.+)\/\*\*$/.exec(pattern)?.[1];
  if (contentsOf !== undefined && !GLOB.test(contentsOf)) return copied(alias, contentsOf, to);
  if (GLOB.test(pattern)) return copied(alias, '', to);
  const from = pathInSource(pattern);
  const name = from.slice(from.lastIndexOf('/') + 1);
  // A copied file may be renamed; a folder is not.
  const isFile = name.includes('.') && !pattern.endsWith('/') && !to.endsWith('/') && to !== '';
  return copied(alias, from, isFile ? to : `${to}/${name}`);
}

function copied(
  alias: string,
  from: string,
  to: string,
): { readonly alias: string; readonly folder: string } | undefined {
  const [path, target] = [pathInSource(from), pathInSource(to)];
  if (target === '' || path === target) return { alias, folder: path.slice(target.length) };
  return path.endsWith(`/${target}`) ? { alias, folder: path.slice(0, -target.length - 1) } : undefined;
}

function isBootstrapped({ kind, name }: SourceReference): boolean {
  return kind === 'GitRepository' && name === BOOTSTRAPPED;
}

function isBelow(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(`${top}/`);
}

export function nameOf({ kind, namespace, name }: SourceReference): string {
  return `${kind}/${namespace}/${name}`;
}

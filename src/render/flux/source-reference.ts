// Decides which Flux sources are the checked repository.
import { trimRight } from '../../go/strings/trim.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { folderOf, normalizePath } from '../../source/text/repository-path.ts';
import type { DeclarationFacts } from '../sources/controller.ts';

const SOURCE_GROUP = 'source.toolkit.fluxcd.io';
const ARTIFACT_GENERATOR = 'source.extensions.fluxcd.io/ArtifactGenerator';
const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
/** The name that `flux bootstrap` gives the repository it writes to. */
const BOOTSTRAPPED = 'flux-system';

export interface FluxOptions {
  /** Folder of this repository at a source's root, '' for the top, by `Kind/namespace/name` or by URL. */
  readonly sources?: ReadonlyMap<string, string>;
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

export function findSource(known: DeclarationFacts, { kind, namespace, name }: SourceReference): Resource | undefined {
  const named = known.all(`${SOURCE_GROUP}/${kind}`).filter((source) => source.name === name);
  return named.find((source) => source.namespace === namespace) ?? named.find((source) => source.namespace === '');
}

export class OwnSources {
  readonly #known: DeclarationFacts;
  readonly #told: ReadonlyMap<string, string>;
  #own: { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } | undefined;

  constructor(known: DeclarationFacts, { sources = new Map() }: FluxOptions) {
    this.#known = known;
    this.#told = new Map(
      [...sources].flatMap(([name, folder]) => [name, repositoryUrl(name)].map((key) => [key, folder])),
    );
  }

  /**
   * Folder of this tree at a source's root, '' for the top. Configuration decides first. Otherwise the source is the top of this
   * repository if it was bootstrapped, has the same URL, or is the source of a Kustomization whose path contains that Kustomization's own
   * file. Undefined for every other source.
   */
  rootOf(reference: SourceReference): string | undefined {
    const url = this.urlOf(reference);
    const told = this.#told.get(nameOf(reference)) ?? (url && this.#told.get(repositoryUrl(url)));
    if (told !== undefined) return told;
    if (reference.kind === 'ExternalArtifact') return this.#rootOfArtifact(reference);
    this.#own ??= this.#findOwn();
    const isOwn =
      isBootstrapped(reference) ||
      this.#own.names.has(nameOf(reference)) ||
      (url !== undefined && this.#own.urls.has(repositoryUrl(url)));
    return isOwn ? '' : undefined;
  }

  urlOf(reference: SourceReference): string | undefined {
    const source = findSource(this.#known, reference);
    const url = source === undefined ? '' : textField(specOf(source), 'url');
    return url === '' ? undefined : url;
  }

  /** An artifact copied from one folder of another source. Each file keeps its path below that folder. */
  #rootOfArtifact({ namespace, name }: SourceReference): string | undefined {
    for (const generator of this.#known.all(ARTIFACT_GENERATOR)) {
      if (!['', namespace].includes(generator.namespace)) continue;
      const spec = specOf(generator);
      const artifact = objectItems(spec.get('artifacts')).find((item) => textField(item, 'name') === name);
      if (artifact === undefined) continue;
      const copies = objectItems(artifact.get('copy')).map(copyOf);
      const [copy] = copies;
      if (copy === undefined) return undefined;
      if (copies.some((other) => other?.alias !== copy.alias || other.folder !== copy.folder)) return undefined;
      const source = objectItems(spec.get('sources')).find((item) => textField(item, 'alias') === copy.alias);
      const reference = source && sourceReference(source, generator);
      if (reference === undefined || reference.kind === 'ExternalArtifact') return undefined;
      const root = this.rootOf(reference);
      return root === undefined ? undefined : pathInSource(`${root}/${copy.folder}`);
    }
    return undefined;
  }

  #findOwn(): { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } {
    const names = new Set<string>();
    const urls = new Set<string>();
    const add = (reference: SourceReference): void => {
      names.add(nameOf(reference));
      const url = this.urlOf(reference);
      if (url !== undefined) urls.add(repositoryUrl(url));
    };
    add({ kind: 'GitRepository', namespace: BOOTSTRAPPED, name: BOOTSTRAPPED });
    for (const kustomization of this.#known.all(KUSTOMIZATION)) {
      const spec = specOf(kustomization);
      const folder = pathInSource(textField(spec, 'path'));
      if (folder !== '' && isBelow(folderOf(kustomization.manifest.file.path), folder)) {
        add(sourceReference(objectOrEmpty(spec.get('sourceRef')), kustomization));
      }
    }
    return { urls, names };
  }
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

/** Host and path of a URL, so that https, ssh and git URLs of one repository are equal. */
function repositoryUrl(url: string): string {
  const path = url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/');
  return trimRight(path, '/')
    .replace(/\.git$/, '')
    .toLowerCase();
}

// Which sources of Flux are the repository that is checked: everything else lies where nobody looks.
import type { Resource } from '../../kubernetes/resource.ts';
import type { JsonObject } from '../../source/json.ts';
import { objectOrEmpty, textField } from '../../source/json-field.ts';
import { folderOf, normalizePath } from '../../source/repository-path.ts';
import type { KnownObjects } from '../sources/controller.ts';

const SOURCE_GROUP = 'source.toolkit.fluxcd.io';
const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
/** What `flux bootstrap` calls the repository it writes into. */
const BOOTSTRAPPED = 'flux-system';

export interface FluxOptions {
  /** Sources that are this repository although nothing in it says so: their URLs, or `Kind/namespace/name`. */
  readonly sources?: readonly string[];
}

export interface SourceReference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Where the object goes: as written, else where what renders it puts it. */
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

/** A path as the controllers join it to a source's root: it cannot climb out. '' is the root. */
export function pathInSource(path: string): string {
  return normalizePath(`/${path}`).replace(/^\/|\/$/g, '');
}

export function findSource(known: KnownObjects, { kind, namespace, name }: SourceReference): Resource | undefined {
  const named = known.all(`${SOURCE_GROUP}/${kind}`).filter((source) => source.name === name);
  return named.find((source) => source.namespace === namespace) ?? named.find((source) => source.namespace === '');
}

export class OwnSources {
  readonly #known: KnownObjects;
  readonly #aliases: ReadonlySet<string>;
  #own: { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } | undefined;

  constructor(known: KnownObjects, { sources = [] }: FluxOptions) {
    this.#known = known;
    this.#aliases = new Set(sources.flatMap((source) => [source, repositoryUrl(source)]));
  }

  /**
   * True for a source that holds this tree: named by the options, bootstrapped, of the same URL as one of these, or the
   * source of a Kustomization whose path holds the file that it is written in.
   */
  isOwn(reference: SourceReference): boolean {
    if (isBootstrapped(reference) || this.#aliases.has(nameOf(reference))) return true;
    this.#own ??= this.#findOwn();
    if (this.#own.names.has(nameOf(reference))) return true;
    const url = this.urlOf(reference);
    return url !== undefined && (this.#aliases.has(url) || this.#own.urls.has(repositoryUrl(url)));
  }

  urlOf(reference: SourceReference): string | undefined {
    const source = findSource(this.#known, reference);
    const url = source === undefined ? '' : textField(specOf(source), 'url');
    return url === '' ? undefined : url;
  }

  #findOwn(): { readonly urls: ReadonlySet<string>; readonly names: ReadonlySet<string> } {
    const names = new Set<string>();
    const urls = new Set(this.#aliases);
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

function isBootstrapped({ kind, name }: SourceReference): boolean {
  return kind === 'GitRepository' && name === BOOTSTRAPPED;
}

function isBelow(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(`${top}/`);
}

export function nameOf({ kind, namespace, name }: SourceReference): string {
  return `${kind}/${namespace}/${name}`;
}

/** Host and path of a URL: the same repository by https, ssh or git. */
function repositoryUrl(url: string): string {
  return url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/(?:\.git)?\/*$/, '')
    .toLowerCase();
}
